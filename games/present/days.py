"""What the table shows beside the cards when a match goes on for days."""

import datetime
from collections.abc import Iterator, Sequence

from games.models import Line, Match, Pace, Seat, TimeOff
from games.present import words
from games.present.layout import Viewer
from games.present.parts import AwayView, CardView, DaysView, Recap, RecapStep, TurnLine
from games.present.table import LoggedTurn
from games.rules import SUITS, card_name, parse_position

#: Of many unseen turns this many are replayed, the latest.
RECAP_TURNS = 20
#: Matches that are not played over days are retold only to one who has been away this long.
RECAP_AFTER = datetime.timedelta(minutes=2)
_PILE_SHOWN = 6


def time_off(match: Match, now: datetime.datetime) -> list[TimeOff]:
    """Return the time off of a match's players that its clocks stand still for, now or to come."""
    if not match.is_running or match.pace != Pace.CORRESPONDENCE or not match.time_off_allowed:
        return []
    return list(TimeOff.objects.of_players(seat.user_id for seat in match.seated).ending_after(now))


def days_view(match: Match, viewer: Viewer, now: datetime.datetime, offs: Sequence[TimeOff], my_turns: int) -> DaysView:
    """Return what a viewer is told and can do about a match besides playing.

    ``my_turns`` is in how many matches it is the viewer's turn, this one included.
    """
    seat = match.seat_of(viewer.pk)
    names = {seat.user_id: words.player_name(seat.user) for seat in match.seated}
    can_plan = match.may_plan(seat.number if seat is not None else None)
    return DaysView(
        away=[
            AwayView(names[off.user_id], off.user_id == viewer.pk, off.begins_at, off.ends_at, off.begins_at <= now)
            for off in offs
        ],
        livening=_livening(match, seat, now),
        can_plan=can_plan,
        line_count=Line.objects.filter(seat=seat).count() if can_plan else 0,
        waiting_elsewhere=my_turns if seat is not None and match.to_move != seat.number else 0,
    )


def _livening(match: Match, seat: Seat | None, now: datetime.datetime) -> str:
    if seat is None or not match.is_running or match.pace != Pace.CORRESPONDENCE:
        return ""
    if match.livened:
        return "on"
    if match.live_offered_by == seat.number:
        return "offered"
    if match.turn == 1 or not match.seated[1 - seat.number].is_here(now):
        return ""
    return "possible" if match.live_offered_by is None else "asked"


def recap(
    match: Match, turns: Sequence[LoggedTurn], lines: Sequence[TurnLine], seat: Seat, now: datetime.datetime
) -> Recap | None:
    """Return the turns that the player of a seat has not seen yet, or None.

    ``turns`` is the whole log, ``lines`` their sentences as the player reads them.
    """
    if match.pace == Pace.LIVE or not match.start:
        return None
    if match.pace != Pace.CORRESPONDENCE and (seat.looked_at is None or now - seat.looked_at < RECAP_AFTER):
        return None
    first = max(1, seat.seen_turn)
    steps = list(_steps(match, turns, lines, seat, max(first, len(turns) - RECAP_TURNS + 1)))
    return Recap(steps, earlier=max(0, len(turns) - first + 1 - len(steps))) if steps else None


def _steps(
    match: Match, turns: Sequence[LoggedTurn], lines: Sequence[TurnLine], seat: Seat, first: int
) -> Iterator[RecapStep]:
    position = parse_position(match.start)
    near, far = (SUITS[position.trumps[number]] for number in (seat.number, 1 - seat.number))
    for turn, line in zip(turns, lines, strict=True):
        position = position.play(turn.move)
        if turn.number < first:
            continue
        codes = [card_name(card) for card in position.pile]
        pile = [CardView(code, words.trump_of(code, near, far)) for code in codes[-_PILE_SHOWN:]]
        yield RecapStep(line.number, line.sentence, pile, len(turn.move.cards))

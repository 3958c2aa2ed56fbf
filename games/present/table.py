"""Building what the table shows one viewer out of a match and its log."""

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.http import urlencode
from django.utils.translation import gettext, ngettext

from games.models import Match, OpenTo, Seat, Status, TimeOff
from games.models import Move as LoggedMove
from games.present import terms, words
from games.present.clocks import lead_clock, side_clock
from games.present.layout import Sight, Viewer, sorts_by_rank
from games.present.parts import RematchView, ResultView, SideView, TableView, TurnLine
from games.rules import Move, Reason, card_bit, card_name, parse_move, parse_position


@dataclass(slots=True)
class LoggedTurn:
    """A turn out of the log with what it did: the card beaten and the number picked up."""

    number: int
    seat: int
    move: Move
    beaten: str | None
    taken: tuple[int, ...]


class TurnLog:
    """A match's turns, replayed; the log only grows, so one that is kept need only be extended."""

    def __init__(self, start: str) -> None:
        self.position = parse_position(start)
        self.turns: list[LoggedTurn] = []

    def extend(self, rows: Iterable[tuple[int, str]]) -> None:
        """Replay further turns, given as ``(seat, notation)`` in the order of the log."""
        for seat, notation in rows:
            move = parse_move(notation)
            position = self.position
            top = position.top
            taken = position.pile[-(position.pickup_count() or 0) :] if move.is_take else ()
            beaten = None if top is None else card_name(top)
            self.turns.append(LoggedTurn(len(self.turns) + 1, seat, move, beaten, taken))
            self.position = position.play(move)

    def extend_by(self, moves: Iterable[LoggedMove]) -> None:
        """Replay those of some moves of the log that come next; where one is missing, those after it are left."""
        for made in moves:
            if made.turn == len(self.turns) + 1:
                self.extend([(made.seat, made.notation)])


class TableBuilder:
    """Builds a :class:`TableView`; made once a rendering."""

    def __init__(
        self,
        match: Match,
        turns: Sequence[LoggedTurn],
        viewer: Viewer,
        now: datetime.datetime,
        *,
        chosen: str | None = None,
        lines_from: int = 1,
        rematch: Match | None = None,
        offs: Sequence[TimeOff] = (),
    ) -> None:
        self.match = match
        self.viewer = viewer
        self.now = now
        self.rematch = rematch
        self.offs = offs
        self.seats: list[Seat] = match.seated
        self.seat = match.seat_of(viewer.pk)
        self.near = self.seat.number if self.seat else 0
        self.turns = turns
        self.lines_from = lines_from
        can_play = self.seat is not None and match.is_running and match.paused_at is None
        self.is_mine = can_play and match.to_move == self.near
        self.position = match.rules_position
        shown = (self._may_see(0), self._may_see(1))
        self.sight = Sight(self.position, self.near, shown, stage=self._unasked(), chosen=chosen)

    def build(self) -> TableView:
        """Return the table as the viewer may see it."""
        match = self.match
        sight = self.sight
        result = self._result()
        sentence = result.headline if result else self._sentence(sight.stage)
        latest = self._line(self.turns[-1]).sentence if self.turns else ""
        is_seated = self.seat is not None
        level = self._level()
        return TableView(
            code=match.code,
            url=match.get_absolute_url(),
            turn=match.turn,
            stage=sight.stage,
            sentence=sentence,
            title=self._title(),
            near=self._side(self.near),
            far=self._side(1 - self.near),
            pile=sight.pile,
            rows=sight.rows(new=self._picked_up(), by_rank=sorts_by_rank(self.viewer)) if is_seated else [],
            chosen=sight.chosen,
            pickup_count=self.position.pickup_count() or 0,
            can_take=self.is_mine and self.position.can_take(),
            is_seated=is_seated,
            is_running=match.is_running,
            is_paused=match.paused_at is not None,
            terms=terms.describe(match),
            commitment=match.commitment,
            draw_offer=self._draw_offer(),
            draw_declined=is_seated and match.draw_declined_by == 1 - self.near,
            can_abort=is_seated and match.is_running and match.turn <= 2,
            can_claim_time=is_seated and self._opponent_is_late(),
            confirm_turns=bool(getattr(self.viewer, "confirm_turns", False)),
            latest=latest,
            lead_within=lead_clock(match, self.now),
            turns=[self._line(turn) for turn in self.turns[self.lines_from - 1 :]],
            result=result,
            rematch=self._rematch(),
            level=level,
            level_line=words.level_line(level) if level else "",
        )

    def _level(self) -> int:
        """Return the level at which the computer plays here, 0 where it does not."""
        users = [seat.user for seat in self.seats]
        return next((user.computer.level for user in users if user.is_computer and hasattr(user, "computer")), 0)

    def _opponent_is_late(self) -> bool:
        """Whether the opponent's time ran out, and nobody has ended the match yet."""
        match = self.match
        late = match.is_running and match.deadline is not None and self.now >= match.deadline
        return late and match.turn > 1 and match.to_move != self.near

    def _unasked(self) -> str:
        """Return the stage where no turn is asked of the viewer, else nothing."""
        if not self.match.is_running:
            return "over"
        if self.seat is None:
            return "watch"
        return "" if self.is_mine else "wait"

    def _sentence(self, stage: str) -> str:
        """Return the one sentence that says what is asked of the viewer."""
        if self.match.paused_at is not None:
            return gettext("This match stands still until the moderators have decided.")
        count = self.position.pickup_count() or 0
        top = self.position.top
        values = {"card": words.short_card(card_name(top)) if top is not None else "", "count": count}
        if stage == "lead":
            return gettext("You lead: play any card.")
        if stage == "cover":
            return gettext("Now cover it with any second card.")
        if stage == "take":
            return (
                ngettext(
                    "Nothing of yours beats %(card)s: pick up %(count)d card.",
                    "Nothing of yours beats %(card)s: pick up %(count)d cards.",
                    count,
                )
                % values
            )
        if stage == "beat" and self.position.strict:
            return gettext("Beat %(card)s.") % values
        if stage == "beat":
            return (
                ngettext("Beat %(card)s or pick up %(count)d card.", "Beat %(card)s or pick up %(count)d cards.", count)
                % values
            )
        return gettext("%(player)s is to move.") % {"player": self._name(self.match.to_move or 0)}

    def _title(self) -> str:
        names = {"first": self._name(self.near), "second": self._name(1 - self.near)}
        if self.is_mine:
            return gettext("Your turn – %(second)s") % names
        if self.match.is_running and self.seat is not None:
            return gettext("Waiting for %(second)s") % names
        return gettext("%(first)s – %(second)s") % names

    def _name(self, seat: int) -> str:
        return words.player_name(self.seats[seat].user)

    def _may_see(self, seat: int) -> bool:
        own = self.seat is not None and seat == self.near
        return own or self.match.open_hands or self.match.is_over

    def _side(self, seat: int) -> SideView:
        user = self.seats[seat].user
        side = self.sight.side(
            seat,
            words.player_name(user),
            username=user.username,
            is_computer=user.is_computer,
            is_guest=user.is_guest,
            to_move=self.match.is_running and self.match.to_move == seat,
            won=self.match.is_over and self.match.winner == seat,
            own=self.seat is not None and seat == self.near,
            clock=side_clock(self.match, seat, self.now, self.offs),
        )
        side.away = self.match.shows_away and self.seats[seat] is not self.seat and self.seats[seat].is_away(self.now)
        return side

    def _picked_up(self) -> int:
        """Return the set of the cards that the viewer picked up in the latest own turn."""
        own = next((turn for turn in reversed(self.turns) if turn.seat == self.near), None)
        return sum(map(card_bit, own.taken)) if own is not None else 0

    def _line(self, turn: LoggedTurn) -> TurnLine:
        if self.seat is not None and turn.seat == self.near:
            sentence = words.own_turn_sentence(turn.move, turn.beaten, len(turn.taken))
        else:
            sentence = words.turn_sentence(self._name(turn.seat), turn.move, turn.beaten, len(turn.taken))
        return TurnLine(turn.number, turn.seat, str(turn.move), sentence)

    def _draw_offer(self) -> str:
        if self.match.draw_offered_by is None or self.seat is None:
            return ""
        return "near" if self.match.draw_offered_by == self.near else "far"

    def _result(self) -> ResultView | None:
        match = self.match
        if not match.is_over:
            return None
        own_win = match.winner == self.near
        if match.reason == Reason.ABORTED:
            outcome, headline = "aborted", gettext("No result")
        elif match.winner is None:
            outcome, headline = "draw", gettext("A draw")
        elif self.seat is None:
            outcome = "over"
            headline = gettext("%(player)s has won") % {"player": self._name(match.winner)}
        else:
            outcome = "won" if own_win else "lost"
            headline = gettext("You have won") if own_win else gettext("You have lost")
        return ResultView(
            outcome=outcome,
            headline=headline,
            explanation=words.end_sentence(match, outcome, self.near if self.seat else None),
            secret=bytes(match.secret).hex(),
            nonce=bytes(match.nonce or b"").hex(),
            deal_query=self._deal_query(),
            has_turns=match.turn > 1,
        )

    def _deal_query(self) -> str:
        """Return the fields of the page that deals a match again, filled in for this one."""
        match = self.match
        fields: dict[str, str] = {
            "secret": bytes(match.secret).hex(),
            "nonce": bytes(match.nonce or b"").hex(),
            "deck_size": str(match.deck_size),
            "deal": match.deal,
            "first_trump": self.seats[0].trump_choice,
            "second_trump": self.seats[1].trump_choice,
        }
        return urlencode(fields)

    def _rematch(self) -> RematchView | None:
        if not self.match.is_over or self.seat is None:
            return None
        rematch = self.rematch
        if rematch is None:
            return RematchView("none")
        if rematch.status != Status.OPEN:
            return RematchView("made", rematch.get_absolute_url())
        asked = rematch.open_to == OpenTo.PLAYER and rematch.invited_id == self.viewer.pk
        return RematchView("asked" if asked else "offered", rematch.get_absolute_url())

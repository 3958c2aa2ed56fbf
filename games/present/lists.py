"""Building the lists of matches that pages show: the lobby, one's own, a history, an invitation."""

import datetime
from collections.abc import Sequence

from django.utils import timezone
from django.utils.timesince import timesince
from django.utils.translation import gettext

from accounts.models import User
from games.models import Match, OpenTo, Pace, Status, TimeOff
from games.present import terms, words
from games.present.clocks import mover_clock
from games.present.layout import Viewer
from games.present.parts import Invitation, MatchCard, PlayedNow, SeatOffer, SuitChoice
from games.rules import SUITS, Reason


def seat_offer(match: Match, viewer: Viewer) -> SeatOffer:
    """Return an open seat as a line of the lobby."""
    creator = match.seated[0]
    return SeatOffer(
        code=match.code,
        url=match.get_absolute_url(),
        creator_name=words.player_name(creator.user),
        terms=terms.describe(match),
        trump=creator.trump_choice,
        mine=creator.user_id == viewer.pk,
        age=_age(match.created_at),
    )


def played_now(match: Match, viewer: Viewer) -> PlayedNow:
    """Return a running match as a line of the lobby."""
    return PlayedNow(
        code=match.code,
        url=match.get_absolute_url(),
        players=[words.player_name(seat.user) for seat in match.seated],
        terms=terms.describe(match),
        turn=match.turn,
        mine=match.seat_of(viewer.pk) is not None,
    )


def _age(since: datetime.datetime) -> str:
    """Return how long ago something was, or nothing below a minute."""
    is_new = timezone.now() - since < datetime.timedelta(minutes=1)
    return "" if is_new else timesince(since, depth=1)


def match_card(
    match: Match,
    player: User,
    now: datetime.datetime | None = None,
    offs: Sequence[TimeOff] = (),
    *,
    to_player: bool = True,
) -> MatchCard:
    """Return a match as a card in a player's list; ``offs`` is the time off of the players shown.

    ``to_player`` is false where somebody else reads the list: the reason then calls nobody "you".
    """
    now = now or timezone.now()
    own = match.seat_of(player.pk)
    seat = own.number if own else None
    outcome = _outcome(match, seat)
    other = next((seat.user for seat in match.seated if seat.user_id != player.pk), None)
    if other is None:
        other = match.invited
    away = next((off for off in offs if other is not None and off.user_id == other.pk), None)
    if not match.time_off_allowed or match.pace != Pace.CORRESPONDENCE:
        away = None
    return MatchCard(
        code=match.code,
        url=match.get_absolute_url(),
        opponent=words.player_name(other) if other else gettext("anyone"),
        opponent_username=other.username if other else "",
        terms=terms.describe(match),
        my_turn=own is not None and match.is_running and not match.paused_at and match.to_move == own.number,
        turn=match.turn,
        played=max(match.turn - 1, 0),
        left=mover_clock(match, now, offs),
        outcome=outcome,
        reason=words.end_sentence(match, outcome, seat) if to_player else words.end_sentence(match, "", None),
        offer=_offer(match, own is not None),
        at=match.finished_at or match.started_at or match.created_at,
        away_from=away.begins_at if away else None,
        away_until=away.ends_at if away else None,
        is_computer=other is not None and other.is_computer,
        stands_still=match.is_running and match.paused_at is not None,
        draw_offer=_draw_offer(match, seat),
    )


def _outcome(match: Match, seat: int | None) -> str:
    if not match.is_over:
        return ""
    if match.reason == Reason.ABORTED:
        return "aborted"
    if match.winner is None:
        return "draw"
    return "won" if match.winner == seat else "lost"


def _draw_offer(match: Match, seat: int | None) -> str:
    if not match.is_running or match.draw_offered_by is None or seat is None:
        return ""
    return "sent" if match.draw_offered_by == seat else "received"


def _offer(match: Match, is_own: bool) -> str:
    if match.status != Status.OPEN:
        return ""
    return "sent" if is_own else "received"


def suit_choices(without: str = "") -> list[SuitChoice]:
    """Return the trump suits that can be chosen, all but the one that is taken."""
    return [
        SuitChoice(letter, words.suit_name(letter), words.SUIT_SIGNS[letter]) for letter in SUITS if letter != without
    ]


def invitation(match: Match, viewer: Viewer, link: str) -> Invitation:
    """Return an open or withdrawn match as the viewer may answer it; ``link`` is its full address."""
    creator = match.seated[0]
    if creator.user_id == viewer.pk:
        role = "creator"
    elif match.status != Status.OPEN or match.open_to == OpenTo.COMPUTER:
        role = "outsider"
    elif match.open_to == OpenTo.PLAYER:
        role = "invited" if match.invited_id == viewer.pk else "outsider"
    else:
        role = "anyone"
    trump = creator.trump_choice
    earlier = match.rematch_of if viewer.pk in (creator.user_id, match.invited_id) else None
    return Invitation(
        code=match.code,
        url=match.get_absolute_url(),
        role=role,
        state=match.status,
        creator=words.player_name(creator.user),
        invited=words.player_name(match.invited) if match.invited else "",
        is_rematch=match.rematch_of_id is not None,
        terms=terms.describe(match),
        creator_trump=trump,
        creator_trump_name=words.suit_name(trump) if trump else "",
        suits=suit_choices(without=trump),
        commitment=match.commitment,
        link=link,
        is_declined=match.status == Status.CANCELLED and match.ended_by == 1 and role == "creator",
        earlier=earlier.code if earlier else "",
        earlier_has_turns=earlier is not None and earlier.turn > 1,
    )

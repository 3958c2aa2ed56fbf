"""Who is at a table, and what they have seen of it.

A player's last input says what has been looked at; an open page that answers says only that
somebody could be there. Notices go by the first, live play by the second.

At the table of a live match it is shown who has left it. Nothing is sent for that: each page learns
it from its own heart-beat, so that it holds however many processes serve the table.
"""

import datetime
import logging

from django.db import OperationalError
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import User
from games import broadcast, notices
from games.models import Match, Pace, Seat
from games.models.match import HERE_FOR

#: An open page is written down again after this long.
PRECISION = datetime.timedelta(seconds=10)


logger = logging.getLogger(__name__)


def look(match: Match, user: User, turn: int) -> None:
    """Note that a player looks at a match that stands at a turn; for others nothing happens.

    Where the database takes no writes for a moment, it is not noted: the table can be shown nevertheless.
    """
    try:
        _look(match, user, turn)
    except OperationalError as error:
        logger.warning("match %s: a look could not be noted: %s", match.code, error)


def _look(match: Match, user: User, turn: int) -> None:
    now = timezone.now()
    own = Seat.objects.filter(match=match, user=user)
    if match.is_running and match.pace == Pace.CORRESPONDENCE and _arrived(own, now):
        broadcast.match_changed(match)
    own.update(looked_at=now, here_at=now)
    see(match, user, turn)
    notices.looked(match, user)


def see(match: Match, user: User, turn: int) -> None:
    """Note that a page in front of a player shows a match at a turn, which is then no news.

    Whether the player sits there nobody knows: notices still go out.
    """
    Seat.objects.filter(match=match, user=user, seen_turn__lt=turn).update(seen_turn=turn)


def hear(code: str, user_id: int | None) -> tuple[int | None, set[int]]:
    """Note that a page of a match is open, if a player's; return the match's turn and the seats that are away.

    Where it goes over days, who just came is shown to the table. One query reads, and one a player's page in
    :data:`PRECISION` writes.
    """
    now = timezone.now()
    seats = list(Seat.objects.filter(match__code=code).select_related("match").only(*_HEARD))
    for seat in seats:
        if seat.user_id == user_id and seat.match.is_running:
            _note(seat, now)
    return seats[0].match.turn if seats else None, {seat.number for seat in seats if seat.is_away(now)}


#: What a heart-beat reads.
_HEARD = (
    *("number", "user", "here_at", "looked_at"),
    *(f"match__{name}" for name in ("code", "turn", "started_at", "status", "pace", "open_to", "paused_at")),
)


def _note(seat: Seat, now: datetime.datetime) -> None:
    before, arrives = seat.here_at, not seat.is_here(now)
    if before is not None and before > now - PRECISION:
        return
    seat.here_at = now
    # Of several pages of one player, one is the first.
    is_first = Seat.objects.filter(pk=seat.pk, here_at=before).update(here_at=now)
    if is_first and arrives and seat.match.pace == Pace.CORRESPONDENCE:
        broadcast.match_changed(seat.match)


def _arrived(own: QuerySet[Seat], now: datetime.datetime) -> bool:
    """Note that a player who was away is at the table now, and say whether that was so."""
    return bool(own.filter(Q(here_at__isnull=True) | Q(here_at__lte=now - HERE_FOR)).update(here_at=now))

"""Who is at a table, and what they have seen of it.

A player's last input says what has been looked at; an open page that answers says only that
somebody could be there. Notices go by the first, live play by the second.
"""

import datetime

from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import User
from games import broadcast, notices
from games.models import Match, Pace, Seat
from games.models.match import HERE_FOR

#: An open page is written down again after this long.
PRECISION = datetime.timedelta(seconds=10)


def look(match: Match, user: User, turn: int) -> None:
    """Note that a player looks at a match that stands at a turn; for others nothing happens."""
    now = timezone.now()
    own = Seat.objects.filter(match=match, user=user)
    if match.is_running and match.pace == Pace.CORRESPONDENCE and _arrived(own, now):
        broadcast.match_changed(match)
    own.update(looked_at=now, here_at=now)
    own.filter(seen_turn__lt=turn).update(seen_turn=turn)
    notices.looked(match, user)


def be_here(code: str, user: User) -> None:
    """Note that a player's page of a match is open; who just came is shown to the table."""
    now = timezone.now()
    own = Seat.objects.filter(match__code=code, user=user)
    if _arrived(own, now):
        broadcast.match_changed(Match.objects.get(code=code))
    else:
        own.filter(here_at__lte=now - PRECISION).update(here_at=now)


def _arrived(own: QuerySet[Seat], now: datetime.datetime) -> bool:
    """Note that a player who was away is at the table now, and say whether that was so."""
    return bool(own.filter(Q(here_at__isnull=True) | Q(here_at__lte=now - HERE_FOR)).update(here_at=now))

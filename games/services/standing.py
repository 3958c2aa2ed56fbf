"""Players who vanish: three correspondence matches lost on time in a row pause their challenges."""

from collections.abc import Sequence

from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.models import Match, Pace, Seat, Standing
from games.rules import Outcome, Reason
from games.services.errors import MatchError

LOSSES_TO_PAUSE = 3


class PausedError(MatchError):
    """New challenges from or to a player are paused."""

    message = _("This player has lost three matches on time in a row and takes no challenges before coming back.")


class SelfPausedError(PausedError):
    """The asker's own challenges are paused."""

    message = _(
        "You have lost three matches on time in a row, so your challenges are paused. "
        "Say on the page of your matches that you are back."
    )


def note_end(match: Match, seats: Sequence[Seat], outcome: Outcome) -> None:
    """Count a correspondence match that ends now; belongs into the transaction that ends it.

    The opponents' results stand whatever happens to the standing.
    """
    if match.pace != Pace.CORRESPONDENCE or outcome.reason in (Reason.ABORTED, Reason.MODERATOR):
        return
    # In the order of the accounts: two matches of the same players may end at once, each with other seats.
    for seat in sorted(seats, key=lambda seat: seat.user_id):
        lost_on_time = outcome.reason == Reason.TIME and outcome.winner != seat.number
        if lost_on_time and not seat.user.is_computer:
            Standing.objects.get_or_create(user_id=seat.user_id)
            own = Standing.objects.filter(user_id=seat.user_id)
            own.update(lost_on_time=F("lost_on_time") + 1)
            own.filter(lost_on_time__gte=LOSSES_TO_PAUSE, paused_at=None).update(paused_at=timezone.now())
        elif not lost_on_time:
            Standing.objects.filter(user_id=seat.user_id, paused_at=None).update(lost_on_time=0)


def come_back(user: User) -> None:
    """Take a player's word for being back: challenges are open again and the count starts anew."""
    Standing.objects.filter(user=user).update(lost_on_time=0, paused_at=None)


def require_unpaused(asker: User, other: User | None = None) -> None:
    """Raise :class:`PausedError` where the asker's or the other player's challenges are paused."""
    players = [asker.pk, other.pk] if other is not None else [asker.pk]
    paused = set(Standing.objects.filter(user__in=players, paused_at__isnull=False).values_list("user_id", flat=True))
    if asker.pk in paused:
        raise SelfPausedError
    if paused:
        raise PausedError

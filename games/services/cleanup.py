"""Removing what nobody will miss: guests, offers that came to nothing, and workers that have ended."""

import contextlib
import datetime

from django.db import transaction
from django.db.models import ProtectedError
from django.utils import timezone

from accounts.holding import hold
from accounts.models import Kind, User
from games import selectors
from games.models import Departure, Heartbeat, Match, Seat, Status
from games.services import leaving

#: How long it is kept when a worker was last seen.
WORKERS_KEPT = datetime.timedelta(days=1)
#: How long an offer that nobody took can still be looked up.
CANCELLED_KEPT = datetime.timedelta(days=30)


def clean_guests(limit: int = 200) -> int:
    """Remove up to ``limit`` guests that never played or are idle, and return how many.

    Their matches against the computer go with them. A guest who played a person stays in
    that person's history, as an account that nobody can use; what still runs is resigned.
    """
    now = timezone.now()
    idle = list(selectors.idle_guests(now).values_list("pk", flat=True)[:limit])
    return sum(_remove(pk, now) for pk in idle)


def forget_workers() -> int:
    """Delete the heart-beats of workers that have not been seen for a day, and return how many."""
    return Heartbeat.objects.filter(seen_at__lt=timezone.now() - WORKERS_KEPT).delete()[0]


def forget_cancelled(limit: int = 500) -> int:
    """Delete up to ``limit`` matches that were withdrawn or declined long ago, and return how many."""
    before = timezone.now() - CANCELLED_KEPT
    old = Match.objects.filter(status=Status.CANCELLED, finished_at__lt=before).order_by("finished_at")
    keys = list(old.values_list("pk", flat=True)[:limit])
    Match.objects.filter(pk__in=keys).delete()
    return len(keys)


def _remove(pk: int, now: datetime.datetime) -> bool:
    """Remove a guest who is still one and still idle: meanwhile they may have registered, or sat down."""
    with transaction.atomic():
        guest = _hold_idle(pk, now)
    if guest is None:
        return False
    leaving.leave(guest, Departure.RESIGN)
    with transaction.atomic():
        guest = _hold_idle(pk, now)
        if guest is None:
            return False
        against_people = Seat.objects.exclude(user=guest).exclude(user__kind=Kind.COMPUTER).values("match")
        Match.objects.filter(seats__user=guest).exclude(pk__in=against_people).delete()
        try:
            guest.delete()
        except ProtectedError:
            # Others' matches, the record of a chat or a report still refer to the account.
            User.objects.filter(pk=guest.pk).update(is_active=False)
    return True


def _hold_idle(pk: int, now: datetime.datetime) -> User | None:
    with contextlib.suppress(User.DoesNotExist):
        hold(pk)
    return selectors.idle_guests(now).filter(pk=pk).first()

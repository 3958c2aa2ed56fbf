"""Removing guests that nobody will miss."""

from django.db import transaction
from django.db.models import ProtectedError
from django.utils import timezone

from accounts.models import Kind, User
from games import selectors
from games.models import Match, Seat
from games.services.moderation.matches import leave_all


def clean_guests(limit: int = 200) -> int:
    """Remove up to ``limit`` guests that never played or are idle, and return how many.

    Their matches against the computer go with them. A guest who played a person stays in
    that person's history, as an account that nobody can use; what still runs is resigned.
    """
    guests = list(selectors.idle_guests(timezone.now())[:limit])
    for guest in guests:
        _remove(guest)
    return len(guests)


def _remove(guest: User) -> None:
    leave_all(guest)
    with transaction.atomic():
        against_people = Seat.objects.exclude(user=guest).exclude(user__kind=Kind.COMPUTER).values("match")
        Match.objects.filter(seats__user=guest).exclude(pk__in=against_people).delete()
        try:
            guest.delete()
        except ProtectedError:
            # Others' matches, the record of a chat or a report still refer to the account.
            User.objects.filter(pk=guest.pk).update(is_active=False)

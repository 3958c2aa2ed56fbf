"""Removing guests that nobody will miss."""

from django.db import transaction
from django.utils import timezone

from accounts.models import Kind, User
from games import selectors
from games.models import Match, Seat, Status
from games.services.ending import resign
from games.services.errors import MatchError
from games.services.seating import cancel, decline


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
    for match in Match.objects.filter(seats__user=guest, status__in=(Status.OPEN, Status.RUNNING)):
        try:
            (cancel if match.status == Status.OPEN else resign)(match.code, guest)
        except MatchError:
            # It ended by itself meanwhile, which is as good.
            continue
    for match in Match.objects.filter(invited=guest, status=Status.OPEN):
        try:
            decline(match.code, guest)
        except MatchError:
            continue
    with transaction.atomic():
        against_people = Seat.objects.exclude(user=guest).exclude(user__kind=Kind.COMPUTER).values("match")
        Match.objects.filter(seats__user=guest).exclude(pk__in=against_people).delete()
        if Seat.objects.filter(user=guest).exists():
            User.objects.filter(pk=guest.pk).update(is_active=False)
        else:
            guest.delete()

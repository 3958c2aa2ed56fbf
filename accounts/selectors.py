"""Reads about accounts."""

from datetime import datetime, timedelta

from django.db.models import Q, QuerySet

from accounts.models import Kind, User

IDLE = timedelta(days=30)
"""After this long without a sign of life a guest's account is given up."""

NEVER_PLAYED = timedelta(days=1)
"""A guest who sat down nowhere within this time is given up too."""


def display_name(user: User) -> str:
    """Return what an account is called on pages and in mails."""
    return user.display_name


def stale_guests(now: datetime, played: QuerySet[User]) -> QuerySet[User]:
    """Return the guests to clean up: idle for :data:`IDLE`, or for :data:`NEVER_PLAYED` without ever having played.

    ``played`` is a queryset of the accounts that have sat at a table.
    """
    idle = Q(last_active_at__lt=now - IDLE)
    never_played = Q(last_active_at__lt=now - NEVER_PLAYED) & ~Q(pk__in=played.values("pk"))
    return User.objects.filter(idle | never_played, kind=Kind.GUEST)

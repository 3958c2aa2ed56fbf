"""The notices behind the bell: adding, counting, reading."""

import datetime
from collections.abc import Iterable
from typing import Any

from django.db.models import Prefetch, QuerySet
from django.utils import timezone

from accounts.models import User
from games import broadcast
from games.models import Match, Notice

#: How long a notice is kept.
KEPT = datetime.timedelta(days=90)


def add(
    user: User,
    event: str,
    key: str,
    now: datetime.datetime,
    *,
    match: Match | None = None,
    data: dict[str, Any] | None = None,
) -> None:
    """Put a notice behind the bell; an unread one of the same key is brought up to date instead."""
    values = {"event": event, "match": match, "data": data or {}, "created_at": now}
    Notice.objects.update_or_create(user=user, key=key, read_at=None, defaults=values)
    broadcast.notices_changed([user.pk])


def clear(match: Match, events: Iterable[str], user_id: int | None = None) -> None:
    """Take away the notices about a match that have become void, read or not; those of one player, or of all."""
    void = Notice.objects.filter(match=match, event__in=list(events))
    if user_id is not None:
        void = void.filter(user=user_id)
    told = list(void.values_list("user", "read_at"))
    if told:
        void.delete()
        broadcast.notices_changed({player for player, read_at in told if read_at is None})


def of_player(user: User) -> QuerySet[Notice]:
    """Return a player's notices, the newest first."""
    matches = Prefetch("match", queryset=Match.objects.with_seats().select_related("invited"))
    return Notice.objects.filter(user=user).prefetch_related(matches).order_by("-created_at", "-pk")


def unread_count(user: User) -> int:
    """Return how many notices a player has not read."""
    return Notice.objects.filter(user=user, read_at=None).count()


def mark_match_read(user_id: int, match_id: int, now: datetime.datetime) -> None:
    """Mark what a player was told about a match as read."""
    if Notice.objects.filter(user=user_id, match=match_id, read_at=None).update(read_at=now):
        broadcast.notices_changed([user_id])


def mark_read(user: User, ids: Iterable[int] | None = None) -> int:
    """Mark some of a player's notices as read, or all, and return how many were not."""
    unread = Notice.objects.filter(user=user, read_at=None)
    if ids is not None:
        unread = unread.filter(pk__in=list(ids))
    count = unread.update(read_at=timezone.now())
    if count:
        broadcast.notices_changed([user.pk])
    return count


def forget_old() -> int:
    """Delete the notices that are older than :data:`KEPT` and return how many there were."""
    return Notice.objects.filter(created_at__lt=timezone.now() - KEPT).delete()[0]

"""How often an account and a client may do something.

Counted in the cache, in windows of fixed length, so that all processes that share a cache
count together. A wide limit is drawn from there in shares, a hundredth of it at once, which
the process then gives out by itself: a turn seldom asks the cache. No more is ever let through
than the limit says; what processes have drawn and not given out is missing from it, at most a
hundredth for each of them. While Redis is away nothing is limited: play goes on without it.
"""

import hashlib
import logging
import threading
import time

from django.conf import settings
from django.core.cache import cache

from accounts.models import User
from games.client import Client
from games.services.errors import TooOftenError
from yourtrumps.outages import REDIS

logger = logging.getLogger(__name__)

#: Into how many shares a limit is divided; one of fewer is counted one by one.
SHARES = 100
#: Of how many limits a process keeps what it has drawn.
MOST_DRAWN = 10_000


def spend(action: str, user: User | None, client: Client) -> None:
    """Count one more of an action; raise :class:`TooOftenError` beyond what the account or the client may do.

    ``settings.RATE_LIMITS`` has, by action, ``{"account": (count, seconds), "address": (count, seconds)}``.
    """
    limits = settings.RATE_LIMITS[action]
    spent = [_count(action, "address", client.address, limits["address"])]
    if user is not None:
        spent.append(_count(action, "account", str(user.pk), limits["account"]))
    if not all(spent):
        raise TooOftenError


class Drawn:
    """What this process has drawn from the shared counts and not given out yet, by their keys."""

    def __init__(self) -> None:
        self._left: dict[str, int] = {}
        self._lock = threading.Lock()

    def take(self, key: str) -> bool:
        """Give one out, if one is left."""
        with self._lock:
            left = self._left.pop(key, 0)
            if left > 1:
                self._left[key] = left - 1
            return left > 0

    def put(self, key: str, count: int) -> None:
        """Keep what was drawn. Keys of windows that have ended stay until there are too many; then all is dropped."""
        with self._lock:
            if len(self._left) >= MOST_DRAWN:
                self._left.clear()
            if count > 0:
                self._left[key] = self._left.get(key, 0) + count


_drawn = Drawn()


def _count(action: str, kind: str, who: str, limit: tuple[int, int]) -> bool:
    most, seconds = limit
    window = int(time.time()) // seconds
    digest = hashlib.blake2b(who.encode(), digest_size=12).hexdigest()
    key = f"limit:{action}:{kind}:{digest}:{window}"
    if _drawn.take(key):
        return True
    share = max(1, most // SHARES)
    try:
        within = min(share, most - (_add(key, share, seconds) - share))
    except REDIS as error:
        logger.warning("limit %s is not counted: %s", action, error)
        within = share
    _drawn.put(key, within - 1)
    return within > 0


def _add(key: str, share: int, seconds: int) -> int:
    """Add a share to the shared count and return the sum."""
    if cache.add(key, share, timeout=seconds + 1):
        return share
    try:
        return cache.incr(key, share)
    except ValueError:
        # The window ended between the two.
        return share

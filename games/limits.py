"""How often an account and a client may do something.

Counted in the cache, in windows of fixed length, so that all processes that share a cache
count together.
"""

import hashlib
import time

from django.conf import settings
from django.core.cache import cache

from accounts.models import User
from games.client import Client
from games.services.errors import TooOftenError


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


def _count(action: str, kind: str, who: str, limit: tuple[int, int]) -> bool:
    most, seconds = limit
    window = int(time.time()) // seconds
    digest = hashlib.blake2b(who.encode(), digest_size=12).hexdigest()
    key = f"limit:{action}:{kind}:{digest}:{window}"
    if cache.add(key, 1, timeout=seconds + 1):
        return most >= 1
    try:
        return bool(cache.incr(key) <= most)
    except ValueError:
        # The window ended between the two.
        return True

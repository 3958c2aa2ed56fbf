"""Noting with which session, device and address an account plays: as keyed hashes, for 90 days."""

import datetime

from django.core.cache import cache
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.models import User
from games.client import Client
from games.models import Trace, TraceKind

KEPT_FOR = datetime.timedelta(days=90)
#: How exactly the time of the last sight is kept.
PRECISION_SECONDS = 60 * 60


def digest(kind: str, value: str) -> str:
    """Return the keyed hash under which a session, a device or an address is kept."""
    return salted_hmac(f"games.trace.{kind}", value, algorithm="sha256").hexdigest()[:32]


def note(user: User, client: Client) -> None:
    """Note that an account was seen with this client; at most one write an hour for the same."""
    now = timezone.now()
    seen = {
        TraceKind.SESSION: client.session,
        TraceKind.DEVICE: client.device,
        TraceKind.ADDRESS: client.address,
    }
    for kind, value in seen.items():
        hashed = digest(kind, value)
        if not value or not cache.add(f"trace:{user.pk}:{hashed}", 1, timeout=PRECISION_SECONDS):
            continue
        Trace.objects.update_or_create(user=user, kind=kind, digest=hashed, defaults={"last_seen_at": now})


def shared(first: User, second: User) -> QuerySet[Trace]:
    """Return the traces of the first account that the second one has too."""
    theirs = Trace.objects.filter(user=second).values("digest")
    return Trace.objects.filter(user=first, digest__in=theirs)


def forget_old(now: datetime.datetime) -> int:
    """Delete the traces whose time is over, and return how many there were."""
    return Trace.objects.filter(last_seen_at__lt=now - KEPT_FOR).delete()[0]

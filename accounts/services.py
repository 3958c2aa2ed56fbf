"""Making guests; noting who is there, whose sessions go on."""

import logging
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from allauth.core import ratelimit
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.ratelimit import respond_429
from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.models import Session
from django.db import IntegrityError, OperationalError, transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from accounts.models import Kind, User

logger = logging.getLogger(__name__)

ACTIVITY_PRECISION = timedelta(minutes=1)

_BACKEND = "allauth.account.auth_backends.AuthenticationBackend"


class TooManyGuests(ImmediateHttpResponse):
    """One client made guests too fast; left alone by a view, it is answered with 429."""


def admit(request: HttpRequest) -> bool:
    """Count one more newcomer of whom something will be kept; return whether their client may bring so many.

    The rate limit is ``guest``, of the client's address.
    """
    return bool(ratelimit.consume(request, action="guest"))


def create_guest(request: HttpRequest) -> User:
    """Make a guest's account and log this browser in to it.

    Raises :class:`TooManyGuests` where the client may bring no more newcomers.
    """
    if not admit(request):
        raise TooManyGuests(respond_429(request))
    user = _new_guest()
    login(request, user, backend=_BACKEND)
    return user


def ensure_player(request: HttpRequest) -> User:
    """Return whoever is logged in, or a new guest; raise as :func:`create_guest` does."""
    return request.user if request.user.is_authenticated else create_guest(request)


def note_activity(request: HttpRequest) -> None:
    """Write down that an account is active, unless that was done within :data:`ACTIVITY_PRECISION`.

    A session past half its time begins it anew, so that it ends with activity: a guest has no other way back in.
    Where the database takes no writes for a moment, nothing is noted: what was asked for may need none.
    """
    user = request.user
    if _is_stale(user):
        with _unless_busy(user):
            user.last_active_at = timezone.now()
            User.objects.filter(pk=user.pk).update(last_active_at=user.last_active_at)
            request.session.modified |= _past_half(request.session).exists()


async def anote_activity(request: HttpRequest) -> None:
    """Do as :func:`note_activity`, in the event loop."""
    user = request.user
    if _is_stale(user):
        with _unless_busy(user):
            user.last_active_at = timezone.now()
            await User.objects.filter(pk=user.pk).aupdate(last_active_at=user.last_active_at)
            request.session.modified |= await _past_half(request.session).aexists()


def _past_half(session: SessionBase) -> QuerySet[Session]:
    """The session's row if less than half its time is left. Saving the session renews it, and the browser's cookie."""
    half = timedelta(seconds=settings.SESSION_COOKIE_AGE) / 2
    return Session.objects.filter(pk=session.session_key, expire_date__lt=timezone.now() + half)


def _is_stale(user: User | AnonymousUser) -> bool:
    return user.is_authenticated and timezone.now() - user.last_active_at >= ACTIVITY_PRECISION


@contextmanager
def _unless_busy(user: User | AnonymousUser) -> Iterator[None]:
    try:
        yield
    except OperationalError as error:
        logger.warning("account %s: its activity could not be noted: %s", user.pk, error)


def _new_guest() -> User:
    for digits in (6, 6, 6, 12):
        user = User(username=f"Guest-{secrets.randbelow(10**digits):0{digits}}", kind=Kind.GUEST)
        user.set_unusable_password()
        try:
            with transaction.atomic():
                user.save()
        except IntegrityError:
            continue
        return user
    raise RuntimeError("no free name for a guest")

"""Web Push: subscribing a browser, and sending to it with this site's VAPID key."""

import base64
import datetime
import functools
import json
from urllib.parse import urlsplit

import requests
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.utils import timezone, translation
from py_vapid import Vapid02
from pywebpush import WebPushException, webpush

from accounts.models import User
from games.models import Delivery, Event, PushSubscription, Reader
from games.notices import choices, links, wording
from games.notices.errors import GoneError, RefusedError, UnsentError

TIMEOUT_SECONDS = 10
#: How long a push service keeps what it cannot hand over yet.
KEEP = datetime.timedelta(days=1)
#: Browsers of one player; the oldest makes room for one more.
MOST_DEVICES = 10
_LOOPBACK = {"localhost", "127.0.0.1", "::1"}

is_on = choices.push_is_on


class BadSubscriptionError(ValueError):
    """What a browser sent is no subscription at a push service that this site sends to."""


@functools.cache
def _vapid(private_key: str) -> Vapid02:
    return Vapid02.from_string(private_key)


def public_key() -> str:
    """Return the key that browsers subscribe with, in base64url without padding."""
    point = _vapid(settings.VAPID_PRIVATE_KEY).public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(point).rstrip(b"=").decode()


def subscribe(user: User, endpoint: str, p256dh: str, auth: str) -> PushSubscription:
    """Keep a browser's subscription; one browser belongs to whoever subscribed last.

    Raises :class:`BadSubscriptionError`: the address must lie at one of ``PUSH_HOSTS``, since
    this server will send requests to it.
    """
    _check_endpoint(endpoint)
    _check_keys(p256dh, auth)
    subscription, _made = PushSubscription.objects.update_or_create(
        endpoint=endpoint, defaults={"user": user, "p256dh": p256dh, "auth": auth}
    )
    newest = PushSubscription.objects.filter(user=user).order_by("-pk").values_list("pk", flat=True)[:MOST_DEVICES]
    PushSubscription.objects.filter(user=user).exclude(pk__in=list(newest)).delete()
    return subscription


def unsubscribe(user: User, endpoint: str) -> int:
    """Forget a browser of a player and return how many rows that were."""
    if "\0" in endpoint:
        # PostgreSQL takes no such text, not even to look for it.
        return 0
    return PushSubscription.objects.filter(user=user, endpoint=endpoint).delete()[0]


def send(delivery: Delivery, subscription: PushSubscription, now: datetime.datetime) -> None:
    """Send a delivery to one browser.

    Raises :class:`GoneError` where the subscription has ended, after deleting it;
    :class:`RefusedError` and :class:`UnsentError` as mail does.
    """
    keys = {"p256dh": subscription.p256dh, "auth": subscription.auth}
    with requests.Session() as session:
        session.max_redirects = 0
        try:
            webpush(
                {"endpoint": subscription.endpoint, "keys": keys},
                data=json.dumps(payload(delivery, now), ensure_ascii=False),
                vapid_private_key=_vapid(settings.VAPID_PRIVATE_KEY),
                # Changed by the call, so that each needs its own.
                vapid_claims={"sub": settings.VAPID_SUBJECT},
                ttl=int(KEEP.total_seconds()),
                timeout=TIMEOUT_SECONDS,
                headers={"Urgency": "high" if delivery.event == Event.LOW_TIME else "normal"},
                requests_session=session,
            )
        except WebPushException as error:
            _raise(error, subscription)
        except requests.RequestException as error:
            raise UnsentError(type(error).__name__) from error


def payload(delivery: Delivery, now: datetime.datetime) -> dict[str, str]:
    """Return what the service worker shows, in the reader's language.

    ``tag`` is the same for the same thing, so that a push that comes twice shows once.
    """
    user, match = delivery.user, delivery.match
    reader = Reader.objects.filter(user=user).first()
    language = choices.language_of(user, reader)
    with translation.override(language), timezone.override(choices.zone_of(user, reader)):
        told = wording.tell(delivery.event, user.pk, match, delivery.data, now)
        plays = delivery.event in (Event.TURN, Event.LOW_TIME) and match is not None
        url = links.play_url(match) if plays and match is not None else links.absolute(told.path or "/")
        tag = delivery.key.partition("#")[0]
        return {"title": told.title, "body": " ".join(told.sentences), "url": url, "tag": tag, "lang": language}


def _raise(error: WebPushException, subscription: PushSubscription) -> None:
    # The status alone is kept: the words of an error may hold the endpoint, with which anybody can push.
    status = getattr(error.response, "status_code", None)
    if status in (404, 410):
        # Its deliveries go with it: there is nobody to send them to.
        subscription.delete()
        raise GoneError("the subscription has ended") from error
    if status is not None and 400 <= status < 500 and status != 429:
        raise RefusedError(str(status)) from error
    raise UnsentError(f"WebPushException {status or ''}".rstrip()) from error


def _check_endpoint(endpoint: str) -> None:
    try:
        address = urlsplit(endpoint)
        host, _port = address.hostname or "", address.port
    except ValueError as error:
        raise BadSubscriptionError from error
    known = any(host == allowed or host.endswith(f".{allowed}") for allowed in settings.PUSH_HOSTS)
    encrypted = address.scheme == "https" or (address.scheme == "http" and host in _LOOPBACK)
    if not known or not encrypted or len(endpoint) > 500 or "@" in address.netloc:
        raise BadSubscriptionError


def _check_keys(p256dh: str, auth: str) -> None:
    try:
        point, secret = _decode(p256dh), _decode(auth)
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError as error:
        raise BadSubscriptionError from error
    if len(point) != 65 or len(secret) != 16 or len(p256dh) > 100 or len(auth) > 40:
        raise BadSubscriptionError


def _decode(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))

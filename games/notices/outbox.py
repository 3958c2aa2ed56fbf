"""The outbox: claiming what is due, sending it, trying again, giving up.

``docs/decisions/outbox.md`` says what a worker's death at each point comes to.
"""

import datetime
import logging
import time
from collections.abc import Callable

from django.db import InterfaceError, OperationalError, connection, transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from games.models import Channel, Delivery, DeliveryState, Event, PushSubscription
from games.notices import inbox, mail, push, relevance
from games.notices.errors import GoneError, RefusedError, UnsentError

logger = logging.getLogger(__name__)

#: How long a claim holds before another worker may try.
LEASE = datetime.timedelta(minutes=2)
#: How long it holds once a mail is handed over: longer than a mail server is waited for, in all of its steps together.
MAIL_LEASE = datetime.timedelta(minutes=10)
#: The pauses, in seconds, after a database has not taken down that something was sent.
NOTE_PAUSES = (0.2, 1.0, 5.0)
#: The pauses after failed attempts; after the last one a mail is given up.
PAUSES = [datetime.timedelta(minutes=minutes) for minutes in (1, 2, 4, 8, 15, 30, 60, 120)]
#: A push that is late is worth little, so it is given up sooner.
PUSH_PAUSES = [datetime.timedelta(seconds=seconds) for seconds in (20, 60, 180)]
#: Due and unsent for so long, and something is wrong.
TOO_LATE = datetime.timedelta(minutes=15)
#: How long what is done is kept for the admin.
KEPT = datetime.timedelta(days=30)


class ClaimLostError(Exception):
    """Another worker has a delivery now, or it is gone: it is not to be sent here."""


def send_due(limit: int = 100, go_on: Callable[[], bool] = lambda: True) -> int:
    """Send up to ``limit`` deliveries that are due, as long as ``go_on`` says so, and return how many were claimed.

    Any number of workers may call this; each delivery is claimed by one of them.
    """
    claimed = 0
    while claimed < limit and go_on() and (delivery := claim()) is not None:
        claimed += 1
        deliver(delivery)
    return claimed


def claim() -> Delivery | None:
    """Claim the delivery that is longest due, or return None where none is.

    A claim is a conditional update that moves ``due_at`` to the end of a lease and counts
    the attempt: of two workers one gets it, and one that dies is replaced when the lease ends.
    """
    while True:
        now = timezone.now()
        delivery = Delivery.objects.due(now).select_related("user", "match", "subscription").first()
        if delivery is None:
            return None
        unclaimed = Delivery.objects.waiting().filter(pk=delivery.pk, due_at=delivery.due_at)
        if unclaimed.update(due_at=now + LEASE, attempts=F("attempts") + 1):
            delivery.due_at = now + LEASE
            delivery.attempts += 1
            return delivery


def deliver(delivery: Delivery) -> None:
    """Send a claimed delivery, unless it is no longer wanted or claimed, and write down what became of it."""
    now = timezone.now()
    try:
        reason = relevance.why_not(delivery, now)
        if not reason:
            reason = _SENDERS[Channel(delivery.channel)](delivery, now)
    except relevance.Later as later:
        relevance.release_turn_mail(delivery)
        _claimed(delivery).update(due_at=later.due, wanted_at=later.due, attempts=0)
    except ClaimLostError:
        logger.info("delivery %s is left to others", delivery.pk)
    except GoneError as error:
        _finish(delivery, DeliveryState.DROPPED, str(error))
    except RefusedError as error:
        _give_up(delivery, str(error))
    except UnsentError as error:
        _try_again(delivery, str(error))
    except Exception as error:
        logger.exception("delivery %s", delivery.pk)
        _try_again(delivery, type(error).__name__)
    else:
        if reason:
            _finish(delivery, DeliveryState.DROPPED, reason)
        else:
            _note_sent(delivery)


def _note_sent(delivery: Delivery) -> None:
    """Mark a delivery as sent; a database that is away for a moment is asked again, lest it be sent twice."""
    for pause in NOTE_PAUSES:
        try:
            _mark_sent(delivery)
        except (InterfaceError, OperationalError) as error:
            logger.warning("delivery %s is sent and not marked yet: %s", delivery.pk, type(error).__name__)
            connection.close_if_unusable_or_obsolete()
            time.sleep(pause)
        else:
            return
    _mark_sent(delivery)


def _mark_sent(delivery: Delivery) -> None:
    with transaction.atomic():
        _finish(delivery, DeliveryState.SENT)
        relevance.keep_turn_mail(delivery)


def retry(deliveries: QuerySet[Delivery]) -> int:
    """Try given-up deliveries again, now, and return how many there were."""
    now = timezone.now()
    given_up = deliveries.filter(state=DeliveryState.DEAD)
    return given_up.update(
        state=DeliveryState.WAITING, due_at=now, wanted_at=now, attempts=0, done_at=None, note=""
    )  # fmt: skip


def is_behind(now: datetime.datetime) -> bool:
    """Whether something has been due for so long, a first or a further attempt, that the outbox cannot be working."""
    return Delivery.objects.waiting().filter(due_at__lte=now - TOO_LATE).exists()


def forget_old() -> int:
    """Delete what was done with or given up long ago and return how much that was."""
    before = timezone.now() - KEPT
    done = (
        Q(state=DeliveryState.SENT) | Q(state=DeliveryState.DROPPED) | Q(state=DeliveryState.DEAD, done_at__lt=before)
    )
    return Delivery.objects.filter(done, created_at__lt=before).delete()[0]


def _show(delivery: Delivery, now: datetime.datetime) -> str:
    """Put a notice that was due later behind the bell."""
    key = f"low:{delivery.match.code}" if delivery.match else delivery.key
    inbox.add(delivery.user, delivery.event, key, now, match=delivery.match, data=delivery.data)
    return ""


def _mail(delivery: Delivery, now: datetime.datetime) -> str:
    message = mail.compose(delivery, now)
    if message is None:
        return "no verified address"
    if delivery.event == Event.TURN and not relevance.claim_turn_mail(delivery, now):
        return "mailed already, and not back since"
    _renew(delivery, MAIL_LEASE)
    mail.send(message)
    return ""


def _push(delivery: Delivery, now: datetime.datetime) -> str:
    if not push.is_on():
        return "push is off"
    if delivery.subscription is not None:
        if delivery.subscription.user_id != delivery.user_id:
            return "the browser is another player's now"
        _renew(delivery, LEASE)
        push.send(delivery, delivery.subscription, now)
        return ""
    subscriptions = list(PushSubscription.objects.filter(user=delivery.user))
    copies = [
        Delivery(
            user=delivery.user,
            channel=Channel.PUSH,
            event=delivery.event,
            match=delivery.match,
            turn=delivery.turn,
            key=f"{delivery.key}#{subscription.pk}",
            data=delivery.data,
            subscription=subscription,
            created_at=now,
            wanted_at=now,
            due_at=now,
        )
        for subscription in subscriptions
    ]
    Delivery.objects.bulk_create(copies, ignore_conflicts=True)
    return "" if subscriptions else "no device"


_SENDERS: dict[Channel, Callable[[Delivery, datetime.datetime], str]] = {
    Channel.PAGE: _show,
    Channel.MAIL: _mail,
    Channel.PUSH: _push,
}


def _claimed(delivery: Delivery) -> QuerySet[Delivery]:
    """The row of a claim that still holds: nobody else has claimed it since."""
    return Delivery.objects.waiting().filter(pk=delivery.pk, due_at=delivery.due_at)


def _renew(delivery: Delivery, lease: datetime.timedelta) -> None:
    """Let a claim hold for a lease from now, just before its delivery is handed over.

    Raises :class:`ClaimLostError` where it holds no more: the process stood still, or what it is about has changed.
    """
    due = timezone.now() + lease
    if not _claimed(delivery).update(due_at=due):
        raise ClaimLostError
    delivery.due_at = due


def _finish(delivery: Delivery, state: DeliveryState, note: str = "") -> None:
    _claimed(delivery).update(state=state, done_at=timezone.now(), note=note[:300])


def _give_up(delivery: Delivery, note: str) -> None:
    logger.warning("delivery %s is given up: %s", delivery.pk, note)
    with transaction.atomic():
        _finish(delivery, DeliveryState.DEAD, note)
        relevance.release_turn_mail(delivery)


def _try_again(delivery: Delivery, note: str) -> None:
    pauses = PUSH_PAUSES if delivery.channel == Channel.PUSH else PAUSES
    if delivery.attempts > len(pauses):
        _give_up(delivery, note)
        return
    due = timezone.now() + pauses[delivery.attempts - 1]
    _claimed(delivery).update(due_at=due, note=note[:300])

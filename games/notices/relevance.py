"""Whether a delivery is still wanted when it is due: looked up then, never remembered."""

import datetime

from django.db.models import Exists, F, Max, OuterRef, Q

from accounts.models import Kind, User
from games.models import Channel, Delivery, DeliveryState, Event, Match, Reader, Seat, Status
from games.notices import choices, digest, schedule

#: Events that a player is told of whatever became of the account.
_FOR_CLOSED_ACCOUNTS = frozenset({Event.MODERATION})

#: When to look again at a turn whose match a moderator lets stand still.
PAUSED_AGAIN_IN = datetime.timedelta(hours=1)
#: When to look again at a turn while the mail about another one of the player's is still to be sent.
ANOTHER_AGAIN_IN = datetime.timedelta(minutes=5)


class Later(Exception):
    """A delivery is not due yet after all; ``due`` says when it is."""

    def __init__(self, due: datetime.datetime) -> None:
        self.due = due
        super().__init__(due)


def why_not(delivery: Delivery, now: datetime.datetime) -> str:
    """Return why a delivery is no longer wanted, in a few words for the admin, or nothing where it is.

    Raises :class:`Later` for a warning whose deadline was put off, and for a match that stands still.
    """
    user = delivery.user
    if not user.is_active and delivery.event not in _FOR_CLOSED_ACCOUNTS:
        return "the account is closed"
    if delivery.event == "":
        return "nothing to say" if digest.is_empty(delivery) else ""
    if not choices.is_wanted(user, delivery.event, delivery.channel):
        return "switched off"
    if delivery.channel == Channel.MAIL and delivery.event in choices.IN_DIGEST and _has_digest(user):
        return "told in the daily mail"
    match = delivery.match
    if match is not None and delivery.event in (Event.TURN, Event.LOW_TIME):
        if match.paused_at is not None:
            raise Later(now + PAUSED_AGAIN_IN)
        if match.ticks:
            return "played on live"
    check = {
        Event.TURN: _why_not_turn,
        Event.LOW_TIME: _why_not_warning,
        Event.CHALLENGE: _why_not_offer,
        Event.REMATCH: _why_not_offer,
        Event.OVER: _why_not_end,
    }.get(Event(delivery.event))
    return check(delivery, now) if check is not None and match is not None else ""


def claim_turn_mail(delivery: Delivery, now: datetime.datetime) -> bool:
    """Whether this may be the one "your turn" mail until the player has been back.

    A conditional update decides, so of two workers with two matches of one player one gets
    it; a delivery that has it keeps it through its attempts, and loses it with its row or when it is no longer wanted.
    Raises :class:`Later` while another one has it that is still to be sent, and may come to nothing.
    """
    user = delivery.user
    choices.reader_of(user)
    counting = Delivery.objects.filter(pk=OuterRef("turn_mail"), state__in=(DeliveryState.WAITING, DeliveryState.SENT))
    free = Q(turn_mail=delivery.pk) | Q(turn_mailed_at=None) | Q(~Exists(counting), turn_mail__isnull=False)
    back = been_back_at(user)
    if back is not None:
        free |= Q(turn_mailed_at__lt=back)
    if Reader.objects.filter(free, user=user).update(turn_mailed_at=now, turn_mail=delivery.pk):
        return True
    holder = Reader.objects.filter(user=user).values("turn_mail")
    if Delivery.objects.waiting().filter(pk__in=holder).exists():
        raise Later(now + ANOTHER_AGAIN_IN)
    return False


def keep_turn_mail(delivery: Delivery) -> None:
    """The "your turn" mail was sent: it counts until the player has been back, whatever becomes of its row."""
    Reader.objects.filter(user=delivery.user_id, turn_mail=delivery.pk).update(turn_mail=None)


def release_turn_mail(delivery: Delivery) -> None:
    """The "your turn" mail was not sent and will not be soon: another may be."""
    Reader.objects.filter(user=delivery.user_id, turn_mail=delivery.pk).update(turn_mailed_at=None, turn_mail=None)


def been_back_at(user: User) -> datetime.datetime | None:
    """Return when a player was last here: opened a page, or touched a table; an open page alone does not count."""
    table = Seat.objects.filter(user=user).aggregate(latest=Max("looked_at"))["latest"]
    page = User.objects.filter(pk=user.pk).values_list("last_active_at", flat=True).first()
    return max((moment for moment in (table, page) if moment is not None), default=None)


def _has_digest(user: User) -> bool:
    return Reader.objects.filter(user=user, digest_hour__isnull=False).exists()


def _stands(delivery: Delivery) -> bool:
    """Whether the turn that a delivery is about is still to be made by its reader."""
    seat = Seat.objects.filter(match=delivery.match, user=delivery.user, number=F("match__to_move"))
    return seat.filter(match__status=Status.RUNNING, match__turn=delivery.turn or 0).exists()


def _has_looked(delivery: Delivery, since: datetime.datetime | None) -> bool:
    seen = Seat.objects.filter(match=delivery.match, user=delivery.user)
    return since is not None and seen.filter(looked_at__gt=since).exists()


def _why_not_turn(delivery: Delivery, now: datetime.datetime) -> str:
    if not _stands(delivery):
        return "the turn is made"
    assert delivery.match is not None
    if _has_looked(delivery, delivery.match.turn_started_at):
        return "the player has looked"
    return ""


def _why_not_warning(delivery: Delivery, now: datetime.datetime) -> str:
    match = delivery.match
    if match is None or not _stands(delivery):
        return "the turn is made"
    if match.deadline is None:
        return "the clock stands"
    left = dict(schedule.warnings(match))[delivery.data.get("warning", 1)]
    if match.deadline <= now:
        return "the time is up"
    if left > schedule.LAST_CALL >= match.deadline - now:
        return "the last warning is due too"
    if match.deadline - left > now:
        raise Later(match.deadline - left)
    return ""


def _why_not_offer(delivery: Delivery, now: datetime.datetime) -> str:
    standing = Match.objects.filter(deliveries=delivery, status=Status.OPEN, invited=delivery.user)
    if not standing.exists():
        return "answered or withdrawn"
    return _why_not_offer_mail(delivery) if delivery.channel == Channel.MAIL else ""


def _why_not_offer_mail(delivery: Delivery) -> str:
    """Why an offer is not mailed: nobody's mailbox is filled by those who challenge again and again.

    Looked up among what was sent, and apart from the mail about a turn, which no offer may hold back. Nothing is
    claimed for it: offers that several workers send at the same moment are each mailed.
    """
    made_by_guest = Seat.objects.filter(match=delivery.match, number=0, user__kind=Kind.GUEST)
    if delivery.event == Event.CHALLENGE and made_by_guest.exists():
        return "a guest's challenge"
    mailed = Delivery.objects.filter(
        user=delivery.user,
        channel=Channel.MAIL,
        event__in=(Event.CHALLENGE, Event.REMATCH),
        state=DeliveryState.SENT,
    )
    back = been_back_at(delivery.user)
    if back is not None:
        mailed = mailed.filter(done_at__gte=back)
    return "mailed already, and not back since" if mailed.exists() else ""


def _why_not_end(delivery: Delivery, now: datetime.datetime) -> str:
    assert delivery.match is not None
    return "the player has looked" if _has_looked(delivery, delivery.match.finished_at) else ""

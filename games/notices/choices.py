"""Who is told of what, and how: the standard, and what players chose instead."""

import datetime
from collections.abc import Mapping

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts.models import Kind, User
from accounts.zones import time_zones
from games.models import Channel, Event, NoticeChoice, Reader
from games.notices import schedule

Pair = tuple[str, str]

#: What is off unless a player switches it on; all else is on.
OFF_BY_STANDARD: frozenset[Pair] = frozenset({(Event.TIME_OFF, Channel.PUSH)})
#: The events that the daily mail tells of in place of a mail at once; what cannot wait a day is not among them.
IN_DIGEST = frozenset({Event.TURN, Event.CHALLENGE, Event.REMATCH, Event.OVER})
#: A name for the daily mail among the events, for links that switch mail off.
DIGEST = "digest"


def push_is_on() -> bool:
    """Whether this site can send pushes: it has a key to sign them with."""
    return bool(settings.VAPID_PRIVATE_KEY)


def channels() -> list[Channel]:
    """Return the channels that this site has."""
    return [Channel.PAGE, Channel.MAIL, Channel.PUSH] if push_is_on() else [Channel.PAGE, Channel.MAIL]


def standard(event: str, channel: str) -> bool:
    """Whether an event is told by a channel where the player has not chosen."""
    return (event, channel) not in OFF_BY_STANDARD


def chosen(user_id: int) -> dict[Pair, bool]:
    """Return for every event and channel whether a player wants it."""
    wanted = {(event.value, channel.value): standard(event, channel) for event in Event for channel in Channel}
    for choice in NoticeChoice.objects.filter(user=user_id):
        wanted[choice.event, choice.channel] = choice.wanted
    return wanted


def wanted_channels(user: User, event: str) -> set[str]:
    """Return the channels by which a player is told of an event.

    The computer is told of nothing, and a guest has no address to be mailed at.
    """
    if user.kind == Kind.COMPUTER:
        return set()
    departures = dict(NoticeChoice.objects.filter(user=user, event=event).values_list("channel", "wanted"))
    possible = [channel.value for channel in channels() if not (channel == Channel.MAIL and user.kind == Kind.GUEST)]
    return {channel for channel in possible if departures.get(channel, standard(event, channel))}


def is_wanted(user: User, event: str, channel: str) -> bool:
    """Whether a player is told of an event by a channel."""
    return channel in wanted_channels(user, event)


def choose(user: User, wanted: Mapping[Pair, bool]) -> None:
    """Keep a player's choices; those that are not named stay as they are."""
    rows = [
        NoticeChoice(user=user, event=event, channel=channel, wanted=value)
        for (event, channel), value in wanted.items()
        if event in Event.values and channel in Channel.values
    ]
    NoticeChoice.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["user", "event", "channel"], update_fields=["wanted"]
    )


def choose_digest(user: User, hour: int | None) -> None:
    """Have one mail a day at an hour of the player's own day, or mails at once where it is None."""
    reader = reader_of(user)
    if reader.digest_hour == hour and (hour is None or reader.digest_at is not None):
        return
    now = timezone.now()
    due = None if hour is None else schedule.digest_after(now, hour, zone_of(user, reader))
    # What happened while there was no daily mail was told otherwise.
    since = reader.digested_at if reader.digest_at is not None else now
    Reader.objects.filter(pk=reader.pk).update(digest_hour=hour, digest_at=due, digested_at=since)


def switch_off(user: User, event: str, channel: str) -> None:
    """Stop telling a player of an event by a channel: what a mail's own link asks for.

    Without the daily mail the events that it told of are not mailed at once instead.
    """
    with transaction.atomic():
        if event == DIGEST:
            choose_digest(user, None)
            choose(user, {(of.value, Channel.MAIL.value): False for of in IN_DIGEST})
        else:
            choose(user, {(event, channel): False})


def reader_of(user: User) -> Reader:
    """Return how a player reads notices, as it is in the database now."""
    return Reader.objects.get_or_create(user=user)[0]


def language_of(user: User, reader: Reader | None) -> str:
    """Return the language to write to a player in: the chosen one, else that of the last visit."""
    known = dict(settings.LANGUAGES)
    candidates = [user.language, reader.language if reader else ""]
    return next((language for language in candidates if language in known), settings.LANGUAGE_CODE)


def zone_of(user: User, reader: Reader | None) -> datetime.tzinfo:
    """Return the time zone of a player: the chosen one, else that of the last visit, else UTC."""
    candidates = [user.time_zone, reader.time_zone if reader else ""]
    return schedule.zone_named(next((name for name in candidates if name in time_zones()), "UTC"))


def mail_address(user: User) -> str | None:
    """Return the verified address of a player, the primary one first, or None."""
    addresses = EmailAddress.objects.filter(user=user, verified=True).order_by("-primary", "pk")
    address: str | None = addresses.values_list("email", flat=True).first()
    return address

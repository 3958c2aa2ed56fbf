"""The daily mail: when it is due, and what it says."""

import datetime
from dataclasses import dataclass, field

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from games.models import Channel, Delivery, Event, Match, OpenTo, Pace, Reader, Status
from games.models.match import MatchQuerySet
from games.notices import choices, links, schedule, wording

#: So many matches are named in one mail; the rest is a number.
NAMED = 30
BATCH = 200


@dataclass(slots=True)
class Line:
    """One match in the daily mail."""

    title: str
    left: str
    url: str


@dataclass(slots=True)
class Page:
    """What the daily mail says."""

    turn_count: int = 0
    turns: list[Line] = field(default_factory=list)
    offers: list[Line] = field(default_factory=list)
    ended: list[Line] = field(default_factory=list)

    @property
    def unnamed(self) -> int:
        """In how many further matches it is the reader's turn."""
        return self.turn_count - len(self.turns)


def begin_due() -> int:
    """Put the daily mails that are due into the outbox and return how many there were.

    A conditional update of the due time lets one worker have each, and the delivery is unique
    for a player and day: run twice at once, there is one mail.
    """
    now = timezone.now()
    due = Reader.objects.filter(digest_at__lte=now).select_related("user").order_by("digest_at")
    return sum(_begin(reader, now) for reader in list(due[:BATCH]))


def _begin(reader: Reader, now: datetime.datetime) -> bool:
    if reader.digest_at is None or reader.digest_hour is None:
        return False
    zone = choices.zone_of(reader.user, reader)
    # A player who has moved to another time zone is mailed at the hour there.
    strikes = schedule.digest_after(reader.digest_at - datetime.timedelta(microseconds=1), reader.digest_hour, zone)
    on_time = strikes == reader.digest_at
    following = schedule.digest_after(now, reader.digest_hour, zone) if on_time else strikes
    key = f"digest:{schedule.local_day(reader.digest_at, zone).isoformat()}"
    # Whoever moves the hour on has had the mail of this day: the next one tells what happened since that.
    begins = on_time and not Delivery.objects.filter(user=reader.user, channel=Channel.MAIL, key=key).exists()
    with transaction.atomic():
        mine = Reader.objects.filter(pk=reader.pk, digest_at=reader.digest_at)
        if not mine.update(digest_at=following, **({"digested_at": now} if begins else {})):
            return False
        if not begins or not _has_news(reader.user, reader.digested_at):
            return False
        since = reader.digested_at.isoformat() if reader.digested_at else ""
        row = Delivery(
            user=reader.user,
            channel=Channel.MAIL,
            key=key,
            data={"since": since},
            created_at=now,
            wanted_at=now,
            due_at=now,
        )
        Delivery.objects.bulk_create([row], ignore_conflicts=True)
    return True


def contents(delivery: Delivery, now: datetime.datetime) -> Page:
    """Return what a daily mail says now, in the active language."""
    user = delivery.user
    news = _news(user, _since(delivery))
    turns = news[Event.TURN]
    page = Page(turn_count=turns.count())
    for match in turns.with_seats().by_time_left()[:NAMED]:
        told = wording.tell(Event.TURN, user.pk, match, {})
        page.turns.append(Line(told.title, wording.time_left(match, now), links.play_url(match)))
    for event in (Event.CHALLENGE, Event.REMATCH):
        page.offers += [_line(event, user, match) for match in news[event].with_seats()[:NAMED]]
    ended = news[Event.OVER].with_seats().order_by("-finished_at")
    page.ended = [_line(Event.OVER, user, match) for match in ended[:NAMED]]
    return page


def _line(event: Event, user: User, match: Match) -> Line:
    told = wording.tell(event, user.pk, match, {})
    return Line(told.title, "", links.absolute(told.path))


def is_empty(delivery: Delivery) -> bool:
    """Whether a daily mail has nothing to say any more."""
    return not _has_news(delivery.user, _since(delivery))


def _since(delivery: Delivery) -> datetime.datetime | None:
    since = delivery.data.get("since")
    return datetime.datetime.fromisoformat(since) if since else None


def _has_news(user: User, since: datetime.datetime | None) -> bool:
    return any(matches.exists() for matches in _news(user, since).values())


def _news(user: User, since: datetime.datetime | None) -> dict[Event, MatchQuerySet]:
    """Return the matches that the daily mail tells of; none for an event that the player does not want mailed.

    Live ones and those against the computer are left out, as they are from the mails at once.
    """
    since = since or timezone.now() - datetime.timedelta(days=1)
    away = Match.objects.exclude(pace=Pace.LIVE).exclude(open_to=OpenTo.COMPUTER)
    offered = Match.objects.filter(status=Status.OPEN, invited=user)
    over = Q(status=Status.FINISHED, seats__user=user)
    declined = Q(status=Status.CANCELLED, ended_by=1, seats__user=user, seats__number=0)
    news = {
        Event.TURN: away.awaiting(user.pk),
        Event.CHALLENGE: offered.filter(rematch_of=None),
        Event.REMATCH: offered.filter(rematch_of__isnull=False),
        Event.OVER: away.filter(over | declined, finished_at__gte=since).distinct(),
    }
    return {
        event: matches if choices.is_wanted(user, event, Channel.MAIL) else matches.none()
        for event, matches in news.items()
    }

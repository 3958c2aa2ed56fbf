"""The daily mail: when it is due, and what it says."""

import datetime
from dataclasses import dataclass, field

from django.db import transaction
from django.db.models import F
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

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to say."""
        return not (self.turns or self.offers or self.ended)


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
    with transaction.atomic():
        mine = Reader.objects.filter(pk=reader.pk, digest_at=reader.digest_at)
        if not mine.update(digest_at=following, **({"digested_at": now} if on_time else {})):
            return False
        if not on_time or not _has_news(reader.user, reader.digested_at):
            return False
        day = schedule.local_day(reader.digest_at, zone)
        since = reader.digested_at.isoformat() if reader.digested_at else ""
        row = Delivery(
            user=reader.user,
            channel=Channel.MAIL,
            key=f"digest:{day.isoformat()}",
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
    since = datetime.datetime.fromisoformat(delivery.data["since"]) if delivery.data.get("since") else None
    wanted = {event for event in choices.IN_DIGEST if choices.is_wanted(user, event, Channel.MAIL)}
    page = Page()
    if Event.TURN in wanted:
        turns = _turns(user)
        page.turn_count = turns.count()
        for match in turns.with_seats().order_by(F("deadline").asc(nulls_last=True), "turn_started_at")[:NAMED]:
            told = wording.tell(Event.TURN, user.pk, match, {})
            page.turns.append(Line(told.title, wording.time_left(match, now), links.play_url(match)))
    for event, matches in ((Event.CHALLENGE, _challenges(user)), (Event.REMATCH, _rematches(user))):
        if event in wanted:
            page.offers += [_line(event, user, match) for match in matches.with_seats()[:NAMED]]
    if Event.OVER in wanted:
        ended = _ended(user, since).with_seats().order_by("-finished_at")
        page.ended = [_line(Event.OVER, user, match) for match in ended[:NAMED]]
    return page


def _line(event: Event, user: User, match: Match) -> Line:
    told = wording.tell(event, user.pk, match, {})
    return Line(told.title, "", links.absolute(told.path))


def _has_news(user: User, since: datetime.datetime | None) -> bool:
    sources = (_turns(user), _challenges(user), _rematches(user), _ended(user, since))
    return any(source.exists() for source in sources)


def _turns(user: User) -> MatchQuerySet:
    return Match.objects.running().filter(seats__user=user, seats__number=F("to_move")).exclude(pace=Pace.LIVE)


def _challenges(user: User) -> MatchQuerySet:
    return Match.objects.filter(status=Status.OPEN, invited=user, rematch_of=None)


def _rematches(user: User) -> MatchQuerySet:
    return Match.objects.filter(status=Status.OPEN, invited=user, rematch_of__isnull=False)


def _ended(user: User, since: datetime.datetime | None) -> MatchQuerySet:
    since = since or timezone.now() - datetime.timedelta(days=1)
    return Match.objects.filter(status=Status.FINISHED, seats__user=user, finished_at__gt=since).exclude(
        open_to=OpenTo.COMPUTER
    )

"""The private calendar of a player's deadlines."""

import datetime
import secrets

from django.conf import settings
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext
from icalendar import Alarm, Calendar, Event

from accounts.models import User
from games.models import Match, Pace, Reader
from games.notices import choices, links, wording

#: How often a calendar program is asked to look again.
REFRESH = datetime.timedelta(hours=1)
MOST_EVENTS = 200


def new_key(user: User) -> str:
    """Give a player's calendar a new secret address; the old one stops working."""
    key = secrets.token_urlsafe(24)
    choices.reader_of(user)
    Reader.objects.filter(user=user).update(calendar_key=key)
    return key


def reader_by_key(key: str) -> Reader | None:
    """Return the reader whose calendar has this key, or None."""
    if "\0" in key:
        # PostgreSQL takes no such text, not even to look for it.
        return None
    return Reader.objects.filter(calendar_key=key, user__is_active=True).select_related("user").first()


def url(reader: Reader) -> str:
    """Return the whole address of a player's calendar, or nothing where it has none."""
    return links.absolute(reverse("games:calendar", args=[reader.calendar_key])) if reader.calendar_key else ""


def calendar(reader: Reader) -> bytes:
    """Return a player's deadlines as iCalendar, in the player's language and universal time."""
    user = reader.user
    now = timezone.now()
    with translation.override(choices.language_of(user, reader)):
        feed = Calendar()
        feed.add("prodid", "-//Your trumps//Deadlines//EN")
        feed.add("version", "2.0")
        feed.add("method", "PUBLISH")
        feed.add("x-wr-calname", gettext("Your trumps: deadlines"))
        feed.add("refresh-interval", REFRESH, parameters={"VALUE": "DURATION"})
        feed.add("x-published-ttl", REFRESH)
        for match in _due_turns(user):
            feed.add_component(_deadline(match, user, now))
    return bytes(feed.to_ical())


def _due_turns(user: User) -> list[Match]:
    dated = Match.objects.awaiting(user.pk).filter(pace=Pace.CORRESPONDENCE, deadline__isnull=False)
    return list(dated.with_seats().order_by("deadline")[:MOST_EVENTS])


def _deadline(match: Match, user: User, now: datetime.datetime) -> Event:
    assert match.deadline is not None
    event = Event()
    event.add("uid", f"{match.code}-{match.turn}@{settings.SITE_HOST}")
    event.add("dtstamp", now)
    event.add("dtstart", match.deadline.astimezone(datetime.UTC).replace(microsecond=0))
    event.add("duration", datetime.timedelta(0))
    player = wording.opponent_name(match, user.pk)
    event.add("summary", gettext("Last moment for your turn against %(player)s") % {"player": player})
    event.add("url", links.absolute(match.get_absolute_url()))
    event.add("transp", "TRANSPARENT")
    alarm = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("trigger", -datetime.timedelta(hours=2))
    alarm.add("description", gettext("Your turn against %(player)s") % {"player": player})
    event.add_component(alarm)
    return event

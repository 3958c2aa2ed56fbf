"""When notices are due: arithmetic on server time and on the player's own day."""

import datetime
import zoneinfo

from games.models import Match

#: How long a player may stay away from a turn, or from the end of a match, before a mail says so.
MAIL_DELAY = datetime.timedelta(minutes=10)
#: The same for a push, which is read at once and costs the reader less.
PUSH_DELAY = datetime.timedelta(minutes=1)
#: How long a challenge waits: a moment in which its maker may take it back.
OFFER_DELAY = datetime.timedelta(minutes=1)

#: The first warning comes when this part of the time is left, and at the latest so long before the end.
LOW_SHARE = 0.2
LOW_AT_LEAST = datetime.timedelta(hours=6)
#: The second warning.
LAST_CALL = datetime.timedelta(hours=2)


def warnings(match: Match) -> list[tuple[int, datetime.timedelta]]:
    """Return the low-time warnings of a correspondence turn: their numbers, and the time left at each."""
    share = datetime.timedelta(days=match.days_per_turn) * LOW_SHARE
    return [(1, max(share, LOW_AT_LEAST)), (2, LAST_CALL)]


def digest_after(moment: datetime.datetime, hour: int, zone: datetime.tzinfo) -> datetime.datetime:
    """Return when it next strikes an hour of the day in a zone, strictly after a moment.

    An hour that a clock change leaves out strikes when the clock has passed it; one that it
    repeats strikes the first time.
    """
    day = moment.astimezone(zone).date()
    for days in range(3):
        local = datetime.datetime.combine(day + datetime.timedelta(days=days), datetime.time(hour), zone)
        strikes = local.astimezone(datetime.UTC)
        if strikes > moment:
            return strikes
    raise AssertionError("every day has an hour")


def local_day(moment: datetime.datetime, zone: datetime.tzinfo) -> datetime.date:
    """Return the calendar day of a moment in a zone."""
    return moment.astimezone(zone).date()


def zone_named(name: str) -> datetime.tzinfo:
    """Return a time zone by its name, UTC for one that is unknown."""
    try:
        return zoneinfo.ZoneInfo(name or "UTC")
    except (zoneinfo.ZoneInfoNotFoundError, ValueError):
        return datetime.UTC

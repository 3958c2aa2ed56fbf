"""Taking time off: the deadlines of the player's turns move so that no time is lost.

A turn's deadline is worked out when it begins, from the days a turn and the time off that
the player to move has by then (:func:`games.services.clock.days_deadline`). Whatever changes
a player's time off reads what is left on the clocks by the old time off and works the
deadlines out again by the new, under the locks of the matches; a turn that begins meanwhile
waits for the same lock and then sees the new time off. So no match ends on time during time
off, and ending some early loses nothing.
"""

import datetime
import math
from collections import Counter

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.holding import hold
from accounts.models import User
from games import broadcast, notices
from games.models import Match, Pace, Reader, Seat, TimeOff
from games.models.match import MatchQuerySet
from games.notices import choices
from games.services import clock
from games.services.batch import each
from games.services.errors import MatchError
from games.standstill import deadline, time_left, under_way

DAYS_A_YEAR = 30
#: How far ahead time off can be planned.
FARTHEST = datetime.timedelta(days=366)
#: Automatic time off begins this long before the deadline that it is for.
AUTOMATIC_BEFORE = datetime.timedelta(hours=1)

_DAY = datetime.timedelta(days=1)


class TimeOffError(MatchError):
    """Time off that cannot be taken or ended as asked."""

    status = 422


def zone_of(user: User) -> datetime.tzinfo:
    """Return where a player's days begin and end: the same in a request and in the worker, where nobody asks."""
    return choices.zone_of(user, Reader.objects.filter(user=user).first())


def days_left(user: User, year: int) -> int:
    """Return how many days of a calendar year's allowance are not taken yet."""
    return max(0, DAYS_A_YEAR - _taken(user)[year])


def _taken(user: User) -> Counter[int]:
    taken: Counter[int] = Counter()
    for off in TimeOff.objects.filter(user=user):
        taken += _years(off.first_day, off.days)
    return taken


def _years(first_day: datetime.date, days: int) -> Counter[int]:
    return Counter((first_day + number * _DAY).year for number in range(days))


def take(user: User, days: int, first_day: datetime.date | None = None) -> TimeOff:
    """Take whole days off: from now, or from the midnight that begins a day to come.

    Raises :class:`TimeOffError` for a day that is past or too far ahead, for days that are
    off already, and beyond the year's allowance.
    """
    with transaction.atomic():
        hold(user.pk)
        now, zone = timezone.now(), zone_of(user)
        today = timezone.localdate(now, zone)
        day = today if first_day is None else first_day
        if days < 1:
            raise TimeOffError(_("Take one day or more."))
        if day < today or day > today + FARTHEST:
            raise TimeOffError(_("Time off begins today or on a day within the next year."))
        if day == today:
            begins, ends = now, now + days * _DAY
        else:
            begins, ends = _midnight(day, zone), _midnight(day + days * _DAY, zone)
        if TimeOff.objects.filter(user=user, begins_at__lt=ends, ends_at__gt=begins).exists():
            raise TimeOffError(_("You have taken some of these days off already."))
        _require_allowance(user, day, days)
        before = _upcoming(user, now)
        off = TimeOff.objects.create(
            user=user, begins_at=begins, ends_at=ends, first_day=day, days=days, told=day == today
        )
        _move_deadlines(user, now, before)
    return off


def _require_allowance(user: User, first_day: datetime.date, days: int) -> None:
    taken = _taken(user)
    for year, count in sorted(_years(first_day, days).items()):
        left = max(0, DAYS_A_YEAR - taken[year])
        if count > left:
            message = ngettext(
                "You have %(count)d day off left in %(year)d.", "You have %(count)d days off left in %(year)d.", left
            )
            raise TimeOffError(message % {"count": left, "year": year})


def _midnight(day: datetime.date, zone: datetime.tzinfo) -> datetime.datetime:
    return datetime.datetime.combine(day, datetime.time(), zone)


def end(user: User, pk: int) -> None:
    """End time off that is under way, or give back time off that is still to come.

    Days that were begun stay used. Raises :class:`TimeOffError` where there is no such time off.
    """
    with transaction.atomic():
        hold(user.pk)
        now = timezone.now()
        off = TimeOff.objects.ending_after(now).filter(user=user, pk=pk).first()
        if off is None:
            raise TimeOffError(_("This time off has ended already."))
        before = _upcoming(user, now)
        if off.begins_at >= now:
            off.delete()
        else:
            off.ends_at = now
            off.days = min(off.days, math.ceil((now - off.begins_at) / _DAY))
            off.save(update_fields=["ends_at", "days"])
        _move_deadlines(user, now, before)


def tell_begun() -> int:
    """Tell the players whose planned time off has begun, each once, and return how many stretches there were.

    Who takes time off from now on is there and knows.
    """
    now = timezone.now()
    begun = TimeOff.objects.ending_after(now).filter(begins_at__lte=now, told=False).select_related("user")
    count = 0
    for off in begun:
        with transaction.atomic():
            if TimeOff.objects.filter(pk=off.pk, told=False).update(told=True):
                notices.time_off_began(off)
                count += 1
    return count


def start_automatic() -> list[TimeOff]:
    """Give a day off to each player who wants that and whose turn is about to be lost on time.

    Only turns after the lead count: a match that nobody has led in is cancelled without harm.
    A player who is still away when the day ends gets another one, which lengthens the first,
    as long as the allowance lasts. Returns the time off that began anew; its players are told.
    """
    now = timezone.now()
    pressed = _about_to_lose(now).values_list("seats__user", flat=True)
    players = User.objects.filter(automatic_time_off=True, is_active=True, pk__in=list(pressed.distinct()))
    return [off for off in each(players, _take_automatic) if off is not None]


def _about_to_lose(now: datetime.datetime, user: User | None = None) -> MatchQuerySet:
    """Return the matches whose turns automatic time off is for: those of all players, or of one."""
    whose = {} if user is None else {"seats__user": user}
    return Match.objects.running().filter(
        deadline__gt=now,
        deadline__lte=now + AUTOMATIC_BEFORE,
        pace=Pace.CORRESPONDENCE,
        livened=False,
        time_off_allowed=True,
        turn__gt=1,
        seats__number=F("to_move"),
        seats__user__automatic_time_off=True,
        **whose,
    )


def _take_automatic(user: User) -> TimeOff | None:
    with transaction.atomic():
        hold(user.pk)
        now = timezone.now()
        if not _about_to_lose(now, user).exists():
            return None
        offs = list(TimeOff.objects.of_players([user.pk]).ending_after(now - AUTOMATIC_BEFORE))
        current = under_way(now, offs)
        begins = current.ends_at if current else now
        day = timezone.localdate(begins, zone_of(user))
        if days_left(user, day.year) < 1:
            return None
        following = min((off.begins_at for off in offs if off.begins_at >= begins), default=begins + _DAY)
        ends = min(begins + _DAY, following)
        if ends <= begins:
            return None
        before = _upcoming(user, now)
        earlier = next((off for off in offs if off.automatic and off.ends_at <= begins), None)
        if earlier is not None:
            earlier.ends_at = ends
            earlier.days += 1
            earlier.save(update_fields=["ends_at", "days"])
            off = None
        else:
            off = TimeOff.objects.create(
                user=user, begins_at=begins, ends_at=ends, first_day=day, days=1, automatic=True, told=True
            )
            notices.time_off_began(off)
        _move_deadlines(user, now, before)
    return off


def _upcoming(user: User, now: datetime.datetime) -> list[TimeOff]:
    return list(TimeOff.objects.of_players([user.pk]).ending_after(now))


def _move_deadlines(user: User, now: datetime.datetime, before: list[TimeOff]) -> None:
    """Work out anew the deadlines of a player's turns, and show the opponents what changed.

    ``before`` is the time off by which the present deadlines were worked out.
    """
    after = _upcoming(user, now)
    matches = Match.objects.running().filter(pace=Pace.CORRESPONDENCE, time_off_allowed=True, seats__user=user)
    # Also those in which the opponent is to move or that are played on live: a turn that is just being made, or a match
    # that just goes back to days, must see the new time off.
    held = list(matches.select_for_update(of=("self",)).order_by("pk"))
    seats: dict[int, list[Seat]] = {}
    for seat in Seat.objects.filter(match__in=held).order_by("number"):
        seats.setdefault(seat.match_id, []).append(seat)
    for match in held:
        if match.livened:
            continue
        mover = seats[match.pk][match.mover]
        if mover.user_id == user.pk and match.deadline is not None and not clock.is_late(match, now):
            match.deadline = deadline(now, time_left(now, match.deadline, before), after)
            match.save(update_fields=["deadline"])
            notices.deadline_moved(match, now)
        broadcast.match_changed(match)

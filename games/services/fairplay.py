"""What looks like foul play is flagged for a moderator, never punished by itself.

Spoiling matches lowers how many an account may begin.
"""

import datetime
import itertools
import statistics
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.utils import timezone

from accounts.holding import hold_all
from accounts.models import Kind, User
from games.models import Case, Flag, FlagKind, Match, Move, OpenTo, Pace, Seat, Status, TraceKind
from games.rules import Reason
from games.services import traces
from games.services.errors import TooManyMatchesError
from games.services.permission import require_may_sit_down

#: How many matches an account may have open or running at once.
AT_ONCE = 500
#: The same for an account that spoiled too many.
AT_ONCE_LOWERED = 2
#: So many matches aborted or left to the clock within the window are too many.
SPOILT = 5
SPOILT_WINDOW = datetime.timedelta(hours=24)

#: A player's turns say something about a person once there are this many.
TURNS_TO_JUDGE = 15
#: People who think take now long, now short: a smaller spread, in parts of the mean, is unusual.
EVEN_SPREAD = 0.12
#: Seconds a turn, on average over a match, that leave no time to read the table.
QUICK_SECONDS = 0.6
STUDY_WINDOW = datetime.timedelta(minutes=12)

_KINDS = {
    TraceKind.SESSION: FlagKind.SAME_SESSION,
    TraceKind.DEVICE: FlagKind.SAME_DEVICE,
    TraceKind.ADDRESS: FlagKind.SAME_ADDRESS,
}


class SpoilerError(TooManyMatchesError):
    """The account has as many matches at once as one may have that spoiled too many."""


@contextmanager
def beginning(user: User, code: str = "", invited: User | None = None) -> Iterator[User]:
    """Open a transaction that holds an account while it sits down, and yield the account as it is now.

    Held with it are those who sit at the match ``code``, and who is invited. Whatever closes or bars one of the
    accounts, takes time off for it or blocks another, comes wholly before or wholly after. No match is held yet; the
    computer, which sits at many tables, is never held. Whoever is refused for spoiling matches is flagged, though all
    else is undone.
    """
    people = Seat.objects.filter(match__code=code).exclude(user__kind=Kind.COMPUTER)
    try:
        with transaction.atomic():
            needed = set(people.values_list("user_id", flat=True)) if code else set()
            needed |= {person.pk for person in (user, invited) if person is not None and not person.is_computer}
            accounts = hold_all(needed)
            yield user if user.is_computer else accounts[user.pk]
    except SpoilerError:
        flag(user, FlagKind.ABORTS, detail={"spoilt": spoilt(user)})
        raise


def require_may_begin(user: User) -> None:
    """Raise ``BarredError`` or :class:`TooManyMatchesError` where an account may not begin another match.

    The account is one that :func:`beginning` has yielded: a measure counts from the moment that it is taken.
    """
    if user.is_computer:
        return
    require_may_sit_down(user)
    at_once = Seat.objects.filter(user=user, match__status__in=(Status.OPEN, Status.RUNNING)).count()
    if at_once < AT_ONCE_LOWERED:
        return
    if at_once >= AT_ONCE:
        raise TooManyMatchesError
    if spoilt(user) >= SPOILT:
        raise SpoilerError


def spoilt(user: User) -> int:
    """Return how many live matches against people the account aborted or left to the clock lately."""
    since = timezone.now() - SPOILT_WINDOW
    own = Seat.objects.filter(user=user, match__ended_by=F("number"), match__finished_at__gte=since)
    against_people = own.exclude(match__open_to=OpenTo.COMPUTER).filter(match__pace=Pace.LIVE)
    return against_people.filter(Q(match__reason=Reason.ABORTED) | Q(match__reason=Reason.TIME)).count()


def look_at_pairing(match: Match, first: User, second: User) -> None:
    """Flag a match whose two seats were taken from one session, device or address."""
    if first.is_computer or second.is_computer:
        return
    kinds = set(traces.shared(second, first).values_list("kind", flat=True))
    for kind in _KINDS:
        if kind in kinds:
            flag(second, _KINDS[kind], match=match, other=first)
            return


def flag(
    user: User,
    kind: str,
    *,
    match: Match | None = None,
    other: User | None = None,
    detail: dict[str, Any] | None = None,
) -> None:
    """Put something that was noticed into the account's case, once a match and kind."""
    if Flag.objects.filter(user=user, kind=kind, match=match, case__closed_at=None).exists():
        return
    try:
        with transaction.atomic():
            case = hold_open_case(user)
            Flag.objects.create(case=case, user=user, kind=kind, match=match, other=other, detail=detail or {})
    except IntegrityError:
        # Noticed at the same moment elsewhere.
        return


def open_case(user: User) -> Case:
    """Return the open case of an account, a new one where there is none."""
    return Case.objects.get_or_create(reported=user, closed_at=None)[0]


def hold_open_case(user: User) -> Case:
    """Return the open case of an account, which nobody settles until the transaction ends."""
    while True:
        case = open_case(user)
        if Case.objects.select_for_update(no_key=True).filter(pk=case.pk, closed_at=None).first() is not None:
            return case


def study_finished(now: datetime.datetime | None = None) -> int:
    """Look at the times of the turns of matches that ended lately, and return how many players were flagged."""
    now = now or timezone.now()
    ended = Match.objects.filter(
        status=Status.FINISHED, finished_at__gte=now - STUDY_WINDOW, pace=Pace.LIVE, turn__gt=2 * TURNS_TO_JUDGE
    )
    flagged = 0
    for match in ended.exclude(flag__kind__in=(FlagKind.EVEN_TIMES, FlagKind.QUICK_TIMES))[:500]:
        times = seconds_a_turn(match)
        for seat in match.seats.exclude(user__kind=Kind.COMPUTER).select_related("user"):
            kind, figures = judge(times[seat.number])
            if kind:
                flag(seat.user, kind, match=match, detail=figures)
                flagged += 1
    return flagged


def seconds_a_turn(match: Match) -> tuple[list[float], list[float]]:
    """Return for each seat how long it took for each of its turns after the lead, in seconds."""
    log = Move.objects.filter(match=match).order_by("turn").values_list("seat", "played_at")
    times: tuple[list[float], list[float]] = [], []
    for (_, before), (mover, played_at) in itertools.pairwise(log):
        times[mover].append((played_at - before).total_seconds())
    return times


def judge(seconds: list[float]) -> tuple[str, dict[str, float]]:
    """Return the kind of flag that a player's times deserve, or an empty one, and the figures behind it."""
    if len(seconds) < TURNS_TO_JUDGE:
        return "", {}
    mean = statistics.fmean(seconds)
    spread = statistics.stdev(seconds) / mean if mean else 0.0
    figures = {"turns": len(seconds), "mean": round(mean, 2), "spread": round(spread, 3)}
    if mean < QUICK_SECONDS:
        return FlagKind.QUICK_TIMES, figures
    if spread < EVEN_SPREAD:
        return FlagKind.EVEN_TIMES, figures
    return "", figures

"""What a moderator looks at before deciding about an account."""

import datetime
import itertools
from dataclasses import dataclass

from django.db.models import Prefetch, Q
from django.utils.formats import number_format
from django.utils.translation import ngettext

from accounts.models import User
from games.models import Action, Case, ChatLine, Flag, Match, Move, Report, Status, Trace
from games.present import words
from games.selectors import Record, record
from games.services.chatting import PRESETS

MATCHES_SHOWN = 12
LINES_SHOWN = 60
ACTIONS_SHOWN = 50
SHARED_SHOWN = 30


@dataclass(slots=True)
class TimedMatch:
    """A match, why it is over, and how long each seat took: ``times`` are ``(turn, seat, notation, seconds)``."""

    match: Match
    seats: str
    ended: str
    times: list[tuple[int, int, str, float]]
    own_seat: int | None

    @property
    def can_end(self) -> bool:
        """Whether a moderator can still decide it."""
        return self.match.status == Status.RUNNING


@dataclass(slots=True)
class SharedTrace:
    """Another account that was seen with the same session, device or address."""

    user: User
    kinds: list[str]
    last_seen_at: datetime.datetime


@dataclass(slots=True)
class Evidence:
    """All that is shown beside a case."""

    subject: User
    record: Record
    reports: list[Report]
    flags: list[tuple[Flag, str]]
    matches: list[TimedMatch]
    lines: list[tuple[ChatLine, str]]
    shared: list[SharedTrace]
    actions: list[Action]
    other_cases: int


def evidence(case: Case) -> Evidence:
    """Gather what there is about a case, each kind bounded in number."""
    subject = case.reported
    reports = list(case.reports.select_related("reporter", "match", "line").order_by("created_at")[:200])
    flags = list(case.flags.select_related("other", "match").order_by("created_at")[:200])
    named = {pk for pk in (*(report.match_id for report in reports), *(flag.match_id for flag in flags)) if pk}
    return Evidence(
        subject=subject,
        record=record(subject),
        reports=reports,
        flags=[(flag, figures(flag)) for flag in flags],
        matches=_matches(subject, named),
        lines=_lines(subject, named),
        shared=_shared(subject),
        actions=list(Action.objects.filter(subject=subject).select_related("actor")[:ACTIONS_SHOWN]),
        other_cases=Case.objects.filter(reported=subject).exclude(pk=case.pk).count(),
    )


def figures(flag: Flag) -> str:
    """Return in words what was counted behind a flag, empty where nothing was."""
    counted = flag.detail
    if "spoilt" in counted:
        return ngettext(
            "%(count)d match aborted or left to the clock within a day.",
            "%(count)d matches aborted or left to the clock within a day.",
            counted["spoilt"],
        ) % {"count": counted["spoilt"]}
    if "turns" in counted:
        return ngettext(
            "%(count)d turn of %(seconds)s seconds on average, give or take %(percent)d%%.",
            "%(count)d turns of %(seconds)s seconds on average, give or take %(percent)d%%.",
            counted["turns"],
        ) % {
            "count": counted["turns"],
            "seconds": number_format(counted["mean"]),
            "percent": round(100 * counted["spread"]),
        }
    return ""


def _matches(subject: User, named: set[int]) -> list[TimedMatch]:
    """Return the matches that are named in the case, those that run, and the latest ones."""
    log = Prefetch("moves", queryset=Move.objects.order_by("turn"))
    own = Match.objects.filter(seats__user=subject).with_seats().prefetch_related(log)
    found = {match.pk: match for match in own.filter(pk__in=named)[:MATCHES_SHOWN]}
    for more in (own.running().order_by("-started_at"), own.order_by("-pk")):
        found |= {match.pk: match for match in more[:MATCHES_SHOWN] if match.pk not in found}
        if len(found) >= MATCHES_SHOWN:
            break
    return [_timed(match, subject) for match in list(found.values())[: 2 * MATCHES_SHOWN]]


def _timed(match: Match, subject: User) -> TimedMatch:
    times = [
        (later.turn, later.seat, later.notation, round((later.played_at - earlier.played_at).total_seconds(), 1))
        for earlier, later in itertools.pairwise(match.moves.all())
    ]
    own = match.seat_of(subject.pk)
    seats = " – ".join(seat.user.username for seat in match.seated)
    return TimedMatch(match, seats, words.end_sentence(match, "", None), times, own.number if own else None)


def _lines(subject: User, named: set[int]) -> list[tuple[ChatLine, str]]:
    """Return the subject's latest lines and all that was said in the named matches, hidden lines too."""
    lines = ChatLine.objects.filter(Q(author=subject) | Q(match__in=named)).select_related("author", "match")
    return [
        (line, str(PRESETS.get(line.preset, line.preset)) if line.preset else line.text)
        for line in lines.order_by("-pk")[:LINES_SHOWN]
    ]


def _shared(subject: User) -> list[SharedTrace]:
    digests = Trace.objects.filter(user=subject).order_by("-last_seen_at").values_list("digest", flat=True)[:200]
    others = Trace.objects.filter(digest__in=list(digests)).exclude(user=subject).select_related("user")
    found: dict[int, SharedTrace] = {}
    for trace in others.order_by("-last_seen_at")[:500]:
        row = found.setdefault(trace.user_id, SharedTrace(trace.user, [], trace.last_seen_at))
        if trace.get_kind_display() not in row.kinds:
            row.kinds.append(str(trace.get_kind_display()))
    return list(found.values())[:SHARED_SHOWN]

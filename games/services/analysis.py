"""Analyses of finished matches: asking for one, and the worker's way through it, position by position."""

import datetime
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games import broadcast
from games.models import AnalysedTurn, Analysis, Match
from games.rules import Position, parse_position
from games.services.errors import MatchError, NoSuchMatchError
from games.services.history import positions
from games.services.permission import require_may_play

#: How long a worker may be silent about an analysis before another goes on with it.
LEASE = datetime.timedelta(seconds=30)
#: Beyond this many waiting, nobody may ask for more.
LONGEST_QUEUE = 500
#: A line is kept up to so many moves.
LINE_KEPT = 36


class AnalysisWaitsError(MatchError):
    """The player has an analysis under way already."""

    message = _("One analysis at a time: wait until the one that you asked for is done.")


class QueueFullError(MatchError):
    """Too many analyses are waiting."""

    status = 503
    message = _("Too many analyses are waiting now. Please try again later.")


@dataclass(frozen=True, slots=True)
class Assessment:
    """What the engine thinks of a position; the fields are those of :class:`games.models.analysis.Assessed`."""

    chance: float
    proven: int | None
    line: tuple[str, ...]
    depth: int

    def fields(self) -> dict[str, object]:
        """Return the columns of a row."""
        return {
            "chance": self.chance,
            "proven": self.proven,
            "best": self.line[0] if self.line else "",
            "line": " ".join(self.line[:LINE_KEPT]),
            "depth": self.depth,
        }


@dataclass(frozen=True, slots=True)
class Study:
    """An analysis that was claimed: the positions of the match, and the turns before which nobody has looked yet."""

    pk: int
    code: str
    positions: tuple[Position, ...]
    left: tuple[int, ...]


def ask(code: str, user: User) -> Analysis:
    """Put a finished match into the queue, and return its analysis; one that is there already is returned as it is.

    Raises :class:`AnalysisWaitsError` where another one of the player's is not done, :class:`QueueFullError`,
    ``NoSuchMatchError``, and ``MatchError`` for a match that is not over or too short.
    """
    require_may_play(user)
    match = Match.objects.filter(code=code).first()
    if match is None:
        raise NoSuchMatchError
    if not match.is_over:
        raise MatchError(_("A match can be analysed when it is over."))
    if match.turn < 2:
        raise MatchError(_("No turn was played: there is nothing to analyse."))
    if found := Analysis.objects.filter(match=match).first():
        return found
    if Analysis.objects.wanted().count() >= LONGEST_QUEUE:
        raise QueueFullError
    try:
        with transaction.atomic():
            analysis = Analysis.objects.create(match=match, asked_by=user, total=len(_to_look_at(match)))
            broadcast.analysis_changed(code, queue=True)
            return analysis
    except IntegrityError:
        if found := Analysis.objects.filter(match=match).first():
            return found
        raise AnalysisWaitsError from None


def _to_look_at(match: Match) -> range:
    """Return the turns before which the position is looked at: also the one that was never made after a resignation."""
    last_is_open = parse_position(match.position).outcome() is None
    return range(1, match.turn + last_is_open)


def claim(now: datetime.datetime | None = None) -> Study | None:
    """Claim the first analysis of the queue, or None where none is free.

    A conditional update, so that one of any number of workers gets it; of one that died the lease ends.
    """
    now = now or timezone.now()
    for analysis in Analysis.objects.free(now).select_related("match")[:3]:
        claimed = Analysis.objects.free(now).filter(pk=analysis.pk)
        if claimed.update(claimed_until=now + LEASE):
            done = set(AnalysedTurn.objects.filter(analysis=analysis).values_list("turn", flat=True))
            # From the end: what is proven there makes the earlier positions quicker to judge for the reader too.
            left = [turn for turn in reversed(_to_look_at(analysis.match)) if turn not in done]
            return Study(analysis.pk, analysis.match.code, tuple(positions(analysis.match)), tuple(left))
    return None


def note(study: Study, turn: int, assessment: Assessment) -> None:
    """Write down what was found of the position before a turn, and hold the claim on."""
    with transaction.atomic():
        AnalysedTurn.objects.update_or_create(analysis_id=study.pk, turn=turn, defaults=assessment.fields())
        Analysis.objects.filter(pk=study.pk).update(claimed_until=timezone.now() + LEASE)
        broadcast.analysis_changed(study.code)


def finish(study: Study) -> None:
    """Mark an analysis as done."""
    with transaction.atomic():
        Analysis.objects.filter(pk=study.pk, done_at=None).update(done_at=timezone.now(), claimed_until=None)
        broadcast.analysis_changed(study.code, queue=True)


def put_back(study: Study) -> None:
    """End a claim in the middle, so that the first of the queue goes on: this one, or a shorter one asked for since."""
    Analysis.objects.filter(pk=study.pk, done_at=None).update(claimed_until=None)


def release(study: Study) -> None:
    """Give a claim back: the worker stops, or something went wrong; another goes on later."""
    Analysis.objects.filter(pk=study.pk, done_at=None).update(claimed_until=timezone.now() + LEASE / 10)

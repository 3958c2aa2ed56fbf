"""Positions that somebody tries out: asking what they are worth, and the worker's answer."""

import datetime
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models import Evaluation
from games.rules import Position, parse_position
from games.services.analysis import Assessment
from games.services.errors import MatchError

#: How long a claim holds, and how long an answer is kept.
LEASE = datetime.timedelta(seconds=10)
KEPT = datetime.timedelta(days=1)
#: Beyond this many waiting, nobody may ask for more.
LONGEST_QUEUE = 100


class BusyError(MatchError):
    """Too many positions wait to be looked at."""

    status = 503
    message = _("The engine is busy. Please try again in a moment.")


@dataclass(frozen=True, slots=True)
class EvaluationTask:
    """A position to be looked at."""

    pk: int
    position: Position


def ask(position: Position) -> Evaluation:
    """Ask what a position is worth; one that was asked for before is answered at once. Raises :class:`BusyError`."""
    text = str(position)
    if found := Evaluation.objects.filter(position=text).first():
        return found
    if Evaluation.objects.filter(answered_at=None).count() >= LONGEST_QUEUE:
        raise BusyError
    try:
        with transaction.atomic():
            return Evaluation.objects.create(position=text)
    except IntegrityError:
        return Evaluation.objects.get(position=text)


def claim(limit: int, now: datetime.datetime | None = None) -> list[EvaluationTask]:
    """Claim up to ``limit`` positions, the longest waiting first."""
    now = now or timezone.now()
    tasks = []
    free = Q(claimed_until=None) | Q(claimed_until__lte=now)
    for row in Evaluation.objects.filter(free, answered_at=None).order_by("asked_at")[:limit]:
        if Evaluation.objects.filter(free, pk=row.pk, answered_at=None).update(claimed_until=now + LEASE):
            tasks.append(EvaluationTask(row.pk, parse_position(row.position)))
    return tasks


def answer(task: EvaluationTask, assessment: Assessment) -> None:
    """Write down what a position is worth."""
    Evaluation.objects.filter(pk=task.pk).update(answered_at=timezone.now(), **assessment.fields())


def forget_old(now: datetime.datetime | None = None) -> int:
    """Delete what was asked for a day ago, and return how many."""
    now = now or timezone.now()
    return Evaluation.objects.filter(asked_at__lt=now - KEPT).delete()[0]

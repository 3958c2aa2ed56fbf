"""Reads of puzzles: one's own attempt, the streak, how many are solved, what comes next."""

import datetime
from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from games.models import Puzzle, PuzzleAttempt
from games.present.layout import Viewer


@dataclass(slots=True)
class GradeTally:
    """How many puzzles of a grade there are, and how many of them the viewer has solved."""

    grade: int
    total: int
    solved: int


def attempt_of(puzzle: Puzzle, viewer: Viewer) -> PuzzleAttempt | None:
    """Return the viewer's attempt at a puzzle, if there is one."""
    if not viewer.is_authenticated:
        return None
    attempt = PuzzleAttempt.objects.filter(puzzle=puzzle, user=viewer).first()
    if attempt is not None:
        attempt.puzzle = puzzle
    return attempt


def streak(viewer: Viewer, today: datetime.date) -> int:
    """Return on how many days in a row, up to today or yesterday, the daily puzzle was solved."""
    if not viewer.is_authenticated:
        return 0
    days = PuzzleAttempt.objects.filter(user=viewer, daily_on__lte=today, daily_on__isnull=False)
    solved = set(days.order_by("-daily_on").values_list("daily_on", flat=True)[:1000])
    day = today if today in solved else today - datetime.timedelta(days=1)
    count = 0
    while day in solved:
        count += 1
        day -= datetime.timedelta(days=1)
    return count


def tallies(viewer: Viewer) -> list[GradeTally]:
    """Return, grade by grade, how many puzzles there are and how many the viewer has solved."""
    solved = Q(attempts__user=viewer.pk, attempts__solved_at__isnull=False) if viewer.pk else Q(pk__in=[])
    counted = Puzzle.objects.order_by("grade").values("grade")
    rows = counted.annotate(total=Count("pk", distinct=True), solved=Count("pk", filter=solved, distinct=True))
    return [GradeTally(row["grade"], row["total"], row["solved"]) for row in rows]


def untried(viewer: Viewer) -> QuerySet[Puzzle]:
    """Return the puzzles that the viewer has not finished."""
    if not viewer.is_authenticated:
        return Puzzle.objects.all()
    finished = PuzzleAttempt.objects.filter(puzzle=OuterRef("pk"), user=viewer)
    finished = finished.filter(Q(solved_at__isnull=False) | Q(shown=True))
    return Puzzle.objects.filter(~Exists(finished))


def next_of(viewer: Viewer, grade: int, after: int = 0) -> Puzzle | None:
    """Return the next puzzle of a grade that is not finished, beginning anew after the last."""
    waiting = untried(viewer).filter(grade=grade).order_by("number")
    return waiting.filter(number__gt=after).first() or waiting.exclude(number=after).first()

"""Puzzles: trying a move, giving up, the daily one and the streak."""

import datetime
import json
from collections.abc import Iterable

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.models import Puzzle, PuzzleAttempt
from games.rules import IllegalMoveError, NotationError, parse_move, parse_position
from games.services.errors import IllegalTurnError, MatchError, StaleTurnError
from games.services.permission import require_may_play

#: A prime, so that the days go through all puzzles in an order that looks like chance before one comes again.
STRIDE = 7919
#: No more wrong moves are counted: the column holds no greater number.
MOST_MISSED = 32_767


class NoSuchPuzzleError(MatchError):
    """There is no puzzle with this number."""

    status = 404
    message = _("There is no such puzzle.")


def load(lines: Iterable[str]) -> int:
    """Store puzzles given as lines of JSON, as ``manage.py makepuzzles`` writes them; return how many are new.

    A position that is there already keeps its number.
    """
    known = set(Puzzle.objects.values_list("position", flat=True))
    number = Puzzle.objects.order_by("-number").values_list("number", flat=True).first() or 0
    made = []
    for line in lines:
        found = json.loads(line)
        if found["position"] in known:
            continue
        known.add(found["position"])
        number += 1
        made.append(
            Puzzle(
                number=number,
                position=found["position"],
                line=" ".join(found["line"]),
                asked=found["asked"],
                turns=found["turns"],
                grade=found["grade"],
            )
        )
    Puzzle.objects.bulk_create(made)
    return len(made)


def daily(day: datetime.date) -> Puzzle | None:
    """Return the puzzle of a day, the same for all; None where there are no puzzles."""
    count = Puzzle.objects.count()
    if not count:
        return None
    return Puzzle.objects.order_by("number")[day.toordinal() * STRIDE % count]


def today() -> datetime.date:
    """Return the day by which the daily puzzle changes: that of UTC."""
    return timezone.now().astimezone(datetime.UTC).date()


def may_begin_anew(attempt: PuzzleAttempt) -> bool:
    """Whether the puzzle is today's and was finished in a try of an earlier day: today's counts for the streak."""
    return attempt.is_over and attempt.started_at.astimezone(datetime.UTC).date() < today() and _is_daily(attempt)


def _is_daily(attempt: PuzzleAttempt) -> bool:
    return daily(today()) == attempt.puzzle


def play(number: int, user: User, step: int, notation: str) -> PuzzleAttempt:
    """Try a move in a puzzle and return the attempt as it then stands.

    The right move is answered with the opponent's, until nothing is left to find; a wrong one is counted and
    may be tried anew. Raises ``StaleTurnError`` where the attempt is at another ``step``, ``IllegalTurnError``
    for what the rules forbid, :class:`NoSuchPuzzleError`.
    """
    with transaction.atomic():
        attempt = _held(number, user)
        puzzle = attempt.puzzle
        if attempt.is_over or step != attempt.step:
            raise StaleTurnError
        _require_legal(puzzle, step, notation)
        if notation == puzzle.moves[step]:
            _go_on(attempt)
        else:
            attempt.missed = min(attempt.missed + 1, MOST_MISSED)
            attempt.last_miss = notation
        attempt.save()
    return attempt


def _held(number: int, user: User) -> PuzzleAttempt:
    require_may_play(user)
    puzzle = Puzzle.objects.filter(number=number).first()
    if puzzle is None:
        raise NoSuchPuzzleError
    attempt, _made = PuzzleAttempt.objects.get_or_create(puzzle=puzzle, user=user)
    # Of two moves at once the second one finds the attempt at another step.
    attempt = PuzzleAttempt.objects.select_for_update(of=("self",)).select_related("puzzle").get(pk=attempt.pk)
    if may_begin_anew(attempt):
        attempt.step, attempt.missed, attempt.last_miss, attempt.shown = 0, 0, "", False
    if _is_daily(attempt):
        # Who finishes today what was begun earlier has had today's try.
        attempt.started_at = timezone.now()
    return attempt


def _require_legal(puzzle: Puzzle, step: int, notation: str) -> None:
    position = parse_position(puzzle.position)
    try:
        for move in puzzle.moves[:step]:
            position = position.play(parse_move(move))
        position.play(parse_move(notation))
    except (NotationError, IllegalMoveError) as error:
        raise IllegalTurnError from error


def _go_on(attempt: PuzzleAttempt) -> None:
    """Play the move that was found, and the opponent's reply where more is asked."""
    puzzle = attempt.puzzle
    attempt.last_miss = ""
    attempt.step += 1
    if attempt.step < puzzle.asked:
        attempt.step += 1
        return
    attempt.solved_at = attempt.solved_at or timezone.now()
    if _is_daily(attempt):
        attempt.daily_on = today()


def give_up(number: int, user: User) -> PuzzleAttempt:
    """Show the solution; the puzzle does not count as solved by that. Raises :class:`NoSuchPuzzleError`."""
    with transaction.atomic():
        attempt = _held(number, user)
        if not attempt.is_over:
            attempt.shown = True
            attempt.save()
    return attempt

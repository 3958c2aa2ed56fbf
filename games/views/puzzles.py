"""Puzzles: all of them by grade, one to be solved, and the daily one."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.services import ensure_player
from games import puzzle_reads
from games.models import Puzzle, PuzzleAttempt
from games.numbers import whole_number
from games.present import boards, words
from games.rules import Position, card_name, parse_move, parse_position
from games.services import puzzles
from games.services.errors import MatchError
from games.views.limiting import limited


@never_cache
@require_safe
def overview(request: HttpRequest) -> HttpResponse:
    """Offer the daily puzzle and all others by grade."""
    today = puzzles.today()
    daily = puzzles.daily(today)
    attempt = _attempt(request, daily) if daily else None
    context = {
        "daily": daily,
        "daily_solved": attempt is not None and attempt.is_solved,
        "today": today,
        "streak": puzzle_reads.streak(request.user, today),
        "tallies": puzzle_reads.tallies(request.user),
    }
    if daily is not None:
        position = parse_position(daily.position)
        context["table"] = boards.board(
            position, position.turn, _names(position), daily.get_absolute_url(), request.user
        )
    return render(request, "games/puzzles.html", context)


@never_cache
@require_safe
def daily(request: HttpRequest) -> HttpResponse:
    """Go to the puzzle of the day."""
    found = puzzles.daily(puzzles.today())
    if found is None:
        raise Http404
    return redirect(found)


@never_cache
@require_safe
def next_puzzle(request: HttpRequest, grade: int) -> HttpResponse:
    """Go to the next puzzle of a grade that is not finished; where there is none, to all puzzles."""
    after = whole_number(request.GET.get("after"), 0)
    return redirect(puzzle_reads.next_of(request.user, grade, after) or "games:puzzles")


@never_cache
@limited("puzzle")
@require_http_methods(["GET", "HEAD", "POST"])
def puzzle(request: HttpRequest, number: int) -> HttpResponse:
    """Show a puzzle as far as it is solved, and take the next move."""
    found = _find(number)
    if request.method != "POST":
        return _page(request, found, _attempt(request, found))
    step = whole_number(request.POST.get("step"), -1)
    try:
        puzzles.play(number, ensure_player(request), step, request.POST.get("move", ""))
    except MatchError as error:
        return _page(request, found, _attempt(request, found), error.message, error.status)
    return redirect(found)


@require_POST
@limited("puzzle")
def give_up(request: HttpRequest, number: int) -> HttpResponse:
    """Show the solution of a puzzle."""
    found = _find(number)
    try:
        puzzles.give_up(number, ensure_player(request))
    except MatchError as error:
        return _page(request, found, None, error.message, error.status)
    return redirect(found)


def _find(number: int) -> Puzzle:
    found = Puzzle.objects.filter(number=number).first()
    if found is None:
        raise Http404
    return found


def _attempt(request: HttpRequest, found: Puzzle) -> PuzzleAttempt | None:
    """Return how far the viewer has come, which is nowhere in a puzzle that begins anew today."""
    attempt = puzzle_reads.attempt_of(found, request.user)
    return None if attempt is None or puzzles.may_begin_anew(attempt) else attempt


def _names(position: Position) -> list[str]:
    names = [gettext("Opponent"), gettext("Opponent")]
    names[position.turn] = gettext("You")
    return names


def _page(
    request: HttpRequest, found: Puzzle, attempt: PuzzleAttempt | None, notice: object = "", status: int = 200
) -> HttpResponse:
    step = attempt.step if attempt else 0
    is_over = attempt is not None and attempt.is_over
    start = parse_position(found.position)
    position, sentences = _played(start, found.moves[:step])
    url = found.get_absolute_url()
    today = puzzles.today()
    solution = found.moves if is_over else []
    near = start.turn
    context = {
        "puzzle": found,
        "attempt": attempt,
        "is_over": is_over,
        "step": step,
        "strict": start.strict,
        "is_daily": puzzles.daily(today) == found,
        "streak": puzzle_reads.streak(request.user, today),
        "table": boards.board(position, near, _names(start), url, request.user, chosen=request.GET.get("beat", "")),
        "sentences": sentences,
        "sentence": "" if is_over else _asked(found.turns - step, step > 0),
        "miss": words.move_phrase(parse_move(attempt.last_miss)) if attempt and attempt.last_miss else "",
        "solution": [
            (words.move_phrase(parse_move(move)), at % 2 == 0, at < found.asked) for at, move in enumerate(solution)
        ],
        "notice": notice,
    }
    return render(request, "games/puzzle.html", context, status=status)


def _played(position: Position, moves: list[str]) -> tuple[Position, list[str]]:
    """Return the position after moves, and the moves as sentences."""
    solver = position.turn
    sentences = []
    for notation in moves:
        move = parse_move(notation)
        beaten = None if position.top is None else card_name(position.top)
        taken = position.pickup_count() or 0
        if position.turn == solver:
            sentences.append(words.own_turn_sentence(move, beaten, taken))
        else:
            sentences.append(words.turn_sentence(gettext("The opponent"), move, beaten, taken))
        position = position.play(move)
    return position, sentences


def _asked(left: int, goes_on: bool) -> str:
    """Return the sentence that says what is to be found, ``left`` turns before the win.

    ``goes_on`` is for whom the move before was right: without a word on it the same question would seem to come again.
    """
    if goes_on:
        sentence = ngettext(
            "Right! Go on: again one move alone wins, in %(count)d turn.",
            "Right! Go on: again one move alone wins, in %(count)d turns.",
            left,
        )
    else:
        sentence = ngettext(
            "One move alone wins, in %(count)d turn. Find it.",
            "One move alone wins, in %(count)d turns. Find it.",
            left,
        )
    return sentence % {"count": left}

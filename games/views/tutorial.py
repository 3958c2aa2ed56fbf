"""The lessons: a first game in short steps on the table itself."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.services import admit
from games import selectors
from games.present.lessons import lesson_table
from games.rules import Move, NotationError, parse_move
from games.services import learning
from games.tutorial import LESSONS, Lesson

#: Where the session of somebody without an account keeps the number of the step to go on with.
RESUME = "lesson"


def _reached(request: HttpRequest) -> int:
    """Return the step to go on with: that of the account, or of the session before there was one."""
    before: int = request.session.get(RESUME, 1)
    return max(before, selectors.lesson_of(request.user)) if request.user.is_authenticated else before


def _reach(request: HttpRequest, step: int) -> None:
    """Let the learner go on with a step. A client that brings too many strangers is taught, and they start anew."""
    if request.user.is_authenticated:
        learning.reach(request.user, max(step, request.session.pop(RESUME, 1)))
    elif step > _reached(request) and (RESUME in request.session or admit(request)):
        request.session[RESUME] = step


@never_cache
@require_safe
def resume(request: HttpRequest) -> HttpResponse:
    """Go to the step where the learner left off."""
    step = _reached(request)
    return redirect("games:lesson", step) if 1 <= step <= len(LESSONS) else redirect("games:lessons_done")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def lesson(request: HttpRequest, step: int) -> HttpResponse:
    """Show a step, take a turn in it, and show what came of the turn that ``move`` names."""
    if not 1 <= step <= len(LESSONS):
        raise Http404
    found = LESSONS[step - 1]
    if request.method == "POST":
        move = _legal(found, request.POST.get("move", ""))
        if move is None:
            return _page(request, step, found, None, refused=True)
        _reach(request, step + 1 if found.is_right(move) else step)
        return redirect(f"{reverse('games:lesson', args=[step])}?{urlencode({'move': str(move)})}")
    return _page(request, step, found, _legal(found, request.GET.get("move", "")))


def _legal(found: Lesson, notation: str) -> Move | None:
    """Return the turn that is written, where the lesson's position allows it."""
    try:
        move = parse_move(notation)
    except NotationError:
        return None
    return move if found.position.why_illegal(move) is None else None


def _page(request: HttpRequest, step: int, found: Lesson, move: Move | None, *, refused: bool = False) -> HttpResponse:
    address = reverse("games:lesson", args=[step])
    is_last = step == len(LESSONS)
    context = {
        "lesson": found,
        "step": step,
        "count": len(LESSONS),
        "steps": [(number, other.title) for number, other in enumerate(LESSONS, start=1)],
        "done_before": _reached(request),
        "table": lesson_table(found, address, chosen=request.GET.get("beat", ""), move=move),
        "moved": move is not None,
        "right": move is not None and found.is_right(move),
        "refused": refused,
        "address": address,
        "following": reverse("games:lessons_done") if is_last else reverse("games:lesson", args=[step + 1]),
    }
    template = "games/partials/lesson.html" if request.htmx else "games/tutorial.html"  # type: ignore[attr-defined]
    return render(request, template, context, status=422 if refused else 200)


@require_safe
def done(request: HttpRequest) -> HttpResponse:
    """End the lessons with a first match."""
    return render(request, "games/tutorial_done.html")

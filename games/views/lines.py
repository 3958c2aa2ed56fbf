"""Conditional turns: played out on a table of their own, kept, listed and erased."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import urlencode
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from games import client, limits, selectors
from games.models import Match, Seat
from games.numbers import whole_number
from games.present import planning, words
from games.rules import RANKS
from games.services import lines
from games.services.errors import MatchError


def _own(request: HttpRequest, code: str) -> tuple[Match, Seat]:
    """Return a match and the reader's seat in it; nobody else may know of its lines."""
    match = selectors.find_match(code)
    seat = match.seat_of(request.user.pk) if match is not None and match.start else None
    if match is None or seat is None:
        raise Http404
    return match, seat


@never_cache
@require_safe
@login_required
def plan(request: HttpRequest, code: str) -> HttpResponse:
    """Show the table after the turns in ``?moves=``, with what can come next, and the lines that are kept."""
    match, seat = _own(request, code)
    if not match.may_plan(seat.number):
        return redirect(match)
    moves = request.GET.get("moves", "").split()
    try:
        following = _following(request)
    except ValueError:
        return _page(request, match, seat, moves, gettext("Choose a rank and a suit for each card."))
    if following:
        try:
            planning.build(match, seat, [*moves, following])
        except ValueError:
            return _page(request, match, seat, moves, refused=following)
        return redirect(f"{request.path}?{urlencode({'moves': ' '.join([*moves, following])})}")
    return _page(request, match, seat, moves)


def _following(request: HttpRequest) -> str:
    """Return the turn that was chosen to come next, or nothing."""
    if "move" in request.GET:
        return request.GET["move"]
    if "rank" not in request.GET:
        return ""
    return planning.their_move(*(request.GET.get(name, "") for name in ("rank", "suit", "cover_rank", "cover_suit")))


def _page(
    request: HttpRequest,
    match: Match,
    seat: Seat,
    moves: list[str],
    notice: object = "",
    refused: str = "",
    status: int = 200,
) -> HttpResponse:
    try:
        built = planning.build(match, seat, moves, request.GET.get("beat", ""))
    except ValueError:
        return redirect("games:lines", match.code)
    if refused:
        notice = planning.refusal(match, seat, moves, refused)
    lowest = RANKS[-match.deck_size // 4 :]
    context = {
        "match": match,
        "plan": built,
        "opponent": words.player_name(match.seated[1 - seat.number].user),
        "laid": planning.laid_lines(match, seat),
        "ranks": [(rank, "10" if rank == "T" else rank) for rank in lowest],
        "suits": [(suit, words.suit_name(suit), sign) for suit, sign in words.SUIT_SIGNS.items()],
        "notice": notice,
    }
    return render(request, "games/lines.html", context, status=status)


@require_POST
@login_required
def keep(request: HttpRequest, code: str) -> HttpResponse:
    """Keep a line."""
    match, seat = _own(request, code)
    moves = request.POST.get("moves", "").split()
    try:
        limits.spend("act", request.user, client.of_request(request))
        lines.lay(code, request.user, whole_number(request.POST.get("turn"), 0), moves)
    except MatchError as error:
        if not match.may_plan(seat.number):
            return redirect(match)
        return _page(request, match, seat, moves, error.message, status=error.status)
    return redirect("games:lines", code)


@require_POST
@login_required
def erase(request: HttpRequest, code: str) -> HttpResponse:
    """Erase a line, or all lines of the match."""
    _own(request, code)
    try:
        limits.spend("act", request.user, client.of_request(request))
        named = request.POST.get("line")
        lines.erase(code, request.user, None if named is None else whole_number(named, 0))
    except MatchError:
        return redirect("games:match", code)
    return redirect("games:lines", code)

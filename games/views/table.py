"""The table: looking at a match, sitting down, and all that is done there by forms."""

from collections.abc import Callable
from functools import wraps

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from accounts.services import ensure_player
from games import actions, client, selectors
from games.forms.matches import AcceptForm
from games.models import Match, OpenTo, Status
from games.present import days, lists
from games.present.chat import chat
from games.present.table import TurnLog
from games.services import presence, seating
from games.services.errors import MatchError, TermsError
from games.views.limiting import note, sitting_down


def _find(code: str) -> Match:
    match = selectors.find_match(code)
    if match is None:
        raise Http404
    return match


@never_cache
@require_safe
def match(request: HttpRequest, code: str) -> HttpResponse:
    """Show the table, or an open match to the one who may take its seat."""
    return _page(request, _find(code))


def _page(request: HttpRequest, found: Match, notice: object = "", status: int = 200) -> HttpResponse:
    context: dict[str, object] = {"notice": notice}
    if found.start:
        log = TurnLog(found.start)
        context["table"] = table = selectors.table(found, request.user, chosen=request.GET.get("beat"), log=log)
        context["chat"] = chat(found, request.user)
        if (seat := found.seat_of(request.user.pk)) is not None:
            context["recap"] = days.recap(found, log.turns, table.turns, seat, timezone.now())
            presence.look(found, request.user, found.turn)
        return render(request, "games/match.html", context, status=status)
    if request.user.is_authenticated:
        presence.look(found, request.user, found.turn)
    link = request.build_absolute_uri(found.get_absolute_url())
    context["invitation"] = lists.invitation(found, request.user, link)
    return render(request, "games/invitation.html", context, status=status)


def _by_form(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Make a view take posted forms alone; any other visit, such as a way back after a refusal, goes to the table."""

    @wraps(view)
    @require_http_methods(["GET", "HEAD", "POST"])
    def wrapper(request: HttpRequest, code: str, **kwargs: str) -> HttpResponse:
        return view(request, code, **kwargs) if request.method == "POST" else redirect(_find(code))

    return wrapper


@_by_form
def act(request: HttpRequest, code: str, action: str) -> HttpResponse:
    """Do something at the table; a refusal shows the present table with the reason."""
    found = _find(code)
    if not request.user.is_authenticated:
        return _log_in_first(request, found)
    try:
        rematch = actions.perform(action, code, request.user, request.POST, client.of_request(request))
    except MatchError as error:
        return _page(request, _find(code), error.message, error.status)
    return redirect(rematch or found)


def _log_in_first(request: HttpRequest, found: Match) -> HttpResponse:
    """Send the whole page to the log-in, and from there back to the table."""
    response = redirect_to_login(found.get_absolute_url(), settings.LOGIN_URL)
    if request.htmx:  # type: ignore[attr-defined]
        return HttpResponse(headers={"HX-Redirect": response.url})
    return response


@_by_form
@sitting_down
def accept(request: HttpRequest, code: str) -> HttpResponse:
    """Take the second seat; works without an account, as a guest, unless it is offered to one player."""
    found = _find(code)
    form = AcceptForm(request.POST)

    def take_seat(player: User) -> None:
        if not form.is_valid():
            raise TermsError
        seating.accept(code, note(request, player), form.cleaned_data["trump"], form.cleaned_data["nonce"])

    return _answer(request, found, take_seat, guests=found.open_to != OpenTo.PLAYER)


@_by_form
def decline(request: HttpRequest, code: str) -> HttpResponse:
    """Decline a match that one was invited to; a rematch leads back to the match before."""
    found = _find(code)
    return _answer(request, found, lambda player: seating.decline(code, player), found.rematch_of or "games:mine")


@_by_form
def cancel(request: HttpRequest, code: str) -> HttpResponse:
    """Withdraw a match that nobody has accepted yet; a rematch leads back to the match before."""
    found = _find(code)
    return _answer(request, found, lambda player: seating.cancel(code, player), found.rematch_of or "games:lobby")


def _answer(
    request: HttpRequest,
    found: Match,
    answer: Callable[[User], None],
    then: Match | str | None = None,
    *,
    guests: bool = False,
) -> HttpResponse:
    """Answer an open match as whoever asks; with ``guests`` also as somebody without an account."""
    if request.user.is_authenticated:
        player = request.user
    elif found.status != Status.OPEN:
        return _page(request, found, seating.SeatTakenError.message, seating.SeatTakenError.status)
    elif guests:
        player = ensure_player(request)
    else:
        return _log_in_first(request, found)
    try:
        answer(player)
    except MatchError as error:
        return _page(request, _find(found.code), error.message, error.status)
    return redirect(then or found)

"""The table as text, with a form: for screen readers, and for whoever likes it plain."""

from collections.abc import Mapping
from itertools import groupby

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games import actions, client, selectors
from games.models import Match
from games.present.parts import ClockView, TableView
from games.services import presence
from games.services.errors import MatchError
from games.views.finding import dealt_match

LINES_SHOWN = 6


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def text(request: HttpRequest, code: str) -> HttpResponse:
    """Show the table as text and take turns from its form.

    With ``seen``, the mark of what a page shows, a match that stands as it did is answered with 204.
    """
    found = dealt_match(code)
    if request.method != "POST":
        return _page(request, found)
    if not request.user.is_authenticated:
        return redirect_to_login(request.path, settings.LOGIN_URL)
    action, fields = _asked(request.POST)
    try:
        rematch = actions.perform(action, code, request.user, fields, client.of_request(request))
    except MatchError as error:
        return _page(request, dealt_match(code), error.message, error.status)
    # A rematch that is only offered so far has no table yet.
    begun = rematch is not None and Match.objects.filter(pk=rematch.pk).exclude(start="").exists()
    return redirect("games:text", rematch.code if rematch is not None and begun else code)


def _asked(posted: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """Return what the form asks for: an action with its answer, or a turn put together from its fields."""
    turn = posted.get("turn", "")
    if asked := posted.get("do", ""):
        action, _colon, answer = asked.partition(":")
        return action, {"turn": turn, "answer": answer, "nonce": posted.get("nonce", "")}
    if "take" in posted:
        return "play", {"turn": turn, "move": "take"}
    typed = "".join(posted.get("typed", "").split())
    if typed:
        return "play", {"turn": turn, "move": "take" if typed.lower() == "take" else typed.upper()}
    cards = [card for card in (posted.get("card", ""), posted.get("cover", "")) if card]
    return "play", {"turn": turn, "move": "+".join(cards)}


def _mark(table: TableView) -> str:
    """Return what changes whenever the page would; a clock that runs tells minutes, and at last ten seconds."""
    rematch = table.rematch.state if table.rematch else ""
    offers = (table.draw_offer, table.draw_declined, table.can_claim_time, rematch)
    times = (_coarse_time(table.near.clock), _coarse_time(table.far.clock))
    parts = (table.turn, table.is_running, table.is_paused, table.stage, *offers, *times)
    return "-".join(map(str, parts))


def _coarse_time(clock: ClockView | None) -> int:
    if clock is None:
        return 0
    seconds = clock.remaining_ms // 1000
    return seconds // 60 * 60 if seconds >= 60 else seconds // 10 * 10


def _page(request: HttpRequest, found: Match, notice: object = "", status: int = 200) -> HttpResponse:
    table = selectors.table(found, request.user)
    mark = _mark(table)
    is_asking = bool(request.htmx) and not notice  # type: ignore[attr-defined]
    if table.is_seated and request.user.is_authenticated:
        if is_asking:
            # An open page is there, but sees nothing.
            presence.hear(found.code, request.user.pk)
        else:
            presence.look(found, request.user, found.turn)
    if is_asking and request.GET.get("seen") == mark:
        return HttpResponse(status=204)
    context = {
        "table": table,
        "mark": mark,
        "notice": notice,
        "hand": table.near.cards or [],
        "suits": [list(suit) for _letter, suit in groupby(table.near.cards or [], key=lambda view: view.code[1])],
        "beaters": [view for row in table.rows for view in row if view.playable],
        "lines": table.turns[-LINES_SHOWN:],
        "address": reverse("games:text", args=[found.code]),
    }
    template = "games/partials/text_table.html" if is_asking else "games/text.html"
    return render(request, template, context, status=status)

"""Pages that only show: the landing page, the lobby, one's own matches, profiles, the rules."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games import selectors
from games.forms.matches import HistoryForm, VerifyForm
from games.models import Deal
from games.present import lists, words
from games.rules import SUITS, card_name, cards_of
from games.rules.dealing import Terms, commitment, deal

MATCHES_A_PAGE = 20


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Say what the game is and offer to start one."""
    return render(request, "games/home.html")


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """List the open seats, and what is played now."""
    return render(request, "games/lobby.html", selectors.lobby(request.user))


@require_safe
@login_required
def mine(request: HttpRequest) -> HttpResponse:
    """List the reader's own matches, those that wait for a turn first."""
    return render(request, "games/mine.html", {"mine": selectors.my_page(request.user)})


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """Explain the rules."""
    return render(request, "games/rules.html")


@require_safe
def profile(request: HttpRequest, username: str) -> HttpResponse:
    """Show since when somebody plays, the results, and the finished matches with filters."""
    player = selectors.find_player(username)
    if player is None or player.is_closed or player.is_suspended_for_good:
        raise Http404
    form = HistoryForm(request.GET)
    filters = form.cleaned_data if form.is_valid() else {}
    page = Paginator(selectors.history(player, **filters), MATCHES_A_PAGE).get_page(request.GET.get("page"))
    level = player.computer.level if player.is_computer and hasattr(player, "computer") else 0
    query = request.GET.copy()
    query.pop("page", None)
    is_self = player.pk == request.user.pk
    context = {
        "player": player,
        "name": words.player_name(player),
        "level": level,
        "line": words.level_line(level) if level else "",
        "record": selectors.record(player),
        "form": form,
        "page": page,
        "matches": [lists.match_card(match, player, to_player=is_self) for match in page],
        "query": query.urlencode(),
        "is_self": is_self,
    }
    return render(request, "games/profile.html", context)


@require_safe
def verify(request: HttpRequest) -> HttpResponse:
    """Deal a match again from its secret and nonce, to be compared with what was played."""
    is_asked = not VerifyForm.base_fields.keys().isdisjoint(request.GET)
    form = VerifyForm(request.GET if is_asked else None)
    context: dict[str, object] = {"form": form}
    status = 200
    if form.is_bound:
        if form.is_valid():
            context["dealt"] = _deal_again(form)
        else:
            status = 422
    return render(request, "games/verify.html", context, status=status)


def _deal_again(form: VerifyForm) -> dict[str, object]:
    chosen = form.cleaned_data
    mirrored = chosen["deal"] == Deal.MIRRORED
    dealt = deal(chosen["secret"], chosen["nonce"], Terms(chosen["deck_size"], mirrored, True, form.trumps()))
    return {
        "commitment": commitment(chosen["secret"]),
        "trumps": [SUITS[suit] for suit in dealt.trumps],
        "lead": dealt.drawn_lead,
        "hands": [[card_name(card) for card in cards_of(hand)] for hand in dealt.hands],
    }

"""Playing one turn by a link from a mail or a push, without a log-in."""

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models import User
from games import selectors
from games.models import Match, Reader
from games.notices import choices, links
from games.services import playing
from games.services.errors import MatchError


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def play_link(request: HttpRequest, token: str) -> HttpResponse:
    """Show the table as the player of a turn sees it, and make that one turn.

    The link is not a log-in: nothing else can be done by it, and once the turn is made or
    the link is old it leads to the table as everybody sees it. Showing it counts as nothing:
    mail programs follow links before people do. Whoever is not logged in reads it in the
    language of the mail.
    """
    try:
        link = links.read_play_token(token)
    except links.BadLinkError:
        raise Http404 from None
    found = selectors.find_match(link.code)
    if found is None:
        raise Http404
    if request.user.is_authenticated:
        return _answer(request, found, link)
    reader = found.seated[link.seat].user
    visit = Reader.objects.filter(user=reader).first()
    language = choices.language_of(reader, visit)
    with translation.override(language), timezone.override(choices.zone_of(reader, visit)):
        response = _answer(request, found, link)
    return _go_on_in(language, request, response)


def _go_on_in(language: str, request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Let the table after the turn speak as the link did, where no other language was chosen in this browser."""
    response.headers["Content-Language"] = language
    if settings.LANGUAGE_COOKIE_NAME not in request.COOKIES:
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            language,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    return response


def _answer(request: HttpRequest, found: Match, link: links.PlayLink) -> HttpResponse:
    player = _player(found, link)
    if player is None or request.user == player:
        return _to_table(request, found, link, player)
    if request.method == "POST":
        try:
            playing.play(found.code, player, link.turn, request.POST.get("move", ""))
        except MatchError as error:
            return _again(request, link, player, error)
        messages.success(request, _("Your turn is made."))
        return redirect(found)
    return _page(request, found, player)


def _player(match: Match, link: links.PlayLink) -> User | None:
    """Return whose turn a link can play now, or None where it is used up."""
    if link.expired or not match.is_running or (match.turn, match.to_move) != (link.turn, link.seat):
        return None
    player = match.seated[link.seat].user
    return player if player.is_active else None


def _to_table(request: HttpRequest, match: Match, link: links.PlayLink, player: User | None) -> HttpResponse:
    if player is None:
        if link.expired:
            messages.info(request, _("This link is too old to play by. Log in to play."))
        else:
            messages.info(request, _("The turn that this link was for has passed. Log in to see your cards."))
    return redirect(match)


def _again(request: HttpRequest, link: links.PlayLink, player: User, error: MatchError) -> HttpResponse:
    """Say why the turn was refused, at the table where it can still be made, else at the table."""
    found = selectors.find_match(link.code)
    if found is None:
        raise Http404
    if _player(found, link) is None:
        messages.error(request, str(error.message))
        return redirect(found)
    return _page(request, found, player, error.message, error.status)


def _page(request: HttpRequest, match: Match, player: User, notice: object = "", status: int = 200) -> HttpResponse:
    table = selectors.table(match, player, chosen=request.GET.get("beat"))
    # What the table's parts link to and post to is the link again: it leads nowhere else.
    table.url = request.path
    context = {"table": table, "player": player, "notice": notice}
    return render(request, "notices/play.html", context, status=status)

"""Making a match."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from accounts.services import ensure_player
from games.forms.matches import NewMatchForm
from games.models import Match, OpenTo
from games.services import seating
from games.services.errors import MatchError
from games.views.limiting import note, sitting_down


@require_http_methods(["GET", "HEAD", "POST"])
@sitting_down
def new(request: HttpRequest) -> HttpResponse:
    """Offer all choices for a new match, and make it."""
    if request.method != "POST":
        return render(request, "games/new_match.html", {"form": NewMatchForm(initial=_chosen_before(request))})
    maker = request.user if request.user.is_authenticated else None
    return _answer(request, NewMatchForm(request.POST, maker=maker))


@require_POST
@sitting_down
def play_computer(request: HttpRequest) -> HttpResponse:
    """Begin a match against the computer at once: the standard one, or as the form says."""
    data = request.POST.copy()
    data["opponent"] = OpenTo.COMPUTER
    return _answer(request, NewMatchForm(data))


def _answer(request: HttpRequest, form: NewMatchForm) -> HttpResponse:
    """Make the match and go to it, or show the form again with what is wrong."""
    status = 422
    if form.is_valid():
        try:
            return redirect(_make(request, form))
        except MatchError as error:
            form.add_error(None, str(error.message))
            status = error.status
    return render(request, "games/new_match.html", {"form": form}, status=status)


def _chosen_before(request: HttpRequest) -> dict[str, str]:
    """Return the choices that a link to the form asks for, such as ``?opponent=player&username=Ana``."""
    return {name: value for name, value in request.GET.items() if name in NewMatchForm.base_fields}


def _make(request: HttpRequest, form: NewMatchForm) -> Match:
    chosen = form.cleaned_data
    player = note(request, ensure_player(request))
    if chosen["opponent"] == OpenTo.COMPUTER:
        return seating.play_computer(player, chosen["level"], form.terms(), chosen["trump"])
    return seating.create(player, form.terms(), open_to=chosen["opponent"], trump=chosen["trump"], invited=form.invited)

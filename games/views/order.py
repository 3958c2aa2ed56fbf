"""Pages for keeping order: one's standing, appeals, reports, blocks, another name."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from games import selectors
from games.forms.order import AppealForm, RenameForm, ReportForm
from games.numbers import whole_number
from games.present import official
from games.services import blocking, reporting
from games.services.errors import MatchError
from games.services.moderation import appeals
from games.services.official import put_away as put_word_away
from games.services.renaming import rename as choose_name
from games.views.limiting import limited


@require_safe
@login_required
def standing(request: HttpRequest) -> HttpResponse:
    """Say how an account stands with the moderators: what is in force, until when, why, and what one can do."""
    return _standing_page(request)


def _standing_page(request: HttpRequest, refused: AppealForm | None = None, status: int = 200) -> HttpResponse:
    """Show the measures, each that can be appealed against with a form of its own; ``refused`` takes its place."""
    measures = [
        (measure, refused if refused is not None and refused.action_id == measure.id else AppealForm(measure.id))
        for measure in official.measures_against(request.user)
    ]
    context = {"words": official.words_for(request.user), "measures": measures}
    return render(request, "moderation/standing.html", context, status=status)


@require_POST
@login_required
def put_away(request: HttpRequest, word_id: int) -> HttpResponse:
    """Put a word of the moderators away."""
    put_word_away(request.user, word_id)
    return redirect("games:standing")


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@limited("report")
def appeal(request: HttpRequest, action_id: int) -> HttpResponse:
    """Appeal against a measure; what is refused stands in its form again, under an address that leads back to it."""
    if request.method != "POST":
        return redirect("games:standing")
    form = AppealForm(action_id, request.POST)
    if not form.is_valid():
        return _standing_page(request, form, 422)
    try:
        appeals.appeal(request.user, action_id, form.cleaned_data["text"])
    except MatchError as error:
        messages.error(request, error.message)
    else:
        messages.success(request, _("Your appeal is with the moderators."))
    return redirect("games:standing")


def _player(username: str) -> User:
    player = selectors.find_player(username)
    if player is None or player.is_computer:
        raise Http404
    return player


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@limited("report")
def report(request: HttpRequest, username: str) -> HttpResponse:
    """Report a player to the moderators, with the match and the chat line where the link came from one."""
    player = _player(username)
    if request.method != "POST":
        initial = {name: request.GET[name] for name in ("match", "line") if name in request.GET}
        return _report_page(request, player, ReportForm(initial=initial))
    form = ReportForm(request.POST)
    if not form.is_valid():
        return _report_page(request, player, form, 422)
    chosen = form.cleaned_data
    try:
        reporting.report(
            request.user,
            player,
            chosen["reason"],
            chosen["text"],
            match_code=chosen["match"],
            line_id=chosen["line"],
        )
    except MatchError as error:
        form.add_error(None, str(error.message))
        return _report_page(request, player, form, error.status)
    if chosen["also_block"]:
        blocking.block(request.user, player)
    messages.success(request, _("Thank you. The moderators will look into it and tell you how it ended."))
    return redirect("games:match", chosen["match"]) if chosen["match"] else redirect("games:profile", player.username)


def _report_page(request: HttpRequest, player: User, form: ReportForm, status: int = 200) -> HttpResponse:
    named = whole_number(form["line"].value(), None)
    line = None
    if named is not None:
        line = selectors.find_line(form["match"].value() or "", named, request.user, player)
    context = {"player": player, "form": form, "line": line if line and line.hidden_at is None else None}
    return render(request, "moderation/report.html", context, status=status)


@require_safe
@login_required
def blocks(request: HttpRequest) -> HttpResponse:
    """List whom the reader keeps away."""
    found = request.user.blocks.select_related("blocked").order_by("-created_at")[:500]
    return render(request, "moderation/blocks.html", {"blocks": found})


@require_POST
@login_required
@limited("report")
def block(request: HttpRequest, username: str) -> HttpResponse:
    """Keep a player away."""
    player = _player(username)
    try:
        blocking.block(request.user, player)
    except MatchError as error:
        messages.error(request, error.message)
    else:
        messages.success(request, _("You will not meet %(player)s again.") % {"player": player.display_name})
    return redirect("games:blocks")


@require_POST
@login_required
def unblock(request: HttpRequest, username: str) -> HttpResponse:
    """Take a block back, also from a player who has left."""
    player = selectors.find_account(username)
    if player is None:
        raise Http404
    blocking.unblock(request.user, player)
    return redirect("games:blocks")


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@limited("data")
def rename(request: HttpRequest) -> HttpResponse:
    """Choose another name in place of one that had to go."""
    if not request.user.must_rename:
        return redirect("games:standing")
    form = RenameForm(request.POST or None)
    if not form.is_valid():
        return render(request, "moderation/rename.html", {"form": form}, status=422 if form.is_bound else 200)
    try:
        choose_name(request.user, form.cleaned_data["username"])
    except MatchError as error:
        form.add_error("username", str(error.message))
        return render(request, "moderation/rename.html", {"form": form}, status=error.status)
    messages.success(request, _("Your new name is saved."))
    return redirect("games:mine")

"""Pages of a player whose matches go on for days: time off, coming back, the next match."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games import client, limits, selectors
from games.forms.matches import TimeOffForm
from games.services import standing, timeoff
from games.services.errors import MatchError


@require_safe
@login_required
def next_match(request: HttpRequest) -> HttpResponse:
    """Go to the match in which the reader's turn has the least time left, or to the list where there is none.

    ``?after=CODE`` leaves out the match that the reader comes from.
    """
    return redirect(selectors.next_match(request.user, request.GET.get("after", "")) or "games:mine")


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def time_off(request: HttpRequest) -> HttpResponse:
    """Show the reader's time off and take some."""
    form = TimeOffForm(request.POST if request.method == "POST" else None)
    status = 422 if form.is_bound else 200
    if form.is_bound and form.is_valid():
        try:
            limits.spend("act", request.user, client.of_request(request))
            off = timeoff.take(request.user, form.cleaned_data["days"], form.cleaned_data["first_day"])
        except MatchError as error:
            form.add_error(None, str(error.message))
            status = error.status
        else:
            if off.begins_at <= timezone.now():
                messages.success(request, gettext("Your time off has begun: your clocks stand still."))
            else:
                messages.success(request, gettext("Your time off is planned. Your opponents see it."))
            return redirect("games:time_off")
    return render(request, "games/timeoff.html", _context(request, form), status=status)


def _context(request: HttpRequest, form: TimeOffForm) -> dict[str, object]:
    now = timezone.now()
    year = timezone.localdate(now, timeoff.zone_of(request.user)).year
    return {
        "form": form,
        "offs": [(off, off.begins_at <= now) for off in selectors.time_off_of(request.user, now)],
        "allowance": timeoff.DAYS_A_YEAR,
        "year": year,
        "left": timeoff.days_left(request.user, year),
    }


@require_POST
@login_required
def end_time_off(request: HttpRequest, pk: int) -> HttpResponse:
    """End time off that is under way, or give back what is to come."""
    try:
        timeoff.end(request.user, pk)
    except MatchError as error:
        messages.error(request, error.message)
    return redirect("games:time_off")


@require_POST
@login_required
def come_back(request: HttpRequest) -> HttpResponse:
    """Open the reader's challenges again after matches lost on time."""
    standing.come_back(request.user)
    messages.success(request, gettext("Welcome back: your challenges are open again."))
    return redirect("games:mine")

"""Pages about one's own data: what is kept, taking it along, leaving; and the terms."""

import gzip

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.restrictions import GRACE
from games.forms.order import CloseForm
from games.models import DataExport
from games.services import privacy as service
from games.services import traces
from games.services.errors import MatchError
from games.views.limiting import limited


def _operator() -> dict[str, object]:
    return {
        "operator_name": settings.OPERATOR_NAME,
        "operator_address": settings.OPERATOR_ADDRESS,
        "operator_contact": settings.OPERATOR_CONTACT,
        "operator_country": settings.OPERATOR_COUNTRY,
    }


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """Say what is kept about players, why, and for how long."""
    context = _operator() | {"trace_days": traces.KEPT_FOR.days, "grace_days": GRACE.days}
    return render(request, "privacy/privacy.html", context)


@require_safe
def terms(request: HttpRequest) -> HttpResponse:
    """Show the terms of use."""
    return render(request, "privacy/terms.html", _operator())


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@limited("data")
def data(request: HttpRequest) -> HttpResponse:
    """Show the files with one's own data, and ask for one."""
    if request.method == "POST":
        try:
            service.request_export(request.user)
        except MatchError as error:
            messages.error(request, error.message)
        else:
            messages.success(request, _("Your file is being made. It will be on this page in a moment."))
        return redirect("games:data")
    exports = DataExport.objects.filter(user=request.user).defer("content").order_by("-pk")[:10]
    return render(request, "privacy/data.html", {"exports": exports, "export_days": service.EXPORT_KEPT.days})


@require_safe
@login_required
def download(request: HttpRequest, export_id: int) -> HttpResponse:
    """Hand out a file with one's own data, to its owner alone."""
    export = DataExport.objects.filter(pk=export_id, user=request.user, made_at__isnull=False).first()
    if export is None:
        raise Http404
    return HttpResponse(
        gzip.decompress(bytes(export.content or b"")),
        content_type="application/json",
        headers={"Content-Disposition": f'attachment; filename="your-trumps-{export.made_at:%Y-%m-%d}.json"'},
    )


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@limited("data")
def close(request: HttpRequest) -> HttpResponse:
    """Close one's account, after the password once more."""
    if request.user.is_closed:
        return redirect("games:reopen")
    form = CloseForm(request.POST or None, user=request.user)
    if not form.is_valid():
        context = {"form": form, "grace_days": GRACE.days}
        return render(request, "privacy/close.html", context, status=422 if form.is_bound else 200)
    service.close_account(request.user)
    return redirect("games:reopen")


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@limited("data")
def reopen(request: HttpRequest) -> HttpResponse:
    """Say until when a closed account can be taken back, and take it back."""
    if not request.user.is_closed:
        return redirect("accounts:home")
    if request.method == "POST" and not service.reopen_account(request.user).is_closed:
        messages.success(request, _("Welcome back. Your account is yours again."))
        return redirect("accounts:home")
    until = request.user.closed_at + GRACE
    context = {"until": until if until > timezone.now() else None}
    return render(request, "privacy/reopen.html", context, status=409 if request.method == "POST" else 200)

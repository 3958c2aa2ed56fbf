"""The bell's page, the choices about notices, the links that switch mails off, and push subscriptions."""

from dataclasses import dataclass

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from games.forms.notices import ChoicesForm, SubscriptionForm
from games.models import Channel, Event, Notice
from games.notices import choices, feed, inbox, links, push, wording
from games.numbers import whole_number

NOTICES_A_PAGE = 30


@dataclass(slots=True)
class NoticeLine:
    """One notice as the page shows it."""

    notice: Notice
    told: wording.Told


@require_safe
@login_required
def notices(request: HttpRequest) -> HttpResponse:
    """List the reader's notices, the newest first."""
    found = inbox.of_player(request.user)
    page = Paginator(found, NOTICES_A_PAGE).get_page(request.GET.get("page"))
    lines = [NoticeLine(item, wording.tell(item.event, item.user_id, item.match, item.data)) for item in page]
    return render(request, "notices/list.html", {"page": page, "lines": lines})


@require_POST
@login_required
def mark_read(request: HttpRequest) -> HttpResponse:
    """Mark the notice that ``notice`` names as read, or all of them."""
    named = request.POST.get("notice")
    inbox.mark_read(request.user, None if named is None else [whole_number(named, 0)])
    return redirect("games:notices")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def notice_choices(request: HttpRequest) -> HttpResponse:
    """Show and keep how the reader wants to be told of what."""
    form = ChoicesForm(request.POST or None, user=request.user)
    if form.is_valid():
        form.save()
        messages.success(request, _("Your choices are saved."))
        return redirect("games:notice_choices")
    reader = choices.reader_of(request.user)
    context = {
        "form": form,
        "address": choices.mail_address(request.user),
        "push_key": push.public_key() if push.is_on() else "",
        "calendar_url": feed.url(reader),
    }
    return render(request, "notices/choices.html", context, status=422 if form.is_bound else 200)


@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def switch_off(request: HttpRequest, token: str) -> HttpResponse:
    """Stop one kind of notice; a visit only asks, since programs follow links in mails by themselves.

    The token is all that is needed, for mail programs post it themselves (RFC 8058), without
    a session or a page of this site.
    """
    try:
        user_id, event, channel = links.read_off_token(token)
    except links.BadLinkError:
        raise Http404 from None
    user = User.objects.filter(pk=user_id).first()
    if user is None:
        raise Http404
    known = event in Event.values or event == choices.DIGEST
    what = str(Event(event).label) if event in Event.values else _("Daily mail")
    if not known or channel not in Channel.values:
        raise Http404
    if request.method == "POST":
        choices.switch_off(user, event, channel)
    return render(request, "notices/off.html", {"what": what, "done": request.method == "POST"})


@require_POST
@login_required
def push_subscribe(request: HttpRequest) -> HttpResponse:
    """Keep this browser's push subscription."""
    form = SubscriptionForm(request.POST)
    if not push.is_on() or not form.is_valid():
        return HttpResponse(status=400)
    try:
        push.subscribe(request.user, **form.cleaned_data)
    except push.BadSubscriptionError:
        return HttpResponse(status=400)
    return HttpResponse(status=204)


@require_POST
@login_required
def push_unsubscribe(request: HttpRequest) -> HttpResponse:
    """Forget this browser's push subscription."""
    push.unsubscribe(request.user, request.POST.get("endpoint", ""))
    return HttpResponse(status=204)


@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """Serve the service worker from the root, so that it may act for the whole site."""
    script = (settings.BASE_DIR / "static" / "sw.js").read_bytes()
    return HttpResponse(script, content_type="text/javascript", headers={"Cache-Control": "no-cache"})


@require_POST
@login_required
def calendar_key(request: HttpRequest) -> HttpResponse:
    """Give the reader's calendar a new address."""
    feed.new_key(request.user)
    messages.success(request, _("Your calendar has a new address."))
    return redirect("games:notice_choices")


@never_cache
@require_safe
def calendar(request: HttpRequest, key: str) -> HttpResponse:
    """Serve a player's deadlines to a calendar program, which has no session but the key."""
    reader = feed.reader_by_key(key)
    if reader is None:
        raise Http404
    return HttpResponse(feed.calendar(reader), content_type="text/calendar; charset=utf-8")

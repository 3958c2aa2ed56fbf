"""Pages of one's own account, and what allauth's pages need for guests."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from allauth.account import views as allauth_views
from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.core import ratelimit
from allauth.core.ratelimit import respond_429
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBadRequest,
    HttpResponseBase,
    HttpResponseRedirect,
)
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.forms import PreferencesForm
from accounts.services import ensure_player

LANGUAGE_COOKIE_AGE = 60 * 60 * 24 * 365


class _ForGuestsToo:
    """A page for those who are nobody yet, or a guest; registered players are sent on."""

    request: HttpRequest

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Answer, or redirect to where the log-in would have led."""
        if request.user.is_authenticated and not request.user.is_guest:
            return _go(self.get_success_url(), settings.LOGIN_REDIRECT_URL)
        return super().dispatch(request, *args, **kwargs)


class SignupView(_ForGuestsToo, allauth_views.SignupView):
    """Registering; a guest becomes a person in the same account."""


class LoginView(_ForGuestsToo, allauth_views.LoginView):
    """Logging in; a guest may log in to an account made before."""


def registered_required(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Send guests to the sign-up page, strangers to the log-in page, and the owner of a closed account to reopen it."""

    @wraps(view)
    def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.user.is_guest:
            return redirect(f"{reverse('account_signup')}?{urlencode({'next': request.path})}")
        if request.user.is_closed:
            return redirect(settings.REOPEN_URL)
        return view(request, *args, **kwargs)

    return login_required(wrapper)


@login_required
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show what there is to one's account."""
    address = EmailAddress.objects.filter(user=request.user).order_by("-verified").first()
    context = {"address": address, "has_second_factor": is_mfa_enabled(request.user)}
    return render(request, "accounts/home.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def preferences(request: HttpRequest) -> HttpResponse:
    """Show and save the preferences."""
    if request.method == "POST" and not ratelimit.consume(request, action="preferences"):
        return respond_429(request)
    form = PreferencesForm(request.POST or None, instance=request.user)
    if not form.is_valid():
        return render(request, "accounts/preferences.html", {"form": form}, status=422 if form.is_bound else 200)
    form.instance.save(update_fields=form.fields)
    language = form.instance.language or translation.get_language_from_request(request)
    with translation.override(language):
        messages.success(request, _("Your preferences are saved."))
    response = redirect("accounts:preferences")
    _remember_language(response, form.instance.language)
    return response


@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Change the language of the site, for this browser and for whoever is logged in, and go back to ``next``."""
    code = request.POST.get("language", "")
    if code not in dict(settings.LANGUAGES):
        return HttpResponseBadRequest()
    if request.user.is_authenticated:
        request.user.language = code
        request.user.save(update_fields=["language"])
    response = _go(_next_of(request), "/")
    _remember_language(response, code)
    return response


@require_POST
def guest(request: HttpRequest) -> HttpResponse:
    """Make whoever is nobody yet a guest, and go to ``next``."""
    ensure_player(request)
    return _go(_next_of(request), settings.LOGIN_REDIRECT_URL)


def _go(url: str | None, otherwise: str) -> HttpResponse:
    """Redirect to the address that a visitor asked for, which ``redirect`` could take for the name of a view."""
    return HttpResponseRedirect(url) if url else redirect(otherwise)


def _next_of(request: HttpRequest) -> str:
    """Return the page of this site that a form asks to go to, or nothing."""
    url = request.POST.get("next", "")
    return url if url and get_adapter(request).is_safe_url(url) else ""


def _remember_language(response: HttpResponse, code: str) -> None:
    if code:
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            code,
            max_age=LANGUAGE_COOKIE_AGE,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    else:
        response.delete_cookie(settings.LANGUAGE_COOKIE_NAME, samesite="Lax")

"""The administration: who gets in, and how."""

from urllib.parse import urlencode

from allauth.account.authentication import get_authentication_records
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache


def passed_second_factor(request: HttpRequest) -> bool:
    """Return whether this session logged in with a second factor that the account has."""
    if not is_mfa_enabled(request.user):
        return False
    records = get_authentication_records(request, request.user)
    return any(record.get("method") == "mfa" for record in records)


class Administration(admin.AdminSite):
    """Lets staff in who logged in with a second factor; the log-in is the site's own, with its limits."""

    site_title = site_header = _("Your trumps: administration")
    index_title = _("Administration")
    enable_nav_sidebar = False

    def has_permission(self, request: HttpRequest) -> bool:
        """Return whether the account is staff in good standing and passed the second factor."""
        user = request.user
        if not (user.is_active and user.is_staff and user.is_in_good_standing):
            return False
        return not settings.ADMIN_SECOND_FACTOR or passed_second_factor(request)

    @method_decorator(never_cache)
    def login(self, request: HttpRequest, extra_context: dict[str, object] | None = None) -> HttpResponse:
        """Send strangers to the site's log-in, and tell staff what is still missing."""
        after = request.GET.get("next") or reverse("admin:index")
        if not request.user.is_authenticated:
            return redirect(f"{reverse(settings.LOGIN_URL)}?{urlencode({'next': after})}")
        if self.has_permission(request):
            return redirect("admin:index")
        if not request.user.is_staff or not request.user.is_in_good_standing:
            raise PermissionDenied
        context = {
            "is_enrolled": is_mfa_enabled(request.user),
            "confirm": f"{reverse('mfa_reauthenticate')}?{urlencode({'next': after})}",
        }
        return render(request, "moderation/second_factor.html", context, status=403)

"""In which language and time zone somebody reads: as the account says, else as the browser does.

Pages and the sockets behind them ask here, so that what a socket sends reads as the page did.
"""

from collections.abc import Mapping
from types import SimpleNamespace

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.utils import translation

from accounts.models import User
from accounts.zones import time_zones

TIME_ZONE_COOKIE = "timezone"
"""Where the browser says its zone, for players who did not choose one."""

LANGUAGE_PARAMETER = "lang"
"""What an address names a language with, for search engines and whoever chose none; see ``hreflang``."""


def named_language(query: Mapping[str, str]) -> str:
    """Return the language that an address names in its query, or nothing."""
    named = query.get(LANGUAGE_PARAMETER, "")
    return named if named in dict(settings.LANGUAGES) else ""


def language_of(
    user: User | AnonymousUser | None, cookies: Mapping[str, str], query: Mapping[str, str], accepted: str
) -> str:
    """Return the language of the account, else of the cookie, of the address, or of the browser.

    ``accepted`` is the browser's ``Accept-Language``.
    """
    language = getattr(user, "language", "")
    if language in dict(settings.LANGUAGES):
        return language
    named = named_language(query)
    if named and settings.LANGUAGE_COOKIE_NAME not in cookies:
        return named
    request = SimpleNamespace(COOKIES=cookies, META={"HTTP_ACCEPT_LANGUAGE": accepted})
    return translation.get_language_from_request(request)  # type: ignore[arg-type]


def zone_of(user: User | AnonymousUser | None, cookies: Mapping[str, str]) -> str | None:
    """Return the time zone of the account, else of the cookie; None, the site's own, where neither names one."""
    zone = getattr(user, "time_zone", "") or cookies.get(TIME_ZONE_COOKIE, "")
    return zone if zone in time_zones() else None

"""The languages of the site: a switcher that keeps the page, and links for search engines."""

from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode

from django import template
from django.conf import settings
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from accounts.forms import language_choices
from accounts.localising import LANGUAGE_PARAMETER, named_language

register = template.Library()


@dataclass(frozen=True, slots=True)
class Language:
    """A language by its code, named in itself."""

    code: str
    name: str
    is_current: bool


@register.simple_tag
def site_languages() -> list[Language]:
    """Return the site's languages; none where there is nothing to choose."""
    if len(settings.LANGUAGES) < 2:
        return []
    current = get_language()
    return [Language(code, name, code == current) for code, name in language_choices()]


@register.simple_tag
def page_in_any_language(request: HttpRequest) -> str:
    """Return the page's own address without a language in it, for the switcher to come back to."""
    return f"{request.path}{_query(request)}"


@register.simple_tag
def language_links(request: HttpRequest) -> SafeString:
    """Return the ``hreflang`` links of a page."""
    if len(settings.LANGUAGES) < 2 or request.method not in ("GET", "HEAD"):
        return SafeString("")
    links = [
        (code, request.build_absolute_uri(f"{request.path}{_query(request, code)}")) for code, _ in settings.LANGUAGES
    ]
    links.append(("x-default", request.build_absolute_uri(f"{request.path}{_query(request)}")))
    return format_html_join("\n  ", '<link rel="alternate" hreflang="{}" href="{}">', links)


@register.simple_tag
def language_of_address(request: HttpRequest) -> str:
    """Return the query that names the language which the page's own address names, for its socket's address."""
    named = named_language(request.GET)
    return f"?{urlencode({LANGUAGE_PARAMETER: named})}" if named else ""


def _query(request: HttpRequest, language: str = "") -> str:
    """Return the query of a request, with this language in place of any other."""
    pairs = [
        (name, value) for name, value in parse_qsl(request.META.get("QUERY_STRING", "")) if name != LANGUAGE_PARAMETER
    ]
    if language:
        pairs.append((LANGUAGE_PARAMETER, language))
    return f"?{urlencode(pairs)}" if pairs else ""

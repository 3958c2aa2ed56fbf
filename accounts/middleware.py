"""Answers each request in its player's language and time, keeps the answer out of caches, and notes the presence."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

from asgiref.sync import iscoroutinefunction, sync_to_async
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation
from django.utils.cache import add_never_cache_headers, patch_vary_headers
from django.utils.decorators import sync_and_async_middleware

from accounts import services
from accounts.localising import language_of, zone_of
from accounts.models import User


@sync_and_async_middleware
def preferences(
    get_response: Callable[[HttpRequest], Any],
) -> Callable[[HttpRequest], HttpResponse | Awaitable[HttpResponse]]:
    """Activate the language of the account, the cookie, the address or the browser, and the account’s time zone.

    Both end with the request. Under ASGI the account is looked up in one go, and not
    at all for a browser without a session. What is answered to an account is kept out of every
    cache, but for answers that say themselves how to be kept.
    """
    if iscoroutinefunction(get_response):

        async def amiddleware(request: HttpRequest) -> HttpResponse:
            user = await sync_to_async(_current_user)(request) if _has_session(request) else None
            with _activated(request, user) as language:
                return _labelled(await get_response(request), language, user)

        return amiddleware

    def middleware(request: HttpRequest) -> HttpResponse:
        user = _current_user(request) if _has_session(request) else None
        with _activated(request, user) as language:
            return _labelled(get_response(request), language, user)

    return middleware


#: The header of what a page asks for by itself, which tells nothing of whoever left the page open.
UNATTENDED = "Unattended"


@sync_and_async_middleware
def activity(
    get_response: Callable[[HttpRequest], Any],
) -> Callable[[HttpRequest], HttpResponse | Awaitable[HttpResponse]]:
    """Keep ``User.last_active_at`` true to the minute, with one update a minute at most, and sessions in use alive.

    Stands after :func:`preferences`, which has looked the account up.
    """
    if iscoroutinefunction(get_response):

        async def amiddleware(request: HttpRequest) -> HttpResponse:
            if _is_attended(request):
                await services.anote_activity(request)
            return await get_response(request)

        return amiddleware

    def middleware(request: HttpRequest) -> HttpResponse:
        if _is_attended(request):
            services.note_activity(request)
        return get_response(request)

    return middleware


def _has_session(request: HttpRequest) -> bool:
    return settings.SESSION_COOKIE_NAME in request.COOKIES


def _is_attended(request: HttpRequest) -> bool:
    return _has_session(request) and UNATTENDED not in request.headers


def _current_user(request: HttpRequest) -> User | None:
    """Look the account up now, so that what follows finds it without a query."""
    return request.user if request.user.is_authenticated else None


@contextmanager
def _activated(request: HttpRequest, user: User | None) -> Iterator[str]:
    language = language_of(user, request.COOKIES, request.GET, request.headers.get("Accept-Language", ""))
    request.LANGUAGE_CODE = language  # type: ignore[attr-defined]
    with translation.override(language), timezone.override(zone_of(user, request.COOKIES)):
        yield language


def _labelled(response: HttpResponse, language: str, user: User | None) -> HttpResponse:
    response.headers.setdefault("Content-Language", language)
    patch_vary_headers(response, ("Accept-Language", "Cookie"))
    if user is not None and not response.has_header("Cache-Control"):
        add_never_cache_headers(response)
    return response

"""What holds for every request: its id, its character set, what browsers may do."""

import logging
import re
import time
import uuid
from collections.abc import Awaitable, Callable
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.utils.decorators import sync_and_async_middleware

from yourtrumps.logging import request_id_of_context

logger = logging.getLogger("yourtrumps.request")

HEADER = "X-Request-ID"
# What a proxy in front may pass on: long enough to be unique, and nothing that could forge a log line.
PASSED_ON = re.compile(r"[A-Za-z0-9_-]{8,64}")


def choose_request_id(passed_on: str) -> str:
    """Return the id that a proxy passed on where it is well-formed, else a new one."""
    return passed_on if PASSED_ON.fullmatch(passed_on) else uuid.uuid4().hex


def _begin(request: HttpRequest) -> str:
    request_id = choose_request_id(request.headers.get(HEADER, ""))
    request.request_id = request_id  # type: ignore[attr-defined]
    request_id_of_context.set(request_id)
    return request_id


def _end(request: HttpRequest, response: HttpResponse, request_id: str, started: float) -> HttpResponse:
    response[HEADER] = request_id
    logger.info(
        "%s %s %d",
        request.method,
        request.path,
        response.status_code,
        extra={
            "method": request.method,
            "path": request.path,
            "status": response.status_code,
            "milliseconds": round((time.perf_counter() - started) * 1000, 1),
        },
    )
    return response


@sync_and_async_middleware
def request_id(
    get_response: Callable[[HttpRequest], Any],
) -> Callable[[HttpRequest], HttpResponse | Awaitable[HttpResponse]]:
    """Set ``request.request_id``, the answer's ``X-Request-ID`` and the id of log lines; log the request when answered.

    Runs in the event loop under ASGI: a middleware that is only synchronous would cost each request a thread.
    The query string is not logged; the handler of the log leaves out the keys that some paths carry.
    """
    if iscoroutinefunction(get_response):

        async def amiddleware(request: HttpRequest) -> HttpResponse:
            started = time.perf_counter()
            chosen = _begin(request)
            return _end(request, await get_response(request), chosen, started)

        return amiddleware

    def middleware(request: HttpRequest) -> HttpResponse:
        started = time.perf_counter()
        chosen = _begin(request)
        return _end(request, get_response(request), chosen, started)

    return middleware


def _require_utf8(request: HttpRequest) -> None:
    """Raise ``BadRequest`` where a body says that it is anything but UTF-8, of which Python may know more than text."""
    charset = (request.content_params or {}).get("charset", "utf-8")
    if charset.lower() not in {"utf-8", "utf8"}:
        raise BadRequest("Forms are sent in UTF-8")


@sync_and_async_middleware
def utf8_only(
    get_response: Callable[[HttpRequest], Any],
) -> Callable[[HttpRequest], HttpResponse | Awaitable[HttpResponse]]:
    """Refuse requests in another character set than the one that all pages here are written in."""
    if iscoroutinefunction(get_response):

        async def amiddleware(request: HttpRequest) -> HttpResponse:
            _require_utf8(request)
            response: HttpResponse = await get_response(request)
            return response

        return amiddleware

    def middleware(request: HttpRequest) -> HttpResponse:
        _require_utf8(request)
        response: HttpResponse = get_response(request)
        return response

    return middleware


#: Powers of a browser that no page of this site uses; the passkeys of the account pages are not among them.
PERMISSIONS_POLICY = ", ".join(
    f"{feature}=()"
    for feature in (
        "accelerometer", "autoplay", "browsing-topics", "camera", "display-capture", "encrypted-media", "geolocation",
        "gyroscope", "hid", "magnetometer", "microphone", "midi", "payment", "serial", "usb", "xr-spatial-tracking",
    )
)  # fmt: skip


@sync_and_async_middleware
def permissions_policy(
    get_response: Callable[[HttpRequest], Any],
) -> Callable[[HttpRequest], HttpResponse | Awaitable[HttpResponse]]:
    """Tell browsers on every answer which of their powers no page here, or in it, may use."""
    if iscoroutinefunction(get_response):

        async def amiddleware(request: HttpRequest) -> HttpResponse:
            response: HttpResponse = await get_response(request)
            response.headers.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
            return response

        return amiddleware

    def middleware(request: HttpRequest) -> HttpResponse:
        response: HttpResponse = get_response(request)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
        return response

    return middleware


class SocketRequestId:
    """ASGI middleware that gives each WebSocket an id: ``scope["request_id"]``, and that of its log lines."""

    def __init__(self, application: Callable[..., Awaitable[None]]) -> None:
        self.application = application

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Run the application with the id set."""
        headers = dict(scope.get("headers", []))
        chosen = choose_request_id(headers.get(HEADER.lower().encode(), b"").decode("latin-1"))
        request_id_of_context.set(chosen)
        await self.application({**scope, "request_id": chosen}, receive, send)

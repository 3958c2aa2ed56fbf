"""Where a request or a socket comes from: the client's address, its device and its session."""

import ipaddress
import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import Any

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core.exceptions import BadRequest, PermissionDenied
from django.http import HttpRequest, HttpResponse

DEVICE_COOKIE = "device"
DEVICE_AGE = 60 * 60 * 24 * 365
_DEVICE = re.compile(r"[0-9a-f]{32}")
#: Whoever has an IPv6 address has at least this many of them.
_IPV6_PREFIX = 64


@dataclass(frozen=True, slots=True)
class Client:
    """Who is at the other end, as far as the server can see; parts that are not known are empty."""

    address: str = ""
    device: str = ""
    session: str = ""


def of_request(request: HttpRequest) -> Client:
    """Return the client of a request. Raises ``BadRequest`` where a trusted proxy did not say its address."""
    address = get_adapter(request).get_client_ip(request)
    return Client(_network(address), _device_of(request), request.session.session_key or "")


def of_scope(scope: dict[str, Any]) -> Client:
    """Return the client of a socket, seen through the same proxies as a request's.

    Where a trusted proxy did not say the address it is empty: such sockets share one limit.
    """
    request = HttpRequest()
    headers = scope.get("headers", [])
    forwarded = b",".join(value for name, value in headers if name.lower() == b"x-forwarded-for")
    request.META["REMOTE_ADDR"] = (scope.get("client") or [""])[0]
    if forwarded:
        request.META["HTTP_X_FORWARDED_FOR"] = forwarded.decode("latin-1")
    try:
        address = _network(get_adapter().get_client_ip(request))
    except (BadRequest, PermissionDenied):
        address = ""
    session = scope.get("session")
    return Client(
        address,
        _device(_cookie(headers, DEVICE_COOKIE)),
        (session.session_key or "") if session is not None else "",
    )


def mark_device(request: HttpRequest, response: HttpResponse) -> None:
    """Let a browser keep its mark, by which two accounts in one browser are noticed."""
    if request.COOKIES.get(DEVICE_COOKIE) != _device_of(request):
        response.set_cookie(
            DEVICE_COOKIE,
            _device_of(request),
            max_age=DEVICE_AGE,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )


def _device_of(request: HttpRequest) -> str:
    """Return the browser's mark; one that has none gets a random one for this request."""
    known = _device(request.COOKIES.get(DEVICE_COOKIE, "")) or getattr(request, "new_device", "")
    if not known:
        known = request.new_device = secrets.token_hex(16)  # type: ignore[attr-defined]
    return known


def _device(value: str) -> str:
    return value if _DEVICE.fullmatch(value) else ""


def _cookie(headers: Iterable[tuple[bytes, bytes]], name: str) -> str:
    cookies: SimpleCookie = SimpleCookie()
    try:
        cookies.load("; ".join(value.decode("latin-1") for key, value in headers if key.lower() == b"cookie"))
    except CookieError:
        return ""
    return cookies[name].value if name in cookies else ""


def _network(address: str) -> str:
    """Return what stands for one client: an IPv4 address, or the network that an IPv6 client has to itself."""
    parsed = ipaddress.ip_address(address)
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped is not None:
            return str(parsed.ipv4_mapped)
        return str(ipaddress.IPv6Network((address, _IPV6_PREFIX), strict=False).network_address)
    return address

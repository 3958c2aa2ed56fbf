"""Refuses sockets that another site's page tries to open with the visitor's cookies."""

from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.http.request import split_domain_port, validate_host

DEFAULT_PORTS = {"http": 80, "https": 443}

Origin = tuple[str, str, int]


def parse_origin(origin: str) -> Origin | None:
    """Return scheme, host and port of an ``Origin`` header, or None where it is not exactly that.

    ``null``, which sandboxed pages and local files send, is None too.
    """
    try:
        parts = urlsplit(origin)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in DEFAULT_PORTS or not parts.hostname:
        return None
    if parts.path or parts.query or parts.fragment or "@" in parts.netloc:
        return None
    return parts.scheme, parts.hostname, port if port is not None else DEFAULT_PORTS[parts.scheme]


def own_origin(scope: dict[str, Any]) -> Origin | None:
    """Return the origin that the socket's own ``Host`` header stands for, or None for a host that is not the site's.

    A forwarded scheme is believed where ``SECURE_PROXY_SSL_HEADER`` says so, as Django does for requests.
    """
    headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope.get("headers", [])}
    host = headers.get("host", "").lower()
    domain, _port = split_domain_port(host)
    if not domain or not validate_host(domain, settings.ALLOWED_HOSTS):
        return None
    secure = scope.get("scheme") == "wss"
    if settings.SECURE_PROXY_SSL_HEADER:
        name, value = settings.SECURE_PROXY_SSL_HEADER
        header = name.removeprefix("HTTP_").replace("_", "-").lower()
        if header in headers:
            secure = headers[header].split(",")[0].strip() == value
    return parse_origin(f"{'https' if secure else 'http'}://{host}")


class SameOrigin:
    """ASGI middleware that opens a socket only to a page of this site.

    Scheme, host and port of the one ``Origin`` header must be those under which the socket itself was asked for, or
    stand in ``CSRF_TRUSTED_ORIGINS``. The check that comes with Channels lets any port of the host in.
    """

    def __init__(self, application: Callable[..., Awaitable[None]]) -> None:
        self.application = application

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Run the application for an own origin, and answer every other with 403."""
        origins = [value.decode("latin-1") for name, value in scope.get("headers", []) if name.lower() == b"origin"]
        origin = parse_origin(origins[0]) if len(origins) == 1 else None
        trusted = {parse_origin(allowed) for allowed in settings.CSRF_TRUSTED_ORIGINS}
        if origin is not None and (origin == own_origin(scope) or origin in trusted):
            await self.application(scope, receive, send)
        else:
            await WebsocketDenier()(scope, receive, send)

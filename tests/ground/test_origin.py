"""Sockets open to the site's own pages alone (scheme, host and port)."""

from typing import Any

import pytest
from channels.testing import WebsocketCommunicator
from pytest_django.fixtures import Settings

from yourtrumps.origin import SameOrigin


async def greeting(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Accept whatever comes."""
    await receive()
    await send({"type": "websocket.accept"})


async def opens(origins: list[bytes], host: bytes = b"cards.example.org", **scope: Any) -> bool:
    """Return whether a page of these ``Origin`` headers can open a socket to the host."""
    headers = [(b"host", host), *((b"origin", origin) for origin in origins)]
    extra = scope.pop("headers", [])
    socket = WebsocketCommunicator(SameOrigin(greeting), "/ws/lobby/", headers=[*headers, *extra])
    socket.scope.update(scope)
    accepted, _code = await socket.connect()
    if accepted:
        await socket.disconnect()
    return accepted


@pytest.fixture(autouse=True)
def site(settings: Settings) -> Settings:
    settings.ALLOWED_HOSTS = ["cards.example.org", "localhost"]
    settings.CSRF_TRUSTED_ORIGINS = []
    settings.SECURE_PROXY_SSL_HEADER = None
    return settings


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        (b"http://cards.example.org", b"cards.example.org"),
        (b"http://cards.example.org:80", b"cards.example.org"),
        (b"http://CARDS.example.org", b"cards.example.ORG"),
        (b"http://localhost:8000", b"localhost:8000"),
    ],
)
async def test_the_own_origin_is_accepted(origin: bytes, host: bytes) -> None:
    assert await opens([origin], host)


@pytest.mark.parametrize(
    "origin",
    [
        b"http://evil.example",
        b"null",
        b"",
        b"http://cards.example.org.evil.example",
        b"http://evil.example#cards.example.org",
        b"http://cards.example.org@evil.example",
        b"http://sub.cards.example.org",
        b"http://cards.example.org:8080",
        b"https://cards.example.org",
        b"ftp://cards.example.org",
        b"http://cards.example.org/path",
        b"http://cards.example.org:port",
        b"//cards.example.org",
        b"cards.example.org",
        b"\xff\xfe",
    ],
)
async def test_every_other_origin_is_refused(origin: bytes) -> None:
    assert not await opens([origin])


async def test_a_socket_without_an_origin_is_refused() -> None:
    assert not await opens([])


async def test_two_origins_are_refused() -> None:
    assert not await opens([b"http://cards.example.org", b"http://cards.example.org"])


async def test_a_host_that_is_not_the_sites_is_refused_whatever_the_origin() -> None:
    assert not await opens([b"http://evil.example"], host=b"evil.example")


async def test_an_encrypted_socket_asks_for_an_encrypted_page() -> None:
    assert await opens([b"https://cards.example.org"], scheme="wss")
    assert not await opens([b"http://cards.example.org"], scheme="wss")


async def test_the_scheme_that_a_proxy_forwards_counts_where_the_proxy_is_trusted(settings: Settings) -> None:
    forwarded = [(b"x-forwarded-proto", b"https")]
    assert not await opens([b"https://cards.example.org"], headers=forwarded)
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    assert await opens([b"https://cards.example.org"], headers=forwarded)
    assert not await opens([b"http://cards.example.org"], headers=forwarded)


async def test_a_trusted_origin_is_accepted_with_its_own_port_alone(settings: Settings) -> None:
    settings.CSRF_TRUSTED_ORIGINS = ["https://www.example.org:8443"]
    assert await opens([b"https://www.example.org:8443"])
    assert not await opens([b"https://www.example.org"])

"""How often: by account and by client, seen through as many proxies as are trusted."""

import contextlib
import itertools
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.exceptions import BadRequest
from django.test import Client, RequestFactory

from accounts.models import User
from games import client as visitors
from games import limits
from games.client import Client as Visitor
from games.models import Match
from games.services.errors import TooOftenError
from tests.games import cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def two_each(settings: Any) -> None:
    settings.RATE_LIMITS = {name: {"account": (2, 3600), "address": (3, 3600)} for name in settings.RATE_LIMITS}


def test_an_account_and_a_client_are_counted_apart(two_each: None, ana: User, boris: User) -> None:
    here, there = Visitor("192.0.2.1"), Visitor("192.0.2.2")
    limits.spend("play", ana, here)
    limits.spend("play", ana, there)
    with pytest.raises(TooOftenError):
        limits.spend("play", ana, there)
    limits.spend("play", boris, here)
    limits.spend("play", boris, here)
    with pytest.raises(TooOftenError):
        limits.spend("play", None, here)
    limits.spend("chat", ana, here)


def test_a_count_lasts_however_much_is_counted_beside_it(two_each: None, ana: User) -> None:
    for _ in range(2):
        limits.spend("play", ana, Visitor("192.0.2.1"))
    for number in range(1000):
        limits.spend("play", None, Visitor(f"198.51.100.{number}"))
    with pytest.raises(TooOftenError):
        limits.spend("play", ana, Visitor("192.0.2.2"))


def processes(count: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Stand in turn for one of several processes, which share the cache and nothing else."""
    for drawn in itertools.cycle([limits.Drawn() for _ in range(count)]):
        monkeypatch.setattr(limits, "_drawn", drawn)
        yield


def test_processes_that_count_in_shares_let_no_more_through_than_the_limit(
    settings: Any, ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.RATE_LIMITS = {"play": {"account": (1050, 3600), "address": (10**6, 3600)}}
    let_through = 0
    for _number, _process in zip(range(1200), processes(3, monkeypatch), strict=False):
        with contextlib.suppress(TooOftenError):
            limits.spend("play", ana, Visitor("192.0.2.1"))
            let_through += 1
    assert 1050 - 2 * 10 <= let_through <= 1050


def test_a_wide_limit_is_let_out_to_the_last_by_one_process_with_few_questions(
    settings: Any, ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.RATE_LIMITS = {"play": {"account": (250, 3600), "address": (500, 3600)}}
    asked: list[str] = []
    add = limits._add
    monkeypatch.setattr(limits, "_add", lambda key, share, seconds: asked.append(key) or add(key, share, seconds))
    for _ in range(250):
        limits.spend("play", ana, Visitor("192.0.2.1"))
    assert len(asked) == 250 // 2 + 250 // 5
    with pytest.raises(TooOftenError):
        limits.spend("play", ana, Visitor("192.0.2.1"))


def test_what_is_kept_of_the_limits_does_not_grow_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_DRAWN", 10)
    drawn = limits.Drawn()
    for number in range(25):
        drawn.put(str(number), 5)
    assert sum(drawn.take(str(number)) for number in range(25)) <= 10


def test_turns_beyond_the_limit_are_refused_and_not_made(two_each: None, ana: User, match: Match) -> None:
    client = Client()
    client.force_login(ana)
    address = f"{match.get_absolute_url()}play/"
    answers = [client.post(address, {"turn": 1, "move": "2C"}).status_code for _ in range(3)]
    assert answers[2] == 429
    assert 429 not in answers[:2]


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("/new/", {"opponent": "link", "time": "days-3"}),
        ("/@/Boris/report/", {}),
        ("/data/", {}),
        ("/@/Boris/block/", {}),
    ],
)
def test_forms_beyond_the_limit_are_answered_with_429(
    two_each: None, ana: User, boris: User, path: str, data: dict[str, str]
) -> None:
    client = Client()
    client.force_login(ana)
    answers = [client.post(path, data).status_code for _ in range(3)]
    assert answers[2] == 429
    assert 429 not in answers[:2]


def request(**headers: str) -> Any:
    made = RequestFactory().get("/", REMOTE_ADDR="10.0.0.1", headers=headers)
    made.session = type("Session", (), {"session_key": ""})()
    return made


def scope(forwarded: str = "") -> dict[str, Any]:
    headers = [(b"x-forwarded-for", forwarded.encode())] if forwarded else []
    return {"client": ("10.0.0.1", 1), "headers": headers}


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (0, "203.0.113.9", "10.0.0.1"),
        (1, "203.0.113.9", "203.0.113.9"),
        (1, "198.51.100.1, 203.0.113.9", "203.0.113.9"),
        (2, "198.51.100.1, 203.0.113.9, 203.0.113.1", "203.0.113.9"),
        (1, "2001:db8:1:2:3::4", "2001:db8:1:2::"),
        (1, "::ffff:203.0.113.9", "203.0.113.9"),
    ],
)
def test_a_client_is_who_the_trusted_proxies_say(settings: Any, proxies: int, forwarded: str, address: str) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = proxies
    assert visitors.of_request(request(**{"x-forwarded-for": forwarded})).address == address
    assert visitors.of_scope(scope(forwarded)).address == address


def test_what_a_proxy_did_not_say_is_a_bad_request_and_for_sockets_one_client(settings: Any) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 2
    with pytest.raises(BadRequest):
        visitors.of_request(request(**{"x-forwarded-for": "203.0.113.9"}))
    assert visitors.of_scope(scope("203.0.113.9")).address == ""


def test_every_answer_forbids_what_no_page_needs(client: Client) -> None:
    for path in ("/", "/rules/", "/nowhere/"):
        headers = client.get(path).headers
        assert "camera=()" in headers["Permissions-Policy"]
        assert "'unsafe-inline'" not in headers["Content-Security-Policy"]
        assert headers["Content-Security-Policy"].startswith("default-src 'none'")
        assert headers["X-Frame-Options"] == "DENY"
        assert headers["Referrer-Policy"] == "same-origin"
        assert headers["X-Content-Type-Options"] == "nosniff"


def test_common_passwords_are_refused(client: Client) -> None:
    for password in ("password1", "qwertyuiop", "87654321"):
        client.post("/account/signup/", {"username": "Dora", "password1": password, "password2": password})
    assert not User.objects.filter(username="Dora").exists()


def test_the_cast_has_a_password_that_is_allowed(client: Client) -> None:
    client.post("/account/signup/", {"username": "Dora", "password1": cast.PASSWORD, "password2": cast.PASSWORD})
    assert User.objects.filter(username="Dora").exists()

"""Where the database or Redis is away for a moment, people are told so, and what can go on goes on."""

import datetime
import sqlite3
from collections.abc import Iterator

import pytest
from asgiref.sync import async_to_sync
from bs4 import BeautifulSoup
from django.contrib.sessions.backends.db import SessionStore
from django.core.cache import cache
from django.db import InterfaceError, OperationalError, connection
from django.http import HttpResponse
from django.test import AsyncClient, Client
from django.utils import timezone
from pytest_django.fixtures import Settings
from redis import exceptions

from accounts.models import User
from games import limits
from games.client import Client as Place
from games.models import Seat
from games.services import playing
from tests.games import cast


@pytest.mark.django_db
@pytest.mark.parametrize(
    "error",
    [
        OperationalError("database is locked"),
        InterfaceError("connection already closed"),
        exceptions.ConnectionError("refused"),
        exceptions.TimeoutError("no answer"),
    ],
)
def test_who_plays_meanwhile_is_asked_in_their_language_to_try_again(
    ana: User, boris: User, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(*args: object) -> None:
        raise error

    match = cast.start_match(ana, boris)
    mover = cast.mover(match)
    monkeypatch.setattr(playing, "play", fail)
    client = Client(headers={"accept-language": "ka"}, raise_request_exception=False)
    client.force_login(mover)
    answer = client.post(f"{match.get_absolute_url()}play/", {"turn": 1, "move": cast.any_move(match)})
    page = BeautifulSoup(answer.content, "html.parser")
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert page.html["lang"] == "ka"
    assert page.h1.text == "საიტი დაკავებულია"


def fetch(session: str, address: str, *, in_event_loop: bool) -> HttpResponse:
    """Ask for a page as a Georgian browser with a session, through the middleware of one kind or the other."""
    kind = AsyncClient if in_event_loop else Client
    client = kind(raise_request_exception=False)
    client.cookies["sessionid"] = session
    get = async_to_sync(client.get) if in_event_loop else client.get
    return get(address, headers={"accept-language": "ka"})  # type: ignore[return-value]


@pytest.fixture
def session(ana: User) -> str:
    """The key of a session of Ana's, who was last there an hour ago."""
    client = Client()
    client.force_login(ana)
    User.objects.update(last_active_at=timezone.now() - datetime.timedelta(hours=1))
    return client.cookies["sessionid"].value


@pytest.mark.django_db
@pytest.mark.parametrize("in_event_loop", [False, True])
def test_what_fails_before_the_page_is_reached_is_answered_alike(
    session: str, settings: Settings, monkeypatch: pytest.MonkeyPatch, in_event_loop: bool
) -> None:
    def away(store: SessionStore) -> None:
        raise OperationalError("server closed the connection unexpectedly")

    monkeypatch.setattr(SessionStore, "load", away)
    fields = "&".join(f"field{number}" for number in range(settings.DATA_UPLOAD_MAX_NUMBER_FIELDS + 1))
    assert fetch(session, f"/rules/?{fields}", in_event_loop=in_event_loop).status_code == 503
    answer = fetch(session, "/rules/", in_event_loop=in_event_loop)
    page = BeautifulSoup(answer.content, "html.parser")
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert page.html["lang"] == "ka"
    assert page.h1.text == "საიტი დაკავებულია"
    assert answer["Content-Security-Policy"]


@pytest.mark.django_db
@pytest.mark.parametrize("in_event_loop", [False, True])
def test_what_fails_after_the_page_was_made_is_answered_in_the_language_of_the_account(
    ana: User, session: str, settings: Settings, monkeypatch: pytest.MonkeyPatch, in_event_loop: bool
) -> None:
    def locked(store: SessionStore, must_create: bool = False) -> None:
        raise OperationalError("database is locked")

    User.objects.filter(pk=ana.pk).update(language="ru")
    monkeypatch.setattr(SessionStore, "save", locked)
    settings.SESSION_SAVE_EVERY_REQUEST = True
    answer = fetch(session, "/rules/", in_event_loop=in_event_loop)
    assert answer.status_code == 503
    assert BeautifulSoup(answer.content, "html.parser").html["lang"] == "ru"


@pytest.fixture
def locked() -> Iterator[None]:
    """An SQLite database in which another process is writing; nothing here waits long for it."""
    other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
    connection.settings_dict["OPTIONS"]["timeout"] = 0.1
    connection.close()
    other.execute("BEGIN IMMEDIATE")
    yield
    other.execute("ROLLBACK")
    other.close()
    connection.settings_dict["OPTIONS"]["timeout"] = 5
    connection.close()


@pytest.mark.one_engine
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("in_event_loop", [False, True])
def test_a_page_that_writes_nothing_is_shown_while_another_process_writes(
    session: str, locked: None, in_event_loop: bool
) -> None:
    assert fetch(session, "/rules/", in_event_loop=in_event_loop).status_code == 200


@pytest.mark.one_engine
@pytest.mark.django_db(transaction=True)
def test_who_writes_while_another_process_does_is_asked_to_try_again(session: str, locked: None) -> None:
    client = Client(raise_request_exception=False)
    client.cookies["sessionid"] = session
    assert client.post("/new/", {"level": 1}).status_code == 503


@pytest.mark.django_db
def test_any_other_error_is_the_servers_fault(ana: User, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("games.selectors.find_match", fail)
    client = Client(raise_request_exception=False)
    assert client.get("/m/abcdefghjk/").status_code == 500


@pytest.mark.django_db
def test_a_table_is_shown_though_the_look_at_it_cannot_be_noted(
    ana: User, boris: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def locked(*args: object) -> None:
        raise OperationalError("database is locked")

    match = cast.start_match(ana, boris)
    monkeypatch.setattr("games.services.presence.notices.looked", locked)
    client = Client()
    client.force_login(ana)
    answer = client.get(match.get_absolute_url())
    assert answer.status_code == 200
    assert Seat.objects.get(match=match, user=ana).number in (0, 1)


@pytest.mark.django_db
def test_nothing_is_limited_while_redis_is_away(ana: User, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*args: object, **kwargs: object) -> None:
        raise exceptions.ConnectionError("refused")

    monkeypatch.setattr(type(cache._connections[cache._alias]), "add", away)
    for _ in range(3):
        limits.spend("report", ana, Place("192.0.2.1"))

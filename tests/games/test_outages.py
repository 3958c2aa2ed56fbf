"""Where the database or Redis is away for a moment, people are told so, and what can go on goes on."""

import pytest
from bs4 import BeautifulSoup
from django.core.cache import cache
from django.db import InterfaceError, OperationalError
from django.test import Client
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
    client = Client(headers={"accept-language": "ka"})
    client.force_login(mover)
    answer = client.post(f"{match.get_absolute_url()}play/", {"turn": 1, "move": cast.any_move(match)})
    page = BeautifulSoup(answer.content, "html.parser")
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert page.html["lang"] == "ka"
    assert page.h1.text == "საიტი დაკავებულია"


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

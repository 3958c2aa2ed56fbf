"""The cast: Ana and Boris play, Cara looks on, somebody is a guest, and the computer is there."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.db import close_old_connections

from accounts.models import User
from games.models import ComputerPlayer, Match
from tests.games import cast


@pytest.fixture(autouse=True)
def fresh_limits() -> Iterator[None]:
    """Start every test with no request counted against a limit."""
    cache.clear()
    yield
    cache.clear()


@pytest.fixture(autouse=True)
def closing_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let sockets close their threads' connections, which Channels' test tools keep open otherwise."""
    monkeypatch.setattr("channels.testing.application.no_op", close_old_connections)


@pytest.fixture(autouse=True)
def every_log_is_the_truth(request: pytest.FixtureRequest) -> Iterator[None]:
    """After every test with a database, hold each match's stored state against its log."""
    marker = request.node.get_closest_marker("django_db")
    if marker is not None:
        request.getfixturevalue("transactional_db" if marker.kwargs.get("transaction") else "db")
    yield
    if marker is not None:
        cast.check_all()


@pytest.fixture
def ana(db: None) -> User:
    return cast.person("Ana")


@pytest.fixture
def boris(db: None) -> User:
    return cast.person("Boris")


@pytest.fixture
def cara(db: None) -> User:
    return cast.person("Cara")


@pytest.fixture
def guest(db: None) -> User:
    return cast.guest_player()


@pytest.fixture
def computer(db: None) -> User:
    """The computer's account of level 3; tests that flush the database take those of the migration with them."""
    player = ComputerPlayer.objects.filter(level=3).select_related("user").first()
    if player is None:
        player = ComputerPlayer.objects.create(level=3, user=User.objects.ensure_computer("computer-3"))
    return player.user


@pytest.fixture
def match(ana: User, boris: User) -> Match:
    """An untimed match of Ana and Boris that has begun."""
    return cast.start_match(ana, boris)

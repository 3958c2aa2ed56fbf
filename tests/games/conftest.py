"""The cast: Ana and Boris play, Cara looks on, somebody is a guest, and the computer is there."""

import time
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from django.core.cache import cache

from accounts.models import User
from games import limits
from games.models import Match
from tests.games import cast


@pytest.fixture(autouse=True)
def fresh_limits(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Start every test with nothing counted against a limit, in a window that does not end while it runs."""
    now = time.time()
    monkeypatch.setattr(limits, "_drawn", limits.Drawn())
    monkeypatch.setattr(limits, "time", SimpleNamespace(time=lambda: now))
    cache.clear()
    yield
    cache.clear()


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
    """The computer's account of level 3."""
    return cast.computer()


@pytest.fixture
def match(ana: User, boris: User) -> Match:
    """An untimed match of Ana and Boris that has begun."""
    return cast.start_match(ana, boris)

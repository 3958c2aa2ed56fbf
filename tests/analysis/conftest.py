"""Players, the computer, and a match whose last turns can be proven."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache

from accounts.models import User
from games.models import ComputerPlayer, Match
from games.services import ending
from tests.games import cast


@pytest.fixture(autouse=True)
def fresh_limits() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def ana(db: None) -> User:
    return cast.person("Ana")


@pytest.fixture
def boris(db: None) -> User:
    return cast.person("Boris")


@pytest.fixture
def computer(db: None) -> User:
    """The computer's account of level 3, also where a test before emptied the database."""
    player = ComputerPlayer.objects.filter(level=3).first()
    if player is None:
        player = ComputerPlayer.objects.create(level=3, user=User.objects.ensure_computer("computer-3"))
    return player.user


@pytest.fixture
def over(ana: User, boris: User) -> Match:
    """A short match that Boris gave up after some turns."""
    match = cast.play_randomly(cast.start_match(ana, boris), 6)
    ending.resign(match.code, boris)
    return Match.objects.get(pk=match.pk)

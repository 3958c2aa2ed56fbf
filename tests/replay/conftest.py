"""Two players, one who looks on, and a match that runs."""

import pytest

from accounts.models import User
from games.models import Match
from tests.games import cast


@pytest.fixture
def ana(db: None) -> User:
    return cast.person("Ana")


@pytest.fixture
def boris(db: None) -> User:
    return cast.person("Борис")


@pytest.fixture
def cara(db: None) -> User:
    return cast.person("Cara")


@pytest.fixture
def match(ana: User, boris: User) -> Match:
    """A match with closed hands after eleven turns."""
    return cast.play_randomly(cast.start_match(ana, boris), 11)


@pytest.fixture
def ended(match: Match) -> Match:
    """A match that the first player has given up after eleven turns."""
    from games.services import ending

    ending.resign(match.code, cast.player(match, 0))
    return Match.objects.get(pk=match.pk)

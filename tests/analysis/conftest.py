"""Players, the computer, and a match whose last turns can be proven."""

import pytest

from accounts.models import User
from games.models import Match
from games.services import ending
from tests.games import cast
from tests.games.conftest import ana, boris, computer, fresh_limits

__all__ = ["ana", "boris", "computer", "fresh_limits"]


@pytest.fixture
def over(ana: User, boris: User) -> Match:
    """A short match that Boris gave up after some turns."""
    match = cast.play_randomly(cast.start_match(ana, boris), 6)
    ending.resign(match.code, boris)
    return Match.objects.get(pk=match.pk)

"""The cast of the games, with one who keeps order."""

import pytest

from accounts.models import User
from tests.games.conftest import ana, boris, cara, computer, fresh_limits, guest, match
from tests.moderation import staff

__all__ = ["ana", "boris", "cara", "computer", "fresh_limits", "guest", "match"]


@pytest.fixture
def mira(db: None) -> User:
    return staff.moderator("Mira")

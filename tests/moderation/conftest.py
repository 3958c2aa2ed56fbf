"""The cast of the games, with two moderators and one of the support."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games.models import Case
from games.services import reporting
from games.services.moderation.desk import Order
from tests.games.conftest import ana, boris, cara, computer, fresh_limits, guest, match
from tests.moderation import staff

__all__ = ["ana", "boris", "cara", "computer", "fresh_limits", "guest", "match"]


@pytest.fixture
def mira(db: None) -> User:
    return staff.moderator("Mira")


@pytest.fixture
def nino(db: None) -> User:
    return staff.moderator("Nino")


@pytest.fixture
def desk(mira: User) -> Client:
    """Mira's browser, logged in with the second factor."""
    return staff.staff_client(mira)


@pytest.fixture
def case(ana: User, boris: User) -> Case:
    """Ana has reported Boris."""
    return reporting.report(ana, boris, "chat", "He was rude.").case


@pytest.fixture
def order(mira: User, boris: User) -> Any:
    """Make an order of Mira's against Boris."""

    def make(**more: Any) -> Order:
        return Order(**{"moderator": mira, "subject": boris, "reason": "chat", "why": "seen"} | more)

    return make

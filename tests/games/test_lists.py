"""The lists of matches that pages show: a player's own, and what is played now."""

import pytest
from django.test import Client

from accounts.models import User
from games.models import Match
from tests.games.cast import UNTIMED, page, start_match

pytestmark = pytest.mark.django_db


def items(viewer: User, address: str) -> list[str]:
    """Return what the lines of the list on a page say to a viewer."""
    client = Client()
    client.force_login(viewer)
    return [" ".join(item.get_text(" ").split()) for item in page(client.get(address)).select(".match-item")]


def test_the_computer_is_told_apart_from_people(ana: User, computer: User, match: Match) -> None:
    start_match(ana, computer, UNTIMED)
    by_person, by_computer = sorted(items(ana, "/mine/"), key=lambda text: "computer" in text)
    assert "computer" not in by_person
    assert "Noi computer" in by_computer

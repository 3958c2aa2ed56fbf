"""The hand on a phone: a long suit keeps to its row, a swipe scrolls, and a card is dragged after it was held."""

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from games.models import Match
from tests.browser.conftest import PHONE, Visit
from tests.games import cast

#: The first player leads and holds nine trumps.
LONG_SUIT = "2C5C8CJC3D6DTDKD2S9SJS4H5H6H7H8H9HTHJHQH/6C7C3S4SAHKH - HS 0 strict"


@pytest.fixture
def people() -> tuple[User, User]:
    number = User.objects.count()
    return cast.person(f"Holder{number}"), cast.person(f"Onlooker{number}")


@pytest.fixture
def match(people: tuple[User, User]) -> Match:
    return cast.start_match(*people, position=LONG_SUIT, trumps=("H", "S"))


@pytest.fixture
def phone(site, visit: Visit, people: tuple[User, User], match: Match) -> Page:
    return visit(match.get_absolute_url(), user=people[0], viewport=PHONE, has_touch=True, is_mobile=True)


def test_a_long_suit_keeps_to_one_row_and_shows_every_index(phone: Page) -> None:
    trumps = phone.locator("#rows button.card[data-suit='H']")
    expect(trumps).to_have_count(9)
    places = [card.bounding_box() for card in trumps.all()]
    assert len({place["y"] for place in places}) == 1
    assert all(after["x"] - before["x"] >= 24 for before, after in zip(places, places[1:], strict=False))
    assert places[-1]["x"] + places[-1]["width"] <= PHONE["width"]

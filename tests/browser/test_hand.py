"""The hand on a phone: a long suit keeps to its row, a swipe scrolls, and a card is dragged after it was held."""

from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from games.models import Match
from tests.browser.conftest import PHONE, Visit
from tests.browser.play import wait_for_link
from tests.games import cast

#: The first player leads and holds nine trumps.
LONG_SUIT = "2C5C8CJC3D6DTDKD2S9SJS4H5H6H7H8H9HTHJHQH/6C7C3S4SAHKH - HS 0 strict"
#: The cards move as they do for most people.
MOVING = {"reduced_motion": "no-preference"}


@pytest.fixture
def match(people: tuple[User, User]) -> Match:
    return cast.start_match(*people, position=LONG_SUIT, trumps=("H", "S"))


@pytest.fixture
def phone(site, visit: Visit, people: tuple[User, User], match: Match) -> Page:
    return visit(match.get_absolute_url(), user=people[0], viewport=PHONE, has_touch=True, is_mobile=True, **MOVING)


def test_a_long_suit_keeps_to_one_row_and_shows_every_index(phone: Page) -> None:
    trumps = phone.locator("#rows button.card[data-suit='H']")
    expect(trumps).to_have_count(9)
    places = [card.bounding_box() for card in trumps.all()]
    assert len({place["y"] for place in places}) == 1
    assert all(after["x"] - before["x"] >= 24 for before, after in pairwise(places))
    assert places[-1]["x"] + places[-1]["width"] <= PHONE["width"]


#: The first player, with four cards in each of four suits, beats or picks up.
FOUR_ROWS = "7C8CTCJC7D8D9DTD8HTHJHQH8STSJSQS/6S9SKSASACADAHQDQCKDKHKC6C6D6H9H7H9C 7S SH 0 strict"


def test_a_card_that_does_not_beat_says_so_and_the_button_that_puts_back_hides_no_card(
    site, visit: Visit, people: tuple[User, User]
) -> None:
    match = cast.start_match(*people, position=FOUR_ROWS, trumps=("S", "H"))
    page = visit(match.get_absolute_url(), user=people[0], viewport={"width": 360, "height": 740})
    # The first push shows the table as it stands, without what was said meanwhile.
    wait_for_link(page)
    page.locator("#card-7C").dispatch_event("click")
    expect(page.locator("#ask-why")).to_contain_text("7♣ does not beat")
    expect(page.locator("#ask")).to_be_hidden()
    page.locator("#card-TS").click(position={"x": 12, "y": 16})
    expect(page.locator("#ask-why")).to_be_hidden()
    button = page.locator("#put-back").bounding_box()
    cards = [card.bounding_box() for card in page.locator("#rows .card").all()]
    lowest = max(box["y"] + box["height"] for box in cards)
    assert lowest <= button["y"] < button["y"] + button["height"] <= 740


class Finger:
    """One finger on a page, as the browser's own touch input has it."""

    def __init__(self, page: Page) -> None:
        self._input = page.context.new_cdp_session(page)

    def down(self, x: float, y: float) -> None:
        self._input.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})

    def move(self, x: float, start: float, end: float) -> None:
        for step in range(1, 9):
            point = {"x": x, "y": start + (end - start) * step / 8}
            self._input.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})

    def up(self) -> None:
        self._input.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def place_of(page: Page, code: str) -> tuple[float, float]:
    box = page.locator(f"#rows button.card[data-card='{code}']").bounding_box()
    return box["x"] + 12, box["y"] + 16


def test_a_swipe_over_the_hand_scrolls_and_plays_nothing(phone: Page, match: Match) -> None:
    finger = Finger(phone)
    x, y = place_of(phone, "5C")
    finger.down(x, y)
    finger.move(x, y, y - 220)
    finger.up()
    expect(phone.locator("#rows .is-dragged")).to_have_count(0)
    assert phone.evaluate("scrollY") > 20
    expect(phone.locator("#table")).not_to_have_attribute("aria-busy", "true")
    expect(phone.locator("#pile-cards .card")).to_have_count(0)
    assert Match.objects.get(pk=match.pk).turn == match.turn


def test_a_card_that_was_held_is_dragged_to_the_pile(phone: Page, match: Match) -> None:
    finger = Finger(phone)
    x, y = place_of(phone, "4H")
    finger.down(x, y)
    expect(phone.locator("#rows .is-dragged")).to_have_attribute("data-card", "4H")
    finger.move(x, y, y - 60)
    finger.up()
    expect(phone.locator("#rows .is-dragged")).to_have_count(0)
    assert Match.objects.get(pk=match.pk).turn == match.turn

    pile = phone.locator("#pile-cards").bounding_box()
    finger.down(x, y)
    expect(phone.locator("#rows .is-dragged")).to_have_attribute("data-card", "4H")
    finger.move(x, y, pile["y"] + pile["height"] / 2)
    assert phone.evaluate("scrollY") == 0
    finger.up()
    expect(phone.locator("#pile-cards .card")).to_have_attribute("data-card", "4H")


def test_a_held_card_stays_held_when_the_table_is_pushed(
    site, visit: Visit, phone: Page, match: Match, people: tuple[User, User]
) -> None:
    other = visit(match.get_absolute_url(), user=people[1])
    wait_for_link(phone)
    Finger(phone).down(*place_of(phone, "4H"))
    held = phone.locator("#rows .is-dragged")
    expect(held).to_have_attribute("data-card", "4H")
    # Sends the hand anew, in which no card is held.
    other.locator("#chat-text").fill("hello")
    other.locator("#chat-text").press("Enter")
    expect(phone.locator("#chat-lines")).to_contain_text("hello")
    expect(held).to_have_attribute("data-card", "4H")


def test_a_card_that_was_held_and_let_go_is_played(phone: Page) -> None:
    finger = Finger(phone)
    finger.down(*place_of(phone, "4H"))
    expect(phone.locator("#rows .is-dragged")).to_have_count(1)
    finger.up()
    expect(phone.locator("#pile-cards .card")).to_have_attribute("data-card", "4H")


def test_a_mouse_drags_at_once(site, visit: Visit, people: tuple[User, User], match: Match) -> None:
    page = visit(match.get_absolute_url(), user=people[0], **MOVING)
    expect(page.locator("#reconnecting")).to_be_hidden()
    pile = page.locator("#pile-cards").bounding_box()
    page.mouse.move(*place_of(page, "4H"))
    page.mouse.down()
    page.mouse.move(pile["x"] + pile["width"] / 2, pile["y"] + pile["height"] / 2, steps=4)
    expect(page.locator("#pile-cards.is-target")).to_have_count(1)
    page.mouse.up()
    expect(page.locator("#pile-cards .card")).to_have_attribute("data-card", "4H")

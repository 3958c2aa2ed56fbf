"""Who cannot see, cannot point or sees no colours can play: axe, a game by keyboard, focus and text kept on pushes."""

import base64
import contextlib
import itertools
import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from playwright.sync_api import Page, expect

from accounts.models import User
from games.models import Match, OpenTo
from games.present import words
from games.rules import Move
from games.services import ending, playing, seating
from tests.browser.conftest import PHONE, Visit
from tests.browser.play import expect_turn, good_move, make_turn, play_on, wait_for_link

LANGUAGES = [code for code, _name in settings.LANGUAGES]
#: A line of which some signs are made of several code points.
HALF = "நல்ல half a line"
ACES = "ACADAHAS/6C7D8H9S - HS 0 strict"
#: Whether two signs differ in greyscale: the share of pixels that are dark in one and light in the other.
DIFFERENCE = """async ([one, other]) => {
  const pixels = async (text) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const drawing = new OffscreenCanvas(image.width, image.height).getContext("2d");
    drawing.drawImage(image, 0, 0);
    return drawing.getImageData(0, 0, image.width, image.height).data;
  };
  const [a, b] = [await pixels(one), await pixels(other)];
  let differing = 0;
  for (let i = 0; i < Math.min(a.length, b.length); i += 4) if (Math.abs(a[i] - b[i]) > 64) differing += 1;
  return differing / (Math.min(a.length, b.length) / 4);
}"""

PUBLIC = ["/", "/lobby/", "/new/", "/rules/", "/learn/6/", "/puzzles/", "/account/signup/", "/account/login/"]
MORE_PUBLIC = ["/learn/done/", "/records/", "/verify/", "/privacy/", "/terms/", "/offline/", "/no/such/page/"]
OWN = ["/mine/", "/account/preferences/"]
MORE_OWN = ["/new/", "/notices/", "/time-off/", "/standing/", "/blocks/", "/data/", "/account/", "/account/email/"]


def begun(people: tuple[User, User], position: str = "") -> Match:
    terms = seating.MatchTerms(pace="days", days_per_turn=3)
    match = seating.create(people[0], terms, open_to=OpenTo.LINK, trump="H")
    seating.accept(match.code, people[1], "S")
    if position:
        Match.objects.filter(pk=match.pk).update(start=position, position=position, to_move=0)
    return Match.objects.get(pk=match.pk)


def play_a_turn(match: Match, people: tuple[User, User]) -> Match:
    playing.play(match.code, people[match.to_move], match.turn, str(good_move(match)))
    return Match.objects.get(pk=match.pk)


@pytest.fixture
def tables(people: tuple[User, User]) -> list[str]:
    """A running table, its text, an end and a replay."""
    running, over = begun(people), begun(people)
    for _ in range(3):
        running, over = play_a_turn(running, people), play_a_turn(over, people)
    ending.resign(over.code, people[1])
    running, over = (f"/m/{match.code}/" for match in (running, over))
    return [running, f"{running}text/", over, f"{over}replay/?turn=2", f"/@/{people[0].username}/"]


def findings(page: Page) -> list[str]:
    """Return what axe finds on a page, with the places."""
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [f"{page.url} {fault['id']}: {node['html'][:200]}" for fault in found for node in fault["nodes"]]


def look_through(page: Page, addresses: list[str]) -> None:
    found = []
    for address in addresses:
        page.goto(address)
        found += findings(page)
    assert found == []


def test_axe_finds_nothing_on_any_page(site, visit: Visit, people, tables) -> None:
    look_through(visit("/offline/", color_scheme="light"), [*PUBLIC, *MORE_PUBLIC])
    look_through(visit("/offline/", user=people[0], color_scheme="light"), [*OWN, *MORE_OWN, *tables])


def test_axe_finds_nothing_in_the_dark(site, visit: Visit, people, tables) -> None:
    look_through(visit("/offline/", color_scheme="dark"), PUBLIC)
    look_through(visit("/offline/", user=people[0], color_scheme="dark"), [*OWN, *tables])


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_axe_finds_nothing_in_any_language(site, visit: Visit, people, tables, language: str) -> None:
    # What differs by language: attributes, names and the colours of what only some languages' fonts show.
    look = {"locale": language, "viewport": PHONE}
    look_through(visit("/offline/", **look), ["/", "/account/signup/"])
    look_through(visit("/offline/", user=people[0], **look), [tables[0], tables[3]])


def press_card(page: Page, card: str) -> None:
    """Go to a card by its rank and suit, hear what it is, and choose it."""
    rank, suit = card
    # Where T alone picks up, the ten is typed in digits: on a loaded machine the suit may come too late.
    ten = ["1", "0"] if page.locator("#take").count() else ["T"]
    focused = page.locator(f"#hand button[data-card='{card}']")
    for _attempt in range(5):
        for key in (ten if rank == "T" else [rank]) + [suit.lower()]:
            page.keyboard.press(key)
        with contextlib.suppress(AssertionError):
            expect(focused).to_be_focused(timeout=2000)
            break
    expect(focused).to_be_focused()
    assert focused.get_attribute("aria-label").startswith(words.spoken_card(card))
    assert focused.get_attribute("aria-disabled") != "true"
    page.keyboard.press("Enter")


def press_move(page: Page, move: Move) -> None:
    if move.is_take:
        page.keyboard.press("t")
    else:
        for card in str(move).split("+"):
            press_card(page, card)


def test_letters_and_digits_can_be_switched_off_and_arrows_stay(site, visit: Visit, people) -> None:
    match = seating.play_computer(people[0], 1, seating.MatchTerms(), "H")
    User.objects.filter(pk=people[0].pk).update(single_keys=False)
    page = visit(match.get_absolute_url(), user=people[0])
    wait_for_link(page)
    page.keyboard.press("?")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#rows button.card:focus")).to_have_count(1)
    expect(page.locator("#keys")).to_be_hidden()
    User.objects.filter(pk=people[0].pk).update(single_keys=True)
    page.reload()
    wait_for_link(page)
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()


def test_a_whole_match_is_begun_and_played_by_the_keyboard_alone(site, visit: Visit, people) -> None:
    page = visit("/", user=people[0])
    start = page.locator("main form[action='/play/'] button").first
    for _ in range(30):
        page.keyboard.press("Tab")
        if start.evaluate("button => button === document.activeElement"):
            break
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/m/"))

    match = seating.play_computer(people[0], 1, seating.MatchTerms(deck_size=24), "H")
    page.goto(match.get_absolute_url())
    match = play_on({match.seats.get(user=people[0]).number: page}, act=press_move)
    assert match.has_result
    expect(page.locator("#state")).to_have_attribute("data-stage", "over")
    expect(page.locator("#result")).to_be_visible()


def test_each_card_tells_whether_it_may_be_played(site, visit: Visit, people) -> None:
    match = begun(people, "6C7C8DQHKS/9C9D9HAS 5C HS 0 strict")
    page = visit(match.get_absolute_url(), user=people[0])
    playable = {str(move).split("+")[0] for move in match.rules_position.legal_moves() if not move.is_take}
    cards = page.locator("#hand button[data-card]").all()
    assert len(cards) == 5
    for card in cards:
        assert (card.get_attribute("aria-disabled") != "true") == (card.get_attribute("data-card") in playable)


def say(page: Page, text: str) -> None:
    page.locator("#chat-text").fill(text)
    page.locator("#chat-text").press("Enter")


def test_pushes_keep_a_half_typed_line_the_caret_and_the_focus(site, visit: Visit, people) -> None:
    match = begun(people)
    waiting, moving = 1 - match.to_move, match.to_move
    page = visit(match.get_absolute_url(), user=people[waiting])
    other = visit(match.get_absolute_url(), user=people[moving])
    line = page.locator("#chat-text")
    line.fill(HALF)
    card = page.locator("#hand button[data-card]").nth(3)
    code = card.get_attribute("data-card")
    card.focus()
    make_turn(other, match)
    expect_turn(page, match.turn + 1)
    say(other, "one")
    expect(page.locator("#chat")).to_contain_text("one")
    expect(page.locator(f"#hand button[data-card='{code}']")).to_be_focused()
    expect(line).to_have_value(HALF)

    line.focus()
    line.evaluate("field => field.setSelectionRange(4, 6)")
    make_turn(visit(match.get_absolute_url(), user=people[waiting]), Match.objects.get(pk=match.pk))
    expect_turn(page, match.turn + 2)
    for text in ("two", "three"):
        say(other, text)
        expect(page.locator("#chat")).to_contain_text(text)
    assert line.evaluate("field => [field.value, field.selectionStart, field.selectionEnd]") == [HALF, 4, 6]
    expect(line).to_be_focused()


@pytest.mark.parametrize("four_colours", [False, True])
def test_suits_are_told_apart_in_greyscale(site, visit: Visit, people, four_colours: bool) -> None:
    User.objects.filter(pk=people[0].pk).update(four_colours=four_colours)
    page = visit(begun(people, ACES).get_absolute_url(), user=people[0], viewport=PHONE)
    page.evaluate("document.documentElement.style.filter = 'grayscale(1)'")
    signs = []
    for code in ("AC", "AD", "AH", "AS"):
        box = page.locator(f"#hand button[data-card='{code}']").bounding_box()
        # The sign under the rank: what can be seen of a card that others lie on.
        corner = {"x": box["x"], "y": box["y"] + box["height"] * 0.36, "width": 24, "height": 24}
        signs.append(page.screenshot(clip=corner))
    encoded = [base64.b64encode(sign).decode() for sign in signs]
    for one, other in itertools.combinations(encoded, 2):
        assert page.evaluate(DIFFERENCE, [one, other]) > 0.04

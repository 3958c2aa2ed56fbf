"""From the choice of cards to the turn that is sent: what is shown on the way, and when the link is not there yet."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from accounts.models import User
from games.models import Match, OpenTo
from games.services import seating
from tests.browser.conftest import PHONE, Visit
from tests.browser.play import expect_turn, wait_for_link
from tests.games import cast

#: The first player beats 8C with TC, QC or KH.
POSITION = "6DTCQCKH/7S9HAD 8C HS 0 strict"
#: Marks a page; one that is loaded anew has lost the mark.
KEPT = "document.documentElement.dataset.kept = ''"


@pytest.fixture
def match(people: tuple[User, User]) -> Match:
    match = seating.create(people[0], seating.MatchTerms(), open_to=OpenTo.LINK, trump="H")
    seating.accept(match.code, people[1], "S")
    Match.objects.filter(pk=match.pk).update(start=POSITION, position=POSITION, to_move=0)
    return Match.objects.get(pk=match.pk)


def tap(page: Page, code: str) -> None:
    page.locator(f"#hand button[data-card='{code}']").click(position={"x": 10, "y": 14})


def codes(page: Page, selector: str) -> Callable[[], list[str]]:
    return lambda: page.locator(selector).evaluate_all("cards => cards.map((card) => card.dataset.card)")


def test_a_turn_that_waits_for_its_confirmation_lies_on_the_pile(site, visit: Visit, people, match: Match) -> None:
    User.objects.filter(pk=people[0].pk).update(confirm_turns=True)
    page = visit(match.get_absolute_url(), user=people[0], viewport=PHONE)
    on_pile = codes(page, "#pile-cards .card")
    tap(page, "TC")
    expect(page.locator("#ask-cover")).to_be_visible()
    assert on_pile() == ["8C", "TC"]
    tap(page, "KH")
    expect(page.locator("#ask-armed")).to_be_visible()
    for other in ("#ask", "#ask-cover"):
        expect(page.locator(other)).to_be_hidden()
    assert on_pile() == ["8C", "TC", "KH"]
    tap(page, "QC")
    assert on_pile() == ["8C", "TC", "QC"]
    page.locator("#put-back").click()
    expect(page.locator("#ask")).to_be_visible()
    assert on_pile() == ["8C"]
    tap(page, "QC")
    tap(page, "6D")
    page.locator("#play").click()
    expect_turn(page, 2)
    assert on_pile() == ["8C", "QC", "6D"]


def test_picking_up_is_confirmed_by_the_same_button(site, visit: Visit, people, match: Match) -> None:
    User.objects.filter(pk=people[0].pk).update(confirm_turns=True)
    cast.stand_at(match, "6D7D8D/9CTCJC AC HS 0 strict")
    page = visit(match.get_absolute_url(), user=people[0], viewport=PHONE)
    wait_for_link(page)
    page.locator("#take").click()
    expect(page.locator("#ask-take")).to_be_visible()
    expect(page.locator("#ask")).to_be_hidden()
    expect_turn(page, 1)
    page.locator("#take").click()
    expect_turn(page, 2)
    expect(page.locator("#ask-take")).to_be_hidden()


def test_a_turn_made_before_the_first_link_is_sent_with_it(site, visit: Visit, people, match: Match) -> None:
    held: list[WebSocketRoute] = []
    page = visit("/lobby/", user=people[0])
    page.route_web_socket("**/ws/match/**", lambda route: held.append(route))
    page.goto(match.get_absolute_url())
    expect(page.locator("html.has-script")).to_be_attached()
    tap(page, "TC")
    tap(page, "6D")
    expect(page.locator("#table")).to_have_attribute("aria-busy", "true")
    for route in held:
        route.connect_to_server()
    expect_turn(page, 2)
    expect(page.locator("#refusal")).to_be_hidden()
    assert Match.objects.get(pk=match.pk).turn == 2


def test_arrows_go_round_the_hand(site, visit: Visit, people, match: Match) -> None:
    page = visit(match.get_absolute_url(), user=people[0])
    cards = codes(page, "#rows button.card")()
    page.locator(f"#card-{cards[0]}").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(f"#card-{cards[-1]}")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.locator(f"#card-{cards[0]}")).to_be_focused()


def test_keys_are_not_explained_to_a_finger(site, visit: Visit, people, match: Match) -> None:
    desk = visit(match.get_absolute_url(), user=people[0])
    expect(desk.locator("#show-keys")).to_be_visible()
    phone = visit(match.get_absolute_url(), user=people[0], viewport=PHONE, has_touch=True, is_mobile=True)
    expect(phone.locator("#show-keys")).to_be_hidden()


def test_a_draw_offer_hides_no_clock_and_its_refusal_is_told(site, visit: Visit, people, match: Match) -> None:
    live = {"pace": "live", "base_seconds": 600, "turn": 3}
    Match.objects.filter(pk=match.pk).update(**live)
    match.seats.update(clock_ms=600_000)
    asker, asked = (visit(match.get_absolute_url(), user=user, viewport=PHONE) for user in people)
    expect(asked.locator("#reconnecting")).to_be_hidden()
    asker.get_by_role("button", name="Offer a draw").click()
    expect(asker.locator("#status")).to_contain_text("You have offered a draw.")
    offer = asked.locator("#draw-offered")
    expect(offer).to_be_visible()
    expect(asked.locator("#announce")).to_contain_text(f"{people[0].username} offers a draw.")
    box = offer.bounding_box()
    for other in ("#far-name", "#far-clock", "#near-clock", "#pile-cards .is-top", ".pile-count", "#ask"):
        hidden = asked.locator(other).bounding_box()
        assert box["y"] >= hidden["y"] + hidden["height"] or box["y"] + box["height"] <= hidden["y"], other
    offer.get_by_role("button", name="Decline").click()
    expect(asker.locator("#draw-declined")).to_have_text(f"{people[1].username} declined the draw.")
    expect(asker.locator("#status")).to_contain_text(f"{people[1].username} declined the draw.")


def test_a_hint_comes_to_the_page_as_it_stands_and_is_marked_in_the_hand(site, visit: Visit, people) -> None:
    match = seating.play_computer(people[0], 3, seating.MatchTerms(), "S")
    cast.stand_at(match, cast.ROUND)
    page = visit(match.get_absolute_url(), user=people[0], viewport=PHONE)
    wait_for_link(page)
    page.evaluate(KEPT)
    page.locator("#ask-hint").click()
    hinted = page.locator("#hint .hint-card .card")
    expect(hinted).not_to_have_count(0)
    expect(page.locator("html[data-kept]")).to_be_attached()
    assert codes(page, "#rows .is-hinted")() == sorted(codes(page, "#hint .card")())


def test_a_refusal_is_shown_beside_the_table_as_it_stands(site, visit: Visit, people, match: Match) -> None:
    page = visit(match.get_absolute_url(), user=people[0], viewport=PHONE)
    wait_for_link(page)
    page.evaluate(KEPT)
    page.locator("#abort summary").click()
    abort = page.locator("#abort button")
    abort.evaluate("button => { button.name = 'turn'; button.value = '9'; }")
    abort.click()
    expect(page.locator("#notice")).not_to_be_empty()
    expect(page.locator("html[data-kept]")).to_be_attached()
    expect(page.locator("#table")).not_to_have_attribute("aria-busy", "true")

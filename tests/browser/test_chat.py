"""Saying a line at the table: it leaves its field as it is said, and comes back where it was not."""

from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import WebSocketRoute, expect

from accounts.models import ChatFrom, User
from games.models import Match
from games.services import chatting
from tests.browser.conftest import PHONE, Visit
from tests.browser.play import make_turn, wait_for_link
from tests.games import cast

#: A character that shows nothing and that no line consists of.
NOTHING = "\u2066"

#: Scrolls to an element and back to the top as soon as it has come into view; ends when it has gone.
GLIMPSE = """
element => new Promise((resolve) => {
  let seen = false;
  new IntersectionObserver((entries, observer) => {
    if (entries.at(-1).isIntersecting) { seen = true; scrollTo(0, 0); }
    else if (seen) { observer.disconnect(); resolve(); }
    else element.scrollIntoView();
  }).observe(element);
})
"""


@pytest.fixture
def match(people: tuple[User, User]) -> Match:
    return cast.start_match(*people)


def test_a_refused_line_comes_back(site, visit: Visit, people, match: Match) -> None:
    page = visit(match.get_absolute_url(), user=people[0])
    wait_for_link(page)
    line, lines = page.locator("#chat-text"), page.locator("#chat-lines")
    line.fill("first")
    line.press("Enter")
    expect(lines).to_contain_text("first")
    expect(line).to_have_value("")

    line.fill(NOTHING)
    line.press("Enter")
    expect(page.locator("#notice")).to_contain_text("Write something first.")
    expect(line).to_have_value(NOTHING)

    # When this one is there, nothing more is on its way about the last.
    line.fill("second")
    line.press("Enter")
    expect(lines).to_contain_text("second")
    expect(line).to_have_value("")

    # Nobody has told the page that nothing can be said any more; the refusal does.
    User.objects.filter(pk=people[1].pk).update(chat_from=ChatFrom.NOBODY)
    line.fill("third")
    line.press("Enter")
    expect(page.locator("#chat-say")).to_contain_text("Your opponent has switched chat off.")
    expect(line).to_have_count(0)


def test_a_line_that_the_link_did_not_carry_comes_back(site, visit: Visit, people, match: Match) -> None:
    swallowed: list[WebSocketRoute] = []
    page = visit("/rules/", user=people[0])

    def swallow_chat(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            if "chat" in str(message) and not swallowed:
                swallowed.append(route)
            else:
                server.send(message)

        route.on_message(pass_on)

    page.route_web_socket("**/ws/match/**", swallow_chat)
    page.goto(match.get_absolute_url())
    wait_for_link(page)
    line = page.locator("#chat-text")
    line.fill("hello")
    line.press("Enter")
    expect(line).to_have_value("")
    swallowed[0].close()
    expect(line).to_have_value("hello")
    line.press("Enter")
    expect(page.locator("#chat-lines")).to_contain_text("hello")
    expect(line).to_have_value("")


def test_a_new_link_tells_whether_one_may_still_write_and_leaves_what_is_half_typed(
    site, visit: Visit, people, match: Match
) -> None:
    page = visit(match.get_absolute_url(), user=people[0])
    wait_for_link(page)
    line, lines = page.locator("#chat-text"), page.locator("#chat-lines")
    line.fill("half typed")
    line.blur()
    chatting.say(match.code, people[1], text="told over the new link")
    page.evaluate("dispatchEvent(new Event('offline'))")
    expect(lines).to_contain_text("told over the new link")
    expect(line).to_have_value("half typed")

    User.objects.filter(pk=people[1].pk).update(chat_from=ChatFrom.NOBODY)
    page.evaluate("dispatchEvent(new Event('offline'))")
    expect(page.locator("#chat-say")).to_contain_text("Your opponent has switched chat off.")
    expect(line).to_have_count(0)


def test_what_is_said_out_of_sight_is_marked_at_the_seat_until_it_is_seen(site, visit: Visit, people, match) -> None:
    phone = visit(match.get_absolute_url(), user=people[0], viewport=PHONE, has_touch=True, is_mobile=True)
    desk = visit(match.get_absolute_url(), user=people[1])
    mark = phone.locator("#near #chat-unread")
    expect(mark).to_be_hidden()
    for page in (phone, desk):
        wait_for_link(page)
        page.locator("#chat-text").fill("hello")
        page.locator("#chat-text").press("Enter")
        expect(phone.locator("#chat-lines")).to_contain_text(f"{people[page is desk].username} hello")
        # The page of the first has scrolled to where its line was written.
        phone.evaluate("scrollTo(0, 0)")
        expect(phone.locator("#chat-lines")).not_to_be_in_viewport()
    expect(mark).to_be_visible()

    make_turn((phone, desk)[match.to_move], match)
    expect(phone.locator("#state")).to_have_attribute("data-turn", str(match.turn + 1))
    expect(mark).to_be_visible()

    # Not by a reload, which brings back the place that the page was scrolled to.
    phone.goto("/rules/")
    phone.clock.install()
    phone.goto(match.get_absolute_url())
    expect(mark).to_be_visible()
    phone.clock.pause_at(datetime.now(UTC) + timedelta(minutes=1))
    phone.locator("#chat-lines").evaluate(GLIMPSE)
    expect(mark).to_be_visible()
    phone.clock.resume()

    mark.click()
    expect(phone.locator("#chat-lines")).to_be_in_viewport()
    expect(mark).to_be_hidden()
    expect(desk.locator("#chat-unread")).to_be_hidden()

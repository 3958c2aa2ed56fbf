"""The board on which moves are tried, in a real browser: each position is evaluated while one looks at it."""

import pytest
from playwright.sync_api import Route, expect

from games.services import ending
from tests.browser.conftest import DESK, PHONE, Visit
from tests.browser.test_looking import played

BUSY = "<!doctype html><title>The site is busy</title><h1>The site is busy</h1>"


def test_every_move_that_is_tried_is_evaluated(site, visit: Visit, people) -> None:
    match = played(people, 5)
    ending.resign(match.code, people[0])
    page = visit(f"/m/{match.code}/try/?turn=3", user=people[0], viewport=PHONE)
    page.get_by_role("button", name="Evaluate").click()
    for tried in range(4):
        expect(page.locator(".tried li")).to_have_count(tried)
        expect(page.locator("#worth .best-line")).to_be_visible()
        # On a phone it stands above the table, where it is seen as one plays on.
        assert page.locator("#worth .worth").bounding_box()["y"] < page.locator("#far").bounding_box()["y"]
        page.get_by_role("button", name="Play the best move").click()
    expect(page.locator(".tried li")).to_have_count(4)
    page.get_by_role("link", name="Take the move back").click()
    expect(page.locator(".tried li")).to_have_count(3)
    expect(page.locator("#worth .best-line")).to_be_visible()


@pytest.mark.parametrize("size", [DESK, {"width": 1024, "height": 768}])
def test_a_lesson_is_read_beside_its_table(site, visit: Visit, people, size: dict[str, int]) -> None:
    page = visit("/learn/5/", user=people[0], viewport=size)
    words, felt = page.locator("#lesson-text").bounding_box(), page.locator(".felt").bounding_box()
    assert words["x"] >= felt["x"] + felt["width"]
    assert words["y"] + words["height"] < size["height"]


@pytest.mark.parametrize("path", ["/learn/1/", "/puzzles/1/"])
def test_a_page_that_says_why_nothing_was_done_is_shown_whole(site, visit: Visit, people, path: str) -> None:
    page = visit(path, user=people[0])

    def be_busy(route: Route) -> None:
        if route.request.method == "POST":
            route.fulfill(status=503, content_type="text/html", body=BUSY)
        else:
            route.continue_()

    page.route(f"**{path}", be_busy)
    page.locator("#rows button.card:enabled").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("The site is busy")
    expect(page.locator("#rows")).to_have_count(0)


def test_what_cannot_be_sent_in_a_lesson_is_told_and_can_be_played_again(site, visit: Visit, people) -> None:
    page = visit("/learn/1/", user=people[0])
    page.context.set_offline(True)
    card = page.locator("#rows button.card:enabled").first
    card.click()
    expect(page.locator("#refusal")).to_contain_text("the connection is down")
    page.context.set_offline(False)
    card.click()
    expect(page.locator("#lesson-on")).to_be_visible()


def test_a_refused_puzzle_step_is_told_in_its_place(site, visit: Visit, people) -> None:
    page = visit("/puzzles/1/", user=people[0])
    page.locator("#turn-form [name=step]").evaluate("field => { field.value = '7'; }")
    page.locator("#rows button.card:enabled").first.click()
    expect(page.locator("#notice")).not_to_be_empty()
    expect(page.locator("#rows button.card").first).to_be_visible()

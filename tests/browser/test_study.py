"""The board on which moves are tried, in a real browser: each position is evaluated while one looks at it."""

from playwright.sync_api import expect

from games.services import ending
from tests.browser.conftest import PHONE, Visit
from tests.browser.test_looking import played


def test_every_move_that_is_tried_is_evaluated(site, visit: Visit, people) -> None:
    match = played(people, 5)
    ending.resign(match.code, people[0])
    page = visit(f"/m/{match.code}/try/?turn=3", user=people[0], viewport=PHONE)
    page.get_by_role("button", name="Evaluate").click()
    for tried in range(4):
        expect(page.locator(".tried li")).to_have_count(tried)
        expect(page.locator("#worth .best-line")).to_be_visible()
        page.get_by_role("button", name="Play the best move").click()
    expect(page.locator(".tried li")).to_have_count(4)
    page.get_by_role("link", name="Take the move back").click()
    expect(page.locator(".tried li")).to_have_count(3)
    expect(page.locator("#worth .best-line")).to_be_visible()

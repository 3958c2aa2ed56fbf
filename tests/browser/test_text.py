"""The table as text in a real browser: what a reader has chosen stays while the page asks for news."""

from playwright.sync_api import expect

from games.services import ending
from tests.browser.conftest import Visit
from tests.games import cast


def test_a_chosen_card_stays_chosen_when_news_arrive(site, visit: Visit, people) -> None:
    match = cast.start_match(*people, position="6C9HKD/7DQDAD - CS 0 strict")
    page = visit(f"/m/{match.code}/text/", user=people[0])
    page.locator("#card").select_option("KD")
    ending.offer_draw(match.code, people[1], match.turn)
    expect(page.get_by_role("button", name="Accept the draw")).to_be_visible()
    expect(page.locator("#card")).to_have_value("KD")
    page.locator("#turn-form").get_by_role("button", name="Play").first.click()
    expect(page.locator("#announce")).to_contain_text("You lead")
    assert cast.log(match) == ["KD"]

"""Replays, lessons, the table as text, an account's lists and the page without a connection, in a real browser."""

import json
import re

import pytest
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from playwright.sync_api import Page, expect

from accounts.models import User
from games.models import Match, OpenTo
from games.services import ending, playing, seating
from games.tutorial import LESSONS
from tests.browser.conftest import PHONE, Visit
from tests.browser.play import good_move
from tests.site import session_key

#: What a replay shows, so that two pages can be compared.
SHOWN = """() => {
  const text = (selector) => document.querySelector(selector).textContent.replace(/\\s+/g, " ").trim();
  const cards = (selector) => [...document.querySelectorAll(`${selector} .card`)]
    .map((card) => [card.id, card.className.trim().replace(/ +/g, " "), card.getAttribute("aria-label")]);
  return JSON.stringify([
    cards("#far"), cards("#pile-cards"), cards(".whole-pile"), cards("#hand"),
    document.querySelectorAll(".backs i").length,
    text("#say"), text("#near .trump"), text("#far .trump"), text("#pile-words"), text("#at"),
    document.querySelector("#near").className, document.querySelector("#far").className,
    document.querySelector("#outcome").hidden, document.querySelector("#turn-list [aria-current]").dataset.turn,
    [...document.querySelectorAll("#steps a")].map((link) => link.getAttribute("href")),
  ]);
}"""


def played(people: tuple[User, User], turns: int) -> Match:
    match = seating.create(people[0], seating.MatchTerms(), open_to=OpenTo.LINK, trump="H")
    seating.accept(match.code, people[1], "S")
    match = Match.objects.get(pk=match.pk)
    for _ in range(turns):
        if match.is_running:
            playing.play(match.code, people[match.to_move], match.turn, str(good_move(match)))
            match = Match.objects.get(pk=match.pk)
    return match


@pytest.mark.parametrize("over", [False, True])
def test_stepping_by_script_shows_what_the_server_shows(site, visit: Visit, people, over: bool) -> None:
    match = played(people, 9)
    if over:
        ending.resign(match.code, people[0])
    address = f"/m/{match.code}/replay/"
    stepped = visit(f"{address}?turn=0", user=people[0])
    served = visit(f"{address}?turn=0", user=people[0], java_script_enabled=False)
    expect(stepped.locator("#replay[data-ready]")).to_be_visible()
    for turn in range(match.turn):
        expect(stepped.locator("#replay")).to_have_attribute("data-turn", str(turn))
        served.goto(f"{address}?turn={turn}")
        assert json.loads(stepped.evaluate(SHOWN)) == json.loads(served.evaluate(SHOWN))
        if turn < match.turn - 1:
            stepped.locator("#to-on").click()
    expect(stepped).to_have_url(re.compile(rf"\?turn={match.turn - 1}$"))


def test_a_replay_goes_by_keys_by_itself_and_by_the_list(site, visit: Visit, people) -> None:
    match = played(people, 9)
    ending.resign(match.code, people[0])
    page = visit(f"/m/{match.code}/replay/", viewport=PHONE, reduced_motion="no-preference")
    at = page.locator("#replay[data-ready]")
    expect(at).to_have_attribute("data-turn", "0")
    page.keyboard.press("ArrowRight")
    expect(at).to_have_attribute("data-turn", "1")
    page.keyboard.press("End")
    expect(at).to_have_attribute("data-turn", "9")
    expect(page.locator("#outcome")).to_be_visible()
    page.locator("#turn-list a[data-turn='3']").click()
    expect(at).to_have_attribute("data-turn", "3")
    page.locator("#to-play").click()
    expect(page.locator("#to-play")).to_have_attribute("aria-label", "Pause")
    expect(at).to_have_attribute("data-turn", "5")
    page.locator("#to-play").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def click_card(page: Page, code: str) -> None:
    page.locator(f"#hand button[data-card='{code}']").click(position={"x": 12, "y": 16})


def test_all_lessons_are_played_by_clicks(site, visit: Visit) -> None:
    page = visit("/learn/", viewport=PHONE)
    for number, lesson in enumerate(LESSONS, start=1):
        expect(page.locator("#lesson-title .n")).to_have_text(f"{number}.")
        move = min(map(str, lesson.right_moves()))
        if move == "take":
            page.locator("#take").click()
        else:
            for card in move.split("+"):
                click_card(page, card)
        expect(page.locator("#lesson-text.is-right")).to_have_text(str(lesson.praises))
        expect(page.locator("#lesson-on")).to_be_focused()
        page.locator("#lesson-on").click()
    expect(page.locator("main form[action='/play/'] button")).to_be_visible()


def test_a_lesson_can_be_tried_again(site, visit: Visit) -> None:
    page = visit("/learn/6/")
    click_card(page, "TC")
    click_card(page, "6C")
    expect(page.locator("#lesson-text")).to_have_text(str(LESSONS[5].corrects))
    page.locator("#lesson-on").click()
    expect(page.locator("#lesson-text")).to_have_text(str(LESSONS[5].explains))


def test_the_text_brings_news_by_itself_and_keeps_what_is_open(site, visit: Visit, people) -> None:
    match = played(people, 4)
    page = visit(f"/m/{match.code}/text/", user=people[1 - match.to_move])
    page.locator("#whole-pile summary").click() if page.locator("#whole-pile").count() else None
    expect(page.locator("#turn-form")).to_have_count(0)
    playing.play(match.code, people[match.to_move], match.turn, str(good_move(match)))
    expect(page.locator("#turn-form")).to_have_count(1)
    expect(page.locator("#announce")).to_contain_text(people[match.to_move].username)


def test_the_lists_of_an_account_fit_a_phone(site, visit: Visit, people) -> None:
    address, browser, key = "2001:fdb8:85a3:1234:5678:8a2e:1370:7334", "x" * 40, "k" * 60
    one = people[0]
    UserSession.objects.create(user=one, session_key=session_key(one), ip=address, user_agent=browser)
    Authenticator.objects.create(user=one, type=Authenticator.Type.WEBAUTHN, data={"name": key, "credential": {}})
    page = visit("/account/sessions/", user=one, viewport=PHONE)
    for path, words in (("/account/sessions/", (address, browser)), ("/account/2fa/webauthn/", (key,))):
        page.goto(path)
        for word in words:
            expect(page.get_by_role("cell", name=word)).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], path


def test_without_a_connection_ones_matches_are_listed(site, visit: Visit, people) -> None:
    match = played(people, 3)
    page = visit("/mine/", user=people[0], viewport=PHONE)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    kept = "caches.open('seen').then((cache) => cache.match('/mine/seen.json')).then(Boolean)"
    for _ in range(100):
        if page.evaluate(kept):
            break
        page.wait_for_timeout(100)
    page.context.set_offline(True)
    page.goto("/lobby/")
    expect(page.locator("#seen-list a")).to_have_attribute("href", f"/m/{match.code}/")
    expect(page.locator("#seen-list a")).to_have_text(people[1].username)
    page.context.set_offline(False)
    expect(page).to_have_url(f"{site.address}/lobby/")
    expect(page.locator(".bar")).to_be_visible()

"""Every page in every language on the narrowest phone, the lessons in each, and names as people write them."""

import pytest
from django.conf import settings
from django.utils import translation
from playwright.sync_api import Page, expect

from accounts.models import User
from games.models import Match, OpenTo
from games.services import ending, playing, seating
from games.tutorial import LESSONS
from tests.browser.conftest import PHONE, Visit
from tests.browser.play import good_move

LANGUAGES = [code for code, _name in settings.LANGUAGES]
NARROW = {"width": 320, "height": 640}
#: The most cards that a hand can hold of the ordinary pack but two.
FULL_HAND = "6C7C8CTCJCQCKCAC6D7D8D9DTDJDQDKDAD6H7H8H9HTHJHQHKHAH6S8STSJSQSKS/7SAS 9C9S HS 0 strict"

PUBLIC = [
    "/",
    "/lobby/",
    "/new/",
    "/rules/",
    "/learn/1/",
    "/learn/9/",
    "/learn/done/",
    "/puzzles/",
    "/records/",
    "/verify/",
    "/privacy/",
    "/terms/",
    "/account/signup/",
    "/account/login/",
    "/account/password/reset/",
]
OWN = ["/new/", "/mine/", "/notices/", "/time-off/", "/data/", "/account/", "/account/preferences/", "/account/email/"]

#: The width of the page, and the buttons, headings and fields' names that are wider than their boxes.
MEASURED = """() => ({
  width: document.documentElement.scrollWidth,
  language: document.documentElement.lang,
  cut: [...document.querySelectorAll(".button, .choice, .badge, label, legend, h1, h2, h3, .bar a, .bar summary")]
    .filter((part) => part.offsetParent && part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 1
      && getComputedStyle(part).display !== "inline" && !part.matches(".visually-hidden"))
    .map((part) => part.textContent.trim()),
  faint: [...document.querySelectorAll(".bar .icon, .brand img")]
    .filter((part) => part.getBoundingClientRect().width < 20).length,
})"""


@pytest.fixture(scope="module")
def players(site) -> tuple[User, User]:
    return User.objects.create_user("கிருஷ்ணன்"), User.objects.create_user("ნინო-ზურა")


@pytest.fixture(scope="module")
def tables(players: tuple[User, User]) -> list[str]:
    """A table with a hand as large as it gets, and a match that is over."""
    large, over = begun(players, seating.MatchTerms(pace="days", days_per_turn=3)), begun(players)
    Match.objects.filter(pk=large.pk).update(start=FULL_HAND, position=FULL_HAND, to_move=0)
    for _ in range(4):
        playing.play(over.code, players[over.to_move], over.turn, str(good_move(over)))
        over = Match.objects.get(pk=over.pk)
    ending.resign(over.code, players[1])
    addresses = [f"/m/{large.code}/", f"/m/{large.code}/text/", f"/m/{over.code}/", f"/m/{over.code}/replay/?turn=2"]
    return [*addresses, f"/@/{players[0].username}/"]


def begun(players: tuple[User, User], terms: seating.MatchTerms | None = None) -> Match:
    match = seating.create(players[0], terms or seating.MatchTerms(), open_to=OpenTo.LINK, trump="H")
    seating.accept(match.code, players[1], "S")
    return Match.objects.get(pk=match.pk)


def look_at(page: Page, addresses: list[str], language: str) -> None:
    for address in addresses:
        assert page.goto(address).status == 200, address
        found = page.evaluate(MEASURED)
        assert found == {"width": NARROW["width"], "language": language, "cut": [], "faint": 0}, address


@pytest.mark.parametrize("language", LANGUAGES)
def test_public_pages_fit_the_narrowest_phone(site, visit: Visit, language: str) -> None:
    look_at(visit("/offline/", viewport=NARROW, locale=language), PUBLIC, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_players_pages_fit_the_narrowest_phone(site, visit: Visit, players, tables, language: str) -> None:
    page = visit("/offline/", user=players[0], viewport=NARROW, locale=language)
    look_at(page, [*OWN, *tables], language)


@pytest.mark.parametrize(("share", "language"), list(enumerate(LANGUAGES[1:])))
def test_lessons_are_played_in_each_language(site, visit: Visit, share: int, language: str) -> None:
    """By clicks, a share of the lessons each; ``tests/tutorial`` plays all of them in all languages by plain forms."""
    page = visit("/offline/", viewport=PHONE, locale=language)
    for number in range(1 + share, len(LESSONS) + 1, len(LANGUAGES) - 1):
        lesson = LESSONS[number - 1]
        page.goto(f"/learn/{number}/")
        move = min(map(str, lesson.right_moves()))
        if move == "take":
            page.locator("#take").click()
        else:
            for card in move.split("+"):
                page.locator(f"#hand button[data-card='{card}']").click(position={"x": 12, "y": 16})
        with translation.override(language):
            praise = str(lesson.praises)
        with translation.override("en"):
            assert praise != str(lesson.praises)
        expect(page.locator("#lesson-text.is-right")).to_have_text(praise)


@pytest.mark.parametrize(
    ("language", "name"), [("ta", "கிருஷ்ணா"), ("mr", "क्षत्रिय"), ("lo", "ກິດ"), ("ka", "თამარი"), ("ru", "Борис-Ёж")]
)
def test_people_register_and_log_in_with_their_names(site, visit: Visit, language: str, name: str) -> None:
    password = "seven-trumps-and-an-ace"
    page = visit("/account/signup/", viewport=NARROW, locale=language)
    page.locator("[name=username]").fill(name)
    for field in page.locator("input[type=password]").all():
        field.fill(password)
    page.locator("main form button.primary").first.click()
    expect(page.locator(".who bdi")).to_have_text(name)

    page = visit("/account/login/", viewport=NARROW, locale=language)
    page.locator("[name=login]").fill(name)
    page.locator("[name=password]").fill(password)
    page.locator("main form button.primary").first.click()
    expect(page.locator(".who bdi")).to_have_text(name)


def test_a_name_that_turns_its_letters_around_is_refused_in_the_players_language(site, visit: Visit) -> None:
    page = visit("/account/signup/", locale="ka")
    page.locator("[name=username]").fill("ნი\u202eნო")
    for field in page.locator("input[type=password]").all():
        field.fill("seven-trumps-and-an-ace")
    page.locator("main form button.primary").first.click()
    refusal = page.locator("#id_username_error, .errorlist").first
    expect(refusal).to_be_visible()
    assert any("ა" <= letter <= "ჰ" for letter in refusal.inner_text())
    assert not User.objects.filter(username__contains="\u202e").exists()

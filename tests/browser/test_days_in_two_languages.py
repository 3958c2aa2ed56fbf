"""A match over days in two languages: one lays replies down beforehand, the other plays by the links of mails alone."""

from email.message import EmailMessage

from allauth.account.models import EmailAddress
from django.utils.translation import gettext, override
from playwright.sync_api import Page, expect

from accounts.models import User
from games.models import Line, Match, Move, Origin
from games.rules import Move as RulesMove
from games.services import seating
from tests.browser.conftest import PHONE, Visit
from tests.browser.mails import a_day_passes, letters_to, link_in, next_letter
from tests.browser.play import click_move, expect_turn, good_move, make_turn

#: How many turns each of the two makes.
TURNS = 5
#: Before this turn of the other, what is laid down is a reply to something else.
MISJUDGED = 3


def player(name: str, language: str, time_zone: str) -> tuple[User, str]:
    """Register somebody with a mail address, and return both."""
    user = User.objects.create_user(name, language=language, time_zone=time_zone)
    address = f"{name.lower()}@example.org"
    EmailAddress.objects.create(user=user, email=address, verified=True, primary=True)
    return user, address


def said(language: str, text: str, **values: object) -> str:
    """Return a text of the site in a language, which has to have it."""
    with override(language):
        translated = gettext(text)
    assert translated != text
    return translated % values


def expect_letter(letter: EmailMessage, language: str, opponent: User) -> None:
    """Expect a mail that says in this language that it is the reader's turn."""
    assert letter["Content-Language"] == language
    assert letter["Subject"] == said(language, "Your turn against %(player)s", player=opponent.username)
    page = letter.get_body(("html",))
    assert page is not None
    assert f'lang="{language}"' in page.get_content()


def lay_theirs(page: Page, move: RulesMove) -> None:
    """Put a turn of the opponent on the planning table."""
    form = page.locator("#plan")
    if move.is_take:
        form.locator("button[name='move'][value='take']").click()
        return
    names = (("rank", "suit"), ("cover_rank", "cover_suit"))
    for (rank, suit), card in zip(names, str(move).split("+"), strict=False):
        form.locator(f"label:has(input[name='{rank}'][value='{card[0]}'])").click()
        form.locator(f"label:has(input[name='{suit}'][value='{card[1]}'])").click()
    form.locator("form.plan-theirs button").click()


def lay_own(page: Page, move: RulesMove) -> None:
    """Put a reply on the planning table."""
    beat, _plus, cover = str(move).partition("+")
    if cover:
        page.locator(f"#plan button[name='beat'][value='{beat}']").click()
    page.locator(f"#plan button[name='move'][value='{move}']").click()


def lay_down(page: Page, match: Match, theirs: RulesMove) -> None:
    """Play the opponent's turn and a sound reply out on the page of plans, and keep the line."""
    page.goto(f"/m/{match.code}/lines/")
    expect(page.locator("html")).to_have_attribute("lang", "ru")
    expect(page.locator("h1")).to_have_text(said("ru", "Plan your replies"))
    lay_theirs(page, theirs)
    expect(page.locator("#plan .plan-turns li")).to_have_count(1)
    match.position = str(match.rules_position.play(theirs))
    lay_own(page, good_move(match))
    expect(page.locator("#plan .plan-turns li")).to_have_count(2)
    page.locator("#plan form[method='post'] button").click()
    expect(page.locator("#lines .lines > li")).to_have_count(1)


def another_move(match: Match, move: RulesMove) -> RulesMove | None:
    """Return a possible turn that is not this one and does not end the match, or None."""
    position = match.rules_position
    return next(
        (other for other in position.legal_moves() if other != move and position.play(other).outcome() is None), None
    )


def test_ten_turns_over_days_in_two_languages(site, visit: Visit) -> None:
    anna, anna_address = player("Anna-of-the-plans", "ru", "Europe/Moscow")
    kavin, kavin_address = player("Kavin-of-the-links", "ta", "Asia/Kolkata")
    match = seating.create(anna, seating.MatchTerms(pace="days", days_per_turn=3), open_to="link", trump="H")
    seating.accept(match.code, kavin, "S")
    match = Match.objects.get(pk=match.pk)
    planner, linked = match.seats.get(user=anna).number, match.seats.get(user=kavin).number
    page = visit(f"/m/{match.code}/", user=anna)
    expect(page.locator("html")).to_have_attribute("lang", "ru")
    letters = {anna_address: 0, kavin_address: 0}

    def made(seat: int) -> int:
        return Move.objects.filter(match=match, seat=seat).count()

    while made(linked) < TURNS or made(planner) < TURNS:
        match = Match.objects.get(pk=match.pk)
        assert match.is_running
        move = good_move(match)
        if match.to_move == planner:
            if match.turn > 1:
                # Nothing that was laid down fitted: she is called, and comes to the table herself.
                a_day_passes()
                letters[anna_address] += 1
                expect_letter(next_letter(anna_address, letters[anna_address]), "ru", kavin)
            page.goto(f"/m/{match.code}/")
            expect(page.locator("html")).to_have_attribute("lang", "ru")
            make_turn(page, match)
            expect_turn(page, match.turn + 1)
            continue
        planned = another_move(match, move) if made(linked) + 1 == MISJUDGED else move
        if planned is not None:
            lay_down(page, Match.objects.get(pk=match.pk), planned)
        a_day_passes()
        letters[kavin_address] += 1
        letter = next_letter(kavin_address, letters[kavin_address])
        expect_letter(letter, "ta", anna)
        phone = visit(link_in(letter), viewport=PHONE)
        expect(phone.locator("html")).to_have_attribute("lang", "ta")
        click_move(phone, move)
        expect(phone).to_have_url(f"{site.address}/m/{match.code}/")
        expect(phone.locator("html")).to_have_attribute("lang", "ta")
        expect(phone.locator(".messages")).to_have_text(said("ta", "Your turn is made."))
        phone.context.close()
        assert not Line.objects.filter(seat__match=match).exists()
        assert Match.objects.get(pk=match.pk).turn == match.turn + (2 if planned == move else 1)

    replies = Move.objects.filter(match=match, seat=planner, origin=Origin.LINE).count()
    assert replies >= TURNS - 2
    assert len(letters_to(kavin_address)) == letters[kavin_address] >= TURNS
    assert len(letters_to(anna_address)) == letters[anna_address] > 0

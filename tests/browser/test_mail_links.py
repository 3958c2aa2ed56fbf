"""A match over days in which one plays at the table and the other never opens the site but by the links in mails."""

from allauth.account.models import EmailAddress
from django.conf import settings
from playwright.sync_api import expect

from accounts.models import User
from games.models import Match
from games.services import seating
from tests.browser.conftest import PHONE, Visit
from tests.browser.mails import a_day_passes, link_in, next_letter
from tests.browser.play import click_move, expect_turn, good_move, make_turn

TURNS = 10


def test_one_plays_by_the_links_of_mails_alone(site, visit: Visit) -> None:
    ana = User.objects.create_user("Ana-of-the-mails", language="en")
    boris = User.objects.create_user("Boris-of-the-mails", language="ka", time_zone="Asia/Tbilisi")
    address = "boris-of-the-mails@example.org"
    EmailAddress.objects.create(user=boris, email=address, verified=True, primary=True)
    match = seating.create(ana, seating.MatchTerms(pace="days", days_per_turn=3), open_to="link", trump="H")
    seating.accept(match.code, boris, "S")
    table = visit(f"/m/{match.code}/", user=ana)
    mails = 0
    while (match := Match.objects.get(pk=match.pk)).turn <= TURNS and match.is_running:
        if match.to_move == 0:
            make_turn(table, match)
        else:
            a_day_passes()
            mails += 1
            letter = next_letter(address, mails)
            assert letter["Content-Language"] == ("ka" if "ka" in dict(settings.LANGUAGES) else "en")
            page = visit(link_in(letter), viewport=PHONE, java_script_enabled=mails % 2 == 0)
            click_move(page, good_move(match))
            expect(page).to_have_url(f"{site.address}/m/{match.code}/")
            assert settings.SESSION_COOKIE_NAME not in {cookie["name"] for cookie in page.context.cookies()}
            page.context.close()
        expect_turn(table, match.turn + 1)
    assert match.turn > TURNS
    assert mails >= TURNS // 2 - 1
    assert Match.objects.get(pk=match.pk).moves.count() == match.turn - 1

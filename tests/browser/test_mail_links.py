"""A match over days in which one plays at the table and the other never opens the site but by the links in mails."""

import datetime
import time
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from pathlib import Path

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db.models import F
from playwright.sync_api import expect

from accounts.models import User
from games.models import Delivery, Match, Reader, Seat
from games.services import seating
from tests.browser.conftest import PHONE, Visit
from tests.browser.play import click_move, expect_turn, good_move

TURNS = 10
DAY = datetime.timedelta(days=1)


def a_day_passes() -> None:
    """Put all that has happened a day back."""
    Match.objects.running().update(turn_started_at=F("turn_started_at") - DAY, deadline=F("deadline") - DAY)
    Seat.objects.update(looked_at=F("looked_at") - DAY, here_at=F("here_at") - DAY)
    Reader.objects.update(turn_mailed_at=F("turn_mailed_at") - DAY)
    User.objects.update(last_active_at=F("last_active_at") - DAY)
    Delivery.objects.update(due_at=F("due_at") - DAY, wanted_at=F("wanted_at") - DAY)


def letters_to(address: str) -> list[EmailMessage]:
    """Return the mails to an address that the site kept, the oldest first."""
    kept = sorted((Path(settings.VAR_DIR) / "mail").glob("*.eml"), key=lambda path: path.stat().st_mtime_ns)
    letters = [BytesParser(EmailMessage, policy=policy.default).parsebytes(path.read_bytes()) for path in kept]
    return [letter for letter in letters if letter["To"] == address]


def next_letter(address: str, number: int) -> EmailMessage:
    """Wait for the mail with this number to an address."""
    end = time.monotonic() + 30
    while len(letters := letters_to(address)) < number:
        assert time.monotonic() < end, list(Delivery.objects.values_list("key", "state", "due_at", "note"))
        time.sleep(0.1)
    assert len(letters) == number
    return letters[-1]


def link_in(letter: EmailMessage) -> str:
    """Return the path of the link that plays the turn."""
    part = letter.get_body(("plain",))
    assert part is not None
    (link,) = (word for word in part.get_content().split() if "/play/" in word)
    return f"/play/{link.partition('/play/')[2]}"


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
            expect_turn(table, match.turn)
            click_move(table, good_move(match))
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

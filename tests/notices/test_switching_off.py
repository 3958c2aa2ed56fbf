"""A mail's own link stops its kind: on POST only, without a session (RFC 8058)."""

import re

import pytest
import time_machine
from django.test import Client

from accounts.models import User
from games.models import Channel, Event, Match
from games.notices import choices, links, outbox
from tests.games.cast import DAYS, ROUND, play
from tests.notices.conftest import Postbox
from tests.notices.tools import MINUTE, begin

pytestmark = pytest.mark.django_db


@pytest.fixture
def off(clock: time_machine.Traveller, ana: User, boris: User, postbox: Postbox) -> str:
    """What the header of a mail about a turn says, as a path."""
    play(begin(ana, boris, DAYS, position=ROUND), "3H")
    clock.shift(10 * MINUTE)
    outbox.send_due()
    (letter,) = postbox.take()
    found = re.fullmatch(r"<https://cards\.example\.org(/\S+)>", letter.message["List-Unsubscribe"])
    assert found is not None
    return found[1]


def test_a_visit_changes_nothing_and_asks(off: str, boris: User, client: Client) -> None:
    for _ in range(2):
        answer = client.get(off)
        assert answer.status_code == 200
        assert "Stop mails of this kind: Your turn?" in answer.content.decode()
        assert choices.is_wanted(boris, Event.TURN, Channel.MAIL)


def test_one_click_of_a_mail_program_stops_that_kind_alone(off: str, boris: User) -> None:
    program = Client(enforce_csrf_checks=True)
    answer = program.post(off, {"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    assert "You will get no more mails of this kind: Your turn." in answer.content.decode()
    assert not choices.is_wanted(boris, Event.TURN, Channel.MAIL)
    assert choices.is_wanted(boris, Event.TURN, Channel.PAGE)
    assert choices.is_wanted(boris, Event.OVER, Channel.MAIL)
    assert "sessionid" not in program.cookies


def test_the_button_of_the_page_does_the_same(off: str, boris: User) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.get(off)
    assert browser.post(off).status_code == 200
    assert not choices.is_wanted(boris, Event.TURN, Channel.MAIL)


@pytest.mark.parametrize("token", ["x", "W10:1w:x", "a.b.c"])
def test_a_link_that_was_not_signed_here_is_none(token: str, client: Client) -> None:
    assert client.get(f"/notices/off/{token}/").status_code == 404
    assert client.post(f"/notices/off/{token}/").status_code == 404


def test_a_link_for_what_does_not_exist_is_none(ana: User, client: Client) -> None:
    assert client.get(f"/notices/off/{links.off_token(ana, 'no-such', 'mail')}/").status_code == 404
    assert Match.objects.count() == 0

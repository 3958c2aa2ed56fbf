"""The mail about a turn: ten minutes after it, to somebody who is away, and not twice."""

from collections.abc import Callable
from email.utils import parseaddr

import pytest
import time_machine
from django.db import transaction
from django.test import Client

from accounts.models import User
from games.models import Channel, Delivery, DeliveryState, Event, Match, Seat
from games.notices import choices, outbox
from games.services import ending, playing
from tests.games.cast import DAYS, LIVE, ROUND, computer, mover, play
from tests.notices.conftest import Postbox, with_address
from tests.notices.tools import DAY, HOUR, MINUTE, NOON, begin, long_game

pytestmark = pytest.mark.django_db
Post = Callable[[], list[tuple[str, str]]]


@pytest.fixture
def days(clock: time_machine.Traveller, ana: User, boris: User) -> Match:
    """A match of three days a turn in which Ana has led, so that Boris is to move."""
    return play(begin(ana, boris, DAYS, position=ROUND), "3H")


def test_it_comes_ten_minutes_after_the_turn(days: Match, clock: time_machine.Traveller, post: Post) -> None:
    clock.shift(10 * MINUTE.total_seconds() - 1)
    assert post() == []
    clock.shift(1)
    assert post() == [("boris", "Your turn against Ana")]
    clock.shift(HOUR)
    assert post() == []


def test_it_is_text_and_html_with_a_way_to_stop_it(
    days: Match, clock: time_machine.Traveller, post: Post, postbox: Postbox
) -> None:
    clock.shift(10 * MINUTE)
    outbox.send_due()
    (letter,) = postbox.take()
    assert [part.get_content_type() for part in letter.message.walk()] == [
        "multipart/alternative",
        "text/plain",
        "text/html",
    ]
    for part in (letter.text, letter.html):
        assert "Ana leads \u20663♥\u2069." in part
        assert "You have until March 5, 2026, noon (UTC). Time left: 3 days." in part
        assert letter.path("/play/") in part
    delivery = Delivery.objects.get(state=DeliveryState.SENT)
    assert letter.message["Message-ID"] == f"<{delivery.number}@cards.example.org>"
    assert letter.message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert letter.message["List-Unsubscribe"] == f"<https://cards.example.org{letter.path('/notices/off/')}>"
    # As they stand, since mail programs decode nothing in these two.
    lines = letter.raw.decode("ascii").split("\r\n")
    assert f"List-Unsubscribe: <https://cards.example.org{letter.path('/notices/off/')}>" in lines
    assert f"Message-ID: <{delivery.number}@cards.example.org>" in lines
    assert letter.message["Auto-Submitted"] == "auto-generated"
    assert letter.message["Content-Language"] == "en"
    assert parseaddr(letter.message["To"])[1] == "boris@example.org"


def test_it_does_not_come_when_the_turn_is_made(days: Match, clock: time_machine.Traveller, post: Post) -> None:
    clock.shift(9 * MINUTE)
    play(days, "TH+KS")
    clock.shift(MINUTE)
    assert post() == []
    clock.shift(9 * MINUTE)
    assert post() == [("ana", "Your turn against Boris")]


def test_it_does_not_come_when_the_player_has_looked(
    days: Match, clock: time_machine.Traveller, post: Post, client: Client, boris: User
) -> None:
    client.force_login(boris)
    clock.shift(5 * MINUTE)
    assert client.get(days.get_absolute_url()).status_code == 200
    clock.shift(DAY)
    assert post() == []
    assert Delivery.objects.get(user=boris, event=Event.TURN).note == "the player has looked"


def test_an_open_page_alone_does_not_hold_it_back(
    days: Match, clock: time_machine.Traveller, post: Post, boris: User
) -> None:
    clock.shift(10 * MINUTE)
    Seat.objects.filter(match=days, user=boris).update(here_at=NOON + 10 * MINUTE)
    assert post() == [("boris", "Your turn against Ana")]


def test_thirty_turns_in_five_minutes_bring_one_mail_at_most(
    clock: time_machine.Traveller, post: Post, ana: User, boris: User
) -> None:
    """Fault 24."""
    start, moves = long_game(30)
    match = begin(ana, boris, DAYS, position=start)
    letters = []
    for turn, move in enumerate(moves, start=1):
        playing.play(match.code, mover(match), turn, move)
        clock.shift(10)
        letters += post()
    assert letters == []
    away = mover(match)
    clock.shift(DAY)
    assert post() == [(away.username.lower(), f"Your turn against {'Ana' if away == boris else 'Boris'}")]


def test_nobody_at_the_table_is_mailed(
    clock: time_machine.Traveller, post: Post, client: Client, ana: User, boris: User
) -> None:
    """Fault 24."""
    start, moves = long_game(30)
    match = begin(ana, boris, DAYS, position=start)
    client.force_login(ana)
    other = Client()
    other.force_login(boris)
    for turn, move in enumerate(moves, start=1):
        playing.play(match.code, mover(match), turn, move)
        clock.shift(10)
        for browser in (client, other):
            browser.get(match.get_absolute_url())
        assert post() == []
    clock.shift(HOUR)
    assert post() == []


def test_there_is_one_until_the_player_has_been_back(
    days: Match, clock: time_machine.Traveller, post: Post, client: Client, ana: User, boris: User, cara: User
) -> None:
    clock.shift(10 * MINUTE)
    assert post() == [("boris", "Your turn against Ana")]
    second = play(begin(cara, boris, DAYS, position=ROUND), "3H")
    clock.shift(HOUR)
    assert post() == []
    assert Delivery.objects.get(match=second, user=boris, event=Event.TURN).note.startswith("mailed already")
    client.force_login(boris)
    client.get("/lobby/")
    clock.shift(HOUR)
    third = play(begin(cara, boris, DAYS, position=ROUND), "3H")
    clock.shift(HOUR)
    assert post() == [("boris", "Your turn against Cara")]
    assert Delivery.objects.get(match=third, user=boris, event=Event.TURN).state == DeliveryState.SENT


class TestNeverSent:
    """What has the one mail and cannot send it gives way to another."""

    @pytest.fixture
    def second(
        self, days: Match, clock: time_machine.Traveller, post: Post, postbox: Postbox, boris: User, cara: User
    ) -> Match:
        """Another match in which Boris is to move; the mail server takes neither mail, and the first was tried."""
        postbox.answer = "451 try again later"
        clock.shift(9 * MINUTE)
        match = play(begin(cara, boris, DAYS, position=ROUND), "3H")
        clock.shift(MINUTE)
        assert post() == []
        return match

    def test_where_its_match_is_over(
        self, days: Match, second: Match, clock: time_machine.Traveller, post: Post, postbox: Postbox, ana: User
    ) -> None:
        ending.resign(days.code, ana)
        clock.shift(9 * MINUTE)
        postbox.answer = "250 OK"
        assert ("boris", "Your turn against Cara") in post()

    def test_where_its_match_stands_still(
        self, days: Match, second: Match, clock: time_machine.Traveller, post: Post, postbox: Postbox
    ) -> None:
        Match.objects.filter(pk=days.pk).update(paused_at=NOON)
        clock.shift(9 * MINUTE)
        postbox.answer = "250 OK"
        assert post() == [("boris", "Your turn against Cara")]

    def test_while_it_is_tried_the_other_waits_and_then_is_not_needed(
        self, days: Match, second: Match, clock: time_machine.Traveller, post: Post, postbox: Postbox, boris: User
    ) -> None:
        clock.shift(9 * MINUTE)
        assert post() == []
        waiting = Delivery.objects.get(match=second, user=boris, channel=Channel.MAIL, event=Event.TURN)
        assert (waiting.state, waiting.attempts) == (DeliveryState.WAITING, 0)
        postbox.answer = "250 OK"
        clock.shift(HOUR)
        assert post() == [("boris", "Your turn against Ana")]
        waiting.refresh_from_db()
        assert waiting.note.startswith("mailed already")


def test_one_that_was_sent_counts_when_its_row_is_forgotten(
    days: Match, clock: time_machine.Traveller, post: Post, boris: User, cara: User
) -> None:
    clock.shift(10 * MINUTE)
    assert post() == [("boris", "Your turn against Ana")]
    clock.shift(31 * DAY)
    assert outbox.forget_old() > 0
    play(begin(cara, boris, DAYS, position=ROUND), "3H")
    clock.shift(10 * MINUTE)
    assert ("boris", "Your turn against Cara") not in post()


def test_the_other_matches_that_wait_are_named_in_it(
    days: Match, clock: time_machine.Traveller, boris: User, cara: User, postbox: Postbox
) -> None:
    play(begin(cara, boris, DAYS, position=ROUND), "3H")
    clock.shift(10 * MINUTE)
    outbox.send_due()
    (letter,) = postbox.take()
    assert "It is your turn in 1 other match too." in letter.text


def test_it_goes_to_verified_addresses_only(clock: time_machine.Traveller, post: Post, ana: User) -> None:
    dora = with_address(User.objects.create_user("Dora", last_active_at=NOON), verified=False)
    play(begin(ana, dora, DAYS, position=ROUND), "3H")
    clock.shift(DAY)
    assert post() == []
    assert Delivery.objects.get(user=dora, channel=Channel.MAIL, event=Event.TURN).note == "no verified address"


def test_who_has_switched_it_off_gets_none(clock: time_machine.Traveller, post: Post, days: Match, boris: User) -> None:
    choices.choose(boris, {(Event.TURN, Channel.MAIL): False})
    clock.shift(10 * MINUTE)
    assert post() == []


def test_live_matches_and_the_computer_bring_none(
    clock: time_machine.Traveller, post: Post, ana: User, boris: User
) -> None:
    begin(ana, boris, LIVE, position=ROUND)
    against = begin(ana, computer(), position=ROUND)
    assert Delivery.objects.count() == 0
    play(against, "3H")
    clock.shift(DAY)
    assert post() == []


def test_a_closed_account_is_not_mailed(clock: time_machine.Traveller, post: Post, days: Match, boris: User) -> None:
    User.objects.filter(pk=boris.pk).update(is_active=False)
    clock.shift(10 * MINUTE)
    assert post() == []


class TestOver:
    def test_the_other_player_is_told_of_a_resignation(
        self, clock: time_machine.Traveller, post: Post, days: Match, boris: User
    ) -> None:
        ending.resign(days.code, boris)
        clock.shift(10 * MINUTE)
        assert post() == [("ana", "You have won against Boris")]

    def test_who_has_seen_the_end_is_not_told(
        self, clock: time_machine.Traveller, post: Post, days: Match, ana: User, boris: User, client: Client
    ) -> None:
        ending.resign(days.code, boris)
        clock.shift(MINUTE)
        client.force_login(ana)
        client.get(days.get_absolute_url())
        clock.shift(DAY)
        assert post() == []

    def test_an_undone_change_tells_nobody(self, clock: time_machine.Traveller, post: Post, days: Match) -> None:
        waiting = list(Delivery.objects.values_list("key", "state"))
        with transaction.atomic():
            play(days, "TH+KS")
            assert list(Delivery.objects.values_list("key", "state")) != waiting
            transaction.set_rollback(True)
        assert list(Delivery.objects.values_list("key", "state")) == waiting

"""The daily mail: at an hour of the player's own day, once, and only when there is something to say."""

import datetime
import zoneinfo
from collections.abc import Callable

import pytest
import time_machine

from accounts.models import User
from games.models import Channel, Delivery, Event, Match, OpenTo, Reader
from games.notices import choices, digest, outbox, schedule
from games.services import ending, seating
from games.services.seating import MatchTerms
from tests.games.cast import DAYS, ROUND, computer, play
from tests.notices.conftest import Postbox
from tests.notices.test_outbox import at_once
from tests.notices.tools import DAY, HOUR, MINUTE, NOON, begin

Post = Callable[[], list[tuple[str, str]]]
TBILISI = zoneinfo.ZoneInfo("Asia/Tbilisi")


@pytest.fixture
def boris(boris: User) -> User:
    """Boris lives four hours ahead of UTC."""
    boris.time_zone = "Asia/Tbilisi"
    boris.save()
    return boris


@pytest.fixture
def days(clock: time_machine.Traveller, ana: User, boris: User) -> Match:
    choices.choose_digest(boris, 8)
    return play(begin(ana, boris, DAYS, position=ROUND), "3H")


def daily(post: Post) -> list[tuple[str, str]]:
    digest.begin_due()
    return post()


@pytest.mark.django_db
class TestDigest:
    def test_it_comes_at_the_hour_where_the_player_is_instead_of_mails_at_once(
        self, days: Match, clock: time_machine.Traveller, post: Post
    ) -> None:
        clock.move_to(datetime.datetime(2026, 3, 3, 7, 59, 59, tzinfo=TBILISI))
        assert daily(post) == []
        clock.shift(1)
        assert daily(post) == [("boris", "Your turn in 1 match")]
        clock.shift(DAY - MINUTE / 60)
        assert daily(post) == []
        clock.shift(1)
        assert daily(post) == [("boris", "Your turn in 1 match")]

    def test_it_names_what_waits_and_what_ended(
        self, days: Match, clock: time_machine.Traveller, ana: User, boris: User, cara: User, postbox: Postbox
    ) -> None:
        seating.create(cara, DAYS, open_to=OpenTo.PLAYER, invited=boris)
        ended = play(begin(cara, boris, DAYS, position=ROUND), "3H")
        ending.resign(ended.code, cara)
        seating.offer_rematch(ended.code, cara)
        declined = seating.create(boris, DAYS, open_to=OpenTo.PLAYER, invited=ana)
        seating.decline(declined.code, ana)
        clock.move_to(datetime.datetime(2026, 3, 3, 8, tzinfo=TBILISI))
        digest.begin_due()
        outbox.send_due()
        letter = next(letter for letter in postbox.letters if letter.to == "boris")
        for part in (letter.text, letter.html):
            assert "Your turn against Ana" in part
            assert "time left: 2 days" in part
            assert "Cara challenges you to a match" in part
            assert "Cara offers you a rematch" in part
            assert "You have won against Cara" in part
            assert "Ana declined your challenge" in part
        assert letter.path("/play/").startswith(f"/play/{days.code}.2.1.")
        assert letter.message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"

    def test_a_day_without_news_has_no_mail(self, days: Match, clock: time_machine.Traveller, post: Post) -> None:
        play(days, "TH+KS")
        clock.move_to(datetime.datetime(2026, 3, 3, 8, tzinfo=TBILISI))
        assert ("boris", "Your turn in 1 match") not in daily(post)
        play(days, "take")
        clock.shift(DAY)
        assert daily(post) == [("boris", "Your turn in 1 match")]

    def test_events_that_are_switched_off_bring_no_mail(
        self, days: Match, clock: time_machine.Traveller, post: Post, boris: User
    ) -> None:
        choices.choose(boris, {(Event.TURN, Channel.MAIL): False})
        clock.move_to(datetime.datetime(2026, 3, 3, 8, tzinfo=TBILISI))
        assert daily(post) == []
        assert not Delivery.objects.filter(user=boris, key__startswith="digest:").exists()

    def test_what_is_done_before_it_is_sent_is_not_told(
        self, days: Match, clock: time_machine.Traveller, post: Post, boris: User
    ) -> None:
        clock.move_to(datetime.datetime(2026, 3, 3, 8, tzinfo=TBILISI))
        digest.begin_due()
        play(days, "TH+KS")
        assert post() == []
        assert Delivery.objects.get(user=boris, key__startswith="digest:").note == "nothing to say"

    def test_matches_against_the_computer_and_those_that_stand_still_are_left_out(
        self, days: Match, clock: time_machine.Traveller, post: Post, boris: User
    ) -> None:
        seating.play_computer(boris, computer().computer.level, MatchTerms())
        Match.objects.exclude(pk=days.pk).update(to_move=0)
        Match.objects.filter(pk=days.pk).update(paused_at=NOON, deadline=None)
        clock.move_to(datetime.datetime(2026, 3, 3, 8, tzinfo=TBILISI))
        assert daily(post) == []

    def test_what_cannot_wait_is_mailed_at_once(self, days: Match, clock: time_machine.Traveller, post: Post) -> None:
        clock.move_to(NOON + 3 * DAY - 2 * HOUR)
        assert post() == [("boris", "Little time left against Ana")]

    def test_the_mail_that_stops_it_does_not_bring_a_mail_for_each_turn(
        self, days: Match, clock: time_machine.Traveller, post: Post, boris: User
    ) -> None:
        choices.switch_off(boris, choices.DIGEST, Channel.MAIL)
        clock.move_to(datetime.datetime(2026, 3, 3, 8, tzinfo=TBILISI))
        assert daily(post) == []
        assert not choices.is_wanted(boris, Event.TURN, Channel.MAIL)
        assert choices.is_wanted(boris, Event.LOW_TIME, Channel.MAIL)

    def test_switched_on_again_it_tells_of_what_happens_from_then_on(
        self, days: Match, clock: time_machine.Traveller, post: Post, boris: User
    ) -> None:
        again = datetime.datetime(2026, 3, 5, 12, tzinfo=TBILISI)
        clock.move_to(datetime.datetime(2026, 3, 3, 8, tzinfo=TBILISI))
        daily(post)
        choices.choose_digest(boris, None)
        clock.move_to(again)
        choices.choose_digest(boris, 8)
        assert Reader.objects.get(user=boris).digested_at == again
        clock.shift(HOUR)
        choices.choose_digest(boris, 9)
        assert Reader.objects.get(user=boris).digested_at == again

    def test_a_later_hour_swallows_nothing_of_what_happens_between_the_two(
        self, days: Match, clock: time_machine.Traveller, post: Post, ana: User, boris: User
    ) -> None:
        clock.move_to(datetime.datetime(2026, 3, 3, 8, tzinfo=TBILISI))
        assert daily(post) == [("boris", "Your turn in 1 match")]
        clock.shift(HOUR)
        choices.choose_digest(boris, 20)
        ending.resign(days.code, ana)
        clock.move_to(datetime.datetime(2026, 3, 3, 20, tzinfo=TBILISI))
        assert daily(post) == []
        clock.shift(DAY)
        assert daily(post) == [("boris", "Your matches today")]
        clock.shift(DAY)
        assert daily(post) == []

    def test_who_moves_to_another_zone_is_mailed_at_the_hour_there(
        self, days: Match, clock: time_machine.Traveller, post: Post, boris: User
    ) -> None:
        User.objects.filter(pk=boris.pk).update(time_zone="America/Lima")
        clock.move_to(datetime.datetime(2026, 3, 3, 8, tzinfo=TBILISI))
        assert daily(post) == []
        clock.move_to(datetime.datetime(2026, 3, 3, 8, tzinfo=zoneinfo.ZoneInfo("America/Lima")))
        assert daily(post) == [("boris", "Your turn in 1 match")]

    def test_a_worker_that_was_away_for_days_sends_one(
        self, days: Match, clock: time_machine.Traveller, post: Post
    ) -> None:
        clock.move_to(datetime.datetime(2026, 3, 5, 11, tzinfo=TBILISI))
        assert [subject for _to, subject in daily(post)].count("Your turn in 1 match") == 1
        assert daily(post) == []
        assert Reader.objects.get().digest_at == datetime.datetime(2026, 3, 6, 8, tzinfo=TBILISI)


@pytest.mark.django_db(transaction=True)
def test_run_twice_at_once_there_is_one_mail(days: Match, clock: time_machine.Traveller, postbox: Postbox) -> None:
    """Fault 24."""
    clock.move_to(datetime.datetime(2026, 3, 3, 8, tzinfo=TBILISI))
    at_once(*[digest.begin_due] * 3)
    at_once(*[outbox.send_due] * 3)
    assert postbox.subjects() == [("boris", "Your turn in 1 match")]
    Reader.objects.update(digest_at=datetime.datetime(2026, 3, 3, 8, tzinfo=TBILISI))
    digest.begin_due()
    outbox.send_due()
    assert len(postbox.letters) == 1
    assert Delivery.objects.filter(key="digest:2026-03-03").count() == 1


@pytest.mark.parametrize(
    ("after", "hour", "zone", "strikes"),
    [
        ("2026-03-02T05:59:59+00:00", 6, "UTC", "2026-03-02T06:00:00+00:00"),
        ("2026-03-02T06:00:00+00:00", 6, "UTC", "2026-03-03T06:00:00+00:00"),
        ("2026-03-02T23:00:00+00:00", 0, "Pacific/Kiritimati", "2026-03-03T10:00:00+00:00"),
        # The clock goes from 02:00 to 03:00, and later from 03:00 to 02:00.
        ("2026-03-28T12:00:00+00:00", 2, "Europe/Berlin", "2026-03-29T01:00:00+00:00"),
        ("2026-10-24T12:00:00+00:00", 2, "Europe/Berlin", "2026-10-25T00:00:00+00:00"),
    ],
)
def test_the_hour_strikes_once_a_day_also_when_clocks_are_changed(
    after: str, hour: int, zone: str, strikes: str
) -> None:
    moment = schedule.digest_after(datetime.datetime.fromisoformat(after), hour, zoneinfo.ZoneInfo(zone))
    assert moment == datetime.datetime.fromisoformat(strikes)

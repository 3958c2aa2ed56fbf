"""Which events are told, by which channels, and when."""

import datetime
from collections.abc import Callable

import pytest
import time_machine
from django.test import Client

from accounts.models import User
from games import notices
from games.models import Channel, Delivery, Event, Match, Notice, OpenTo, TimeOff
from games.notices import choices, inbox, outbox, wording
from games.services import ending, playing, presence, seating, timeoff
from games.services.seating import MatchTerms
from games.worker import sweep
from tests.games.cast import DAYS, ROUND, computer, guest_player, play
from tests.notices.tools import DAY, HOUR, MINUTE, NOON, begin

pytestmark = pytest.mark.django_db
Post = Callable[[], list[tuple[str, str]]]


def page_keys(user: User) -> list[str]:
    return [notice.event for notice in inbox.of_player(user).filter(read_at=None)]


def test_the_computer_is_called_by_the_name_of_its_character(ana: User) -> None:
    match = play(begin(ana, computer(2), DAYS, position=ROUND), "3H")
    playing.play(match.code, computer(2), 2, "TH+KS")
    told = wording.tell(Event.LOW_TIME, ana.pk, Match.objects.get(pk=match.pk), {})
    assert told.title == "Little time left against Gogi"
    latest = wording.latest_turn(Match.objects.get(pk=match.pk), ana.pk)
    assert "Gogi" in latest
    assert "computer-2" not in latest


class TestLowTime:
    @pytest.fixture
    def days(self, clock: time_machine.Traveller, ana: User, boris: User) -> Match:
        match = play(begin(ana, boris, DAYS, position=ROUND), "3H")
        choices.choose(boris, {(Event.TURN, Channel.MAIL): False})
        return match

    def test_it_is_told_at_a_fifth_of_the_time_and_two_hours_before_the_end(
        self, days: Match, clock: time_machine.Traveller, post: Post, boris: User
    ) -> None:
        fifth = 3 * DAY / 5
        clock.move_to(NOON + 3 * DAY - fifth - MINUTE)
        assert post() == []
        clock.shift(MINUTE)
        assert post() == [("boris", "Little time left against Ana")]
        assert page_keys(boris) == [Event.LOW_TIME, Event.TURN]
        clock.move_to(NOON + 3 * DAY - 2 * HOUR - MINUTE)
        assert post() == []
        clock.shift(MINUTE)
        assert post() == [("boris", "Little time left against Ana")]
        clock.shift(HOUR)
        assert post() == []

    def test_it_comes_six_hours_before_the_end_of_a_short_turn(
        self, clock: time_machine.Traveller, post: Post, ana: User, boris: User
    ) -> None:
        choices.choose(boris, {(Event.TURN, Channel.MAIL): False})
        terms = MatchTerms(pace="days", days_per_turn=1)
        play(begin(ana, boris, terms, position=ROUND), "3H")
        clock.move_to(NOON + DAY - 6 * HOUR - MINUTE)
        assert post() == []
        clock.shift(MINUTE)
        assert post() == [("boris", "Little time left against Ana")]

    def test_it_follows_a_deadline_that_time_off_has_moved(
        self, days: Match, clock: time_machine.Traveller, post: Post, boris: User
    ) -> None:
        clock.move_to(NOON + DAY)
        timeoff.take(boris, 2)
        clock.move_to(NOON + 3 * DAY - 2 * HOUR)
        assert post() == []
        clock.move_to(NOON + 5 * DAY - 3 * DAY / 5)
        assert post() == [("boris", "Little time left against Ana")]

    def test_it_is_not_told_twice_for_one_turn(
        self, days: Match, clock: time_machine.Traveller, post: Post, boris: User
    ) -> None:
        clock.move_to(NOON + 2 * DAY + 12 * HOUR)
        assert post() == [("boris", "Little time left against Ana")]
        timeoff.take(boris, 2)
        clock.move_to(NOON + 4 * DAY + 12 * HOUR)
        assert post() == []
        clock.move_to(NOON + 5 * DAY - 2 * HOUR)
        assert post() == [("boris", "Little time left against Ana")]

    def test_a_worker_that_was_away_tells_the_last_one_alone(
        self, days: Match, clock: time_machine.Traveller, post: Post
    ) -> None:
        clock.move_to(NOON + 3 * DAY - HOUR)
        assert post() == [("boris", "Little time left against Ana")]

    def test_a_turn_in_time_takes_it_back(self, days: Match, clock: time_machine.Traveller, post: Post) -> None:
        clock.move_to(NOON + 2 * DAY)
        play(days, "TH+KS")
        clock.move_to(NOON + 3 * DAY - 2 * HOUR)
        assert post() == [("ana", "Your turn against Boris")]


class TestOffers:
    def test_a_challenge_is_told_after_a_minute(
        self, clock: time_machine.Traveller, post: Post, ana: User, boris: User, client: Client
    ) -> None:
        match = seating.create(ana, DAYS, open_to=OpenTo.PLAYER, invited=boris)
        assert page_keys(boris) == [Event.CHALLENGE]
        assert post() == []
        clock.shift(MINUTE)
        assert post() == [("boris", "Ana challenges you to a match")]
        seating.accept(match.code, boris)
        assert Event.CHALLENGE not in page_keys(boris)

    def test_one_that_is_withdrawn_or_declined_is_told_no_more_but_its_maker_reads_that_it_was_declined(
        self, clock: time_machine.Traveller, post: Post, ana: User, boris: User
    ) -> None:
        for answer, who in ((seating.cancel, ana), (seating.decline, boris)):
            match = seating.create(ana, DAYS, open_to=OpenTo.PLAYER, invited=boris)
            answer(match.code, who)
            assert page_keys(boris) == []
        assert page_keys(ana) == [Event.OVER]
        clock.shift(HOUR)
        assert post() == [("ana", "Boris declined your challenge")]

    def test_one_mail_tells_of_challenges_until_the_player_has_been_back(
        self, clock: time_machine.Traveller, post: Post, ana: User, boris: User, cara: User, client: Client
    ) -> None:
        for challenger in (ana, cara, ana):
            seating.create(challenger, DAYS, open_to=OpenTo.PLAYER, invited=boris)
            clock.shift(MINUTE)
        assert post() == [("boris", "Ana challenges you to a match")]
        assert page_keys(boris) == [Event.CHALLENGE] * 3
        clock.shift(HOUR)
        client.force_login(boris)
        client.get("/lobby/")
        clock.shift(HOUR)
        seating.create(cara, DAYS, open_to=OpenTo.PLAYER, invited=boris)
        clock.shift(MINUTE)
        assert post() == [("boris", "Cara challenges you to a match")]

    def test_a_challenge_of_a_guest_is_told_on_the_page_only(
        self, clock: time_machine.Traveller, post: Post, boris: User
    ) -> None:
        seating.create(guest_player(), DAYS, open_to=OpenTo.PLAYER, invited=boris)
        clock.shift(MINUTE)
        assert post() == []
        assert page_keys(boris) == [Event.CHALLENGE]

    def test_a_rematch_is_told_as_one(self, clock: time_machine.Traveller, post: Post, ana: User, boris: User) -> None:
        match = begin(ana, boris, DAYS, position=ROUND)
        ending.resign(match.code, boris)
        seating.offer_rematch(match.code, boris)
        clock.shift(MINUTE)
        assert post() == [("ana", "Boris offers you a rematch")]
        assert page_keys(ana) == [Event.REMATCH, Event.OVER]

    def test_a_match_that_begins_with_ones_own_turn_is_told(
        self, clock: time_machine.Traveller, post: Post, ana: User, boris: User
    ) -> None:
        match = seating.create(ana, DAYS, open_to=OpenTo.LINK)
        seating.accept(match.code, boris)
        match.refresh_from_db()
        first = (ana, boris)[match.to_move or 0]
        clock.shift(10 * MINUTE)
        assert [to for to, _subject in post()] == [first.username.lower()]


def test_a_match_in_which_nobody_leads_ends_without_a_result_and_both_are_told(
    clock: time_machine.Traveller, post: Post, ana: User, boris: User
) -> None:
    choices.choose(ana, {(Event.TURN, Channel.MAIL): False, (Event.LOW_TIME, Channel.MAIL): False})
    begin(ana, boris, DAYS, position=ROUND)
    clock.shift(3 * DAY)
    assert sweep() == 1
    clock.shift(10 * MINUTE)
    assert sorted(post()) == [("ana", "No result against Boris"), ("boris", "No result against Ana")]


def test_automatic_time_off_is_told_when_it_begins(
    clock: time_machine.Traveller, post: Post, ana: User, boris: User
) -> None:
    User.objects.filter(pk=boris.pk).update(automatic_time_off=True)
    play(begin(ana, boris, DAYS, position=ROUND), "3H")
    clock.move_to(NOON + 3 * DAY - 50 * MINUTE)
    Delivery.objects.all().delete()
    timeoff.start_automatic()
    assert post() == [("boris", "Your time off has begun")]
    assert Event.TIME_OFF in page_keys(boris)


def test_planned_time_off_is_told_once_when_it_begins(
    clock: time_machine.Traveller, post: Post, ana: User, boris: User
) -> None:
    day = NOON.date() + datetime.timedelta(days=2)
    timeoff.take(boris, 3, day)
    timeoff.take(ana, 1)
    begins = TimeOff.objects.get(user=boris).begins_at
    clock.move_to(begins - MINUTE)
    assert timeoff.tell_begun() == 0
    clock.move_to(begins + MINUTE)
    assert timeoff.tell_begun() == 1
    assert post() == [("boris", "Your time off has begun")]
    assert Event.TIME_OFF in page_keys(boris)
    Notice.objects.update(read_at=begins + MINUTE)
    assert timeoff.tell_begun() == 0
    assert post() == []
    assert Notice.objects.filter(user=boris, event=Event.TIME_OFF).count() == 1
    assert not Notice.objects.filter(user=ana).exists()


def test_time_off_that_begins_by_itself_is_told_also_where_planned_time_off_began_that_day(
    clock: time_machine.Traveller, post: Post, ana: User, boris: User
) -> None:
    User.objects.filter(pk=boris.pk).update(automatic_time_off=True)
    match = play(begin(ana, boris, DAYS, position=ROUND), "3H")
    planned = timeoff.take(boris, 3, NOON.date() + datetime.timedelta(days=3))
    clock.move_to(planned.begins_at)
    assert timeoff.tell_begun() == 1
    Delivery.objects.filter(match=match).delete()
    assert post() == [("boris", "Your time off has begun")]
    timeoff.end(boris, planned.pk)
    match.refresh_from_db()
    clock.move_to(match.deadline - HOUR)
    (automatic,) = timeoff.start_automatic()
    assert automatic.first_day == planned.first_day
    Delivery.objects.filter(match=match).delete()
    assert post() == [("boris", "Your time off has begun")]


def test_a_moderators_decision_reaches_a_closed_account(
    clock: time_machine.Traveller, ana: User, postbox: object
) -> None:
    User.objects.filter(pk=ana.pk).update(is_active=False)
    until = NOON + datetime.timedelta(days=7)
    notices.moderated(ana, "suspend", message="Three matches left in a day.", until=until, key="17")
    notices.moderated(ana, "suspend", message="Three matches left in a day.", until=until, key="17")
    outbox.send_due()
    (letter,) = postbox.letters  # type: ignore[attr-defined]
    assert letter.subject == "A moderator has suspended your account"
    assert "It holds until March 9, 2026, noon (UTC)." in letter.text
    assert "Three matches left in a day." in letter.html


class TestBell:
    def test_turns_of_one_match_are_one_notice(self, clock: time_machine.Traveller, ana: User, boris: User) -> None:
        match = play(begin(ana, boris, DAYS, position=ROUND), "3H", "TH+KS", "take", "9S")
        assert not Notice.objects.filter(match=match, user=boris).exists()
        assert page_keys(ana) == [Event.TURN]

    def test_a_turn_leaves_no_notice_once_it_is_made(
        self, clock: time_machine.Traveller, ana: User, boris: User
    ) -> None:
        match = begin(ana, boris, DAYS, position=ROUND)
        for turn in ("3H", "TH+KS", "take", "9S"):
            for player in (ana, boris):
                inbox.mark_read(player)
            play(match, turn)
        assert list(Notice.objects.values_list("user", "event")) == [(ana.pk, Event.TURN)]
        ending.resign(match.code, boris)
        assert list(Notice.objects.values_list("user", "event")) == [(ana.pk, Event.OVER)]

    def test_a_turn_that_was_seen_at_the_table_is_no_news(
        self, clock: time_machine.Traveller, ana: User, boris: User
    ) -> None:
        match = begin(ana, boris, DAYS, position=ROUND)
        for turn, other in (("3H", boris), ("TH+KS", ana), ("take", boris)):
            play(match, turn)
            match.refresh_from_db()
            presence.look(match, other, match.turn)
        assert not Notice.objects.filter(match=match).exists()

    def test_looking_at_the_match_reads_it(
        self, clock: time_machine.Traveller, ana: User, boris: User, client: Client
    ) -> None:
        match = play(begin(ana, boris, DAYS, position=ROUND), "3H")
        client.force_login(boris)
        assert b'id="unread-notices"' in client.get("/notices/").content
        assert inbox.unread_count(boris) == 1
        client.get(match.get_absolute_url())
        assert inbox.unread_count(boris) == 0

    def test_looking_at_a_challenge_reads_it(
        self, clock: time_machine.Traveller, ana: User, boris: User, client: Client
    ) -> None:
        match = seating.create(ana, DAYS, open_to=OpenTo.PLAYER, invited=boris)
        client.force_login(boris)
        client.get(match.get_absolute_url())
        assert inbox.unread_count(boris) == 0

    def test_a_turn_made_for_nothing_tells_nobody(self, clock: time_machine.Traveller, ana: User, boris: User) -> None:
        match = begin(ana, boris, DAYS, position=ROUND)
        before = Delivery.objects.count()
        with pytest.raises(Exception, match="not your turn"):
            playing.play(match.code, boris, 1, "TH")
        assert Delivery.objects.count() == before

    def test_old_notices_are_forgotten(self, clock: time_machine.Traveller, ana: User, boris: User) -> None:
        play(begin(ana, boris, DAYS, position=ROUND), "3H")
        clock.shift(89 * DAY)
        assert inbox.forget_old() == 0
        clock.shift(2 * DAY)
        assert inbox.forget_old() == 1

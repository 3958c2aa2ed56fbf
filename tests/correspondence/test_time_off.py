"""Time off: the clock stands still and nothing is lost."""

import datetime
import re

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from games import standstill
from games.models import Match, Reader, Status, TimeOff
from games.rules import Reason
from games.services import playing, timeoff
from games.services.timeoff import TimeOffError
from games.worker import sweep
from tests.correspondence.conftest import BEGIN, Begin, first_move, mover, play_on, waiter

DAY = datetime.timedelta(days=1)
HOUR = datetime.timedelta(hours=1)


class Off:
    def __init__(self, begins: float, ends: float) -> None:
        self.begins_at, self.ends_at = BEGIN + begins * DAY, BEGIN + ends * DAY


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        ([], 2),
        ([Off(-3, -1)], 2),
        ([Off(-1, 5)], 7),
        ([Off(1, 4)], 5),
        ([Off(2, 4)], 2),
        ([Off(4, 9), Off(1, 2)], 3),
        ([Off(1, 2), Off(2, 4)], 5),
    ],
)
def test_a_deadline_leaves_out_what_does_not_count(spans: list[Off], expected: float) -> None:
    until = standstill.deadline(BEGIN, 2 * DAY, spans)
    assert until == BEGIN + expected * DAY
    assert standstill.time_left(BEGIN, until, spans) == 2 * DAY


def test_time_off_now_moves_the_deadline_of_the_players_own_turn(begin: Begin, clock: time_machine.Traveller) -> None:
    match = begin()
    clock.move_to(BEGIN + 1.5 * DAY)
    timeoff.take(mover(match), 3)
    match.refresh_from_db()
    assert match.deadline == BEGIN + 5 * DAY


def test_the_opponents_time_off_moves_nothing(begin: Begin, clock: time_machine.Traveller) -> None:
    match = begin()
    timeoff.take(waiter(match), 3)
    match.refresh_from_db()
    assert match.deadline == BEGIN + 2 * DAY


def test_a_turn_that_begins_during_time_off_has_all_of_its_days_afterwards(
    begin: Begin, clock: time_machine.Traveller
) -> None:
    match = begin()
    timeoff.take(waiter(match), 3)
    clock.move_to(BEGIN + DAY)
    play_on(match)
    assert match.deadline == BEGIN + 5 * DAY


def test_no_sweep_ends_a_match_during_time_off(begin: Begin, clock: time_machine.Traveller) -> None:
    match = begin()
    play_on(match, 2)
    absent = mover(match)
    clock.move_to(BEGIN + 2 * DAY - HOUR)
    timeoff.take(absent, 10)
    for hours in range(0, 240, 7):
        clock.move_to(BEGIN + 2 * DAY - HOUR + hours * HOUR)
        assert sweep() == 0
    clock.move_to(BEGIN + 12 * DAY - datetime.timedelta(milliseconds=1))
    assert sweep() == 0
    clock.move_to(BEGIN + 12 * DAY)
    assert sweep() == 1
    match.refresh_from_db()
    assert match.reason == Reason.TIME


def test_a_match_can_exclude_time_off(begin: Begin, clock: time_machine.Traveller) -> None:
    match = begin(time_off_allowed=False)
    timeoff.take(mover(match), 3)
    timeoff.take(waiter(match), 3)
    match.refresh_from_db()
    assert match.deadline == BEGIN + 2 * DAY
    play_on(match)
    assert match.deadline == BEGIN + 2 * DAY


def test_time_off_ahead_begins_at_the_players_midnight(
    begin: Begin, ana: User, bela: User, clock: time_machine.Traveller
) -> None:
    User.objects.update(time_zone="Asia/Tbilisi")
    match = begin()
    absent = User.objects.get(pk=mover(match).pk)
    off = timeoff.take(absent, 2, datetime.date(2027, 3, 3))
    midnight = datetime.datetime(2027, 3, 2, 20, tzinfo=datetime.UTC)
    assert (off.begins_at, off.ends_at) == (midnight, midnight + 2 * DAY)
    match.refresh_from_db()
    assert match.deadline == BEGIN + 4 * DAY


def test_ending_time_off_early_gives_the_days_that_were_not_begun_back(
    begin: Begin, clock: time_machine.Traveller
) -> None:
    match = begin()
    absent = mover(match)
    off = timeoff.take(absent, 10)
    clock.move_to(BEGIN + 1.25 * DAY)
    timeoff.end(absent, off.pk)
    match.refresh_from_db()
    assert match.deadline == BEGIN + 3.25 * DAY
    assert timeoff.days_left(absent, 2027) == 28


def test_time_off_to_come_can_be_given_back_whole(begin: Begin, clock: time_machine.Traveller) -> None:
    match = begin()
    absent = mover(match)
    off = timeoff.take(absent, 5, datetime.date(2027, 3, 2))
    timeoff.end(absent, off.pk)
    match.refresh_from_db()
    assert match.deadline == BEGIN + 2 * DAY
    assert timeoff.days_left(absent, 2027) == 30


def test_nobody_ends_the_time_off_of_another(ana: User, bela: User, clock: time_machine.Traveller) -> None:
    off = timeoff.take(ana, 5)
    with pytest.raises(TimeOffError):
        timeoff.end(bela, off.pk)
    assert TimeOff.objects.filter(pk=off.pk).exists()


def test_thirty_days_a_year_each_counted_in_its_own_year(ana: User, clock: time_machine.Traveller) -> None:
    timeoff.take(ana, 25)
    with pytest.raises(TimeOffError):
        timeoff.take(ana, 6, datetime.date(2027, 6, 1))
    timeoff.take(ana, 15, datetime.date(2027, 12, 27))
    assert (timeoff.days_left(ana, 2027), timeoff.days_left(ana, 2028)) == (0, 20)


@pytest.mark.parametrize(
    ("days", "first_day"),
    [(0, None), (1, datetime.date(2027, 2, 28)), (1, datetime.date(2028, 6, 1)), (2, datetime.date(2027, 3, 2))],
)
def test_time_off_is_refused_in_the_past_far_ahead_and_twice(
    ana: User, clock: time_machine.Traveller, days: int, first_day: datetime.date | None
) -> None:
    timeoff.take(ana, 3)
    with pytest.raises(TimeOffError):
        timeoff.take(ana, days, first_day)


class TestAutomatic:
    @pytest.fixture
    def match(self, begin: Begin, clock: time_machine.Traveller) -> Match:
        match = begin()
        play_on(match)
        return match

    def test_it_is_off_unless_switched_on(self, match: Match, clock: time_machine.Traveller) -> None:
        clock.move_to(BEGIN + 2 * DAY - HOUR / 2)
        assert timeoff.start_automatic() == []

    def test_a_day_begins_within_the_last_hour_and_not_before(
        self, match: Match, clock: time_machine.Traveller
    ) -> None:
        User.objects.update(automatic_time_off=True)
        clock.move_to(BEGIN + 2 * DAY - 1.1 * HOUR)
        assert timeoff.start_automatic() == []
        clock.move_to(BEGIN + 2 * DAY - HOUR)
        (off,) = timeoff.start_automatic()
        assert (off.user, off.days, off.automatic) == (mover(match), 1, True)
        match.refresh_from_db()
        assert match.deadline == BEGIN + 3 * DAY
        assert timeoff.start_automatic() == []

    def test_each_player_is_asked_for_alone(
        self, begin: Begin, ana: User, bela: User, outsider: User, clock: time_machine.Traveller
    ) -> None:
        User.objects.update(automatic_time_off=True)
        pressed = [begin(first, second) for first in (ana, bela) for second in (outsider, ana, bela) if first != second]
        for match in pressed:
            play_on(match)
        players = {mover(match).pk for match in pressed}
        clock.move_to(BEGIN + 2 * DAY - HOUR)
        with CaptureQueriesContext(connection) as queries:
            begun = timeoff.start_automatic()
        assert {off.user_id for off in begun} == players
        looks = [query["sql"] for query in queries if '"games_match"."livened"' in query["sql"].partition(" WHERE ")[2]]
        assert len(looks) == 1 + len(players)
        assert all(re.search(r'"user_id" = \d', look) for look in looks[1:])

    def test_its_day_is_that_of_the_players_last_visit_though_nobody_asks(
        self, match: Match, clock: time_machine.Traveller
    ) -> None:
        User.objects.update(automatic_time_off=True)
        Reader.objects.create(user=mover(match), time_zone="Pacific/Kiritimati")
        clock.move_to(BEGIN + 2 * DAY - HOUR)
        (off,) = timeoff.start_automatic()
        assert off.first_day == (BEGIN + 3 * DAY).date()

    def test_it_goes_on_day_by_day_as_one_and_ends_with_the_allowance(
        self, match: Match, clock: time_machine.Traveller
    ) -> None:
        User.objects.update(automatic_time_off=True)
        begun = []
        for hour in range(40 * 24):
            clock.move_to(BEGIN + hour * HOUR + HOUR / 2)
            begun += timeoff.start_automatic()
            sweep()
        match.refresh_from_db()
        assert (match.status, match.reason) == (Status.FINISHED, Reason.TIME)
        assert len(begun) == 1
        assert match.finished_at is not None
        assert BEGIN + 32 * DAY <= match.finished_at <= BEGIN + 33 * DAY
        assert TimeOff.objects.get().days == 30

    def test_a_match_that_nobody_has_led_in_costs_no_days(self, begin: Begin, clock: time_machine.Traveller) -> None:
        User.objects.update(automatic_time_off=True)
        begin()
        clock.move_to(BEGIN + 2 * DAY - HOUR / 2)
        assert timeoff.start_automatic() == []


def test_a_player_on_time_off_may_play(begin: Begin, clock: time_machine.Traveller) -> None:
    match = begin()
    timeoff.take(mover(match), 3)
    playing.play(match.code, mover(match), 1, first_move(match))
    match.refresh_from_db()
    assert match.turn == 2
    assert match.deadline == timezone.now() + 2 * DAY

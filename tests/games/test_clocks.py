"""Clocks and deadlines in frozen time."""

import datetime
from collections.abc import Iterator

import pytest
import time_machine

from accounts.models import User
from games import selectors
from games.models import Match, Pace
from games.present.parts import ClockView
from games.rules import Reason
from games.services import ending, playing
from games.services.clock import LEAD_ALLOWANCE
from games.services.errors import MatchError, OutOfTimeError
from games.services.seating import MatchTerms
from games.worker import sweep
from tests.games.cast import DAYS, LIVE, ROUND, ROUND_TRIP, UNTIMED, check, log, play, start_match

pytestmark = pytest.mark.django_db

NOON = datetime.datetime(2026, 3, 2, 12, tzinfo=datetime.UTC)
SECOND = datetime.timedelta(seconds=1)
MILLISECOND = datetime.timedelta(milliseconds=1)


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


@pytest.fixture
def live(clock: time_machine.Traveller, ana: User, boris: User) -> Match:
    return start_match(ana, boris, LIVE, position=ROUND)


@pytest.fixture
def days(clock: time_machine.Traveller, ana: User, boris: User) -> Match:
    return start_match(ana, boris, DAYS, position=ROUND)


def clocks(match: Match) -> list[int | None]:
    return list(match.seats.order_by("number").values_list("clock_ms", flat=True))


class TestLive:
    def test_the_clocks_stand_until_the_lead(self, live: Match, clock: time_machine.Traveller) -> None:
        assert live.deadline == NOON + LEAD_ALLOWANCE
        clock.shift(90)
        match = play(live, "3H")
        assert clocks(match) == [300_000, 300_000]
        assert match.deadline == NOON + 90 * SECOND + 300 * SECOND

    def test_the_table_tells_how_long_there_is_to_lead(
        self, live: Match, ana: User, clock: time_machine.Traveller
    ) -> None:
        clock.shift(90)
        told = selectors.table(selectors.find_match(live.code), ana).lead_within
        assert (told.text, told.running) == ("0:30", True)
        play(live, "3H")
        assert selectors.table(selectors.find_match(live.code), ana).lead_within is None

    def test_a_turn_costs_its_time_and_brings_the_increment(self, live: Match, clock: time_machine.Traveller) -> None:
        play(live, "3H")
        clock.shift(12.345)
        match = play(live, "TH+KS")
        assert clocks(match) == [300_000, 292_655]
        assert match.moves.get(turn=2).clock_ms == 292_655
        clock.shift(1)
        match = play(live, "take")
        assert clocks(match) == [304_000, 292_655]
        assert match.deadline == NOON + 13.345 * SECOND + 292.655 * SECOND

    def test_a_quick_turn_gains_time(self, live: Match) -> None:
        match = play(live, *ROUND_TRIP)
        assert clocks(match) == [310_000, 315_000]

    @pytest.mark.parametrize("early", [MILLISECOND, SECOND])
    def test_a_turn_before_the_deadline_counts(
        self, live: Match, clock: time_machine.Traveller, early: datetime.timedelta
    ) -> None:
        match = play(live, "3H")
        clock.move_to(match.deadline - early)
        assert sweep() == 0
        match = play(live, "TH+KS")
        assert clocks(match)[1] == early // MILLISECOND + 5000

    @pytest.mark.parametrize("late", [datetime.timedelta(), MILLISECOND, 10 * SECOND])
    @pytest.mark.parametrize("swept", [False, True])
    def test_a_turn_at_or_after_the_deadline_does_not(
        self, live: Match, boris: User, clock: time_machine.Traveller, late: datetime.timedelta, swept: bool
    ) -> None:
        match = play(live, "3H")
        clock.move_to(match.deadline + late)
        if swept:
            assert sweep() == 1
        with pytest.raises(MatchError):
            playing.play(match.code, boris, 2, "TH+KS")
        match = check(match)
        assert (match.winner, match.reason, log(match)) == (0, Reason.TIME, ["3H"])
        assert clocks(match) == [300_000, 0]
        assert sweep() == 0

    def test_the_turn_that_was_made_in_time_is_forgiven_when_repeated_late(
        self, live: Match, ana: User, clock: time_machine.Traveller
    ) -> None:
        match = play(live, "3H")
        clock.move_to(match.deadline)
        playing.play(match.code, ana, 1, "3H")
        assert (check(match).winner, check(match).reason) == (0, Reason.TIME)

    @pytest.mark.parametrize("verb", ["resign", "abort", "offer", "accept", "drop"])
    def test_whatever_comes_after_the_deadline_finds_the_match_lost_on_time(
        self, live: Match, ana: User, boris: User, clock: time_machine.Traveller, verb: str
    ) -> None:
        match = play(live, "3H")
        ending.offer_draw(match.code, ana, 2)
        clock.move_to(match.deadline)
        with pytest.raises(OutOfTimeError):
            {
                "resign": lambda: ending.resign(match.code, ana),
                "abort": lambda: ending.abort(match.code, boris, 2),
                "offer": lambda: ending.offer_draw(match.code, boris, 2),
                "accept": lambda: ending.accept_draw(match.code, boris),
                "drop": lambda: ending.drop_draw(match.code, boris),
            }[verb]()
        assert (check(match).winner, check(match).reason) == (0, Reason.TIME)

    def test_time_can_be_claimed_when_it_is_up_and_not_before(
        self, live: Match, ana: User, clock: time_machine.Traveller
    ) -> None:
        match = play(live, "3H")
        clock.move_to(match.deadline - MILLISECOND)
        with pytest.raises(MatchError, match="still time"):
            ending.claim_time(match.code, ana)
        clock.move_to(match.deadline)
        ending.claim_time(match.code, ana)
        assert check(match).reason == Reason.TIME

    def test_without_a_lead_in_time_there_is_no_result(self, live: Match, clock: time_machine.Traveller) -> None:
        clock.shift(LEAD_ALLOWANCE - MILLISECOND)
        assert sweep() == 0
        clock.shift(MILLISECOND)
        assert sweep() == 1
        match = check(live)
        assert (match.winner, match.reason) == (None, Reason.ABORTED)
        assert clocks(match) == [300_000, 300_000]

    def test_a_resignation_stops_the_clock_where_it_stands(
        self, live: Match, boris: User, clock: time_machine.Traveller
    ) -> None:
        play(live, "3H")
        clock.shift(100)
        ending.resign(live.code, boris)
        assert clocks(check(live)) == [300_000, 200_000]

    def test_the_last_turn_leaves_the_clocks_as_they_are(
        self, ana: User, boris: User, clock: time_machine.Traveller
    ) -> None:
        match = start_match(ana, boris, LIVE, position="7C9H/6C8S - CD 1 strict")
        play(match, "6C")
        clock.shift(10)
        match = play(match, "7C+9H")
        assert clocks(match) == [295_000, 300_000]
        clock.shift(1000)
        assert sweep() == 0
        assert check(match).reason == Reason.CARDS_OUT

    def test_the_shortest_clock_of_all(self, ana: User, boris: User, clock: time_machine.Traveller) -> None:
        match = start_match(ana, boris, MatchTerms(pace=Pace.LIVE, base_seconds=60), position=ROUND)
        play(match, "3H")
        clock.shift(59.999)
        assert clocks(play(match, "TH+KS")) == [60_000, 1]
        play(match, "take")
        clock.shift(0.001)
        with pytest.raises(OutOfTimeError):
            playing.play(match.code, boris, 4, "9S")
        check(match)


class TestCorrespondence:
    def test_each_turn_has_its_days(self, days: Match, clock: time_machine.Traveller) -> None:
        three = datetime.timedelta(days=3)
        assert days.deadline == NOON + three
        clock.shift(three - MILLISECOND)
        match = play(days, "3H")
        assert match.deadline == NOON + three - MILLISECOND + three
        assert clocks(match) == [None, None]

    @pytest.mark.parametrize("swept", [False, True])
    def test_a_turn_at_the_deadline_is_too_late(
        self, days: Match, boris: User, clock: time_machine.Traveller, swept: bool
    ) -> None:
        match = play(days, "3H")
        clock.move_to(match.deadline)
        if swept:
            assert sweep() == 1
        with pytest.raises(MatchError):
            playing.play(match.code, boris, 2, "TH+KS")
        assert (check(match).winner, check(match).reason) == (0, Reason.TIME)

    def test_without_a_lead_there_is_no_result(self, days: Match, clock: time_machine.Traveller) -> None:
        clock.shift(datetime.timedelta(days=3))
        sweep()
        assert check(days).reason == Reason.ABORTED


def test_an_untimed_match_never_ends_by_itself(ana: User, boris: User, clock: time_machine.Traveller) -> None:
    match = start_match(ana, boris, UNTIMED, position=ROUND)
    play(match, "3H")
    clock.shift(datetime.timedelta(days=1000))
    assert sweep() == 0
    assert play(match, "TH+KS").turn == 3


def test_one_sweep_ends_all_that_is_due_and_nothing_else(
    ana: User, boris: User, cara: User, clock: time_machine.Traveller
) -> None:
    live = play(start_match(ana, boris, LIVE, position=ROUND), "3H")
    days = play(start_match(ana, cara, DAYS, position=ROUND), "3H")
    untimed = play(start_match(boris, cara, UNTIMED, position=ROUND), "3H")
    clock.shift(datetime.timedelta(days=2))
    young = play(start_match(ana, boris, DAYS, position=ROUND), "3H")
    clock.shift(datetime.timedelta(days=1))
    assert sweep() == 2
    assert [check(match).reason for match in (live, days, untimed, young)] == [Reason.TIME, Reason.TIME, "", ""]


def test_a_match_that_cannot_be_ended_keeps_no_other_waiting(
    ana: User, boris: User, clock: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, sound = (play(start_match(ana, boris, LIVE, position=ROUND), "3H") for _ in range(2))
    clock.shift(datetime.timedelta(hours=1))
    expire = ending.expire

    def fail_once(code: str) -> bool:
        if code == broken.code:
            raise RuntimeError("a row that nobody can read")
        return expire(code)

    monkeypatch.setattr(ending, "expire", fail_once)
    assert sweep() == 1
    assert check(sound).reason == Reason.TIME
    assert check(broken).is_running


@pytest.mark.parametrize(
    ("left", "text"),
    [
        (datetime.timedelta(days=3) - SECOND, "3 days"),
        (datetime.timedelta(days=2, hours=11), "2 days"),
        (datetime.timedelta(days=2) - SECOND, "47 hours"),
        (datetime.timedelta(hours=1) - SECOND, "59 minutes"),
    ],
)
def test_the_time_left_for_a_turn_of_days_is_said_in_round_figures(left: datetime.timedelta, text: str) -> None:
    assert ClockView(left // MILLISECOND, running=True, days=True).text == text

"""A correspondence match that is played on live while both players are there."""

import datetime

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.models import Match, Seat, Status
from games.models.match import HERE_FOR
from games.rules import Reason
from games.services import livening, presence
from games.services.errors import MatchError, NotSeatedError
from games.services.table import HeldMatch
from games.worker import sweep
from tests.correspondence.conftest import BEGIN, Begin, mover, play_on, waiter
from tests.games.cast import take_time_off_while

SECOND = datetime.timedelta(seconds=1)


@pytest.fixture
def match(begin: Begin, clock: time_machine.Traveller) -> Match:
    """A match that was led in, with both players at the table."""
    match = begin()
    play_on(match)
    come(match)
    return match


def come(match: Match) -> None:
    for seat in match.seats.select_related("user"):
        presence.hear(match.code, seat.user.pk)


def go_live(match: Match) -> None:
    livening.offer(match.code, waiter(match))
    livening.offer(match.code, mover(match))
    match.refresh_from_db()


def test_who_offers_it_is_at_the_table_from_then_on(match: Match, clock: time_machine.Traveller) -> None:
    clock.shift(HERE_FOR)
    presence.hear(match.code, mover(match).pk)
    livening.offer(match.code, waiter(match))
    clock.shift(HERE_FOR - SECOND)
    presence.hear(match.code, mover(match).pk)
    livening.offer(match.code, mover(match))
    match.refresh_from_db()
    assert match.livened


def test_by_consent_it_goes_on_with_five_minutes_and_five_seconds(match: Match, clock: time_machine.Traveller) -> None:
    livening.offer(match.code, waiter(match))
    match.refresh_from_db()
    assert not match.livened
    livening.offer(match.code, mover(match))
    match.refresh_from_db()
    assert match.livened
    assert match.deadline == BEGIN + 300 * SECOND
    clock.move_to(BEGIN + 20 * SECOND)
    was = match.to_move
    play_on(match)
    assert Seat.objects.get(match=match, number=was).clock_ms == 285_000
    assert match.deadline == BEGIN + 320 * SECOND


def test_whoever_is_not_there_is_not_asked(match: Match, clock: time_machine.Traveller) -> None:
    clock.move_to(BEGIN + HERE_FOR)
    presence.hear(match.code, waiter(match).pk)
    with pytest.raises(MatchError):
        livening.offer(match.code, waiter(match))


def test_an_offer_is_declined_and_withdrawn_and_no_outsider_makes_one(match: Match, outsider: User) -> None:
    for who in (mover(match), waiter(match)):
        livening.offer(match.code, waiter(match))
        livening.drop(match.code, who)
        match.refresh_from_db()
        assert match.live_offered_by is None
    with pytest.raises(NotSeatedError):
        livening.offer(match.code, outsider)


def test_nobody_goes_live_before_the_lead(begin: Begin, clock: time_machine.Traveller) -> None:
    match = begin()
    come(match)
    with pytest.raises(MatchError):
        livening.offer(match.code, mover(match))


def test_when_one_leaves_it_falls_back_to_days(match: Match, clock: time_machine.Traveller) -> None:
    go_live(match)
    clock.move_to(BEGIN + HERE_FOR - SECOND)
    presence.hear(match.code, mover(match).pk)
    assert livening.fall_back() == 0
    clock.move_to(BEGIN + HERE_FOR)
    assert livening.fall_back() == 1
    match.refresh_from_db()
    assert (match.livened, match.live_offered_by) == (False, None)
    assert match.deadline == timezone.now() + datetime.timedelta(days=2)
    assert set(match.seats.values_list("clock_ms", flat=True)) == {None}


def test_a_match_that_cannot_fall_back_keeps_no_other_waiting(
    match: Match, begin: Begin, clock: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, sound = match, begin()
    play_on(sound)
    come(sound)
    for one in (broken, sound):
        go_live(one)
    both_here = livening.both_here

    def fail_once(table: HeldMatch) -> bool:
        if table.match.code == broken.code:
            raise RuntimeError("a row that nobody can read")
        return both_here(table)

    monkeypatch.setattr(livening, "both_here", fail_once)
    clock.move_to(BEGIN + HERE_FOR)
    assert livening.fall_back() == 1
    assert list(Match.objects.filter(livened=True)) == [broken]


def test_either_may_go_back_to_days(match: Match) -> None:
    go_live(match)
    livening.drop(match.code, waiter(match))
    match.refresh_from_db()
    assert not match.livened
    assert match.deadline == BEGIN + datetime.timedelta(days=2)


def test_a_live_clock_does_not_end_a_match_that_somebody_has_left(match: Match, clock: time_machine.Traveller) -> None:
    go_live(match)
    clock.move_to(BEGIN + 301 * SECOND)
    assert sweep() == 0
    match.refresh_from_db()
    assert (match.status, match.livened) == (Status.RUNNING, False)


def test_a_live_clock_ends_a_match_whose_players_are_there(match: Match, clock: time_machine.Traveller) -> None:
    go_live(match)
    for second in range(0, 300, 30):
        clock.move_to(BEGIN + second * SECOND)
        come(match)
    clock.move_to(BEGIN + 300 * SECOND)
    assert sweep() == 1
    match.refresh_from_db()
    assert (match.reason, match.livened) == (Reason.TIME, False)


def test_the_table_offers_it_by_forms(match: Match) -> None:
    first, second = (Client(), Client())
    first.force_login(waiter(match))
    second.force_login(mover(match))
    url = match.get_absolute_url()
    assert "Offer to play on live" in first.get(url).content.decode()
    first.post(f"{url}live/", {"answer": "offer"})
    assert "offers to play on live" in second.get(url).content.decode()
    assert "Withdraw the offer" in first.get(url).content.decode()
    second.post(f"{url}live/", {"answer": "accept"})
    assert "Back to days a turn" in first.get(url).content.decode()
    second.post(f"{url}live/", {"answer": "leave"})
    assert not Match.objects.get(pk=match.pk).livened


@pytest.mark.parametrize("by", ["look", "hear"])
def test_the_table_is_told_when_somebody_comes_and_not_again(
    match: Match, clock: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    told: list[str] = []
    monkeypatch.setattr("games.broadcast.match_changed", lambda match: told.append(match.code))
    clock.move_to(BEGIN + HERE_FOR)
    for _number in range(2):
        if by == "look":
            presence.look(match, mover(match), match.turn)
        else:
            presence.hear(match.code, mover(match).pk)
    assert told == [match.code]


@pytest.mark.django_db(transaction=True)
def test_time_off_that_is_taken_while_the_match_goes_back_to_days_counts(
    begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = begin()
    play_on(match)
    come(match)
    go_live(match)
    user = mover(match)
    take_time_off_while(monkeypatch, user, 10, lambda: livening.drop(match.code, user))
    match.refresh_from_db()
    assert not match.livened
    assert match.deadline - timezone.now() > datetime.timedelta(days=11)

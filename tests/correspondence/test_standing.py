"""Players who vanish: three losses on time in a row pause their challenges."""

import contextlib
import datetime
import threading
from types import SimpleNamespace

import pytest
import time_machine
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games import selectors
from games.models import Match, OpenTo, Pace, Standing
from games.rules import Outcome, Reason
from games.services import ending, seating, standing
from games.services.standing import PausedError, SelfPausedError
from games.worker import sweep
from tests.correspondence.conftest import Begin, mover, play_on

DAY = datetime.timedelta(days=1)
TERMS = seating.MatchTerms(pace=Pace.CORRESPONDENCE, days_per_turn=2)


def lose_on_time(begin: Begin, clock: time_machine.Traveller, loser: User) -> Match:
    match = begin()
    play_on(match)
    if mover(match) != loser:
        play_on(match)
    clock.shift(2 * DAY)
    sweep()
    match.refresh_from_db()
    assert match.reason == Reason.TIME
    return match


def test_the_third_loss_on_time_in_a_row_pauses_challenges(
    begin: Begin, ana: User, bela: User, clock: time_machine.Traveller
) -> None:
    matches = [lose_on_time(begin, clock, bela) for _number in range(2)]
    seating.create(bela, TERMS, open_to=OpenTo.LOBBY)
    open_seat = seating.create(bela, TERMS, open_to=OpenTo.LINK)
    matches.append(lose_on_time(begin, clock, bela))
    with pytest.raises(SelfPausedError):
        seating.create(bela, TERMS, open_to=OpenTo.LOBBY)
    with pytest.raises(PausedError):
        seating.create(ana, TERMS, open_to=OpenTo.PLAYER, invited=bela)
    with pytest.raises(PausedError):
        seating.accept(open_seat.code, ana)
    with pytest.raises(SelfPausedError):
        seating.accept(seating.create(ana, TERMS, open_to=OpenTo.LINK).code, bela)
    assert selectors.lobby_seats(ana) == []
    assert [match.winner is not None for match in matches] == [True] * 3


def test_the_computer_may_still_be_played(begin: Begin, bela: User, clock: time_machine.Traveller) -> None:
    for _number in range(3):
        lose_on_time(begin, clock, bela)
    match = seating.play_computer(bela, 1, seating.MatchTerms())
    match.refresh_from_db()
    assert match.is_running


def test_saying_that_one_is_back_opens_challenges_again(
    begin: Begin, bela: User, clock: time_machine.Traveller
) -> None:
    for _number in range(3):
        lose_on_time(begin, clock, bela)
    client = Client()
    client.force_login(bela)
    assert "I am back" in client.get(reverse("games:mine")).content.decode()
    page = client.post(reverse("games:come_back"), follow=True).content.decode()
    assert "I am back" not in page
    seating.create(bela, TERMS, open_to=OpenTo.LOBBY)
    lose_on_time(begin, clock, bela)
    assert Standing.objects.get(user=bela).paused_at is None


def test_a_match_ended_otherwise_breaks_the_row(
    begin: Begin, ana: User, bela: User, clock: time_machine.Traveller
) -> None:
    for _number in range(2):
        lose_on_time(begin, clock, bela)
    match = begin()
    play_on(match)
    ending.resign(match.code, bela)
    for _number in range(2):
        lose_on_time(begin, clock, bela)
    assert Standing.objects.get(user=bela).paused_at is None
    assert not Standing.objects.filter(user=ana).exists()


def test_a_match_that_nobody_leads_in_is_cancelled_and_does_not_count(
    begin: Begin, clock: time_machine.Traveller
) -> None:
    for _number in range(3):
        match = begin()
        clock.shift(2 * DAY)
        sweep()
        match.refresh_from_db()
        assert (match.reason, match.winner) == (Reason.ABORTED, None)
    assert not Standing.objects.exists()


def test_a_finished_match_against_the_paused_offers_no_rematch_to_them(
    begin: Begin, ana: User, bela: User, clock: time_machine.Traveller
) -> None:
    match = None
    for _number in range(3):
        match = lose_on_time(begin, clock, bela)
    client = Client()
    client.force_login(ana)
    response = client.post(f"{match.get_absolute_url()}rematch/")
    assert response.status_code == 409
    assert "lost three matches on time" in response.content.decode()


@pytest.mark.django_db(transaction=True)
def test_two_matches_of_the_same_players_that_end_at_once_do_not_wait_for_each_other(
    begin: Begin, ana: User, bela: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    for player in (ana, bela):
        Standing.objects.create(user=player)
    both_count = threading.Barrier(2)

    def counting() -> datetime.datetime:
        # Each has counted for one of the players and is about to count for the other.
        with contextlib.suppress(threading.BrokenBarrierError):
            both_count.wait(0.5)
        return timezone.now()

    monkeypatch.setattr(standing, "timezone", SimpleNamespace(now=counting))
    failed: list[Exception] = []

    def end(match: Match) -> None:
        try:
            with transaction.atomic():
                seats = list(match.seats.select_related("user").order_by("number"))
                standing.note_end(match, seats, Outcome(1, Reason.TIME))
        except Exception as error:
            failed.append(error)
        finally:
            connection.close()

    ends = [threading.Thread(target=end, args=(match,)) for match in (begin(ana, bela), begin(bela, ana))]
    for thread in ends:
        thread.start()
    for thread in ends:
        thread.join(30)
    assert not failed

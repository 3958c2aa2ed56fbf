"""Sixty turns in forty days through the public pages and the worker's jobs: time off, a close call, a timeout."""

import datetime
import random

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.models import Match, Move, Status
from games.rules import Position, Reason
from games.services import livening, timeoff
from games.worker import sweep
from tests.correspondence.conftest import BEGIN, Begin, mover, waiter

DAY = datetime.timedelta(days=1)
HOUR = datetime.timedelta(hours=1)
TURNS = 60
#: The close call comes at this turn, an hour and a half before the deadline.
LATE_TURN = 40


def long_game_move(position: Position, chance: random.Random) -> str:
    """Choose a turn that keeps many cards in hand, so that the match lasts."""
    moves = sorted(str(move) for move in position.legal_moves())
    if "take" in moves and position.hands[position.turn].bit_count() <= 12:
        return "take"
    return chance.choice([move for move in moves if move != "take"] or moves)


class Days:
    """Time that passes hour by hour, with the worker at work and two people at their browsers."""

    def __init__(self, match: Match, clock: time_machine.Traveller) -> None:
        self.match = match
        self.clock = clock
        self.chance = random.Random(7)
        self.clients = {}
        for seat in match.seats.select_related("user"):
            self.clients[seat.user_id] = Client()
            self.clients[seat.user_id].force_login(seat.user)

    def pass_hours(self, hours: float) -> None:
        for _number in range(round(hours * 2)):
            self.clock.shift(HOUR / 2)
            for job in (sweep, timeoff.start_automatic, livening.fall_back):
                job()
        self.match.refresh_from_db()

    def table(self, user: User) -> object:
        return self.clients[user.pk].get(self.match.get_absolute_url())

    def play(self, *, seen: bool = False) -> None:
        """Let the player to move open the table, read what is new unless it was ``seen``, and play by the form."""
        player = mover(self.match)
        page = self.table(player)
        steps = page.context["recap"].steps if page.context["recap"] else []
        assert [step.number for step in steps] == ([] if seen or self.match.turn == 1 else [self.match.turn - 1])
        fields = {"turn": self.match.turn, "move": long_game_move(self.match.rules_position, self.chance)}
        response = self.clients[player.pk].post(f"{self.match.get_absolute_url()}play/", fields)
        assert response.status_code == 302
        self.match.refresh_from_db()


@pytest.mark.slow
def test_sixty_turns_in_forty_days(
    begin: Begin, clock: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("secrets.token_bytes", lambda size: bytes(range(size)))
    match = begin(days_per_turn=3, deck_size=52, pickup="free")
    days = Days(match, clock)
    lead = mover(match)
    absent = waiter(match)

    while match.turn <= 10:
        days.play()
        days.pass_hours(11.5)
    took = plan_time_off(days, absent)
    watch_time_off(days, lead, absent, took)
    while match.turn <= TURNS:
        if match.turn == LATE_TURN:
            close_call(days)
        days.play(seen=match.turn == LATE_TURN)
        days.pass_hours(11.5)
    assert match.is_running
    assert Move.objects.filter(match=match).count() == TURNS
    lose_on_time(days)
    assert 38 * DAY < timezone.now() - BEGIN < 42 * DAY


def plan_time_off(days: Days, absent: User) -> datetime.date:
    """Let the player who waits plan five days from the day after tomorrow; the opponent is told at once."""
    if mover(days.match) == absent:
        days.play()
    first_day = (timezone.now() + 2 * DAY).date()
    days.clients[absent.pk].post(reverse("games:time_off"), {"days": 5, "first_day": first_day.isoformat()})
    opponent = mover(days.match)
    assert f"{absent.username} has time off from" in days.table(opponent).content.decode()
    return first_day


def watch_time_off(days: Days, lead: User, absent: User, first_day: datetime.date) -> None:
    """Let the turn come to the absent player, whose deadline would pass within the time off, and see it stand still."""
    begins = datetime.datetime.combine(first_day, datetime.time(), datetime.UTC)
    days.play(seen=True)
    began = days.match.turn_started_at
    assert mover(days.match) == absent
    assert days.match.deadline == began + 8 * DAY
    while timezone.now() < begins + 5 * DAY - HOUR:
        days.pass_hours(6)
        assert days.match.is_running
        if begins < timezone.now() < begins + 5 * DAY:
            page = days.table(lead).content.decode()
            assert f"{absent.username} has time off until" in page
    assert days.match.deadline == began + 8 * DAY
    days.pass_hours(12)
    assert "time off until" not in days.table(lead).content.decode()


def close_call(days: Days) -> None:
    """Let the player to move wait until ninety minutes before the deadline."""
    left = days.match.deadline - timezone.now()
    days.pass_hours(left / HOUR - 1.5)
    page = days.table(mover(days.match))
    assert page.context["table"].near.clock.text == "1 hour"


def lose_on_time(days: Days) -> None:
    """Let the player to move never come back."""
    match = days.match
    loser, deadline = mover(match), match.deadline
    days.pass_hours((deadline - timezone.now()) / HOUR - 0.5)
    assert match.is_running
    days.pass_hours(0.5)
    assert (match.status, match.reason) == (Status.FINISHED, Reason.TIME)
    assert deadline <= match.finished_at <= deadline + HOUR / 2
    assert match.seats.get(number=1 - match.winner).user == loser
    assert "You have lost" in days.table(loser).content.decode()
    fields = {"turn": match.turn, "move": "take"}
    assert days.clients[loser.pk].post(f"{match.get_absolute_url()}play/", fields).status_code == 409

"""The computer's turns: due, claimed by one worker, made through the same service, dropped when stale."""

import asyncio
import datetime
import threading
from collections.abc import Callable, Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import pytest
import time_machine
from channels.db import database_sync_to_async
from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.engine.levels import LEVELS
from games.models import Heartbeat, Match
from games.rules import Position
from games.services import computer as computer_turns
from games.services import ending, playing, seating
from games.services.clock import COMPUTER_PAUSE
from games.services.computer import LEASE, claim_due
from games.worker import Worker
from tests.games.cast import ROUND, UNTIMED, any_move, check, log, page, play, play_randomly, stand_at

NOON = datetime.datetime(2026, 3, 2, 12, tzinfo=datetime.UTC)


def first_move(position: Position, *, level: int, history: Sequence[Position]) -> Any:
    """Answer as the engine does, at once and always alike."""
    return SimpleNamespace(move=sorted(position.legal_moves())[0])


@pytest.fixture
def match(ana: User, computer: User) -> Match:
    """A match in which Ana leads against the computer."""
    match = seating.play_computer(ana, 3, UNTIMED, "S")
    stand_at(match, ROUND)
    return Match.objects.get(pk=match.pk)


@pytest.mark.django_db
def test_the_table_tells_the_computers_level_and_what_is_said_of_its_character(match: Match, ana: User) -> None:
    client = Client()
    client.force_login(ana)
    said = page(client.get(match.get_absolute_url())).select_one(".terms").get_text()
    assert "The computer, level 3" in said
    assert LEVELS[2].line in said


@pytest.mark.django_db
class TestClaiming:
    """A claim is a conditional update: one worker gets each turn, and a dead one is replaced."""

    @pytest.fixture(autouse=True)
    def clock(self) -> Iterator[time_machine.Traveller]:
        with time_machine.travel(NOON, tick=False) as clock:
            yield clock

    def test_the_computer_is_due_a_moment_after_the_players_turn(
        self, match: Match, clock: time_machine.Traveller
    ) -> None:
        assert claim_due(10) == []
        match = play(match, "3H")
        assert match.computer_due_at == NOON + COMPUTER_PAUSE
        assert claim_due(10) == []
        clock.shift(COMPUTER_PAUSE)
        (task,) = claim_due(10)
        assert (task.code, task.turn, task.level) == (match.code, 2, 3)
        assert str(task.position) == match.position
        assert [str(position) for position in task.history] == [match.start]

    def test_a_claimed_turn_is_not_claimed_again_until_the_lease_ends(
        self, match: Match, clock: time_machine.Traveller
    ) -> None:
        play(match, "3H")
        clock.shift(COMPUTER_PAUSE)
        assert len(claim_due(10)) == 1
        clock.shift(LEASE - datetime.timedelta(milliseconds=1))
        assert claim_due(10) == []
        clock.shift(0.001)
        (task,) = claim_due(10)
        assert task.turn == 2

    def test_a_turn_that_was_made_is_not_due_any_more(self, match: Match, clock: time_machine.Traveller) -> None:
        play(match, "3H", "TH+KS")
        clock.shift(LEASE)
        assert claim_due(10) == []

    def test_a_match_that_ended_is_not_due(self, match: Match, ana: User, clock: time_machine.Traveller) -> None:
        play(match, "3H")
        clock.shift(COMPUTER_PAUSE)
        ending.resign(match.code, ana)
        assert claim_due(10) == []

    def test_a_resignation_between_claim_and_look_disturbs_nothing(
        self, match: Match, ana: User, clock: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        play(match, "3H")
        clock.shift(COMPUTER_PAUSE)
        look = computer_turns._task

        def resign_first(found: Match) -> computer_turns.Task:
            ending.resign(match.code, ana)
            return look(found)

        monkeypatch.setattr(computer_turns, "_task", resign_first)
        (task,) = claim_due(10)
        with pytest.raises(ending.MatchOverError):
            playing.play(task.code, User.objects.get(pk=task.user_id), task.turn, "take")

    def test_no_more_are_claimed_than_asked_for(self, ana: User, computer: User, clock: time_machine.Traveller) -> None:
        for _ in range(3):
            stand_at(seating.play_computer(ana, 3, UNTIMED), ROUND.replace(" 0 ", " 1 "))
        Match.objects.update(computer_due_at=timezone.now())
        assert [len(claim_due(2)) for _ in range(3)] == [2, 1, 0]


def wait_for(job: Callable[[], Any]) -> Any:
    return database_sync_to_async(job, thread_sensitive=False)()


async def work_until(done: Callable[[], bool], worker: Worker) -> None:
    """Let a worker run until something is so, or fail after a while."""
    running = asyncio.create_task(worker.run())
    try:
        async with asyncio.timeout(20):
            while not await wait_for(done):  # noqa: ASYNC110 - a database rings no bell
                await asyncio.sleep(0.02)
    finally:
        worker.stop()
        await running


@pytest.mark.django_db(transaction=True)
class TestWorker:
    """A worker that runs: it answers for the computer and says that it lives."""

    @pytest.fixture(autouse=True)
    def quick(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("games.worker.think", first_move)
        monkeypatch.setattr("games.services.clock.COMPUTER_PAUSE", datetime.timedelta(0))
        monkeypatch.setattr("games.worker.POLL_SECONDS", 0.01)

    async def test_it_answers_the_player_and_beats(self, match: Match) -> None:
        await wait_for(lambda: play(match, "3H"))
        await work_until(lambda: Match.objects.get(pk=match.pk).turn > 2, Worker())
        assert (await wait_for(lambda: log(match)))[:2] == ["3H", "TH+9S"]
        assert await wait_for(lambda: Heartbeat.objects.get().seen_at <= timezone.now())

    @pytest.mark.parametrize("slow", ["fairplay.study_finished", "timeoff.start_automatic"])
    async def test_what_takes_long_keeps_neither_the_clocks_nor_the_computer_waiting(
        self, slow: str, match: Match, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        answered = threading.Event()
        waited: list[bool] = []
        monkeypatch.setattr(f"games.worker.{slow}", lambda: waited.append(answered.wait(20)))
        await wait_for(lambda: play(match, "3H"))

        def has_answered() -> bool:
            if Match.objects.get(pk=match.pk).turn > 2:
                answered.set()
            return bool(waited)

        await work_until(has_answered, Worker())
        assert waited == [True]

    async def test_two_workers_make_one_turn(self, match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
        thoughts = []

        def count(position: Position, **options: Any) -> Any:
            thoughts.append(position)
            return first_move(position, **options)

        monkeypatch.setattr("games.worker.think", count)
        await wait_for(lambda: play(match, "3H"))
        other = Worker()
        beside = asyncio.create_task(other.run())
        await work_until(lambda: Match.objects.get(pk=match.pk).turn > 2, Worker())
        other.stop()
        await beside
        assert len(thoughts) == 1
        assert (await wait_for(lambda: log(match))) == ["3H", "TH+9S"]

    async def test_a_turn_that_is_no_longer_wanted_is_dropped(
        self, match: Match, ana: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def think_while_the_player_resigns(position: Position, **options: Any) -> Any:
            ending.resign(match.code, ana)
            connection.close()
            return first_move(position, **options)

        monkeypatch.setattr("games.worker.think", think_while_the_player_resigns)
        await wait_for(lambda: play(match, "3H"))
        worker = Worker()
        answers: list[object] = []
        answer = worker._answer

        async def noted(task: computer_turns.Task) -> None:
            await answer(task)
            answers.append(task)

        monkeypatch.setattr(worker, "_answer", noted)
        await work_until(lambda: bool(answers), worker)
        assert (await wait_for(lambda: check(match))).reason == "resignation"
        assert (await wait_for(lambda: log(match))) == ["3H"]

    async def test_an_engine_that_fails_stops_no_worker(
        self, match: Match, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        def fail_once(position: Position, **options: Any) -> Any:
            monkeypatch.setattr("games.worker.think", first_move)
            raise RuntimeError("no idea")

        monkeypatch.setattr("games.worker.think", fail_once)
        monkeypatch.setattr("games.services.computer.LEASE", datetime.timedelta(milliseconds=50))
        await wait_for(lambda: play(match, "3H"))
        await work_until(lambda: Match.objects.get(pk=match.pk).turn > 2, Worker())
        assert "no idea" in caplog.text

    async def test_a_whole_match_is_played_to_its_end(self, match: Match, ana: User) -> None:
        def ana_plays() -> bool:
            now = Match.objects.get(pk=match.pk)
            if now.is_running and now.to_move == 0:
                playing.play(match.code, ana, now.turn, any_move(now))
            return not now.is_running or now.turn > 12

        await work_until(ana_plays, Worker())
        assert (await wait_for(lambda: check(match))).turn > 6


@pytest.mark.django_db(transaction=True)
def test_many_claimers_at_once_get_each_turn_once(match: Match) -> None:
    play_randomly(match, 1)
    Match.objects.filter(pk=match.pk).update(computer_due_at=timezone.now())
    barrier, tasks = threading.Barrier(6), []

    def claim() -> None:
        try:
            barrier.wait(10)
            tasks.extend(claim_due(5))
        finally:
            connection.close()

    threads = [threading.Thread(target=claim) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(tasks) == 1

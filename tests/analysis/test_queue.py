"""The queue of analyses: one a player, claimed by one worker, gone on with after its death, turns first."""

import asyncio
import datetime
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.engine import Thought
from games.models import AnalysedTurn, Analysis, Match
from games.rules import Position
from games.services import analysis, ending
from games.services.analysis import LEASE, AnalysisWaitsError, Assessment
from games.studies import Studies
from games.worker import Worker
from tests.games import cast

EVEN = Assessment(0.5, None, ("take",), 1)


def another(ana: User, boris: User) -> Match:
    match = cast.play_randomly(cast.start_match(ana, boris), 4)
    ending.resign(match.code, boris)
    return match


@pytest.mark.django_db
class TestAsking:
    def test_a_player_has_one_analysis_at_a_time(self, over: Match, ana: User, boris: User) -> None:
        second = another(ana, boris)
        analysis.ask(over.code, ana)
        with pytest.raises(AnalysisWaitsError):
            analysis.ask(second.code, ana)
        analysis.ask(second.code, boris)
        assert Analysis.objects.wanted().count() == 2

    def test_when_it_is_done_the_player_may_ask_for_another(self, over: Match, ana: User, boris: User) -> None:
        analysis.ask(over.code, ana)
        study = analysis.claim()
        assert study is not None
        analysis.finish(study)
        analysis.ask(another(ana, boris).code, ana)
        assert Analysis.objects.wanted().count() == 1

    def test_asking_for_the_same_match_again_changes_nothing(self, over: Match, ana: User, boris: User) -> None:
        assert analysis.ask(over.code, ana) == analysis.ask(over.code, boris)
        assert Analysis.objects.count() == 1

    def test_a_match_in_play_is_not_analysed(self, ana: User, boris: User) -> None:
        match = cast.play_randomly(cast.start_match(ana, boris), 4)
        with pytest.raises(analysis.MatchError):
            analysis.ask(match.code, ana)
        client = Client()
        client.force_login(ana)
        for path in ("analysis/", "try/"):
            assert client.get(f"/m/{match.code}/{path}").status_code == 404
        assert client.post(f"/m/{match.code}/analysis/ask/").status_code == 404

    def test_a_full_queue_takes_no_more(self, over: Match, ana: User, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(analysis, "LONGEST_QUEUE", 0)
        client = Client()
        client.force_login(ana)
        assert client.post(f"/m/{over.code}/analysis/ask/").status_code == 503
        assert not Analysis.objects.exists()

    def test_the_page_tells_the_place_in_the_queue(self, over: Match, ana: User, boris: User) -> None:
        analysis.ask(another(ana, boris).code, ana)
        client = Client()
        client.force_login(boris)
        answer = client.post(f"/m/{over.code}/analysis/ask/", follow=True)
        assert "1 analysis is before it" in cast.page(answer).select_one("#analysis-state").get_text(" ", strip=True)

    def test_a_short_match_goes_before_a_long_one_that_was_asked_for_shortly_before(
        self, over: Match, ana: User, boris: User
    ) -> None:
        long, short = analysis.ask(another(ana, boris).code, ana), analysis.ask(over.code, boris)
        Analysis.objects.filter(pk=long.pk).update(total=300)
        assert list(Analysis.objects.wanted()) == [short, long]
        page = cast.page(Client().get(f"/m/{long.match.code}/analysis/"))
        assert "1 analysis is before it" in page.select_one("#analysis-state").get_text(" ", strip=True)
        page = cast.page(Client().get(f"/m/{over.code}/analysis/"))
        assert "It is the next one." in page.get_text()
        Analysis.objects.filter(pk=long.pk).update(asked_at=timezone.now() - datetime.timedelta(minutes=6))
        assert list(Analysis.objects.wanted()) == [long, short]


@pytest.mark.django_db
class TestClaiming:
    def test_one_worker_gets_an_analysis_until_its_lease_ends(self, over: Match, ana: User) -> None:
        analysis.ask(over.code, ana)
        now = timezone.now()
        assert analysis.claim(now) is not None
        assert analysis.claim(now + LEASE - datetime.timedelta(seconds=1)) is None
        assert analysis.claim(now + LEASE) is not None

    def test_after_a_workers_death_another_goes_on_where_it_was(self, over: Match, ana: User) -> None:
        analysis.ask(over.code, ana)
        dead = analysis.claim()
        assert dead is not None
        assert sorted(dead.left) == list(range(1, over.turn + 1))
        done = dead.left[:3]
        for turn in done:
            analysis.note(dead, turn, EVEN)
        heir = analysis.claim(timezone.now() + LEASE)
        assert heir is not None
        assert heir.left == dead.left[3:]
        for turn in heir.left:
            analysis.note(heir, turn, EVEN)
        analysis.finish(heir)
        rows = AnalysedTurn.objects.filter(analysis__match=over)
        assert sorted(rows.values_list("turn", flat=True)) == list(range(1, over.turn + 1))
        assert Analysis.objects.get().done_at is not None


def in_thread(job: Callable[..., Any], *arguments: Any) -> Any:
    return database_sync_to_async(job, thread_sensitive=False)(*arguments)


@pytest.mark.django_db(transaction=True)
class TestWorking:
    @pytest.fixture(autouse=True)
    def quick(self, monkeypatch: pytest.MonkeyPatch) -> list[str]:
        """Let the engine answer at once, and note what it was asked."""
        asked = []

        def answer(position: Position, *, nodes: int = 0, history: Sequence[Position] = (), **more: Any) -> Thought:
            asked.append(f"level {more['level']}" if "level" in more else f"study {len(history) + 1}")
            move = min(position.legal_moves())
            return Thought(move, 0, 1, 1, 0.0, (move,))

        monkeypatch.setattr("games.studies.think", answer)
        monkeypatch.setattr("games.worker.think", answer)
        self.asked = asked
        return asked

    async def test_a_worker_that_stops_in_the_middle_leaves_the_rest_to_the_next(self, over: Match, ana: User) -> None:
        await in_thread(analysis.ask, over.code, ana)
        first = Studies(in_thread, lambda: False)
        for _ in range(2):
            assert await first.work()
        await first.stop()
        await in_thread(lambda: Analysis.objects.update(claimed_until=timezone.now()))
        second = Studies(in_thread, lambda: False)
        while await second.work():
            pass
        await second.stop()
        assert await in_thread(lambda: Analysis.objects.get().done_at is not None)
        assert sorted(self.asked) == sorted(f"study {turn}" for turn in range(1, over.turn + 1))

    async def test_in_the_middle_of_a_long_analysis_a_short_one_goes_first(
        self, over: Match, ana: User, boris: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("games.studies.IN_A_ROW", 2)
        long = await in_thread(analysis.ask, over.code, ana)
        await in_thread(lambda: Analysis.objects.filter(pk=long.pk).update(total=300))
        studies = Studies(in_thread, lambda: False)
        assert await studies.work()
        short = await in_thread(lambda: analysis.ask(another(ana, boris).code, boris))
        for _ in range(1 + short.total):
            assert await studies.work()
        assert await in_thread(lambda: Analysis.objects.get(pk=short.pk).done_at is not None)
        assert await in_thread(lambda: AnalysedTurn.objects.filter(analysis=long).count()) == 2
        while await studies.work():
            pass
        await studies.stop()
        assert not await in_thread(lambda: Analysis.objects.wanted().exists())

    async def test_an_analysis_waits_while_the_computer_has_turns_to_make(self, over: Match, ana: User) -> None:
        await in_thread(analysis.ask, over.code, ana)
        busy = True
        studies = Studies(in_thread, lambda: busy)
        working = asyncio.create_task(studies.work())
        await asyncio.sleep(0.3)
        assert not self.asked
        busy = False
        assert await working
        assert len(self.asked) == 1
        await studies.stop()

    async def test_a_hint_does_not_wait_behind_analyses(self, over: Match, ana: User, computer: User) -> None:
        from games.services import hints, seating

        await in_thread(analysis.ask, over.code, ana)
        match = await in_thread(lambda: seating.play_computer(ana, 3, cast.UNTIMED))
        await in_thread(lambda: Match.objects.filter(pk=match.pk).update(to_move=0, computer_due_at=None))
        await in_thread(hints.ask, match.code, ana, 1)
        studies = Studies(in_thread, lambda: False)
        await studies.work()
        assert self.asked == ["study 1"]
        assert await in_thread(lambda: AnalysedTurn.objects.count()) == 0
        await studies.stop()
        await in_thread(lambda: Match.objects.filter(pk=match.pk).delete())

    async def test_a_running_worker_does_an_analysis(self, over: Match, ana: User) -> None:
        await in_thread(analysis.ask, over.code, ana)
        worker = Worker()
        running = asyncio.create_task(worker.run())
        try:
            async with asyncio.timeout(30):
                while not await in_thread(lambda: Analysis.objects.get().done_at):  # noqa: ASYNC110
                    await asyncio.sleep(0.05)
        finally:
            worker.stop()
            await running
        assert len(self.asked) == over.turn

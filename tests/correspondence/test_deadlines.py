"""Deadlines: what is in time, who ends a match, and that everyone sees it once and in their own words."""

import asyncio
import datetime
import threading
from collections.abc import Callable
from typing import Any

import pytest
import time_machine
from channels.db import database_sync_to_async
from channels.testing import WebsocketCommunicator
from django.db import connection
from django.test import Client
from django.utils import timezone, translation
from django.utils.formats import date_format

from accounts.models import User
from games.models import Match, Move, Pace, Standing, Status
from games.rules import Reason
from games.services import ending, playing
from games.services.errors import MatchOverError, OutOfTimeError
from games.worker import Worker, sweep
from tests.correspondence.conftest import BEGIN, Begin, first_move, mover, play_on, waiter
from yourtrumps.asgi import application

MILLISECOND = datetime.timedelta(milliseconds=1)
DAY = datetime.timedelta(days=1)


def test_a_turn_counts_until_the_millisecond_before_the_deadline(begin: Begin, clock: time_machine.Traveller) -> None:
    match = begin()
    play_on(match)
    clock.move_to(BEGIN + 2 * DAY - MILLISECOND)
    play_on(match)
    assert match.turn == 3


@pytest.mark.parametrize("after", [datetime.timedelta(0), MILLISECOND, DAY])
@pytest.mark.parametrize("swept", [False, True])
def test_at_the_deadline_a_turn_is_too_late_whether_or_not_a_sweep_has_passed(
    begin: Begin, clock: time_machine.Traveller, after: datetime.timedelta, swept: bool
) -> None:
    match = begin()
    play_on(match)
    loser, move = mover(match), first_move(match)
    clock.move_to(BEGIN + 2 * DAY + after)
    if swept:
        assert sweep() == 1
    with pytest.raises(MatchOverError if swept else OutOfTimeError):
        playing.play(match.code, loser, 2, move)
    match.refresh_from_db()
    assert (match.reason, Move.objects.filter(match=match).count()) == (Reason.TIME, 1)


def test_a_live_and_a_correspondence_clock_end_within_one_sweep_with_nobody_there(
    begin: Begin, clock: time_machine.Traveller
) -> None:
    live = begin(pace=Pace.LIVE, base_seconds=300, increment_seconds=5, days_per_turn=0)
    days = begin(days_per_turn=1)
    later = begin(days_per_turn=2)
    for match in (live, days, later):
        play_on(match)
    clock.move_to(BEGIN + DAY)
    assert sweep() == 2
    assert {match.reason for match in Match.objects.filter(pk__in=[live.pk, days.pk])} == {Reason.TIME}
    assert Match.objects.get(pk=later.pk).is_running


@pytest.mark.django_db(transaction=True)
class TestAtOnce:
    def test_two_sweeps_end_an_overdue_match_once(self, begin: Begin) -> None:
        match = begin()
        play_on(match)
        Match.objects.update(deadline=timezone.now() - MILLISECOND)
        ended = self.race(sweep, sweep)
        assert sorted(ended) == [0, 1]
        assert Match.objects.get(pk=match.pk).reason == Reason.TIME

    def test_a_turn_and_the_sweep_have_one_outcome(self, begin: Begin) -> None:
        for _attempt in range(5):
            # Losing every race must not pause anybody's challenges.
            Standing.objects.all().delete()
            match = begin()
            play_on(match)
            player, move = mover(match), first_move(match)
            Match.objects.filter(pk=match.pk).update(deadline=timezone.now() + 30 * MILLISECOND)

            def play(match: Match = match, player: User = player, move: str = move) -> bool:
                try:
                    playing.play(match.code, player, 2, move)
                except (OutOfTimeError, MatchOverError):
                    return False
                return True

            def expire(match: Match = match) -> bool:
                while not Match.objects.overdue(timezone.now()).filter(pk=match.pk).exists():
                    now = Match.objects.get(pk=match.pk)
                    # A turn that comes too late ends the match itself, and nothing is overdue then.
                    if now.turn > 2 or not now.is_running:
                        return False
                return ending.expire(match.code)

            played, _expired = self.race(play, expire)
            match.refresh_from_db()
            assert played == (match.turn == 3)
            assert match.is_running == played

    def race(self, *jobs: Callable[[], object]) -> list[object]:
        results: list[object] = [None] * len(jobs)
        barrier = threading.Barrier(len(jobs))

        def run(number: int, job: Callable[[], object]) -> None:
            barrier.wait(10)
            try:
                results[number] = job()
            finally:
                connection.close()

        threads = [threading.Thread(target=run, args=numbered) for numbered in enumerate(jobs)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        assert not any(thread.is_alive() for thread in threads)
        return results


@pytest.mark.django_db(transaction=True)
async def test_every_open_page_sees_a_timeout_once(begin: Begin) -> None:
    def prepare() -> tuple[Match, list[Client]]:
        match = begin()
        play_on(match)
        clients = [Client(), Client()]
        for client, user in zip(clients, (mover(match), waiter(match)), strict=True):
            client.force_login(user)
        return match, clients

    match, clients = await database_sync_to_async(prepare)()
    pages = [await open_page(match, client) for client in clients]
    await database_sync_to_async(Match.objects.update)(deadline=timezone.now() - MILLISECOND)
    workers = [Worker(), Worker()]
    await asyncio.gather(*(worker._every(0, sweep) for worker in workers))
    for page, words in zip(pages, ("You have lost", "You have won"), strict=True):
        assert words in await next_table(page)
        while not await page.receive_nothing(0.5):
            assert is_bell(await page.receive_from(5))
        await page.disconnect()
    finished = await Match.objects.aget(pk=match.pk)
    assert (finished.status, finished.reason) == (Status.FINISHED, Reason.TIME)


def is_bell(frame: str) -> bool:
    """Whether a frame brings the count of unread notices alone."""
    return frame.startswith('<span id="unread-notices"')


async def next_table(page: WebsocketCommunicator) -> str:
    """Return the next frame that brings more than the bell."""
    while is_bell(frame := await page.receive_from(5)):
        pass
    return frame


def written(language: str, at: datetime.datetime) -> str:
    with translation.override(language):
        return date_format(timezone.localtime(at), "DATETIME_FORMAT")


async def open_page(match: Match, client: Client) -> WebsocketCommunicator:
    """Open a table's socket with a browser's session, and take its first rendering."""
    cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in client.cookies.items())
    page = WebsocketCommunicator(
        application,
        f"/ws/match/{match.code}/",
        headers=[(b"host", b"testserver"), (b"origin", b"http://testserver"), (b"cookie", cookies.encode())],
    )
    connected, _protocol = await page.connect(5)
    assert connected
    await page.receive_from(5)
    return page


@pytest.mark.django_db(transaction=True)
@time_machine.travel(BEGIN, tick=True)
async def test_each_page_and_each_request_is_in_its_readers_language(begin: Begin, settings: Any) -> None:
    """Django's own catalogues know how a deadline is written, so that it tells the languages apart."""
    settings.LANGUAGES = [("en", "English"), ("ta", "Tamil"), ("ka", "Georgian")]

    def prepare() -> tuple[Match, Client, User]:
        match = begin()
        player = mover(match)
        User.objects.filter(pk=player.pk).update(language="ta")
        User.objects.exclude(pk=player.pk).update(language="ka")
        other = Client()
        other.force_login(waiter(match))
        client = Client()
        client.force_login(User.objects.get(pk=player.pk))
        return match, client, other

    match, client, other = await database_sync_to_async(prepare)()
    page = await open_page(match, other)
    move = {"turn": 1, "move": first_move(match)}
    response = await database_sync_to_async(client.post)(f"{match.get_absolute_url()}play/", move)
    assert response.status_code == 302
    told = await next_table(page)
    await database_sync_to_async(match.refresh_from_db)()
    georgian, tamil, english = (written(language, match.deadline) for language in ("ka", "ta", "en"))
    assert len({georgian, tamil, english}) == 3
    assert georgian in told
    assert tamil not in told
    await page.disconnect()
    own = await database_sync_to_async(client.get)(match.get_absolute_url())
    assert tamil in own.content.decode()
    stranger = await database_sync_to_async(Client().get)(match.get_absolute_url())
    assert '<html lang="en"' in stranger.content.decode()
    assert english in stranger.content.decode()

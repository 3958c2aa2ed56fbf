"""At the table of a live match it is shown who has left it."""

import datetime
from collections.abc import Iterator

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from games.models import Match, Seat
from games.models.match import AWAY_AFTER
from games.services import presence
from tests.games.cast import DAYS, LIVE, UNTIMED, any_move, mover, page, play, start_match, waiter
from tests.games.sockets import Socket, in_database

NOON = datetime.datetime(2026, 3, 2, 12, tzinfo=datetime.UTC)
BEAT = datetime.timedelta(seconds=5)


def marked(match: Match, viewer: User | None) -> list[str]:
    """Return the names on a viewer's table that are marked as away."""
    client = Client()
    if viewer is not None:
        client.force_login(viewer)
    names = page(client.get(match.get_absolute_url())).select(".names .who")
    return sorted(name.select_one("bdi").get_text() for name in names if name.select_one(".is-away"))


@pytest.mark.django_db
class TestWhoIsAway:
    @pytest.fixture
    def clock(self) -> Iterator[time_machine.Traveller]:
        with time_machine.travel(NOON, tick=False) as traveller:
            yield traveller

    def test_who_is_silent_is_away_to_the_others_until_heard_of(
        self, clock: time_machine.Traveller, ana: User, boris: User
    ) -> None:
        match = start_match(ana, boris, LIVE)
        clock.move_to(NOON + AWAY_AFTER - BEAT)
        assert marked(match, None) == []
        clock.move_to(NOON + AWAY_AFTER)
        assert marked(match, None) == ["Ana", "Boris"]
        assert presence.hear(match.code, None) == (1, {0, 1})
        assert marked(match, ana) == ["Boris"]
        assert presence.hear(match.code, boris.pk) == (1, set())
        assert marked(match, ana) == []

    def test_a_turn_brings_a_player_back(self, clock: time_machine.Traveller, ana: User, boris: User) -> None:
        match = start_match(ana, boris, LIVE)
        clock.move_to(NOON + AWAY_AFTER)
        first, second = mover(match), waiter(match)
        play(match, any_move(match))
        assert marked(match, None) == [second.username]
        assert marked(match, second) == []
        assert marked(match, first) == []

    def test_an_open_page_that_only_beats_is_never_away(
        self, clock: time_machine.Traveller, ana: User, boris: User
    ) -> None:
        match = start_match(ana, boris, LIVE)
        written = 0
        for _ in range(24):
            clock.shift(BEAT)
            with CaptureQueriesContext(connection) as captured:
                _turn, away = presence.hear(match.code, ana.pk)
            written += len(captured) - 1
            assert 0 not in away
        assert away == {1}
        assert written == 12

    def test_it_is_told_in_words_to_the_opponent(self, clock: time_machine.Traveller, ana: User, boris: User) -> None:
        match = start_match(ana, boris, LIVE)
        clock.move_to(NOON + AWAY_AFTER)
        client = Client()
        client.force_login(ana)
        told = page(client.get(match.get_absolute_url())).select_one("#announce-away[role=status]")
        assert told.get_text() == "Your opponent is not at the table."

    def test_other_matches_do_not_show_it(
        self, clock: time_machine.Traveller, ana: User, boris: User, computer: User
    ) -> None:
        matches = [start_match(ana, boris, DAYS), start_match(ana, boris, UNTIMED), start_match(ana, computer, LIVE)]
        clock.move_to(NOON + 2 * AWAY_AFTER)
        assert [marked(match, None) for match in matches] == [[]] * 3


@pytest.mark.django_db(transaction=True)
async def test_a_page_learns_from_its_heart_beat_who_left_and_who_came_back(ana: User, boris: User) -> None:
    def leave(user: User) -> None:
        Seat.objects.filter(match=match, user=user).update(looked_at=long_ago, here_at=long_ago)

    match = await in_database(lambda: start_match(ana, boris, LIVE))
    path = f"/ws/match/{match.code}/"
    long_ago = timezone.now() - datetime.timedelta(minutes=5)
    await in_database(lambda: Match.objects.filter(pk=match.pk).update(started_at=long_ago))
    await in_database(lambda: presence.look(match, boris, 1))
    async with Socket(path, ana) as here:
        assert "is-away" not in await here.until_turn(1)
        await in_database(lambda: leave(boris))
        await here.send("ping", turn=1)
        assert "Your opponent is not at the table." in await here.until_turn(1)
        async with Socket(path, boris) as there:
            await there.until_turn(1)
            await there.send("ping", turn=1)
            await there.until(lambda frame: 'id="pong"' in frame)
            await there.until_pong()
        await here.send("ping", turn=1)
        assert "is-away" not in await here.until_turn(1)
        await here.send("ping", turn=1)
        assert 'id="pong"' in await here.next()
        assert await here.line.receive_nothing(timeout=0.1)

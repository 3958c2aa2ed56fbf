"""Killing the server and the worker at random moments loses no turn and makes none twice."""

import asyncio
import contextlib
import json
import random
import re
import time
from collections.abc import Iterator

import pytest
import websockets
from channels.db import database_sync_to_async as in_database
from pytest_django import DjangoDbBlocker

from accounts.models import User
from games.models import Match, Move, OpenTo
from games.rules import Game, Position, Reason, parse_move, parse_position
from games.services import seating
from tests.site import Site, running_site, session_key

PEOPLE, AGAINST_COMPUTER = 25, 25
KILLS = 6
STATE = re.compile(r'id="state"[^>]*data-turn="(?P<turn>\d+)" data-stage="(?P<stage>\w+)"')
#: Matches that go on for longer than this many turns are resigned: most soon, every tenth only after a while.
LONGEST, SOME_LONGEST = 12, 30
TERMS = seating.MatchTerms(deck_size=24)


@pytest.fixture(scope="module")
def site(django_db_blocker: DjangoDbBlocker) -> Iterator[Site]:
    with django_db_blocker.unblock(), running_site() as site:
        yield site


class Script:
    """One match played to its end by a program that comes back after every cut."""

    def __init__(self, number: int, against_computer: bool) -> None:
        self.users = [User.objects.create_user(f"killed{number}{side}") for side in "ab"]
        if against_computer:
            match = seating.play_computer(self.users[0], 1, TERMS)
        else:
            match = seating.create(self.users[0], TERMS, open_to=OpenTo.LINK)
            seating.accept(match.code, self.users[1])
        self.code = match.code
        self.start = Match.objects.get(pk=match.pk).start
        self.sent: dict[int, str] = {}
        self.dice = random.Random(number)
        self.cookies = [f"sessionid={session_key(user)}" for user in self.users]
        self.own_seats = (0,) if against_computer else (0, 1)
        self.longest = LONGEST if number % 10 else SOME_LONGEST

    def position(self) -> tuple[Position, int]:
        """Return where the match stands in the database, and its turn."""
        match = Match.objects.get(code=self.code)
        return match.rules_position, match.turn if match.is_running else 0

    async def play(self, site: Site) -> None:
        """Play until the match is over, whatever happens to the server."""
        while True:
            try:
                if await self._play_until_cut(site):
                    return
            except (OSError, websockets.WebSocketException, TimeoutError):
                await asyncio.sleep(0.05)

    async def _play_until_cut(self, site: Site) -> bool:
        """Play on over one pair of sockets; the answer is True when the match is over."""
        async with contextlib.AsyncExitStack() as stack:
            lines = [await stack.enter_async_context(self._line(site, seat)) for seat in self.own_seats]
            while True:
                position, turn = await in_database(self.position)()
                if not turn:
                    return True
                line = lines[position.turn if position.turn in self.own_seats else 0]
                if turn > self.longest:
                    await line.send(json.dumps({"action": "resign"}))
                elif position.turn in self.own_seats:
                    # A turn whose answer was lost is sent again as it was.
                    move = self.sent.setdefault(turn, str(self.dice.choice(sorted(position.legal_moves()))))
                    await line.send(json.dumps({"action": "play", "turn": turn, "move": move}))
                await self._see(line, turn)

    def _line(self, site: Site, seat: int) -> websockets.connect:
        return websockets.connect(
            f"ws://127.0.0.1:{site.port}/ws/match/{self.code}/",
            origin=site.address,
            additional_headers={"Cookie": self.cookies[seat]},
        )

    async def _see(self, line: websockets.ClientConnection, turn: int) -> None:
        """Return when the page shows that this turn was made, or that the match is over."""
        async with asyncio.timeout(20):
            while True:
                found = STATE.search(str(await line.recv()))
                if found and (int(found["turn"]) > turn or found["stage"] == "over"):
                    return


async def play_through_kills(site: Site, scripts: list[Script]) -> None:
    playing = [asyncio.create_task(script.play(site)) for script in scripts]
    dice = random.Random(7)
    victims = ["server", "worker"] if site.has_worker_process else ["server"]
    for number in range(KILLS):
        made = await in_database(Move.objects.count)()
        # A random moment: after some more turns, in the middle of whatever is going on then.
        goal, end = made + dice.randrange(20, 90), time.monotonic() + 30
        while await in_database(Move.objects.count)() < goal and time.monotonic() < end:  # noqa: ASYNC110
            # Looking is all there is to wait for: the site is another process.
            await asyncio.sleep(0.01)
        victim = victims[number % len(victims)]
        await asyncio.to_thread(site.kill, victim)
        await asyncio.to_thread(site.start_server if victim == "server" else site.start_worker)
    async with asyncio.timeout(900):
        await asyncio.gather(*playing)


@pytest.mark.slow
def test_no_turn_is_lost_or_doubled(site: Site) -> None:
    scripts = [Script(number, number >= PEOPLE) for number in range(PEOPLE + AGAINST_COMPUTER)]
    asyncio.run(play_through_kills(site, scripts))
    for script in scripts:
        match = Match.objects.get(code=script.code)
        log = list(Move.objects.filter(match=match).order_by("turn"))
        assert [move.turn for move in log] == list(range(1, match.turn))
        game = Game.replay(parse_position(match.start), (parse_move(move.notation) for move in log))
        assert str(game.position) == match.position
        assert match.is_over
        if match.reason != Reason.RESIGNATION:
            assert game.outcome is not None
            assert (game.outcome.winner, game.outcome.reason) == (match.winner, match.reason)
        assert {turn: log[turn - 1].notation for turn in script.sent} == script.sent

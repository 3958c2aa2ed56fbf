"""How fast turns travel from one player's socket to the opponent's rendered table.

Plays matches over real sockets on one server process with PostgreSQL and Redis, beside a
bare consumer (``bare.py``) in the same run, each match with one turn in flight:

    .venv/bin/python scripts/with_servers.py .venv/bin/python tests/bench/relay.py

Prints, for 20 and for 200 matches at once, turns a second, the median and 99th percentile of
the way of a turn and the server's processor time a turn, in milliseconds, and the ratio of the
two rates. The matches are such as last longer than the measurement: none ends and leaves the
server less to do.
"""

import argparse
import asyncio
import contextlib
import json
import os
import random
import re
import signal
import socket
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "yourtrumps.settings")
os.environ.setdefault("LOCAL", "1")
os.environ.setdefault("LOG_LEVEL", "WARNING")

import django  # noqa: E402

django.setup()

import websockets  # noqa: E402
from django.conf import settings  # noqa: E402
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY  # noqa: E402
from django.contrib.sessions.backends.db import SessionStore  # noqa: E402
from django.core.management import call_command  # noqa: E402

from accounts.models import User  # noqa: E402
from games.models import Match, OpenTo  # noqa: E402
from games.rules import Game, Position, parse_position  # noqa: E402
from games.services import ending, seating  # noqa: E402

#: In how many turns a match may not end.
LONG = 390
PORTS = {"relay": 8191, "bare": 8192}
TURN = re.compile(r'data-turn="(\d+)"')


@dataclass
class Table:
    """One match with the cookies of its players."""

    code: str
    position: Position
    cookies: tuple[str, str]
    turn: int = 1


@dataclass
class Figures:
    """What was measured at one number of matches."""

    seconds: float
    ways: list[float] = field(default_factory=list)
    processor: float = 0.0

    @property
    def rate(self) -> float:
        return len(self.ways) / self.seconds

    def __str__(self) -> str:
        ways = sorted(self.ways)
        median, worst = statistics.median(ways), ways[int(len(ways) * 0.99)]
        figures = f"{self.rate:7.0f} turns/s   median {median * 1000:7.1f} ms   99th percentile {worst * 1000:7.1f} ms"
        return f"{figures}   server {self.processor / len(ways) * 1000:5.2f} ms" if self.processor else figures


def make_tables(count: int, tag: str) -> list[Table]:
    tables = []
    for number in range(count):
        users = [User.objects.create_user(f"{tag}x{number}x{seat}") for seat in "ab"]
        match = _begin(users)
        while not _is_long(match):
            ending.resign(match.code, users[0])
            match = _begin(users)
        tables.append(Table(match.code, parse_position(match.start), (_cookie(users[0]), _cookie(users[1]))))
    return tables


def _begin(users: list[User]) -> Match:
    terms = seating.MatchTerms(pace="live", base_seconds=3600, increment_seconds=60)
    match = seating.create(users[0], terms, open_to=OpenTo.LINK)
    seating.accept(match.code, users[1])
    return Match.objects.get(pk=match.pk)


def _is_long(match: Match) -> bool:
    """Whether the match will last: what is played in it follows from its code."""
    game, dice = Game(parse_position(match.start)), random.Random(match.code)
    while game.outcome is None and game.turns < LONG:
        game.play(dice.choice(list(game.position.legal_moves())))
    return game.outcome is None


def _cookie(user: User) -> str:
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return f"{settings.SESSION_COOKIE_NAME}={session.session_key}"


async def _open(kind: str, code: str, cookie: str) -> websockets.ClientConnection:
    port = PORTS[kind]
    path = f"ws/match/{code}/" if kind == "relay" else f"bare/{code}/"
    return await websockets.connect(
        f"ws://127.0.0.1:{port}/{path}",
        origin=f"http://127.0.0.1:{port}",
        additional_headers={"Cookie": cookie},
        compression=None,
        max_queue=None,
        open_timeout=60,
    )


async def _see(line: websockets.ClientConnection, turn: int) -> None:
    """Read until the page shows this turn or a later one."""
    while True:
        found = TURN.search(await line.recv())
        if found and int(found.group(1)) >= turn:
            return


async def _play(
    kind: str, table: Table, opening: asyncio.Semaphore, ready: asyncio.Barrier, seconds: float, ways: list[float]
) -> None:
    # A few at a time: a server that is busy with hundreds of handshakes gives up those that wait.
    async with opening:
        lines = [await _open(kind, table.code, cookie) for cookie in table.cookies]
        for line in lines:
            await _see(line, 0)
    dice = random.Random(table.code)
    await ready.wait()
    end = time.perf_counter() + seconds
    position = table.position
    while time.perf_counter() < end and table.turn < LONG:
        move = dice.choice(list(position.legal_moves()))
        mover, other = lines[position.turn], lines[1 - position.turn]
        message = {"action": "play", "turn": str(table.turn), "move": str(move)}
        sent = time.perf_counter()
        await mover.send(json.dumps(message) if kind == "relay" else str(table.turn + 1))
        await _see(other, table.turn + 1)
        ways.append(time.perf_counter() - sent)
        await _see(mover, table.turn + 1)
        table.turn += 1
        position = position.play(move)
    for line in lines:
        await line.close()


async def measure(kind: str, tables: list[Table], seconds: float, server: int) -> Figures:
    opening, ready = asyncio.Semaphore(4), asyncio.Barrier(len(tables) + 1)
    figures = Figures(seconds)

    async def clock() -> None:
        await ready.wait()
        before = _processor_seconds(server)
        await asyncio.sleep(seconds)
        figures.processor = _processor_seconds(server) - before

    async with asyncio.timeout(seconds + 120):
        await asyncio.gather(clock(), *(_play(kind, table, opening, ready, seconds, figures.ways) for table in tables))
    return figures


def _processor_seconds(process: int) -> float:
    """Return the processor time of a process so far, as Linux tells it."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def serve(kind: str) -> subprocess.Popen[bytes]:
    application = "yourtrumps.asgi.application" if kind == "relay" else "tests.bench.bare.application"
    code = f"from django.conf import settings; settings.ASGI_APPLICATION = {application!r}"
    program = f"import django; django.setup(); {code}; from django.core.management import call_command; "
    program += f"call_command('serve', port={PORTS[kind]}, no_worker=True, skip_checks=True)"
    return subprocess.Popen([sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.DEVNULL)


def wait_for(port: int) -> None:
    """Return when the server listens; raises ``TimeoutError`` after a minute."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.2)
    raise TimeoutError(f"no server on port {port}")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--matches", type=int, nargs="+", default=[20, 200])
    options.add_argument("--seconds", type=float, default=10.0)
    chosen = options.parse_args()
    if not os.environ.get("REDIS_URL"):
        sys.exit("run this through scripts/with_servers.py: it measures PostgreSQL and Redis")
    call_command("migrate", verbosity=0)
    for count in chosen.matches:
        rates = {}
        for kind in ("bare", "relay"):
            tables = make_tables(count, f"{kind}{count}x{os.getpid()}")
            server = serve(kind)
            try:
                wait_for(PORTS[kind])
                figures = asyncio.run(measure(kind, tables, chosen.seconds, server.pid))
            finally:
                server.send_signal(signal.SIGTERM)
                server.wait(20)
            rates[kind] = figures.rate
            print(f"{count:4d} matches  {kind:6s} {figures}", flush=True)
        print(f"{count:4d} matches  relay / bare = {rates['relay'] / rates['bare']:.2f}", flush=True)


if __name__ == "__main__":
    main()

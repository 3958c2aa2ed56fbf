"""How much people's turns are slowed while the computer thinks at full strength in many matches at once.

One server process and one worker process on PostgreSQL and Redis. People play each other over sockets, a turn now and
then; in the same run once alone, and once beside matches against level 8 in which the computer is always to move again:

    .venv/bin/python scripts/with_servers.py .venv/bin/python tests/bench/thinking.py

Prints the median and the 99th percentile of the way of people's turns in both parts, the ratio of the latter, how
many turns the computer made, and the memory of the worker.
"""

import argparse
import asyncio
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from multiprocessing import get_context
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "yourtrumps.settings")
os.environ.setdefault("DEBUG", "1")
os.environ.setdefault("LOCAL", "1")
os.environ.setdefault("LOG_LEVEL", "WARNING")

import django  # noqa: E402

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402

from accounts.models import User  # noqa: E402
from games.models import Match, Move  # noqa: E402
from games.services import playing, seating  # noqa: E402
from games.services.errors import MatchError  # noqa: E402
from tests.bench.relay import PORTS, Figures, Table, _open, _see, make_tables, serve, wait_for  # noqa: E402

LEVEL = 8


async def _talk(table: Table, ready: asyncio.Barrier, end: float, pause: float, figures: Figures) -> None:
    """Play one match, with a pause before each turn, and note how long each takes to reach the opponent."""
    lines = [await _open("relay", table.code, cookie) for cookie in table.cookies]
    dice = random.Random(table.code)
    for line in lines:
        await _see(line, table.turn)
    await ready.wait()
    position = table.position
    while time.perf_counter() < end and position.outcome() is None and table.turn < 390:
        await asyncio.sleep(dice.uniform(0.5, 1.5) * pause)
        move = dice.choice(list(position.legal_moves()))
        mover, other = lines[position.turn], lines[1 - position.turn]
        sent = time.perf_counter()
        await mover.send(json.dumps({"action": "play", "turn": str(table.turn), "move": str(move)}))
        await _see(other, table.turn + 1)
        figures.ways.append(time.perf_counter() - sent)
        await _see(mover, table.turn + 1)
        table.turn += 1
        position = position.play(move)
    for line in lines:
        await line.close()


async def measure(tables: list[Table], seconds: float, pause: float) -> Figures:
    ready, figures = asyncio.Barrier(len(tables)), Figures(seconds)
    end = time.perf_counter() + seconds
    await asyncio.gather(*(_talk(table, ready, end, pause, figures) for table in tables))
    return figures


class Challengers:
    """People who answer the computer at once, so that it always has something to think about.

    In a process of their own: what they compute must not delay whoever measures.
    """

    def __init__(self, count: int) -> None:
        self.user = User.objects.create_user(f"challenger{os.getpid()}")
        self._count = count
        self._process = get_context("spawn").Process(target=_challenge, args=(self.user.pk, count))

    def __enter__(self) -> "Challengers":
        self._process.start()
        while self.turns() < self._count:
            time.sleep(0.1)
        return self

    def __exit__(self, *error: object) -> None:
        self._process.terminate()
        self._process.join()

    def turns(self) -> int:
        """How many turns the computer has made."""
        return Move.objects.filter(seat=1, match__seats__user=self.user).count()


def _challenge(user_id: int, count: int) -> None:
    """Keep so many matches against the computer going, until terminated."""
    user, dice = User.objects.get(pk=user_id), random.Random(1)
    while True:
        for _ in range(count - Match.objects.running().filter(seats__user=user).count()):
            seating.play_computer(user, LEVEL, seating.MatchTerms())
        for match in Match.objects.running().filter(seats__user=user, to_move=0):
            move = dice.choice(sorted(match.rules_position.legal_moves()))
            with contextlib.suppress(MatchError):
                playing.play(match.code, user, match.turn, str(move))
        time.sleep(0.2)


def worker() -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "manage.py", "worker"], cwd=ROOT, stdout=subprocess.DEVNULL)


def memory(process: subprocess.Popen[bytes]) -> int:
    """Return the megabytes that a process holds, or held at most."""
    for line in Path(f"/proc/{process.pid}/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) // 1024
    return 0


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--games", type=int, default=20, help="matches against the computer at once")
    options.add_argument("--people", type=int, default=20, help="matches between people at once")
    options.add_argument("--seconds", type=float, default=30.0)
    options.add_argument("--pause", type=float, default=1.0, help="seconds before a person's turn, on average")
    chosen = options.parse_args()
    if not os.environ.get("REDIS_URL"):
        sys.exit("run this through scripts/with_servers.py: it measures PostgreSQL and Redis")
    call_command("migrate", verbosity=0)
    call_command("warmengine", verbosity=0)
    server, thinker = serve("relay"), worker()
    try:
        wait_for(PORTS["relay"])
        figures = {}
        for part in ("warm", "alone", "beside"):
            tables = make_tables(chosen.people, f"{part}x{os.getpid()}")
            if part == "beside":
                with Challengers(chosen.games) as challengers:
                    before = challengers.turns()
                    figures[part] = asyncio.run(measure(tables, chosen.seconds, chosen.pause))
                    made = challengers.turns() - before
            else:
                seconds = 5.0 if part == "warm" else chosen.seconds
                figures[part] = asyncio.run(measure(tables, seconds, chosen.pause))
            if part != "warm":
                print(f"{part:7s} {figures[part]}", flush=True)
        ratio = _worst(figures["beside"]) / _worst(figures["alone"])
        print(f"{chosen.games} matches against level {LEVEL}: the computer made {made} turns")
        print(f"99th percentile beside / alone = {ratio:.2f}; memory of the worker {memory(thinker)} MB")
    finally:
        for process in (server, thinker):
            process.send_signal(signal.SIGTERM)
            process.wait(20)
        connection.close()


def _worst(figures: Figures) -> float:
    ways = sorted(figures.ways)
    return ways[int(len(ways) * 0.99)]


if __name__ == "__main__":
    main()

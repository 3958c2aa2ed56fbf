"""What deadlines and a player's list of matches cost among a million running matches.

Makes two databases of one PostgreSQL server, with 10,000 and with 1,000,000 running correspondence
matches, each of whose players has 100 of them, and measures the same in both, in turn, so that
whatever else the machine does meets both:

    .venv/bin/python scripts/with_servers.py .venv/bin/python tests/bench/deadlines.py

- the sweep: milliseconds for each match that it ends on time, and for a sweep that finds nothing due;
- "my matches": milliseconds to build the page's data for a player with 100 running matches.

Prints each (the lower quartile of many) with the ratio of the two sizes, and exits with 1 where a ratio is 1.5 or more.
"""

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "yourtrumps.settings")
os.environ.setdefault("DEBUG", "1")
os.environ.setdefault("LOG_LEVEL", "WARNING")

import django  # noqa: E402

django.setup()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from django.db.models import Model  # noqa: E402
from django.utils import timezone  # noqa: E402

from accounts.models import User  # noqa: E402
from games import selectors  # noqa: E402
from games.models import Match, OpenTo, Pace  # noqa: E402
from games.services import playing, seating  # noqa: E402
from games.worker import sweep  # noqa: E402

MATCHES_A_PLAYER = 100
DUE = 40
ROUNDS = 8
PLAYERS = 12
LIMIT = 1.5


def template_match() -> Match:
    """Return a correspondence match that has been led in, from which the others are copied."""
    players = [User.objects.create_user(f"Template-{number}", password=None) for number in range(2)]
    terms = seating.MatchTerms(pace=Pace.CORRESPONDENCE, days_per_turn=3)
    match = seating.create(players[0], terms, open_to=OpenTo.LINK)
    seating.accept(match.code, players[1])
    match.refresh_from_db()
    mover = match.seats.select_related("user").get(number=match.to_move).user
    playing.play(match.code, mover, 1, min(str(move) for move in match.rules_position.legal_moves()))
    match.refresh_from_db()
    return match


def copy_rows(row: Model, series: str, values: dict[str, str]) -> None:
    """Insert copies of a row by SQL, one for each number ``n`` of a series, with other values in some columns."""
    meta = row._meta
    columns = [field.column for field in meta.concrete_fields if not field.primary_key or field.column in values]
    chosen = [values.get(column, f"t.{column}") for column in columns]
    names = ", ".join(f'"{column}"' for column in columns)
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {meta.db_table} ({names}) SELECT {', '.join(chosen)} "
            f"FROM {series}, {meta.db_table} t WHERE t.{meta.pk.column} = %s",
            [row.pk],
        )


def fill(match: Match, first: int, last: int) -> None:
    """Add the running matches ``first`` to ``last``; matches and players have the ids of their numbers, plus a base."""
    with connection.cursor() as cursor:
        # What is copied refers to rows that are there: the look-up of each is spared.
        cursor.execute("SET session_replication_role = replica")
    players = [last * 2 // MATCHES_A_PLAYER, first * 2 // MATCHES_A_PLAYER]
    copy_rows(
        match.seats.get(number=0).user,
        f"generate_series({players[1]}, {players[0] - 1}) n",
        dict.fromkeys(("username", "username_key", "skeleton"), "'player-' || n") | {"id": f"{BASE} + n"},
    )
    copy_rows(
        match,
        f"generate_series({first}, {last - 1}) n",
        {
            "id": f"{BASE} + n",
            "code": "'bench' || n",
            "deadline": "now() + interval '1 hour' + random() * interval '14 days'",
        },
    )
    count = players[0] - players[1]
    for seat in match.seats.all():
        # Neighbours in the list of players play each other, in a different order at each round of the table.
        player = f"{players[1]} + (n - {first} + {seat.number} * (1 + (n - {first}) / {count})) %% {count}"
        copy_rows(
            seat,
            f"generate_series({first}, {last - 1}) n",
            {"id": f"{BASE} + 2 * n + {seat.number}", "match_id": f"{BASE} + n", "user_id": f"{BASE} + {player}"},
        )
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = DEFAULT")
        cursor.execute("VACUUM ANALYZE")


BASE = 1000


def milliseconds(job: Callable[[], object]) -> float:
    """Return how long a job takes."""
    begin = time.perf_counter()
    job()
    return (time.perf_counter() - begin) * 1000


def typical(costs: list[float]) -> float:
    """Return the lower quartile: what else the machine does only ever adds."""
    return statistics.quantiles(costs, n=4)[0]


def make_due(first: int, last: int) -> None:
    """Let matches, spread evenly, have run out of time just now."""
    step = (last - first) // DUE
    numbers = [BASE + first + number * step for number in range(DUE)]
    Match.objects.running().filter(pk__in=numbers).update(deadline=timezone.now())


def use(name: str) -> None:
    """Go over to another database of the same server."""
    connection.close()
    connection.close_pool()
    connection.settings_dict["NAME"] = name


def make_database(name: str, matches: int) -> None:
    """Make a database with so many running matches, and stay in it."""
    with connection.cursor() as cursor:
        cursor.execute(f'CREATE DATABASE "{name}"')
    use(name)
    call_command("migrate", verbosity=0)
    begin = time.perf_counter()
    fill(template_match(), 0, matches)
    sweep()
    print(f"{matches:,} matches made in {time.perf_counter() - begin:.0f} s", flush=True)


def measure(number: int, size: int, costs: dict[str, list[float]]) -> None:
    """Add the costs of one round among ``size`` matches, in milliseconds."""
    last = User.objects.filter(username__startswith="player-").order_by("-pk")
    for player in last[number * PLAYERS : (number + 1) * PLAYERS]:
        selectors.my_page(player)
        costs.setdefault("my matches, 100 of them", []).append(
            milliseconds(lambda player=player: selectors.my_page(player))
        )
    make_due(number, size - DUE + number)
    ended: list[int] = []
    cost = milliseconds(lambda: ended.append(sweep()))
    assert ended == [DUE]
    costs.setdefault("sweep, a match that is due", []).append(cost / DUE)
    for _again in range(PLAYERS):
        costs.setdefault("sweep, nothing due", []).append(milliseconds(sweep))


def main() -> int:
    """Fill, measure in turn, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs=2, default=[10_000, 1_000_000])
    sizes = parser.parse_args().sizes
    if connection.vendor != "postgresql":
        print("This is about PostgreSQL: name one in DATABASE_URL.", file=sys.stderr)
        return 2
    # Queries are kept for debugging otherwise, all of them.
    settings.DEBUG = False
    first = connection.settings_dict["NAME"]
    names = [f"bench_{os.getpid()}_{size}" for size in sizes]
    costs: list[dict[str, list[float]]] = [{}, {}]
    for name, size in zip(names, sizes, strict=True):
        make_database(name, size)
        use(first)
    for number in range(ROUNDS):
        for name, size, found in zip(names, sizes, costs, strict=True):
            use(name)
            measure(number, size, found)
    use(first)
    for name in names:
        with connection.cursor() as cursor:
            cursor.execute(f'DROP DATABASE "{name}"')
    return report(sizes, costs)


def report(sizes: list[int], costs: list[dict[str, list[float]]]) -> int:
    """Print what was found, and return the exit status."""
    failed = False
    print(f"{'milliseconds':30}{sizes[0]:>14,}{sizes[1]:>14,}{'ratio':>8}")
    for name in costs[0]:
        few, many = (typical(found[name]) for found in costs)
        failed |= many / few >= LIMIT
        print(f"{name:30}{few:>14.2f}{many:>14.2f}{many / few:>8.2f}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())

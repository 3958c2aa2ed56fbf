"""What deadlines and a player's list of matches cost among a million running matches.

Fills PostgreSQL with running correspondence matches, 10,000 first and then 1,000,000, each of
whose players has 100 of them, and measures the same at both sizes in one run:

    .venv/bin/python scripts/with_servers.py .venv/bin/python tests/bench/deadlines.py

- the sweep: milliseconds for each match that it ends on time, and for a sweep that finds nothing due;
- "my matches": milliseconds to build the page's data for a player with 100 running matches.

Prints each with the ratio of the two sizes, and exits with 1 where a ratio is 1.5 or more.
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
from games.models import Match, OpenTo, Pace, Seat  # noqa: E402
from games.services import playing, seating  # noqa: E402
from games.worker import sweep  # noqa: E402

MATCHES_A_PLAYER = 100
DUE = 100
ROUNDS = 9
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
        cursor.execute("VACUUM ANALYZE")


BASE = 1000


def milliseconds(job: Callable[[], object]) -> float:
    """Return how long a job takes."""
    begin = time.perf_counter()
    job()
    return (time.perf_counter() - begin) * 1000


def make_due(first: int, last: int) -> None:
    """Let matches, spread evenly, have run out of time just now."""
    step = (last - first) // DUE
    numbers = [BASE + first + number * step for number in range(DUE)]
    Match.objects.running().filter(pk__in=numbers).update(deadline=timezone.now())


def measure(first: int, size: int) -> dict[str, float]:
    """Return the costs with ``size`` matches in the table, those from ``first`` on all running, in milliseconds."""
    pages = []
    # Those who were added last: all of their matches run.
    for player in User.objects.filter(username__startswith="player-").order_by("-pk")[: ROUNDS * 4]:
        shown = selectors.my_page(player)
        assert len(shown.my_turn) + len(shown.waiting) == MATCHES_A_PLAYER
        pages.append(milliseconds(lambda player=player: selectors.my_page(player)))
    ended, empty = [], []
    for number in range(ROUNDS):
        make_due(first + number, size - DUE + number)
        cost = milliseconds(lambda: counts.append(sweep()))
        assert counts[-1] == DUE
        ended.append(cost / DUE)
        empty.append(milliseconds(sweep))
    return {
        "sweep, a match that is due": statistics.median(ended),
        "sweep, nothing due": statistics.median(empty),
        "my matches, 100 running": statistics.median(pages),
    }


counts: list[int] = []


def main() -> int:
    """Fill, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs=2, default=[10_000, 1_000_000])
    small, large = parser.parse_args().sizes
    if connection.vendor != "postgresql":
        print("This is about PostgreSQL: name one in DATABASE_URL.", file=sys.stderr)
        return 2
    # Queries are kept for debugging otherwise, all of them.
    settings.DEBUG = False
    call_command("migrate", verbosity=0)
    match = template_match()
    fill(match, 0, small)
    few = measure(0, small)
    begin = time.perf_counter()
    fill(match, small, large)
    print(f"filled with {large} matches in {time.perf_counter() - begin:.0f} s")
    many = measure(small, large)
    failed = False
    print(f"{'milliseconds':30}{small:>14,}{large:>14,}{'ratio':>8}")
    for name, cost in few.items():
        ratio = many[name] / cost
        failed |= ratio >= LIMIT
        print(f"{name:30}{cost:>14.2f}{many[name]:>14.2f}{ratio:>8.2f}")
    print(f"seats: {Seat.objects.count():,}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())

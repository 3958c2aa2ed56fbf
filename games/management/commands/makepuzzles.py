"""``manage.py makepuzzles``: find puzzles in games of the engine against itself."""

import itertools
import json
import math
import os
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from django.core.management.base import BaseCommand, CommandParser

#: No grade makes up more than this share of the puzzles.
LARGEST_SHARE = 0.35


class Command(BaseCommand):
    """Write puzzles, one a line as JSON: position, move, turns, line, how much of it is asked, grade."""

    help = "Find positions with exactly one winning move, all others proven to lose, and write them as JSON lines."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the number of puzzles, the file and where to start."""
        parser.add_argument("--count", type=int, default=500)
        parser.add_argument("--output", type=Path, help="the file to write; standard output without it")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)

    def handle(self, *args: object, **options: object) -> None:
        """Play games until there are enough puzzles; the same position is taken once."""
        from games.engine.puzzles import puzzles_of_game

        count, batch = options["count"], 8 * options["processes"]
        most = math.ceil(count * LARGEST_SHARE)
        lines: dict[str, str] = {}
        grades: Counter[int] = Counter()
        with ProcessPoolExecutor(options["processes"], mp_context=get_context("spawn")) as pool:
            for start in itertools.count(0, batch):
                search = partial(puzzles_of_game, seed=options["seed"])
                for puzzles in pool.map(search, range(start, start + batch)):
                    for puzzle in puzzles:
                        if grades[puzzle.grade] < most and str(puzzle.position) not in lines:
                            lines[str(puzzle.position)] = json.dumps(puzzle.as_json())
                            grades[puzzle.grade] += 1
                if options["verbosity"]:
                    self.stderr.write(f"{len(lines)} puzzles in {start + batch} games")
                if len(lines) >= count:
                    break
        text = "".join(f"{line}\n" for line in list(lines.values())[:count])
        if options["output"] is None:
            self.stdout.write(text, ending="")
        else:
            options["output"].write_text(text)

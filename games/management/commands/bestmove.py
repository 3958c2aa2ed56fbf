"""``manage.py bestmove``: the engine's move in one position, or in many read from standard input."""

import json
import sys

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.engine import think
from games.rules import parse_position


def _answer(text: str, budget: dict[str, int | float | None]) -> dict[str, object]:
    return think(parse_position(text), **budget).as_json()


class Command(BaseCommand):
    """Print the engine's answer as JSON."""

    help = "Print the engine's move in a position as JSON; - reads one position a line from standard input."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the position and one budget."""
        parser.add_argument("position", nargs="+", help="a position in notation, or - for standard input")
        budget = parser.add_mutually_exclusive_group()
        budget.add_argument("--level", type=int, choices=range(1, 9), help="play as this level")
        budget.add_argument("--nodes", type=int, help="search this many positions")
        budget.add_argument("--seconds", type=float, help="search this long")
        parser.add_argument("--seed", type=int, help="make the answer of the lower levels repeatable")

    def handle(self, *args: object, **options: object) -> None:
        """Answer one position, or each line of standard input as soon as it is read."""
        budget = {name: options[name] for name in ("level", "nodes", "seconds", "seed")}
        text = " ".join(options["position"])
        if text != "-":
            try:
                self.stdout.write(json.dumps(_answer(text, budget)))
            except ValueError as error:
                raise CommandError(str(error)) from error
            return
        for line in sys.stdin:
            try:
                answer = _answer(line.rstrip("\r\n"), budget)
            except ValueError as error:
                answer = {"error": str(error)}
            self.stdout.write(json.dumps(answer))
            self.stdout.flush()

"""``manage.py bestmove``: the engine's move in one position, or in many read from standard input."""

import json
from typing import Any

from django.core.management.base import CommandParser

from games.engine import think
from games.management.amounts import count, duration
from games.management.positions import PositionCommand
from games.rules import Position


class Command(PositionCommand):
    """Answers with JSON."""

    help = "Print the engine's move in a position as JSON; - reads one position a line from standard input."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the position and one budget."""
        super().add_arguments(parser)
        budget = parser.add_mutually_exclusive_group()
        budget.add_argument("--level", type=int, choices=range(1, 9), help="play as this level")
        budget.add_argument("--nodes", type=count, help="search this many positions")
        budget.add_argument("--seconds", type=duration, help="search this long")
        parser.add_argument("--seed", type=int, help="make the answer of the lower levels repeatable")

    def answer_line(self, position: Position, options: dict[str, Any]) -> str:
        """Return the engine's answer."""
        budget = {name: options[name] for name in ("level", "nodes", "seconds", "seed")}
        return json.dumps(think(position, **budget).as_json())

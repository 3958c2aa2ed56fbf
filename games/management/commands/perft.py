"""``manage.py perft``: count the move sequences from a position."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from games.management.positions import PositionCommand
from games.rules import Position


class Command(PositionCommand):
    """Rule 10 is left out; a game that ends earlier counts once."""

    help = "Count the move sequences of exactly DEPTH turns from a position; - reads one position a line."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the depth and whether to list the count of each first move."""
        super().add_arguments(parser)
        parser.add_argument("depth", type=int, help="number of turns")
        parser.add_argument("--divide", action="store_true", help="list the count of each first move")

    def handle(self, *args: Any, **options: Any) -> None:
        """Count; raises ``CommandError`` for a negative depth."""
        if options["depth"] < 0:
            raise CommandError("the depth is 0 or more")
        super().handle(*args, **options)

    def answer(self, position: Position, options: dict[str, Any]) -> str:
        """Return the count, after that of each first move where it is asked for."""
        lines = []
        depth = options["depth"]
        if options["divide"] and depth:
            for move in sorted(position.legal_moves(), key=str):
                lines.append(f"{move} {position.play(move).perft(depth - 1)}")
        lines.append(self.answer_line(position, options))
        return "\n".join(lines)

    def answer_line(self, position: Position, options: dict[str, Any]) -> str:
        """Return the count."""
        return str(position.perft(options["depth"]))

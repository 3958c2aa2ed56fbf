"""``manage.py legal``: list the legal moves of a position."""

import json
from typing import Any

from games.management.positions import PositionCommand
from games.rules import Position


def _moves(position: Position) -> list[str]:
    return sorted(str(move) for move in position.legal_moves())


class Command(PositionCommand):
    """One move a line, or a JSON array a line for positions from standard input."""

    help = "List the legal moves of a position, sorted; - reads one position a line and answers JSON arrays."

    def answer(self, position: Position, options: dict[str, Any]) -> str:
        """Return one move a line; nothing where the game is over."""
        return "\n".join(_moves(position))

    def answer_line(self, position: Position, options: dict[str, Any]) -> str:
        """Return the moves as a JSON array."""
        return json.dumps(_moves(position))

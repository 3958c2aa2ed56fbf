"""How a game can end."""

from enum import StrEnum
from typing import NamedTuple


class Reason(StrEnum):
    """Why a game or a match is over. The last five end matches only (rule 11)."""

    CARDS_OUT = "cards-out"
    LAST_CARD = "last-card"
    REPETITION = "repetition"
    TURN_LIMIT = "turn-limit"
    RESIGNATION = "resignation"
    AGREEMENT = "agreement"
    TIME = "time"
    ABORTED = "aborted"
    MODERATOR = "moderator"


class Outcome(NamedTuple):
    """The end of a game: the seat that won, or None for a draw, and why."""

    winner: int | None
    reason: Reason

    @property
    def result(self) -> str:
        """The result in notation: ``seat 0``, ``seat 1`` or ``draw``."""
        return "draw" if self.winner is None else f"seat {self.winner}"

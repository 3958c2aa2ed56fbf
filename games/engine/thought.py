"""What the engine answers: a move, how good it is, and how that was found."""

import math
from dataclasses import dataclass

from games.rules import Move

#: A score of this many points is worth the odds e : 1, so that a score says how likely the win is.
POINTS = 200


@dataclass(frozen=True, slots=True)
class Win:
    """A proven win of the mover in this many turns, both players' turns counted."""

    turns: int


@dataclass(frozen=True, slots=True)
class Loss:
    """A proven loss of the mover after this many turns against the longest defence."""

    turns: int


type Score = int | Win | Loss


def expectation(score: Score) -> float:
    """Return the mover's expected result, from 0 (lost) to 1 (won), that a score stands for."""
    if isinstance(score, Win):
        return 1.0
    if isinstance(score, Loss):
        return 0.0
    return 1 / (1 + math.exp(-max(-4000, min(4000, score)) / POINTS))


def score_as_json(score: Score) -> int | dict[str, int]:
    """Return a score as it is written in JSON: points, ``{"win": turns}`` or ``{"loss": turns}``."""
    if isinstance(score, Win):
        return {"win": score.turns}
    if isinstance(score, Loss):
        return {"loss": score.turns}
    return score


@dataclass(frozen=True, slots=True)
class Thought:
    """The engine's answer to one position.

    ``score`` is from the mover's side. ``depth`` is the number of turns looked ahead in full,
    ``nodes`` the positions visited, ``line`` the best play found for both, ``move`` first.
    """

    move: Move
    score: Score
    depth: int
    nodes: int
    seconds: float
    line: tuple[Move, ...]

    @property
    def expectation(self) -> float:
        """The mover's expected result, from 0 to 1."""
        return expectation(self.score)

    def as_json(self) -> dict[str, object]:
        """Return the answer in the form that the command ``bestmove`` prints."""
        return {
            "move": str(self.move),
            "score": score_as_json(self.score),
            "depth": self.depth,
            "nodes": self.nodes,
            "seconds": round(self.seconds, 4),
            "line": [str(move) for move in self.line],
        }

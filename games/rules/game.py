"""A game with its history: the draws of rule 10 stand on it."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from games.rules.moves import Move
from games.rules.outcome import Outcome, Reason
from games.rules.position import IllegalMoveError, Position

TURN_LIMIT = 400
REPETITION_LIMIT = 3


def outcome_after(position: Position, turns: int, occurrences: int) -> Outcome | None:
    """How a game stands over after a turn, rule 9 first and then rule 10.

    ``turns`` is the number of turns played, ``occurrences`` how often this position has
    stood in the game, this time and the starting position counted.
    """
    outcome = position.outcome()
    if outcome is not None:
        return outcome
    if occurrences >= REPETITION_LIMIT:
        return Outcome(None, Reason.REPETITION)
    if turns >= TURN_LIMIT:
        return Outcome(None, Reason.TURN_LIMIT)
    return None


@dataclass(slots=True)
class Game:
    """A game being played or replayed from a starting position."""

    position: Position
    turns: int = 0
    outcome: Outcome | None = None
    _seen: dict[Position, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._seen[self.position] = 1
        self.outcome = self.position.outcome()

    def play(self, move: Move) -> None:
        """Play one turn.

        Raises :class:`games.rules.position.IllegalMoveError` when the rules forbid the move or
        the game is over; the game is then unchanged.
        """
        if self.outcome is not None:
            raise IllegalMoveError(f"{move}: the game is over")
        self.position = self.position.play(move)
        self.turns += 1
        occurrences = self._seen.get(self.position, 0) + 1
        self._seen[self.position] = occurrences
        self.outcome = outcome_after(self.position, self.turns, occurrences)

    @classmethod
    def replay(cls, start: Position, moves: Iterable[Move]) -> "Game":
        """Return the game after a list of moves; raises as :meth:`play` does."""
        game = cls(start)
        for move in moves:
            game.play(move)
        return game

"""The computer's play: what to do in a position, and how good that is.

Importing this package is cheap. The compiled search is loaded by the first call that
needs it, so that processes which only serve pages never pay for it.
"""

import importlib
from collections.abc import Sequence

from games.engine.thought import POINTS, Loss, Score, Thought, Win, expectation
from games.rules import Position

__all__ = ["POINTS", "Loss", "Score", "Thought", "Win", "expectation", "prepare", "think"]

#: The share of its time that a level takes where there is nothing to choose.
_FORCED_SHARE = 0.1


def prepare() -> None:
    """Load the compiled search, which else the first thought does; takes about a second."""
    importlib.import_module("games.engine.thinker")


def think(
    position: Position,
    *,
    level: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    history: Sequence[Position] = (),
    seed: int | None = None,
) -> Thought:
    """Return the engine's move in a position.

    ``level`` is 1 to 8; without it the engine plays at full strength within ``nodes``
    positions or ``seconds``, whichever ends first, and as level 8 where nothing is given.
    A level that has no weakness but its budget takes these in its stead; for others they are ignored.
    ``history`` holds the match's earlier positions, oldest first and without ``position``
    itself: draws by repetition and the turn limit are counted from it. The same node
    budget, history and ``seed`` give the same answer.

    Safe to call from several threads at once. Raises ``ValueError`` where the game is over.
    """
    from games.engine.thinker import search_position

    if level is not None:
        from games.engine.characters import play_as
        from games.engine.levels import level_of

        character = level_of(level)
        if not character.is_full_strength:
            return play_as(character, position, history, seed)
        if nodes is None and seconds is None:
            nodes, seconds = character.nodes, character.seconds
            if seconds is not None and position.count_moves() == 1:
                seconds *= _FORCED_SHARE
    if nodes is None and seconds is None:
        seconds = 1.0
    return search_position(position, nodes=nodes, seconds=seconds, history=history)

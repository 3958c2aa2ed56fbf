"""From a position of the rules to the compiled search and back."""

import itertools
import threading
import time
from collections.abc import Callable, Sequence

import numpy as np

from games.engine import board
from games.engine.desk import Desk
from games.engine.evaluate import NETWORK
from games.engine.network import Weights, load
from games.engine.search import PROVEN, WON, deepen, weigh
from games.engine.thought import Loss, Score, Thought, Win
from games.rules import Move, Position

#: With no more cards than this the search leaves nothing out, so that distances are exact.
EXACT_CARDS = 10

#: Entries of the table that timed searches share (16 bytes each).
SHARED_ENTRIES = 1 << 20

#: A timed search stops here at the latest, whatever the clock does.
MOST_NODES = 1 << 40

_shared: np.ndarray | None = None
_lock = threading.Lock()
_generations = itertools.count(1)
_desks = threading.local()


def new_table(entries: int) -> np.ndarray:
    """Return an empty transposition table; ``entries`` is a power of two."""
    return np.zeros((entries, 2), np.uint64)


def _shared_table() -> np.ndarray:
    """The process's one table. Torn entries fail their check, so threads need no lock to use it."""
    global _shared
    with _lock:
        if _shared is None:
            _shared = new_table(SHARED_ENTRIES)
        return _shared


def _own_table(nodes: int) -> np.ndarray:
    """A fresh table for a search of so many positions: what it answers then hangs on nothing else."""
    entries = 1 << 12
    while entries < nodes and entries < SHARED_ENTRIES:
        entries *= 2
    return new_table(entries)


def desk_of_this_thread() -> Desk:
    """Return the desk that this thread searches on."""
    desk = getattr(_desks, "desk", None)
    if desk is None:
        desk = _desks.desk = Desk()
    return desk


def score_of(points: int) -> Score:
    """Return a score of the search as a value: points, or a proven win or loss with its distance."""
    if points >= PROVEN:
        return Win(WON - points)
    if points <= -PROVEN:
        return Loss(WON + points)
    return points


def _run(
    function: Callable[..., int | None], desk: Desk, weights: Weights, table: np.ndarray, depth: int
) -> int | None:
    """Run a compiled search on what lies on a desk."""
    desk.facts[board.TABLE_MASK] = len(table) - 1
    desk.facts[board.EXACT] = desk.facts[board.CARD_COUNT] <= EXACT_CARDS
    desk.facts[board.GENERATION] = next(_generations) & 255
    return function(
        desk.sets,
        desk.pile,
        desk.work,
        desk.moves,
        desk.facts,
        desk.sums,
        desk.history,
        desk.terms,
        weights.net,
        weights.out,
        weights.terms,
        weights.order,
        table,
        depth,
    )


def _lay(position: Position, history: Sequence[Position], mode: int) -> Desk:
    """Lay a position out on this thread's desk. Raises ``ValueError`` where the game is over."""
    if position.outcome() is not None:
        raise ValueError("the game is over")
    desk = desk_of_this_thread()
    desk.lay(position)
    desk.remember(history, position)
    desk.facts[board.STOP] = 0
    desk.facts[board.MODE] = mode
    desk.facts[board.LEFT_OUT] = board.NOTHING_LEFT_OUT
    desk.facts[board.NODE_LIMIT] = MOST_NODES
    desk.history.fill(0)
    return desk


def weigh_moves(position: Position, depth: int) -> dict[Move, Score]:
    """Return every legal move with the score that it has by itself, ``depth`` turns after it.

    Raises ``ValueError`` where the game is over.
    """
    desk = _lay(position, (), NETWORK)
    number = _run(weigh, desk, load(), new_table(1 << 12), depth) or 0
    return {desk.outer(int(desk.moves[0, at])): score_of(int(desk.moves[board.PLIES, at])) for at in range(number)}


def search_position(
    position: Position,
    *,
    nodes: int | None = None,
    seconds: float | None = None,
    history: Sequence[Position] = (),
    weights: Weights | None = None,
    mode: int = NETWORK,
    without: Move | None = None,
) -> Thought:
    """Return the best move found within ``nodes`` positions or ``seconds``, whichever ends first.

    ``without`` is left out: the answer is then the best of the other moves; give it only where there are others.

    Raises ``ValueError`` where the game is over.
    """
    started = time.perf_counter()
    desk = _lay(position, history, mode)
    if without is not None:
        desk.facts[board.LEFT_OUT] = desk.inner(without)
    if nodes is not None:
        desk.facts[board.NODE_LIMIT] = nodes
    table = _shared_table() if nodes is None else _own_table(nodes)
    timer = None
    if seconds is not None:
        timer = threading.Timer(seconds, desk.facts.__setitem__, (board.STOP, 1))
        timer.daemon = True
        timer.start()
    try:
        _run(deepen, desk, load() if weights is None else weights, table, board.PLIES - 4)
    finally:
        if timer is not None:
            timer.cancel()
            timer.join()
    facts = desk.facts
    return Thought(
        *_found(desk, position),
        depth=int(facts[board.DEPTH]),
        nodes=int(facts[board.NODES]),
        seconds=time.perf_counter() - started,
        line=_line(desk, position),
    )


def _first(desk: Desk, position: Position) -> Move:
    """The first legal move that is not left out."""
    left_out = desk.facts[board.LEFT_OUT]
    return next(move for move in sorted(position.legal_moves()) if desk.inner(move) != left_out)


def _found(desk: Desk, position: Position) -> tuple[Move, Score]:
    """The move and its score; a budget too small to look at one move plays the first that is legal."""
    move = int(desk.facts[board.ROOT_MOVE])
    if move == board.NO_MOVE:
        return _first(desk, position), 0
    return desk.outer(move), score_of(int(desk.facts[board.ROOT_SCORE]))


def _line(desk: Desk, position: Position) -> tuple[Move, ...]:
    """The line of best play, as far as the rules let it run."""
    line = []
    length = int(desk.work[0, board.LINE_LENGTH])
    if desk.facts[board.ROOT_MOVE] == board.NO_MOVE:
        return (_first(desk, position),)
    for turn in range(length):
        move = desk.outer(int(desk.work[0, board.LINE + turn]))
        if position.why_illegal(move) is not None:
            break
        line.append(move)
        position = position.play(move)
    return tuple(line)

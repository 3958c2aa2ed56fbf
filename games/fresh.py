"""The state of live matches as this process has just committed it.

A turn that is made here is mostly shown here too. What the transaction held is what the
sockets would read back, so it is kept for them; whoever does not find the very turn
that was told of reads the database.
"""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from games.models import Match, Move, Pace

#: How many matches are kept, the latest that changed.
MOST_KEPT = 1000


@dataclass(frozen=True, slots=True)
class Fresh:
    """A match with its seats as a change left it, and the moves that the change made. To be read only."""

    match: Match
    moves: Sequence[Move]


_kept: OrderedDict[str, Fresh] = OrderedDict()
_lock = threading.Lock()


def keep(match: Match, moves: Sequence[Move]) -> None:
    """After commit, keep a match between people at live clocks; of others the table shows more than the match holds."""
    if match.pace == Pace.LIVE and match.is_running and not any(seat.user.is_computer for seat in match.seated):
        transaction.on_commit(lambda: _put(Fresh(match, tuple(moves))))


def at_turn(code: str, turn: int) -> Fresh | None:
    """Return a match if this process knows it at just this turn."""
    with _lock:
        known = _kept.get(code)
    return known if known is not None and known.match.turn == turn else None


def _put(known: Fresh) -> None:
    with _lock:
        _kept[known.match.code] = known
        _kept.move_to_end(known.match.code)
        if len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)

"""Telling players what happens while they are away: on the page, by mail, by push.

The services say what happened (:mod:`games.notices.events`), inside the transaction in
which it happened; what follows from it are rows, and the worker sends what is due.
"""

from games.notices.events import (
    acted,
    challenged,
    deadline_moved,
    declined,
    looked,
    match_over,
    moderated,
    offer_closed,
    time_off_began,
    turn_began,
    turn_goes_on,
)

__all__ = [
    "acted",
    "challenged",
    "deadline_moved",
    "declined",
    "looked",
    "match_over",
    "moderated",
    "offer_closed",
    "time_off_began",
    "turn_began",
    "turn_goes_on",
]

"""Rows of matches and of what hangs on them: columns, constraints, querysets, no flow."""

from games.models.computer import ComputerPlayer
from games.models.heartbeat import Heartbeat
from games.models.match import Deal, Match, OpenTo, Pace, Pickup, Status, Trump
from games.models.move import Move
from games.models.seat import Seat

__all__ = [
    "ComputerPlayer",
    "Deal",
    "Heartbeat",
    "Match",
    "Move",
    "OpenTo",
    "Pace",
    "Pickup",
    "Seat",
    "Status",
    "Trump",
]

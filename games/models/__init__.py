"""Rows of matches and of what hangs on them: columns, constraints, querysets, no flow."""

from games.models.computer import ComputerPlayer
from games.models.heartbeat import Heartbeat
from games.models.line import Line
from games.models.match import Deal, Match, OpenTo, Pace, Pickup, Status, Trump
from games.models.move import Move, Origin
from games.models.seat import Seat
from games.models.standing import Standing
from games.models.timeoff import TimeOff

__all__ = [
    "ComputerPlayer",
    "Deal",
    "Heartbeat",
    "Line",
    "Match",
    "Move",
    "OpenTo",
    "Origin",
    "Pace",
    "Pickup",
    "Seat",
    "Standing",
    "Status",
    "TimeOff",
    "Trump",
]

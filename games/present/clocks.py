"""What the clocks of a match show at a moment."""

import datetime
from collections.abc import Sequence

from games.models import Match, Pace, TimeOff
from games.present.parts import ClockView
from games.standstill import time_left, under_way


def side_clock(match: Match, seat: int, now: datetime.datetime, offs: Sequence[TimeOff] = ()) -> ClockView | None:
    """Return what the clock of a seat shows; a correspondence clock is only there while it counts.

    ``offs`` is the time off of the players that is under way or to come.
    """
    if match.pace == Pace.UNTIMED:
        return None
    days = not match.ticks
    clock_ms = match.seated[seat].clock_ms or 0
    if not match.is_running or match.deadline is None or match.to_move != seat:
        return None if days else ClockView(clock_ms, running=False, days=False)
    if not days and match.turn == 1:
        return ClockView(clock_ms, running=False, days=False, deadline=match.deadline)
    return mover_clock(match, now, offs)


def lead_clock(match: Match, now: datetime.datetime) -> ClockView | None:
    """Return the time in which a match with live clocks, which stand until then, has to be led; else None."""
    if not (match.is_running and match.ticks and match.turn == 1) or match.deadline is None:
        return None
    left = max(datetime.timedelta(0), match.deadline - now) // datetime.timedelta(milliseconds=1)
    return ClockView(left, running=True, days=False)


def mover_clock(match: Match, now: datetime.datetime, offs: Sequence[TimeOff] = ()) -> ClockView | None:
    """Return the clock of the player to move, or None where none counts."""
    if not match.is_running or match.deadline is None or match.to_move is None:
        return None
    own: list[TimeOff] = []
    if not match.ticks and match.time_off_allowed:
        own = [off for off in offs if off.user_id == match.seated[match.to_move].user_id]
    left = time_left(now, match.deadline, own) // datetime.timedelta(milliseconds=1)
    return ClockView(left, running=under_way(now, own) is None, days=not match.ticks, deadline=match.deadline)

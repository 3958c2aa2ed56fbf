"""Deadlines and clocks: arithmetic on server time, no timers."""

import datetime

from games.models import Match, Pace, Seat

#: How long a live match waits for its lead before it is aborted without a result.
LEAD_ALLOWANCE = datetime.timedelta(minutes=2)

#: The pause before the computer answers, so that a person can follow what happened.
COMPUTER_PAUSE = datetime.timedelta(milliseconds=450)

_MILLISECOND = datetime.timedelta(milliseconds=1)


def start_clocks(match: Match, seats: list[Seat], now: datetime.datetime) -> None:
    """Set the clocks of a match that begins: they stand until the lead is played."""
    for seat in seats:
        seat.clock_ms = match.base_seconds * 1000 if match.pace == Pace.LIVE else None
    begin_turn(match, seats, now)


def begin_turn(match: Match, seats: list[Seat], now: datetime.datetime) -> None:
    """Set when the turn that begins now must be made, and when the computer answers."""
    mover = seats[match.to_move]
    match.turn_started_at = now
    match.deadline = None
    if match.pace == Pace.CORRESPONDENCE:
        match.deadline = now + datetime.timedelta(days=match.days_per_turn)
    elif match.pace == Pace.LIVE:
        is_lead = match.turn == 1
        match.deadline = now + (LEAD_ALLOWANCE if is_lead else mover.clock_ms * _MILLISECOND)
    match.computer_due_at = now + COMPUTER_PAUSE if mover.user.is_computer else None


def end_turn(match: Match, seat: Seat, now: datetime.datetime) -> None:
    """Charge the turn that ends now to the seat's live clock and add the increment."""
    if match.pace == Pace.LIVE and match.turn > 1:
        left = (match.deadline - now) // _MILLISECOND
        seat.clock_ms = left + match.increment_seconds * 1000


def is_late(match: Match, now: datetime.datetime) -> bool:
    """Whether the turn to be made is lost on time: at the deadline is too late."""
    return match.deadline is not None and now >= match.deadline


def stop(match: Match, seats: list[Seat], now: datetime.datetime) -> None:
    """Freeze the clocks of a match that ends now."""
    if match.pace == Pace.LIVE and match.turn > 1 and match.deadline is not None and match.to_move is not None:
        seats[match.to_move].clock_ms = max(0, (match.deadline - now) // _MILLISECOND)
    match.deadline = None
    match.computer_due_at = None

"""Deadlines and clocks: arithmetic on server time, no timers."""

import datetime

from games.models import Match, Pace, Seat, TimeOff
from games.standstill import deadline, time_left

#: How long a live match waits for its lead before it is aborted without a result.
LEAD_ALLOWANCE = datetime.timedelta(minutes=2)

#: The pause before the computer answers, so that a person can follow what happened: longer than the person's own cards
#: take to land, and with the thinking of the quick levels less than a second.
COMPUTER_PAUSE = datetime.timedelta(milliseconds=700)

#: The clock of a correspondence match that is played on live: seconds each, and added a turn.
LIVENED_SECONDS, LIVENED_INCREMENT = 300, 5

_MILLISECOND = datetime.timedelta(milliseconds=1)


def start_clocks(match: Match, seats: list[Seat], now: datetime.datetime) -> None:
    """Set the clocks of a match that begins: they stand until the lead is played."""
    for seat in seats:
        seat.clock_ms = match.base_seconds * 1000 if match.pace == Pace.LIVE else None
    begin_turn(match, seats, now)


def begin_turn(match: Match, seats: list[Seat], now: datetime.datetime) -> None:
    """Set when the turn that begins now must be made, and when the computer answers."""
    mover = seats[match.mover]
    match.turn_started_at = now
    match.deadline = None
    if match.ticks:
        is_lead = match.turn == 1
        match.deadline = now + (LEAD_ALLOWANCE if is_lead else (mover.clock_ms or 0) * _MILLISECOND)
    elif match.pace == Pace.CORRESPONDENCE:
        match.deadline = days_deadline(match, mover, now)
    match.computer_due_at = now + COMPUTER_PAUSE if mover.user.is_computer else None


def days_deadline(match: Match, mover: Seat, since: datetime.datetime) -> datetime.datetime:
    """Return when a correspondence turn that began at ``since`` is late; the mover's time off does not count."""
    return deadline(since, datetime.timedelta(days=match.days_per_turn), _standing_still(match, mover, since))


def _standing_still(match: Match, mover: Seat, now: datetime.datetime) -> list[TimeOff]:
    """Return the time off for which the mover's clock stands still, now or later."""
    if match.ticks or not match.time_off_allowed:
        return []
    return list(TimeOff.objects.of_players([mover.user_id]).ending_after(now))


def left_ms(match: Match, seats: list[Seat], now: datetime.datetime) -> int | None:
    """Return the milliseconds left to the player to move, time off not counted; None where no clock runs."""
    if match.deadline is None or match.to_move is None:
        return None
    return time_left(now, match.deadline, _standing_still(match, seats[match.to_move], now)) // _MILLISECOND


def give_ms(match: Match, seats: list[Seat], left: int, now: datetime.datetime) -> None:
    """Let the player to move have so many milliseconds from now, time off not counted."""
    spans = _standing_still(match, seats[match.mover], now)
    match.deadline = deadline(now, left * _MILLISECOND, spans)


def end_turn(match: Match, seat: Seat, now: datetime.datetime) -> None:
    """Charge the turn that ends now to the seat's live clock and add the increment."""
    if match.ticks and match.turn > 1 and match.deadline is not None:
        left = (match.deadline - now) // _MILLISECOND
        seat.clock_ms = left + (LIVENED_INCREMENT if match.livened else match.increment_seconds) * 1000


def is_late(match: Match, now: datetime.datetime) -> bool:
    """Whether the turn to be made is lost on time: at the deadline is too late."""
    return match.deadline is not None and now >= match.deadline


def go_live(match: Match, seats: list[Seat], now: datetime.datetime) -> None:
    """Put live clocks on a correspondence match, for as long as both players are there."""
    match.livened = True
    match.live_offered_by = None
    for seat in seats:
        seat.clock_ms = LIVENED_SECONDS * 1000
    begin_turn(match, seats, now)


def back_to_days(match: Match, seats: list[Seat], now: datetime.datetime) -> None:
    """Take the live clocks off again: the turn to be made has its days from now."""
    match.livened = False
    match.live_offered_by = None
    for seat in seats:
        seat.clock_ms = None
    begin_turn(match, seats, now)


def stop(match: Match, seats: list[Seat], now: datetime.datetime) -> None:
    """Freeze the clocks of a match that ends now."""
    if match.ticks and match.turn > 1 and match.deadline is not None and match.to_move is not None:
        seats[match.to_move].clock_ms = max(0, (match.deadline - now) // _MILLISECOND)
    match.deadline = None
    match.computer_due_at = None

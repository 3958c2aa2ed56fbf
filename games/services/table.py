"""Holding a match while it is changed: lock, seats, who asks, and how it ends."""

import datetime
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games import broadcast, fresh, notices
from games.models import Line, Match, Move, NoResult, Pace, Seat, Status
from games.rules import Outcome, Reason
from games.services import clock, standing
from games.services.errors import (
    MatchError,
    MatchOverError,
    MatchPausedError,
    NoSuchMatchError,
    NotSeatedError,
    OutOfTimeError,
    StaleTurnError,
)
from games.services.permission import require_may_play
from yourtrumps.statements import Rows, update


@dataclass(slots=True)
class HeldMatch:
    """A match under a lock, with its seats in order and the time of the change.

    ``asker`` is the seat from which the change is asked for, None where nobody at the table asks.
    ``made`` are the moves that the change has made; ``is_changed`` is set to False where nothing changes for others, so
    that they are not told.
    """

    match: Match
    seats: list[Seat]
    now: datetime.datetime
    asker: Seat | None = None
    made: list[Move] = field(default_factory=list)
    is_changed: bool = True
    _stored: dict[int, dict[str, object]] = field(init=False)

    def __post_init__(self) -> None:
        self._stored = {seat.pk: _kept(seat) for seat in self.seats}

    def seat_of(self, user: User) -> Seat:
        """Return the seat that a user holds and may act from.

        Raises :class:`NotSeatedError`, or ``BarredError`` where the account may not play.
        """
        for seat in self.seats:
            if seat.user_id == user.pk:
                require_may_play(seat.user)
                self.asker = seat
                return seat
        raise NotSeatedError

    def require_running(self) -> None:
        """Raise :class:`MatchError` for a match that has not begun, :class:`MatchOverError` for one that has ended."""
        if self.match.status == Status.OPEN:
            raise MatchError(_("This match has not begun yet."))
        if self.match.status != Status.RUNNING:
            raise MatchOverError

    def require_turn(self, turn: int) -> None:
        """Raise :class:`StaleTurnError` unless the match stands at this turn."""
        if turn != self.match.turn:
            raise StaleTurnError

    def finish(self, outcome: Outcome, by: int | None = None, no_result: str = "") -> None:
        """End the match and save it; ``by`` is the seat whose doing it was, where it was one's.

        ``no_result`` is the :class:`games.models.NoResult` of a match that is aborted though no player asked for it.
        """
        match = self.match
        clock.stop(match, self.seats, self.now)
        match.status = Status.FINISHED
        match.winner = outcome.winner
        match.reason = outcome.reason
        match.no_result = no_result
        match.finished_at = self.now
        match.ended_by = by
        match.to_move = None
        match.draw_offered_by = None
        match.livened = False
        match.live_offered_by = None
        match.paused_at = match.paused_ms = None
        match.save()
        if match.pace == Pace.CORRESPONDENCE:
            Line.objects.filter(seat__match=match).delete()
            standing.note_end(match, self.seats, outcome)
        notices.match_over(match, self.seats, self.now, self.asker)

    def finish_late(self) -> None:
        """End a match whose turn was not made in time: lost, or aborted where nobody led."""
        match = self.match
        if match.turn == 1 or match.to_move is None:
            self.finish(Outcome(None, Reason.ABORTED), by=match.to_move, no_result=NoResult.NOT_LED)
        else:
            self.finish(Outcome(1 - match.to_move, Reason.TIME), by=match.to_move)

    def fall_back_if_left(self) -> None:
        """Take the live clocks off a correspondence match that is late while somebody is away."""
        left = not all(seat.is_here(self.now) for seat in self.seats)
        if self.match.livened and left and clock.is_late(self.match, self.now):
            self.back_to_days()

    def back_to_days(self) -> None:
        """Take the live clocks off a correspondence match, and save it."""
        clock.back_to_days(self.match, self.seats, self.now)
        self.save_clocks()

    def save_clocks(self) -> None:
        """Save what beginning and ending live play changes."""
        changed = ["livened", "live_offered_by", "turn_started_at", "deadline", "computer_due_at"]
        self.match.save(update_fields=changed)
        notices.turn_began(self.match, self.seats, self.now)

    def save_seats(self) -> None:
        """Save what the change did to the seats, and nothing that it left alone."""
        for seat in self.seats:
            stored = self._stored.get(seat.pk, {})
            changed = [name for name, value in _kept(seat).items() if name in stored and value != stored[name]]
            if changed:
                update(seat, changed)

    def tell(self) -> None:
        """After commit, tell all who look at this match."""
        fresh.keep(self.match, self.made)
        broadcast.match_changed(self.match)


def _kept(seat: Seat) -> dict[str, object]:
    """Return what changes of a seat while a match is played."""
    return {name: getattr(seat, name) for name in ("clock_ms", "seen_turn", "looked_at", "here_at")}


_seats_to_hold = Rows(
    Seat,
    Match,
    User,
    source="games_seat JOIN games_match ON games_match.id = games_seat.match_id"
    " JOIN accounts_user ON accounts_user.id = games_seat.user_id"
    " WHERE games_match.code = %s ORDER BY games_seat.number",
    lock=(Seat, Match),
)


@contextmanager
def held(code: str) -> Iterator[HeldMatch]:
    """Open a transaction that holds a match against every other change, and save its seats at the end.

    PostgreSQL locks the rows of the match and its seats; on SQLite the transaction itself is
    opened as a write and holds the database. Raises :class:`NoSuchMatchError`.
    """
    with transaction.atomic():
        rows = _seats_to_hold(code)
        if not rows:
            raise NoSuchMatchError
        match: Match = rows[0][1]
        seats: list[Seat] = []
        for seat, _same_match, user in rows:
            seat.match, seat.user = match, user
            seats.append(seat)
        match.seated = seats
        table = HeldMatch(match, seats, timezone.now())
        yield table
        table.save_seats()


@contextmanager
def running(code: str) -> Iterator[HeldMatch]:
    """Hold a match in play, and tell its watchers when the change is committed; where nothing changed, the asker alone.

    Where the player to move is already late, the match ends on time instead, whether or
    not a sweep has passed, and :class:`OutOfTimeError` is raised. A correspondence match that
    is played on live goes back to days instead, if somebody has left. Raises
    :class:`MatchOverError` for a match that is not in play, :class:`MatchPausedError` for one
    that a moderator lets stand still, or is about to: one of the players is suspended.
    """
    with held(code) as table:
        table.require_running()
        if table.match.paused_at is not None or any(seat.user.is_suspended for seat in table.seats):
            raise MatchPausedError
        was_livened = table.match.livened
        table.fall_back_if_left()
        if not clock.is_late(table.match, table.now):
            yield table
            if table.asker is not None:
                table.asker.looked_at = table.now
                notices.acted(table.match, table.asker, table.now)
            if table.is_changed or was_livened != table.match.livened:
                table.tell()
            elif table.asker is not None:
                broadcast.own_view_changed(table.asker.user_id)
            return
        table.finish_late()
        table.tell()
    raise OutOfTimeError

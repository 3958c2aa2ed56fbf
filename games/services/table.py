"""Holding a match while it is changed: lock, seats, who asks, and how it ends."""

import datetime
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.db import connection, transaction
from django.utils import timezone

from accounts.models import User
from games import broadcast
from games.models import Match, Seat, Status
from games.rules import Outcome, Reason
from games.services import clock
from games.services.errors import MatchOverError, NoSuchMatchError, NotSeatedError, OutOfTimeError, StaleTurnError


@dataclass(slots=True)
class HeldMatch:
    """A match under a lock, with its seats in order and the time of the change."""

    match: Match
    seats: list[Seat]
    now: datetime.datetime

    def seat_of(self, user: User) -> Seat:
        """Return the seat that a user holds; raises :class:`NotSeatedError`."""
        for seat in self.seats:
            if seat.user_id == user.pk:
                return seat
        raise NotSeatedError

    def require_turn(self, turn: int) -> None:
        """Raise :class:`StaleTurnError` unless the match stands at this turn."""
        if turn != self.match.turn:
            raise StaleTurnError

    def finish(self, outcome: Outcome) -> None:
        """End the match and save it."""
        match = self.match
        clock.stop(match, self.seats, self.now)
        match.status = Status.FINISHED
        match.winner = outcome.winner
        match.reason = outcome.reason
        match.finished_at = self.now
        match.to_move = None
        match.draw_offered_by = None
        match.save()
        for seat in self.seats:
            seat.save(update_fields=["clock_ms"])

    def finish_late(self) -> None:
        """End a match whose turn was not made in time: lost, or aborted where nobody led."""
        match = self.match
        if match.turn == 1 or match.to_move is None:
            self.finish(Outcome(None, Reason.ABORTED))
        else:
            self.finish(Outcome(1 - match.to_move, Reason.TIME))

    def tell(self) -> None:
        """After commit, tell all who look at this match."""
        broadcast.match_changed(self.match, [seat.user_id for seat in self.seats])


@contextmanager
def held(code: str) -> Iterator[HeldMatch]:
    """Open a transaction that holds a match against every other change.

    PostgreSQL locks the match's row; on SQLite the transaction itself is opened as a
    write and holds the database. Raises :class:`NoSuchMatchError`.
    """
    with transaction.atomic():
        matches = Match.objects.all()
        if connection.features.has_select_for_update:
            matches = matches.select_for_update()
        match = matches.filter(code=code).first()
        if match is None:
            raise NoSuchMatchError
        seats = list(Seat.objects.filter(match=match).select_related("user").order_by("number"))
        for seat in seats:
            seat.match = match
        yield HeldMatch(match, seats, timezone.now())


@contextmanager
def running(code: str) -> Iterator[HeldMatch]:
    """Hold a match in play, and tell its watchers when the change is committed.

    Where the player to move is already late, the match ends on time instead, whether or
    not a sweep has passed, and :class:`OutOfTimeError` is raised. Raises
    :class:`MatchOverError` for a match that is not in play.
    """
    with held(code) as table:
        if table.match.status != Status.RUNNING:
            raise MatchOverError
        if not clock.is_late(table.match, table.now):
            yield table
            table.tell()
            return
        table.finish_late()
        table.tell()
    raise OutOfTimeError

"""Making a turn."""

from accounts.models import User
from games import notices
from games.models import Match, Move, Origin
from games.rules import Move as RulesMove
from games.rules import NotationError, parse_move
from games.rules.game import outcome_after
from games.services import clock, forced, lines
from games.services.errors import IllegalTurnError, MatchOverError, NotYourTurnError, OutOfTimeError, StaleTurnError
from games.services.history import occurrences, position_key
from games.services.table import HeldMatch, running
from yourtrumps.statements import insert, update


def play(code: str, user: User, turn: int, notation: str) -> None:
    """Make one turn.

    ``turn`` is the number of the turn that the move is meant for. The same move sent again
    for a turn that it was made for succeeds without doing anything. Raises a
    :class:`games.services.errors.MatchError` that says why a turn is refused; a turn at or
    after the deadline ends the match on time and raises ``OutOfTimeError``.

    Replies that were laid down beforehand and turns without a choice follow at once, in the
    same transaction: nobody sees the table between them, and none is lost.
    """
    move = _parse(notation)
    try:
        with running(code) as table:
            seat = table.seat_of(user)
            table.require_turn(turn)
            if seat.number != table.match.to_move:
                raise NotYourTurnError
            _make(table, move)
            seat.seen_turn = table.match.turn
            _follow(table, move)
            if table.match.is_running:
                notices.turn_began(table.match, table.seats, table.now)
    except (StaleTurnError, MatchOverError, OutOfTimeError):
        if not _was_made(code, user, turn, move):
            raise


def _was_made(code: str, user: User, turn: int, move: RulesMove) -> bool:
    """Whether the log holds this very turn, made by this user."""
    made = Move.objects.filter(match__code=code, turn=turn, notation=str(move))
    seat = Match.objects.filter(code=code, seats__user=user).values("seats__number")
    return made.filter(seat__in=seat).exists()


def _parse(notation: str) -> RulesMove:
    try:
        return parse_move(notation)
    except NotationError as error:
        raise IllegalTurnError from error


def _follow(table: HeldMatch, move: RulesMove) -> None:
    """Make the turns that need nobody: conditional ones, and those without a choice."""
    while table.match.is_running:
        planned = lines.reply(table, move)
        following = planned or forced.reply(table)
        if following is None:
            return
        move = following
        _make(table, move, Origin.LINE if planned else Origin.FORCED)


def _make(table: HeldMatch, move: RulesMove, origin: str = Origin.PLAYER) -> None:
    """Apply the mover's move to a held match: the log, the position, the clocks, the end."""
    match = table.match
    before = match.rules_position
    if before.why_illegal(move) is not None:
        raise IllegalTurnError
    seat = table.seats[before.turn]
    position = before.play(move)
    key = position_key(position)
    outcome = outcome_after(position, match.turn, occurrences(match, position, key))
    clock.end_turn(match, seat, table.now)
    made = Move(
        match=match,
        turn=match.turn,
        seat=seat.number,
        notation=str(move),
        played_at=table.now,
        origin=origin,
        clock_ms=seat.clock_ms,
        position_key=key,
    )
    insert(made)
    table.made.append(made)
    match.position = str(position)
    match.turn += 1
    match.to_move = position.turn
    if match.draw_offered_by == 1 - seat.number:
        match.draw_offered_by, match.draw_declined_by = None, seat.number
    elif match.draw_declined_by == 1 - seat.number:
        match.draw_declined_by = None
    if outcome is not None:
        match.deadline = None
        table.finish(outcome)
        return
    clock.begin_turn(match, table.seats, table.now)
    update(match, _CHANGED_BY_A_TURN)


_CHANGED_BY_A_TURN = [
    "position",
    "turn",
    "to_move",
    "turn_started_at",
    "deadline",
    "computer_due_at",
    "draw_offered_by",
    "draw_declined_by",
]

"""Conditional turns: laid down in the opponent's time, played by the server when they fit.

:mod:`games.services.playing` asks for them in the transaction of the opponent's turn, so a
line is played or dropped together with the turn that it waited for, whatever dies in between.
"""

from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.models import Line, Pace
from games.models.line import MAX_TURNS
from games.rules import IllegalMoveError, Move, NotationError, Position, parse_move
from games.services.errors import IllegalTurnError, MatchError
from games.services.table import HeldMatch, running

MAX_LINES = 40


def after(position: Position, notations: list[str]) -> Position:
    """Return the position after turns that follow it; raises :class:`IllegalTurnError` for any that cannot."""
    try:
        for notation in notations:
            position = position.play(parse_move(notation))
    except (NotationError, IllegalMoveError) as error:
        raise IllegalTurnError(_("That turn is not possible there.")) from error
    return position


def lay(code: str, user: User, turn: int, notations: list[str]) -> None:
    """Keep a line: the opponent's turn and the own reply to it, as often as wanted.

    ``turn`` is the number of the opponent's turn that the line begins with. A new line takes
    the place of those that reply otherwise to the same turns. Raises ``MatchError``.
    """
    with running(code) as table:
        # The opponent's page does not even look again: that somebody plans is a secret.
        table.is_changed = False
        seat = table.seat_of(user)
        table.require_turn(turn)
        if not table.match.may_plan(seat.number):
            raise MatchError(_("Turns can be laid down while it is the opponent’s turn."))
        if not notations or len(notations) % 2 or len(notations) > MAX_TURNS:
            raise IllegalTurnError(_("A line ends with a turn of your own."))
        moves = [str(_parse(notation)) for notation in notations]
        after(table.match.rules_position, moves)
        kept = list(Line.objects.filter(seat=seat, turn=turn))
        if any(line.notations[: len(moves)] == moves for line in kept):
            return
        replaced = [line.pk for line in kept if _gives_way(line.notations, moves)]
        if len(kept) - len(replaced) >= MAX_LINES:
            raise MatchError(_("You have laid down as many lines as can be kept."))
        Line.objects.filter(pk__in=replaced).delete()
        Line.objects.create(seat=seat, turn=turn, moves=" ".join(moves))


def _parse(notation: str) -> Move:
    try:
        return parse_move(notation)
    except NotationError as error:
        raise IllegalTurnError from error


def _gives_way(old: list[str], new: list[str]) -> bool:
    """Whether a line is contained in a new one, or replies otherwise to the same turns."""
    for number, (before, now) in enumerate(zip(old, new, strict=False)):
        if before != now:
            return number % 2 == 1
    return len(old) <= len(new)


def erase(code: str, user: User, pk: int | None = None) -> None:
    """Erase one line of one's own, or all of this match. Raises ``MatchError`` without a seat."""
    with running(code) as table:
        table.is_changed = False
        lines = Line.objects.filter(seat=table.seat_of(user))
        (lines if pk is None else lines.filter(pk=pk)).delete()


def reply(table: HeldMatch, made: Move) -> Move | None:
    """Return the reply that was laid down to the turn just made, and drop the lines that did not fit.

    What is left of a line waits for the next turn. A draw that the opponent offers has to be
    answered by the player: nothing is played over it.
    """
    match = table.match
    if match.pace != Pace.CORRESPONDENCE:
        return None
    waiting = list(Line.objects.filter(seat__match=match, turn__lt=match.turn))
    offered = match.draw_offered_by is not None
    own = [line for line in waiting if line.seat_id == table.seats[match.mover].pk]
    fitting = [line.notations for line in own if line.turn == match.turn - 1 and line.notations[0] == str(made)]
    Line.objects.filter(pk__in=[line.pk for line in waiting]).delete()
    if not fitting or offered:
        return None
    move = parse_move(fitting[0][1])
    if match.rules_position.why_illegal(move) is not None:
        return None
    seat = table.seats[match.mover]
    rest = [" ".join(notations[2:]) for notations in fitting if len(notations) > 2]
    Line.objects.bulk_create(Line(seat=seat, turn=match.turn + 1, moves=moves) for moves in rest)
    return move

"""Ending a match by other means than the cards: resigning, aborting, agreeing, time."""

from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.models import Match
from games.rules import Outcome, Reason
from games.services.errors import MatchError, MatchOverError, MatchPausedError, OutOfTimeError
from games.services.table import running


def resign(code: str, user: User) -> None:
    """Give a match up: the opponent wins. Raises ``MatchError``."""
    with running(code) as table:
        seat = table.seat_of(user)
        table.finish(Outcome(1 - seat.number, Reason.RESIGNATION), by=seat.number)


def abort(code: str, user: User, turn: int) -> None:
    """End a match without a result before each player has made a turn.

    Raises ``MatchError`` once both have, and ``StaleTurnError`` where a turn was made
    meanwhile.
    """
    with running(code) as table:
        seat = table.seat_of(user)
        table.require_turn(turn)
        if not can_abort(table.match):
            raise MatchError(_("Both players have made a turn: the match can no longer be aborted."))
        table.finish(Outcome(None, Reason.ABORTED), by=seat.number)


def can_abort(match: Match) -> bool:
    """Whether a match may still be aborted: not once each player has made a turn."""
    return match.turn <= 2


def offer_draw(code: str, user: User, turn: int) -> None:
    """Offer a draw, or accept one where the opponent has offered it.

    The offer stands until it is answered, withdrawn, or passed over by the opponent's turn.
    """
    with running(code) as table:
        seat = table.seat_of(user)
        table.require_turn(turn)
        if table.match.draw_offered_by == 1 - seat.number:
            table.finish(Outcome(None, Reason.AGREEMENT))
        elif table.seats[1 - seat.number].user.is_computer:
            raise MatchError(_("The computer plays every match to its end."))
        elif table.match.draw_offered_by == seat.number:
            table.is_changed = False
        else:
            table.match.draw_offered_by = seat.number
            table.match.draw_declined_by = None
            table.match.save(update_fields=["draw_offered_by", "draw_declined_by"])


def accept_draw(code: str, user: User) -> None:
    """End a match as the draw that the opponent has offered. Raises ``MatchError`` where none is."""
    with running(code) as table:
        seat = table.seat_of(user)
        if table.match.draw_offered_by != 1 - seat.number:
            raise MatchError(_("No draw is offered."))
        table.finish(Outcome(None, Reason.AGREEMENT))


def drop_draw(code: str, user: User) -> None:
    """Decline the opponent's draw offer or withdraw one's own; without an offer nothing happens."""
    with running(code) as table:
        seat = table.seat_of(user)
        if table.match.draw_offered_by is None:
            table.is_changed = False
            return
        if table.match.draw_offered_by == 1 - seat.number:
            table.match.draw_declined_by = seat.number
        table.match.draw_offered_by = None
        table.match.save(update_fields=["draw_offered_by", "draw_declined_by"])


def claim_time(code: str, user: User) -> None:
    """End a match whose player to move is late; the sweep would do the same.

    Raises ``MatchError`` while there is time left.
    """
    try:
        with running(code) as table:
            table.seat_of(user)
            raise MatchError(_("There is still time on the clock."))
    except OutOfTimeError:
        return


def expire(code: str) -> bool:
    """End a match whose deadline has passed and say whether this call did it.

    Any number of workers may call it for one match: one of them ends it.
    """
    try:
        with running(code):
            return False
    except OutOfTimeError:
        return True
    except (MatchOverError, MatchPausedError):
        return False

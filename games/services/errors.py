"""Why a change to a match was refused, in the words that the asker reads."""

from django.utils.translation import gettext_lazy as _


class MatchError(Exception):
    """A change that was refused; nothing was changed.

    ``status`` is the HTTP status that fits, ``message`` a translatable sentence.
    """

    status = 409
    message: object = _("That is not possible now.")

    def __init__(self, message: object = None) -> None:
        if message is not None:
            self.message = message
        super().__init__(self.message)


class NoSuchMatchError(MatchError):
    """There is no match with this code."""

    status = 404
    message = _("There is no such match.")


class NotSeatedError(MatchError):
    """The asker holds no seat in this match, or not the seat that may do this."""

    status = 403
    message = _("You are not a player of this match.")


class NotYourTurnError(MatchError):
    """It is the opponent's turn."""

    message = _("It is not your turn.")


class StaleTurnError(MatchError):
    """The change was meant for an earlier state of the match than the present one."""

    message = _("That turn has passed. The table below is up to date.")


class IllegalTurnError(MatchError):
    """The rules forbid the move, or it is no move at all."""

    status = 422
    message = _("The rules do not allow that.")


class OutOfTimeError(MatchError):
    """The turn came at or after the deadline."""

    message = _("Time is up: the turn came too late.")


class MatchOverError(MatchError):
    """The match has ended already."""

    message = _("This match is over.")


class SeatTakenError(MatchError):
    """Someone else was quicker to take the seat, or it is no longer offered."""

    message = _("This seat is taken already, or the offer was withdrawn.")


class TermsError(MatchError):
    """What was asked for cannot be played: a bad option or a trump that is taken."""

    status = 422
    message = _("A match cannot be made with these choices.")


class BarredError(MatchError):
    """The account may not play now: it is suspended, closed, or has to be renamed."""

    status = 403


class MatchPausedError(MatchError):
    """A moderator lets the match stand still."""

    message = _("This match stands still until the moderators have decided.")


class TooOftenError(MatchError):
    """The account or the client asks for too much in too short a time."""

    status = 429
    message = _("That was too often. Please wait a moment and try again.")


class TooManyMatchesError(MatchError):
    """The account has as many matches at once as it may have."""

    message = _("You have too many matches at once. Finish some before you begin another.")

"""Talking at a table."""

import re
import unicodedata

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts.models import ChatFrom, User
from games import broadcast
from games.models import ChatLine, Match, Room, Seat
from games.models.chat import MAX_LINE
from games.services.errors import BarredError, MatchError, NoSuchMatchError, NotSeatedError
from games.services.permission import require_may_play

#: What can be said by everyone; each reader reads it in their own language.
PRESETS = {
    "hello": _("Hello!"),
    "luck": _("Good luck!"),
    "played": _("Well played!"),
    "thanks": _("Thank you!"),
    "oops": _("Oops!"),
    "moment": _("One moment, please."),
    "back": _("I am back."),
    "again": _("Shall we play again?"),
    "bye": _("Goodbye!"),
}

_SPACES = re.compile(r"\s+")


class ChatError(MatchError):
    """The line cannot be said."""

    status = 422
    message = _("This cannot be said here.")


def say(code: str, user: User, *, preset: str = "", text: str = "") -> ChatLine:
    """Say one line at a table, in the room that the speaker belongs to: the players' or the spectators'.

    Raises ``MatchError`` where the speaker may not speak, the room is silent, or the line is empty or too long.
    """
    match = Match.objects.with_seats().filter(code=code).first()
    if match is None or not match.start:
        raise NoSuchMatchError
    if bool(preset) == bool(text):
        raise ChatError(gettext("Write something first."))
    if preset and preset not in PRESETS:
        raise ChatError
    require_may_write(match, user)
    if text and user.is_guest:
        raise ChatError(gettext("Guests choose from the quick phrases. Register to write your own."))
    room = Room.SPECTATORS if match.seat_of(user.pk) is None else Room.PLAYERS
    line = ChatLine.objects.create(match=match, room=room, author=user, preset=preset, text=clean(text) if text else "")
    broadcast.chat_changed(match)
    return line


def clean(text: str) -> str:
    """Return a line as it is kept: one line, no control or direction characters. Raises :class:`ChatError`."""
    # Joiners are part of how some scripts are written; other invisible characters only mislead.
    kept = "".join(c for c in text if c in "\u200c\u200d" or c.isspace() or unicodedata.category(c)[0] != "C")
    line = unicodedata.normalize("NFC", _SPACES.sub(" ", kept).strip())
    if not line:
        raise ChatError(gettext("Write something first."))
    if len(line) > MAX_LINE:
        most = ngettext("A line has at most %(count)d character.", "A line has at most %(count)d characters.", MAX_LINE)
        raise ChatError(most % {"count": MAX_LINE})
    return line


def require_may_write(match: Match, user: User) -> None:
    """Raise ``MatchError`` where a user can say nothing at a table, not even a ready line.

    Whoever must choose another name may speak as well as finish the match.
    """
    require_may_play(user)
    if user.is_muted:
        until = date_format(timezone.localtime(user.muted_until), "DATETIME_FORMAT")
        raise BarredError(gettext("Until %(time)s you may not chat: a moderator has muted you.") % {"time": until})
    if user.chat_from == ChatFrom.NOBODY:
        raise ChatError(gettext("You have switched chat off in your preferences."))
    if match.seat_of(user.pk) is not None:
        _require_listener(match, user)


def _require_listener(match: Match, user: User) -> None:
    if any(seat.chat_off for seat in match.seated):
        raise ChatError(gettext("The chat of this match is switched off."))
    other = next(seat.user for seat in match.seated if seat.user_id != user.pk)
    if other.is_computer:
        raise ChatError(gettext("The computer does not chat."))
    if not hears(other, user):
        raise ChatError(gettext("Your opponent has switched chat off."))


def hears(reader: User, author: User) -> bool:
    """Return whether a reader's preference lets an author's lines through."""
    if reader.chat_from == ChatFrom.NOBODY:
        return False
    return reader.chat_from == ChatFrom.EVERYONE or not author.is_guest


def switch(code: str, user: User, off: bool) -> None:
    """Switch the chat of a match off or on again, for both players. Raises ``NotSeatedError``."""
    match = Match.objects.filter(code=code).first()
    if match is None:
        raise NoSuchMatchError
    if not Seat.objects.filter(match=match, user=user).update(chat_off=off):
        raise NotSeatedError
    broadcast.chat_changed(match)

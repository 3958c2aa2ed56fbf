"""What one viewer reads of the talk at a table."""

import datetime
from dataclasses import dataclass, field

from django.utils.translation import gettext

from accounts.models import ChatFrom, Kind
from games.models import Block, ChatLine, Match, Room
from games.present.layout import Viewer
from games.services.chatting import PRESETS, require_may_write
from games.services.errors import MatchError

#: How many lines a table shows, the latest.
SHOWN = 100


@dataclass(slots=True)
class ChatLineView:
    """One line as its reader reads it: a preset is in the reader's language."""

    id: int
    author: str
    username: str
    text: str
    mine: bool
    at: datetime.datetime


@dataclass(slots=True)
class ChatView:
    """The talk of one room.

    ``note`` says why the room is silent, ``can_write`` whether a line can be said at all,
    ``why_not`` why the viewer alone can say none, ``free`` whether it may be in own words.
    ``can_switch`` is for players of the match, ``can_report`` for whoever has an account.
    """

    room: str
    code: str
    url: str
    lines: list[ChatLineView]
    note: str = ""
    can_write: bool = False
    why_not: str = ""
    free: bool = False
    can_report: bool = False
    can_switch: bool = False
    is_off: bool = False
    presets: list[tuple[str, str]] = field(default_factory=list)


def chat(match: Match, viewer: Viewer) -> ChatView | None:
    """Return the talk that a viewer takes part in, or None where there is none: at a table with the computer."""
    seat = match.seat_of(viewer.pk)
    seats = list(match.seated)
    if seat is not None and any(each.user.is_computer for each in seats):
        return None
    room = Room.SPECTATORS if seat is None else Room.PLAYERS
    is_off = seat is not None and any(each.chat_off for each in seats)
    note = _silence(viewer, is_off)
    why_not = _why_not(match, viewer)
    return ChatView(
        room=room,
        code=match.code,
        url=match.get_absolute_url(),
        lines=[] if note else _lines(match, room, viewer),
        note=note,
        can_write=viewer.is_authenticated and not why_not,
        why_not="" if note else why_not,
        free=viewer.is_authenticated and not viewer.is_guest,
        can_report=viewer.is_authenticated,
        can_switch=seat is not None and (not is_off or seat.chat_off),
        is_off=is_off,
        presets=[(key, str(text)) for key, text in PRESETS.items()],
    )


def _silence(viewer: Viewer, is_off: bool) -> str:
    if is_off:
        return gettext("The chat of this match is switched off.")
    if viewer.is_authenticated and viewer.chat_from == ChatFrom.NOBODY:
        return gettext("You have switched chat off in your preferences.")
    return ""


def _why_not(match: Match, viewer: Viewer) -> str:
    if viewer.is_authenticated:
        try:
            require_may_write(match, viewer)
        except MatchError as error:
            return str(error.message)
    return ""


def _lines(match: Match, room: str, viewer: Viewer) -> list[ChatLineView]:
    lines = ChatLine.objects.filter(match=match, room=room, hidden_at=None).select_related("author")
    if viewer.is_authenticated:
        lines = lines.exclude(author__in=Block.objects.filter(blocker=viewer).values("blocked"))
        if viewer.chat_from == ChatFrom.REGISTERED:
            lines = lines.exclude(author__kind=Kind.GUEST)
    return [
        ChatLineView(
            id=line.pk,
            author=line.author.display_name,
            username=line.author.username,
            text=preset_text(line.preset) if line.preset else line.text,
            mine=line.author_id == viewer.pk,
            at=line.created_at,
        )
        for line in reversed(lines.order_by("-pk")[:SHOWN])
    ]


def preset_text(key: str) -> str:
    """Return a preset in the active language; one that is no longer offered as its key."""
    return str(PRESETS.get(key, key))

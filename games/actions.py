"""What a player can do at a table, by the name that forms and sockets send."""

from collections.abc import Callable, Mapping

from accounts.models import User
from games import limits
from games.client import Client
from games.models import Match
from games.numbers import whole_number
from games.services import chatting, ending, hints, livening, playing, seating
from games.services.errors import MatchError

Fields = Mapping[str, object]


class BadActionError(MatchError):
    """What was sent is no action, or lacks a field."""

    status = 400


def _turn(fields: Fields) -> int:
    """Return the turn that an action is meant for; raises :class:`BadActionError`."""
    turn = whole_number(fields.get("turn"), None)
    if turn is None:
        raise BadActionError
    return turn


def _nonce(fields: Fields) -> bytes | None:
    """Return the part of the deal that the page has drawn, if it has; raises :class:`BadActionError`."""
    try:
        return bytes.fromhex(str(fields.get("nonce") or "")) or None
    except ValueError:
        raise BadActionError from None


def _play(code: str, user: User, fields: Fields) -> None:
    move = fields.get("move")
    if not isinstance(move, str):
        raise BadActionError
    playing.play(code, user, _turn(fields), move)


def _draw(code: str, user: User, fields: Fields) -> None:
    answer = fields.get("answer", "offer")
    if answer == "accept":
        ending.accept_draw(code, user)
    elif answer in ("decline", "withdraw"):
        ending.drop_draw(code, user)
    elif answer == "offer":
        ending.offer_draw(code, user, _turn(fields))
    else:
        raise BadActionError


def _resign(code: str, user: User, fields: Fields) -> None:
    ending.resign(code, user)


def _abort(code: str, user: User, fields: Fields) -> None:
    ending.abort(code, user, _turn(fields))


def _claim(code: str, user: User, fields: Fields) -> None:
    ending.claim_time(code, user)


def _rematch(code: str, user: User, fields: Fields) -> Match | None:
    answer = fields.get("answer") or "offer"
    if answer == "offer":
        return seating.offer_rematch(code, user, _nonce(fields))
    if answer != "decline":
        raise BadActionError
    seating.decline_rematch(code, user)
    return None


def _live(code: str, user: User, fields: Fields) -> None:
    answer = fields.get("answer", "offer")
    if answer in ("offer", "accept"):
        livening.offer(code, user)
    elif answer in ("decline", "withdraw", "leave"):
        livening.drop(code, user)
    else:
        raise BadActionError


def _chat(code: str, user: User, fields: Fields) -> None:
    preset, text, switch = (fields.get(name, "") for name in ("preset", "text", "switch"))
    if not (isinstance(preset, str) and isinstance(text, str)) or switch not in ("", "on", "off"):
        raise BadActionError
    if switch:
        chatting.switch(code, user, off=switch == "off")
    else:
        chatting.say(code, user, preset=preset, text="" if preset else text)


def _hint(code: str, user: User, fields: Fields) -> None:
    hints.ask(code, user, _turn(fields))


ACTIONS: dict[str, Callable[[str, User, Fields], Match | None]] = {
    "play": _play,
    "draw": _draw,
    "resign": _resign,
    "abort": _abort,
    "claim": _claim,
    "rematch": _rematch,
    "live": _live,
    "chat": _chat,
    "hint": _hint,
}

#: The limit under which an action is counted; all others count under ``act``.
LIMITED = {"play": "play", "chat": "chat", "rematch": "challenge"}


def perform(action: object, code: str, user: User, fields: Fields, client: Client) -> Match | None:
    """Do what a form or a socket asks for; a rematch returns the new match.

    Raises ``MatchError``: :class:`BadActionError` for an unknown action or bad fields,
    ``TooOftenError`` beyond the limits of the account or the client, else what the service
    refuses with.
    """
    act = ACTIONS.get(action) if isinstance(action, str) else None
    if act is None:
        raise BadActionError
    limits.spend(LIMITED.get(str(action), "act"), user, client)
    return act(code, user, fields)

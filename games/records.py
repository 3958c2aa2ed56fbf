"""Records of games: as JSON, as text to read, and as a token short enough for an address.

``manage.py replay`` reads the JSON and the text. Whatever comes from outside goes through
:func:`read`, which accepts only a game that the rules allow.
"""

import base64
import binascii
import datetime
import json
import re
import unicodedata
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext

from games.rules import (
    TURN_LIMIT,
    Game,
    IllegalMoveError,
    Move,
    NotationError,
    Outcome,
    Position,
    Reason,
    card_name,
    parse_move,
    parse_position,
)

#: The first line of a record in text.
HEADING = "Your trumps"
#: A record of 400 turns takes a tenth of this.
MAX_CHARACTERS = 64_000
MAX_NAME = 40
#: Ends that the cards do not show, so that a record has to tell them.
TOLD = frozenset({Reason.RESIGNATION, Reason.AGREEMENT, Reason.TIME, Reason.ABORTED, Reason.MODERATOR})
#: Those that somebody always wins by, and those that nobody does.
_WON = frozenset({Reason.RESIGNATION, Reason.TIME})
_NOT_WON = frozenset({Reason.AGREEMENT, Reason.ABORTED})

_FIELD = re.compile(r"([A-Za-z][A-Za-z0-9 ]*):\s*(.*)")
_NUMBER = re.compile(r"\d+\.")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_RESULTS = {"seat 0": 0, "seat 1": 1, "draw": None}


class RecordError(ValueError):
    """A text that is no record of a game; the message says why, in the active language."""


@dataclass(frozen=True, slots=True)
class Record:
    """A game from its start: who played (seat 0 first), the turns, and how it ended, if it did."""

    start: Position
    moves: tuple[Move, ...]
    names: tuple[str, str] = ("", "")
    outcome: Outcome | None = None
    date: str = ""
    link: str = field(default="", compare=False)

    def positions(self) -> list[Position]:
        """Return the position before each turn, and the last one."""
        positions = [self.start]
        for move in self.moves:
            positions.append(positions[-1].play(move))
        return positions

    def as_dict(self) -> dict[str, object]:
        """Return what the JSON holds; ``start`` and ``moves`` are what ``manage.py replay`` reads."""
        return {
            "start": str(self.start),
            "moves": [str(move) for move in self.moves],
            "players": list(self.names),
            "result": self.outcome.result if self.outcome else None,
            "reason": str(self.outcome.reason) if self.outcome else None,
            "date": self.date or None,
            "link": self.link or None,
        }

    def as_json(self) -> str:
        """Return the record as one line of JSON."""
        return json.dumps(self.as_dict(), ensure_ascii=False) + "\n"

    def as_text(self) -> str:
        """Return the record as text: its fields, an empty line, and a line for each turn."""
        fields = [("Seat 0", self.names[0]), ("Seat 1", self.names[1]), ("Date", self.date), ("Link", self.link)]
        fields.append(("Start", str(self.start)))
        if self.outcome:
            fields.append(("Result", f"{self.outcome.result}, {self.outcome.reason}"))
        lines = [HEADING, *(f"{name}: {value}" for name, value in fields if value), ""]
        lines += [f"{number}. {move}" for number, move in enumerate(self.moves, start=1)]
        return "\n".join(lines) + "\n"

    def token(self) -> str:
        """Return the record packed for an address; :func:`from_token` unpacks it."""
        packed = [str(self.start), " ".join(map(str, self.moves)), *self.names, self.date]
        if self.outcome:
            packed += [self.outcome.result, str(self.outcome.reason)]
        data = zlib.compress("\n".join(packed).encode(), 9)
        return base64.urlsafe_b64encode(data).decode().rstrip("=")


def from_token(token: str) -> Record:
    """Return the record in an address; raises :class:`RecordError` for a token that is none."""
    try:
        data = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))
        unpacked = zlib.decompressobj().decompress(data, MAX_CHARACTERS).decode()
        start, moves, first, second, date, *result = unpacked.split("\n")
    except (ValueError, binascii.Error, zlib.error):
        raise RecordError(gettext("This address holds no game.")) from None
    return _record(start, moves.split(), (first, second), date, result)


def read(text: str) -> Record:
    """Return the record in a text, JSON or the lines of :meth:`Record.as_text`.

    Raises :class:`RecordError` for anything else, for turns that the rules forbid, and for
    texts of more than :data:`MAX_CHARACTERS`.
    """
    if len(text) > MAX_CHARACTERS:
        raise RecordError(gettext("This is longer than any game: at most 64,000 characters."))
    text = text.lstrip("\ufeff").strip()
    if not text:
        raise RecordError(gettext("There is nothing here: paste a record or choose a file."))
    return _read_json(text) if text.startswith(("{", "[", '"')) else _read_text(text)


def _read_json(text: str) -> Record:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise RecordError(gettext("This is not valid JSON, or holds more than one game.")) from None
    if not isinstance(found, dict) or "start" not in found or "moves" not in found:
        raise RecordError(gettext("The JSON has to be an object with “start” and “moves”."))
    start, moves, names = found["start"], found["moves"], found.get("players") or ["", ""]
    if not isinstance(start, str) or not _are_texts(moves):
        raise RecordError(gettext("“start” has to be a position and “moves” a list of turns."))
    if not _are_texts(names) or len(names) != 2:
        names = ["", ""]
    told = [str(found.get("result")), str(found.get("reason"))]
    return _record(start, moves, (names[0], names[1]), str(found.get("date") or ""), told)


def _are_texts(values: object) -> bool:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)


def _read_text(text: str) -> Record:
    fields: dict[str, str] = {}
    moves: list[str] = []
    for line in text.splitlines():
        if match := _FIELD.fullmatch(line.strip()):
            fields.setdefault(match[1].lower(), match[2].strip())
        elif line.strip() != HEADING:
            moves += [word for word in line.split() if not _NUMBER.fullmatch(word)]
    if "start" not in fields:
        raise RecordError(gettext("The line “Start:” with the starting position is missing."))
    names = (fields.get("seat 0", ""), fields.get("seat 1", ""))
    told = [part.strip() for part in fields.get("result", "").split(",")]
    return _record(fields["start"], moves, names, fields.get("date", ""), told)


def _record(start: str, moves: Sequence[str], names: tuple[str, str], date: str, told: Sequence[str]) -> Record:
    """Build a record out of its parts, playing every turn."""
    try:
        position = parse_position(start)
    except NotationError:
        raise RecordError(gettext("The starting position cannot be read.")) from None
    if len(moves) > TURN_LIMIT:
        raise RecordError(gettext("No game has more than 400 turns."))
    game = Game(position)
    played = []
    for number, notation in enumerate(moves, start=1):
        played.append(_play(game, number, notation))
    outcome = game.outcome or _told(told)
    return Record(position, tuple(played), (_name(names[0]), _name(names[1])), outcome, _date(date))


def _play(game: Game, number: int, notation: str) -> Move:
    # Half a surrogate pair, which JSON can spell, is in no page: nothing could be sent that quotes it.
    values = {"turn": number, "move": _name(notation)[:12]}
    try:
        move = parse_move(notation)
    except NotationError:
        raise RecordError(gettext("Turn %(turn)d cannot be read: %(move)s.") % values) from None
    reason = "" if game.outcome is None else gettext("the game is over")
    reason = reason or _why_not(game.position, move)
    if reason:
        raise RecordError(
            gettext("Turn %(turn)d, %(move)s, is not allowed: %(reason)s.") % {**values, "reason": reason}
        )
    try:
        game.play(move)
    except IllegalMoveError:
        raise RecordError(gettext("Turn %(turn)d, %(move)s, is not allowed.") % values) from None
    return move


def _why_not(position: Position, move: Move) -> str:
    """Return what forbids a turn, in words, or nothing."""
    hand = position.hands[position.turn]
    if position.why_illegal(move) is None:
        return ""
    if move.is_take:
        if not position.pile:
            return gettext("there is no pile to pick up")
        return gettext("the top card can be beaten, so it has to be")
    missing = next((card for card in move.cards if not hand >> card & 1), None)
    if missing is not None:
        return gettext("%(card)s is not in the player’s hand") % {"card": card_name(missing)}
    if not position.pile:
        return gettext("a lead is one card")
    if not position.beaters() >> move.card & 1:
        return gettext("%(card)s does not beat the top of the pile") % {"card": card_name(move.card)}
    return gettext("a beat needs a second card to cover with")


def _told(told: Sequence[str]) -> Outcome | None:
    """Return the end that a record tells, where it is one that there can be and that the cards do not show."""
    if len(told) != 2 or told[0] not in _RESULTS or told[1] not in TOLD:
        return None
    outcome = Outcome(_RESULTS[told[0]], Reason(told[1]))
    return outcome if outcome.reason not in (_WON if outcome.winner is None else _NOT_WON) else None


def _name(name: str) -> str:
    """Return a name without what could disturb a page or a file: control characters and long ones."""
    kept = "".join(
        sign for sign in " ".join(name.split()) if unicodedata.category(sign)[0] != "C" or sign in "\u200c\u200d"
    )
    return kept[:MAX_NAME].strip()


def _date(date: str) -> str:
    """Return a date of the calendar as it is written in records, nothing for anything else."""
    try:
        return date if _DATE.fullmatch(date) and datetime.date.fromisoformat(date) else ""
    except ValueError:
        return ""


def lines_of(moves: Iterable[str]) -> tuple[Move, ...]:
    """Return the turns of a match's log, which the rules allowed when they were made."""
    return tuple(parse_move(notation) for notation in moves)

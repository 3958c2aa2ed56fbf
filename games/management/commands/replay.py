"""``manage.py replay``: play recorded games over and say how they end."""

import itertools
import json
import sys
from collections.abc import Iterable
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games import records
from games.rules import Game, parse_move, parse_position


class ReplayError(ValueError):
    """A record that cannot be played; ``turn`` counts from 1, None where there is no start."""

    def __init__(self, message: str, turn: int | None) -> None:
        super().__init__(message)
        self.turn = turn


def _read(line: str) -> tuple[str, list[str]]:
    try:
        record = json.loads(line)
        start, moves = record["start"], record["moves"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise ReplayError('not a JSON object with "start" and "moves"', None) from None
    if not isinstance(start, str) or not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise ReplayError('"start" is a position and "moves" a list of moves', None)
    return start, moves


def _as_json(lines: Iterable[str]) -> Iterable[str]:
    """Return the lines as they are, or a record in text, as a replay's page lets one download it, as a line of JSON.

    Raises :class:`ReplayError` for a text that begins like such a record and is none.
    """
    lines = iter(lines)
    first = next(lines, "")
    if first.strip() != records.HEADING:
        return itertools.chain([first], lines)
    try:
        return [records.read(first + "".join(lines)).as_json()]
    except records.RecordError as error:
        raise ReplayError(str(error), None) from error


def replay_line(line: str) -> dict[str, object]:
    """Return how a recorded game ends; raises :class:`ReplayError`."""
    start, moves = _read(line)
    try:
        game = Game(parse_position(start))
    except ValueError as error:
        raise ReplayError(str(error), None) from error
    for turn, move in enumerate(moves, start=1):
        try:
            game.play(parse_move(move))
        except ValueError as error:
            raise ReplayError(str(error), turn) from error
    outcome = game.outcome
    return {
        "final": str(game.position),
        "result": outcome.result if outcome else None,
        "reason": str(outcome.reason) if outcome else None,
    }


class Command(BaseCommand):
    """A line of JSON for each game; the exit status is 1 where one could not be played."""

    help = "Replay one game a line (JSON with start and moves), or one record in text, from FILE or - (standard input)."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the file."""
        parser.add_argument("file", help="a file of games, or - for standard input")

    def handle(self, *args: Any, **options: Any) -> None:
        """Replay all games."""
        if options["file"] == "-":
            sound = self._replay(sys.stdin)
        else:
            try:
                with open(options["file"], encoding="utf-8") as lines:
                    sound = self._replay(lines)
            except OSError as error:
                raise CommandError(f"cannot read {options['file']}: {error.strerror}") from error
        if not sound:
            sys.exit(1)

    def _replay(self, lines: Iterable[str]) -> bool:
        sound = True
        try:
            lines = _as_json(lines)
        except ReplayError as error:
            self.stdout.write(json.dumps({"error": str(error), "turn": error.turn}))
            return False
        for line in lines:
            if not line.strip():
                continue
            try:
                answer = replay_line(line)
            except ReplayError as error:
                sound = False
                answer = {"error": str(error), "turn": error.turn}
            self.stdout.write(json.dumps(answer))
            self.stdout.flush()
        return sound

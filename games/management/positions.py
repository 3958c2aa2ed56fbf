"""Commands that answer a position, or one position a line from standard input."""

import json
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.rules import Position, parse_position


class PositionCommand(BaseCommand):
    """Answers the position named on the command line, or with ``-`` each line of standard input.

    Lines are answered one by one as soon as they are read; a position that is refused gets
    ``{"error": ...}`` in its place there, and ends the command with an error otherwise.
    """

    #: The rules need neither the database nor the checks of a server.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the position."""
        parser.add_argument("position", nargs="+", help="a position in notation, or - for standard input")

    def handle(self, *args: Any, **options: Any) -> None:
        """Answer the position, or the lines."""
        # Its fields may come apart: the shell divides a position that is not in quotes.
        text = " ".join(options["position"])
        if text == "-":
            for line in sys.stdin:
                self.stdout.write(self._line(line.rstrip("\r\n"), options))
                self.stdout.flush()
            return
        try:
            answer = self.answer(parse_position(text), options)
        except ValueError as error:
            raise CommandError(str(error)) from error
        if answer:
            self.stdout.write(answer)

    def _line(self, text: str, options: dict[str, Any]) -> str:
        try:
            return self.answer_line(parse_position(text), options)
        except ValueError as error:
            return json.dumps({"error": str(error)})

    def answer(self, position: Position, options: dict[str, Any]) -> str:
        """Return the answer to the one position of the command line."""
        return self.answer_line(position, options)

    def answer_line(self, position: Position, options: dict[str, Any]) -> str:
        """Return the answer to a position as one line."""
        raise TypeError("a position command answers")

"""Following a match at one open page: what the page was told, what it has shown, and what it needs anew."""

import time
from itertools import pairwise

from games import fresh, selectors
from games.models import Match
from games.present.layout import Viewer
from games.present.parts import TableView
from games.present.regions import Sent
from games.present.table import TurnLog

#: How old the count of the viewer's turns in other matches may be at a table.
RECOUNT_SECONDS = 10.0


class Watch:
    """What the page of one match has shown its viewer.

    The log of the match is replayed once and then extended. What this process has just
    committed is not read again, where that is sure to be the newest.
    """

    def __init__(self) -> None:
        self.shown_turn = 0
        self._told: list[int] = []
        self._log: TurnLog | None = None
        self._elsewhere = 0
        self._recount_at = 0.0
        self._sent = Sent()

    def tell(self, turn: int) -> None:
        """Note that the page was told of a change to a match that stands at ``turn``."""
        self._told.append(turn)

    def look(self, code: str, viewer: Viewer, whole: bool) -> tuple[Match, TableView] | None:
        """Return the match and the table as they stand now, or None where there is no table.

        Unless ``whole``, the lines of the turn list begin with the first that was not shown.
        """
        match = self._newest(code, whole)
        if match is None or not match.start:
            return None
        lines_from = 1 if whole else max(1, self.shown_turn)
        elsewhere = self._turns_elsewhere(match, viewer, whole)
        log = self._log_of(match)
        table = selectors.table(match, viewer, log=log, lines_from=lines_from, elsewhere=elsewhere)
        self.shown_turn = table.turn
        return match, table

    def unchanged(self, table: TableView, whole: bool) -> list[str]:
        """Return the regions that the page shows already as this table has them, none if ``whole``."""
        return self._sent.unchanged(table, whole)

    def _newest(self, code: str, whole: bool) -> Match | None:
        """Return the match as it stands now.

        What this process remembers of a turn is taken where the page was told of turns alone, each later than the one
        before. Whatever else was told may be newer.
        """
        told, self._told = self._told, []
        if told and not whole and all(earlier < later for earlier, later in pairwise([self.shown_turn, *told])):
            known = fresh.at_turn(code, told[-1])
            if known is not None:
                self._log_of(known.match).extend_by(known.moves)
                return known.match
        return selectors.find_match(code)

    def _log_of(self, match: Match) -> TurnLog:
        if self._log is None:
            self._log = TurnLog(match.start)
        return self._log

    def _turns_elsewhere(self, match: Match, viewer: Viewer, anew: bool) -> int:
        seat = match.seat_of(viewer.pk)
        now = time.monotonic()
        if seat is not None and (anew or now >= self._recount_at):
            self._elsewhere, self._recount_at = selectors.turns_elsewhere(seat.user, match), now + RECOUNT_SECONDS
        return self._elsewhere

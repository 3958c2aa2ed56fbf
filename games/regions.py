"""Which regions of a table a page has to be sent again."""

from collections.abc import Callable

from games.present import TableView

#: What the regions show that few turns change.
SELDOM: dict[str, Callable[[TableView], object]] = {
    "days": lambda table: table.days,
    "hint": lambda table: (table.hints, table.is_running),
    "result": lambda table: (table.result, table.rematch, table.hints),
    "offers": lambda table: (table.draw_offer, table.can_claim_time, table.can_abort, table.is_running, table.far.name),
}


class Sent:
    """What the regions of one page showed when they were last sent."""

    def __init__(self) -> None:
        self._shown: dict[str, object] = {}

    def unchanged(self, table: TableView, whole: bool) -> list[str]:
        """Return the regions that show what they showed, none if ``whole``, and note what all show now.

        What a match of several days tells beside the cards depends on the time as well, and is never left out.
        """
        before, self._shown = self._shown, {region: shown(table) for region, shown in SELDOM.items()}
        if whole:
            return []
        same = [region for region, shown in self._shown.items() if region in before and before[region] == shown]
        return [region for region in same if region != "days" or table.days is None]

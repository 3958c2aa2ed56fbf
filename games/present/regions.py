"""Which regions of a table a page has to be sent again."""

from operator import attrgetter

from games.present.parts import TableView

#: What the regions show that few turns change. The address and the terms of a match stay as they are.
SELDOM: dict[str, tuple[str, ...]] = {
    "days": ("days", "far.clock", "near.clock", "far.name", "is_seated"),
    "hint": ("hints", "is_running", "is_seated"),
    "result": ("result", "rematch", "hints", "near.won", "far.won", "near.is_guest", "is_seated"),
    "asked": ("draw_offer", "can_claim_time", "days", "is_running", "is_paused", "is_seated", "far.name"),
    "offers": ("draw_offer", "draw_declined", "can_abort", "is_running", "is_paused", "is_seated", "far.name"),
}


class Sent:
    """What the regions of one page showed when they were last sent."""

    def __init__(self) -> None:
        self._shown: dict[str, object] = {}

    def unchanged(self, table: TableView, whole: bool) -> list[str]:
        """Return the regions that show what they showed, none if ``whole``, and note what all show now."""
        before, self._shown = self._shown, {region: _shown(region, table) for region in SELDOM}
        return [] if whole else [region for region in SELDOM if before.get(region) == self._shown[region]]


def _shown(region: str, table: TableView) -> tuple[object, ...]:
    """Return all that a region shows; without days it shows no clock either."""
    if region == "days" and table.days is None:
        return ()
    return attrgetter(*SELDOM[region])(table)

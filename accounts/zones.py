"""The time zones that a player can choose from."""

import functools
import zoneinfo
from importlib import resources

REGIONS = {
    "Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific"
}  # fmt: skip


@functools.cache
def time_zones() -> frozenset[str]:
    """Return the names of the time zones of places, such as ``Asia/Vientiane``, and ``UTC``.

    Old names are among them: browsers still tell ``Asia/Calcutta``, and accounts may have one.
    """
    return frozenset(name for name in zoneinfo.available_timezones() if name.partition("/")[0] in REGIONS) | {"UTC"}


@functools.cache
def offered_zones() -> frozenset[str]:
    """Return the time zones to choose from: of each place under its present name alone, and ``UTC``."""
    # Countries, coordinates, name; a place for every zone of every country.
    table = resources.files("tzdata.zoneinfo").joinpath("zone.tab").read_text(encoding="utf-8")
    named = {line.split("\t")[2].strip() for line in table.splitlines() if not line.startswith("#")}
    return (time_zones() & named) | {"UTC"}

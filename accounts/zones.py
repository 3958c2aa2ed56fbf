"""The time zones that a player can choose from."""

import functools
import zoneinfo


@functools.cache
def time_zones() -> frozenset[str]:
    """Return the names of the time zones of places, such as ``Asia/Vientiane``, and ``UTC``."""
    return frozenset(name for name in zoneinfo.available_timezones() if _is_place(name)) | {"UTC"}


def _is_place(name: str) -> bool:
    region = name.partition("/")[0]
    return region in {
        "Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific"
    }  # fmt: skip

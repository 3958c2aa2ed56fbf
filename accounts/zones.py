"""The time zones that a player can choose from."""

import functools
import zoneinfo
from importlib import resources

from babel import Locale
from babel.dates import get_timezone_location
from django.utils.functional import Promise
from django.utils.translation import get_language, to_locale
from django.utils.translation import gettext_lazy as _

#: The parts of the world that the names of places' time zones begin with.
REGIONS: dict[str, Promise] = {
    "Africa": _("Africa"),
    "America": _("America"),
    "Antarctica": _("Antarctica"),
    "Arctic": _("Arctic"),
    "Asia": _("Asia"),
    "Atlantic": _("Atlantic Ocean"),
    "Australia": _("Australia"),
    "Europe": _("Europe"),
    "Indian": _("Indian Ocean"),
    "Pacific": _("Pacific Ocean"),
}


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


@functools.cache
def _place(zone: str, language: str) -> str:
    return get_timezone_location(zone, locale=Locale.parse(to_locale(language)), return_city=True)


def zones_by_region(chosen: str = "") -> dict[str, list[tuple[str, str]]]:
    """Return the time zones to choose from, each with its place, by parts of the world: all in the reader's language.

    One that was chosen under an old name stays, in the stead of the present one. Places are named as in the CLDR.
    """
    language = get_language() or "en"
    places: dict[tuple[str, str], str] = {}
    for zone in (*offered_zones(), chosen):
        if region := REGIONS.get(zone.partition("/")[0]):
            places[str(region), _place(zone, language)] = zone
    groups: dict[str, list[tuple[str, str]]] = {}
    for (region_name, place), zone in sorted(places.items()):
        groups.setdefault(region_name, []).append((zone, place))
    return groups

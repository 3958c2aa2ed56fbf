"""What was agreed for a match, in the reader's language."""

from django.utils.translation import gettext, ngettext

from games.models import Deal, Match, Pace, Pickup


def pace_text(match: Match) -> str:
    """Return how time is kept: ``5 min + 5 s a turn``, ``3 days a turn`` or ``No clock``."""
    if match.pace == Pace.LIVE:
        return gettext("%(minutes)d min + %(seconds)d s a turn") % {
            "minutes": match.base_seconds // 60,
            "seconds": match.increment_seconds,
        }
    if match.pace == Pace.CORRESPONDENCE:
        days = match.days_per_turn
        return ngettext("%(count)d day a turn", "%(count)d days a turn", days) % {"count": days}
    return gettext("No clock")


def describe(match: Match) -> list[str]:
    """Return all the terms of a match as short phrases."""
    time_off = []
    if match.pace == Pace.CORRESPONDENCE:
        time_off = [gettext("Time off allowed") if match.time_off_allowed else gettext("No time off")]
    return [
        pace_text(match),
        ngettext("%(count)d card", "%(count)d cards", match.deck_size) % {"count": match.deck_size},
        gettext("Mirrored deal") if match.deal == Deal.MIRRORED else gettext("Shuffled deal"),
        gettext("Free pick-up") if match.pickup == Pickup.FREE else gettext("Strict pick-up"),
        gettext("Open hands") if match.open_hands else gettext("Closed hands"),
        *time_off,
    ]

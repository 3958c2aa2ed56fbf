"""Finding the match that an address names."""

from django.http import Http404

from games import selectors
from games.models import Match


def dealt_match(code: str) -> Match:
    """Return a match with its seats; raise ``Http404`` where there is none, or its cards are not dealt yet."""
    found = selectors.find_match(code)
    if found is None or not found.start:
        raise Http404
    return found

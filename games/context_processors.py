"""What every page shows of a player's matches and notices."""

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from games import selectors
from games.notices import inbox
from games.present.official import unread


def table_counts(request: HttpRequest) -> dict[str, object]:
    """Return ``my_turn_count``, in how many matches it is the reader's turn; counted when it is shown."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {"my_turn_count": 0}
    return {"my_turn_count": SimpleLazyObject(lambda: selectors.my_turn_count(user))}


def unread_notices(request: HttpRequest) -> dict[str, object]:
    """Return ``unread_notices``, how many notices the reader has not read; counted when it is shown."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {"unread_notices": 0}
    return {"unread_notices": SimpleLazyObject(lambda: inbox.unread_count(user))}


def official_words(request: HttpRequest) -> dict[str, object]:
    """Return ``unread_words``, whether the moderators have told the reader something; looked up when it is shown."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {"unread_words": False}
    return {"unread_words": SimpleLazyObject(lambda: unread(user).exists())}

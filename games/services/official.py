"""Words from the moderators: reading them, and what they say in the reader's language."""

from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import User
from games.models import OfficialWord


def unread(user: User) -> QuerySet[OfficialWord]:
    """Return what the moderators told a player and the player has not put away."""
    return (
        OfficialWord.objects.filter(user=user, read_at=None)
        .select_related("action", "action__appeal", "report__reported", "match")
        .order_by("-pk")[:20]
    )


def put_away(user: User, word_id: int) -> None:
    """Note that a player has read a word; one that is another's stays as it is."""
    OfficialWord.objects.filter(pk=word_id, user=user, read_at=None).update(read_at=timezone.now())

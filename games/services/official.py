"""Words from the moderators that have been read."""

from django.utils import timezone

from accounts.models import User
from games.models import OfficialWord


def put_away(user: User, word_id: int) -> None:
    """Note that a player has read a word; one that is another's stays as it is."""
    OfficialWord.objects.filter(pk=word_id, user=user, read_at=None).update(read_at=timezone.now())

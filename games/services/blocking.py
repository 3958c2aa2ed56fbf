"""Keeping another player away, silently."""

import contextlib

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.holding import hold
from accounts.models import User
from games.models import Block, Match, OpenTo, Status
from games.services.errors import MatchError
from games.services.seating import withdraw


class BlockError(MatchError):
    """This account cannot be blocked."""

    status = 422
    message = _("You can block other players only.")


def block(user: User, other: User) -> None:
    """Keep another player away: no challenges, no chat, no pairing. Their open challenges are withdrawn, which
    tells them nothing.

    Raises :class:`BlockError` for oneself and for the computer. Blocking twice is as good as once.
    """
    if other == user or other.is_computer:
        raise BlockError
    with transaction.atomic():
        # A challenge that is just being made to this player comes before, and is withdrawn, or after, and is refused.
        hold(user.pk)
        Block.objects.get_or_create(blocker=user, blocked=other)
        waiting = Match.objects.filter(
            status=Status.OPEN, open_to=OpenTo.PLAYER, invited=user, seats__user=other, seats__number=0
        )
        for code in list(waiting.values_list("code", flat=True)):
            # One that was withdrawn meanwhile keeps nobody from blocking.
            with contextlib.suppress(MatchError):
                withdraw(code)


def unblock(user: User, other: User) -> None:
    """Take a block back; without one nothing happens."""
    Block.objects.filter(blocker=user, blocked=other).delete()

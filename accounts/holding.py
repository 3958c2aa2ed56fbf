"""Holding an account while something about it is decided."""

from accounts.models import User


def hold(pk: int) -> User:
    """Return an account as it is now, and keep every other change of it waiting until the transaction ends.

    Rows that refer to the account are written meanwhile, as they need no more than its key: an opponent's turn holds a
    match and tells this player of it, and whoever holds the player may be waiting for that match. Whoever needs both
    holds the account first. Raises ``User.DoesNotExist``.
    """
    return User.objects.select_for_update(no_key=True).get(pk=pk)

"""Holding an account while something about it is decided."""

from collections.abc import Iterable

from accounts.models import User


def hold(pk: int) -> User:
    """Return an account as it is now, and keep every other change of it waiting until the transaction ends.

    Rows that refer to the account are written meanwhile, as they need no more than its key: an opponent's turn holds a
    match and tells this player of it, and whoever holds the player may be waiting for that match. Whoever needs both
    holds the account first. Raises ``User.DoesNotExist``.
    """
    return User.objects.select_for_update(no_key=True).get(pk=pk)


def hold_all(pks: Iterable[int]) -> dict[int, User]:
    """Return accounts by their keys, each held as by :func:`hold`; one that is gone is left out.

    They are held in the order of their keys, so that of two who need the same ones neither waits for the other.
    """
    accounts = User.objects.select_for_update(no_key=True).filter(pk__in=list(pks)).order_by("pk")
    return {account.pk: account for account in accounts}

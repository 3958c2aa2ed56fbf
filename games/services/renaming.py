"""Choosing another name after a moderator took the old one away."""

from django.db import IntegrityError, transaction

from accounts.holding import hold
from accounts.models import NAME_TAKEN, User
from accounts.names import skeleton
from games.models import Action, Verb
from games.services.errors import MatchError


class NameTakenError(MatchError):
    """Somebody has the name, or one that looks like it."""

    message = NAME_TAKEN


def rename(user: User, username: str) -> None:
    """Give an account that must choose another name this one, which has been checked.

    Raises :class:`NameTakenError` where somebody was quicker, or the name looks like one that a moderator took away
    from this account, ``MatchError`` where nobody asked for another name.
    """
    with transaction.atomic():
        fresh = hold(user.pk)
        if not fresh.must_rename:
            raise MatchError
        taken_away = Action.objects.filter(subject=fresh, verb=Verb.RENAME).values_list("before__username", flat=True)
        if skeleton(username) in {skeleton(name or "") for name in taken_away}:
            raise NameTakenError
        fresh.username = username
        fresh.must_rename = False
        try:
            with transaction.atomic():
                fresh.save(update_fields=["username", "must_rename"])
        except IntegrityError:
            raise NameTakenError from None

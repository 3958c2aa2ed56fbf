"""Closing an account by its owner, taking it back within 14 days, and what is left of it afterwards."""

import datetime
import secrets

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from accounts.holding import hold
from accounts.models import ClosedAccount, User
from accounts.names import CLOSED, comparison_key, skeleton
from accounts.restrictions import GRACE

_SPARE_DIGITS = (6, 6, 6, 12)


def close(user: User) -> None:
    """Close an account at once: its name and address go; for 14 days it can be taken back.

    Until then its owner can still log in, with the old name and password, to see how the account stands, to fetch
    the data and to take it back. It does not play, and gets neither an address nor another way to log in.
    Closing twice is as good as once.
    """
    with transaction.atomic():
        user = hold(user.pk)
        if user.is_closed:
            return
        now = timezone.now()
        ClosedAccount.objects.create(
            user=user,
            username=user.username,
            username_key=user.username_key,
            skeleton=user.skeleton,
            closed_at=now,
        )
        user.closed_at = now
        user.email = ""
        user.save(update_fields=["closed_at", "email"])
        EmailAddress.objects.filter(user=user).delete()
        give_neutral_name(user, CLOSED)


def reopen(user: User) -> User:
    """Take a closed account back under its old name, and return it.

    One that is not closed, or whose 14 days are over, stays as it is.
    Where the name has been taken meanwhile, or a moderator has taken it away, the owner has to choose another.
    """
    with transaction.atomic():
        user = hold(user.pk)
        closed = ClosedAccount.objects.filter(user=user, closed_at__gt=timezone.now() - GRACE).first()
        if closed is None:
            return user
        user.closed_at = None
        taken = User.objects.with_name_like(closed.username).exclude(pk=user.pk).exists()
        user.must_rename = user.must_rename or taken
        if not user.must_rename:
            user.username = closed.username
        user.save(update_fields=["closed_at", "must_rename", "username"])
        closed.delete()
    return user


def finish_closing(now: datetime.datetime) -> int:
    """End what can no longer be taken back, and return how many accounts that were.

    The row stays, without a name, an address, a password or a second factor, as the opponent in others' matches.
    """
    overdue = ClosedAccount.objects.filter(closed_at__lte=now - GRACE)
    return sum(_finish(pk, now) for pk in list(overdue.values_list("user", flat=True)[:200]))


def _finish(pk: int, now: datetime.datetime) -> bool:
    with transaction.atomic():
        user = hold(pk)
        if not ClosedAccount.objects.filter(user=user, closed_at__lte=now - GRACE).delete()[0]:
            # Another worker was quicker.
            return False
        user.is_active = False
        user.email = ""
        user.set_unusable_password()
        user.save(update_fields=["is_active", "email", "password"])
        EmailAddress.objects.filter(user=user).delete()
        Authenticator.objects.filter(user=user).delete()
    end_sessions(user)
    return True


def reserved_by_closed(name: str) -> bool:
    """Return whether a name, or one that looks like it, may still be taken back by the owner of a closed account."""
    alike = Q(username_key=comparison_key(name)) | Q(skeleton=skeleton(name))
    return ClosedAccount.objects.filter(alike).exists()


def name_to_log_in(key: str) -> str | None:
    """Return the present name of the closed account that had a name, given by its comparison key."""
    closed = ClosedAccount.objects.filter(username_key=key).select_related("user").first()
    return closed.user.username if closed else None


def give_neutral_name(user: User, stem: str) -> None:
    """Replace an account's name by one that says nothing, such as ``Closed-482113``."""
    for digits in _SPARE_DIGITS:
        user.username = f"{stem}-{secrets.randbelow(10**digits):0{digits}}"
        try:
            with transaction.atomic():
                user.save(update_fields=["username"])
        except IntegrityError:
            continue
        return
    raise RuntimeError("no free name")


def end_sessions(user: User) -> None:
    """Log an account out everywhere."""
    for session in UserSession.objects.filter(user=user):
        session.end()

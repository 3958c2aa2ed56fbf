"""Those who keep order, and how they get in."""

import time

from allauth.account.internal.flows.login import AUTHENTICATION_METHODS_SESSION_KEY
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.contrib.auth.models import Group, Permission
from django.test import Client

from accounts.models import User
from tests.games import cast

SUPPORT_READS = [
    f"view_{model}"
    for model in ("user", "match", "seat", "move", "chatline", "case", "report", "flag", "action", "appeal")
]


def in_group(user: User, name: str) -> User:
    """Make an account staff, in one of the groups that the migrations make."""
    group, made = Group.objects.get_or_create(name=name)
    if made:
        # Tests that flush the database take the groups with them.
        names = [*SUPPORT_READS, "moderate"] if name == "Moderators" else SUPPORT_READS
        group.permissions.set(Permission.objects.filter(codename__in=names))
    user.is_staff = True
    user.save()
    user.groups.add(group)
    return User.objects.get(pk=user.pk)


def moderator(name: str) -> User:
    """Make a moderator without superuser rights."""
    return in_group(cast.person(name), "Moderators")


def enrol(user: User) -> None:
    """Give an account a second factor."""
    TOTP.activate(user, generate_totp_secret())


def staff_client(user: User) -> Client:
    """Log staff in with the second factor."""
    client = Client()
    client.force_login(user)
    enrol(user)
    session = client.session
    session[AUTHENTICATION_METHODS_SESSION_KEY] = [{"method": "mfa", "at": time.time(), "type": "totp"}]
    session["account_authentication_methods_user"] = str(user.pk)
    session.save()
    return client

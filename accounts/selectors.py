"""Reads about accounts."""

from accounts.models import User


def display_name(user: User) -> str:
    """Return what an account is called on pages and in mails."""
    return user.display_name

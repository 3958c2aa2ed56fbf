"""The administration: rows to look at, and the desk of those who keep order."""

from games.admin import matches, order

__all__ = ["matches", "order"]

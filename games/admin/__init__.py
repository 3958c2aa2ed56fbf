"""The administration: rows to look at, and the desk of those who keep order."""

from games.admin import matches, notices, order, players, studies

__all__ = ["matches", "notices", "order", "players", "studies"]

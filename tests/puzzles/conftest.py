"""Players who solve puzzles, and limits that start afresh."""

from tests.games.conftest import ana, boris, fresh_limits

__all__ = ["ana", "boris", "fresh_limits"]

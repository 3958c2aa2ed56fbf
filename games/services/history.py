"""How often a position has stood in a match (rule 10)."""

import hashlib

from games.models import Match, Move
from games.rules import Position


def position_key(position: Position) -> int:
    """Return a signed 64-bit digest of a position, the same in every process."""
    digest = hashlib.blake2b(str(position).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def occurrences(match: Match, position: Position, key: int) -> int:
    """Return how often a position that is about to be logged will then have stood."""
    earlier = Move.objects.filter(match=match, position_key=key).count()
    return earlier + 1 + (str(position) == match.start)

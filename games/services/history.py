"""How often a position has stood in a match (rule 10)."""

import hashlib

from django.db import connection

from games.models import Match
from games.rules import Position


def position_key(position: Position) -> int:
    """Return a signed 64-bit digest of a position, the same in every process."""
    digest = hashlib.blake2b(str(position).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def occurrences(match: Match, position: Position, key: int) -> int:
    """Return how often a position that is about to be logged will then have stood."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT COUNT(*) FROM games_move WHERE match_id = %s AND position_key = %s", [match.pk, key])
        (earlier,) = cursor.fetchone()
    return int(earlier) + 1 + (str(position) == match.start)

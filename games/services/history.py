"""The positions of a match, and how often one has stood (rule 10)."""

import hashlib

from django.db import connection

from games.models import Match, Move
from games.rules import Position, parse_move, parse_position


def positions(match: Match, turn: int | None = None) -> list[Position]:
    """Return a match's positions by its log, from the deal to the latest, or to that before ``turn``."""
    moves = Move.objects.filter(match=match).order_by("turn")
    if turn is not None:
        moves = moves.filter(turn__lt=turn)
    found = [parse_position(match.start)]
    for notation in moves.values_list("notation", flat=True):
        found.append(found[-1].play(parse_move(notation)))
    return found


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

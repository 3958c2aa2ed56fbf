"""Forced turns: the only legal one plays itself for those who want that."""

from games.rules import Move
from games.services.table import HeldMatch


def reply(table: HeldMatch) -> Move | None:
    """Return the only turn that the player to move can make, where the player lets it play itself.

    A draw that the opponent offers has to be answered by the player: nothing is played over it.
    """
    match = table.match
    if not table.seats[match.mover].user.forced_turns or match.draw_offered_by is not None:
        return None
    position = match.rules_position
    return next(position.legal_moves()) if position.count_moves() == 1 else None

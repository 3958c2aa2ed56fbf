"""The rules of Your trumps: pure Python over bit sets, with no Django and no I/O.

Everything here is a value. A :class:`Position` is immutable; ``position.play(move)``
gives the next one. Strings enter through the ``parse`` functions alone, which raise
:class:`NotationError`; a well-formed move that the rules forbid raises
:class:`IllegalMoveError`. Both are ``ValueError``\\ s.
"""

from games.rules.cards import (
    DECK_SIZES,
    RANKS,
    SUITS,
    NotationError,
    card_bit,
    card_name,
    cards_of,
    deck,
    parse_card,
    rank_of,
    suit_of,
)
from games.rules.game import TURN_LIMIT, Game
from games.rules.moves import TAKE, Move, parse_move
from games.rules.outcome import Outcome, Reason
from games.rules.position import IllegalMoveError, Position, parse_position

__all__ = [
    "DECK_SIZES",
    "RANKS",
    "SUITS",
    "TAKE",
    "TURN_LIMIT",
    "Game",
    "IllegalMoveError",
    "Move",
    "NotationError",
    "Outcome",
    "Position",
    "Reason",
    "card_bit",
    "card_name",
    "cards_of",
    "deck",
    "parse_card",
    "parse_move",
    "parse_position",
    "rank_of",
    "suit_of",
]

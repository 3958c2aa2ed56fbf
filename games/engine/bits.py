"""Card sets in compiled code, and the constant tables over them.

Inside the engine the suits are renamed so that seat 0's trump is suit 0 and seat 1's is
suit 1; positions that differ in the names of their suits alone are then the same to it.
"""

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from games.engine.compiled import compiled

CARDS = 52
RANK_COUNT = 13
_SUIT = (1 << RANK_COUNT) - 1

ONE = np.uint64(1)
NOTHING = np.uint64(0)


@intrinsic
def count(typingctx, cards):
    """Return how many cards a set holds."""

    def codegen(context, builder, signature, args):
        return builder.ctpop(args[0])

    return types.int64(types.uint64), codegen


@intrinsic
def lowest(typingctx, cards):
    """Return the lowest card of a set, which must not be empty."""

    def codegen(context, builder, signature, args):
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), codegen


@intrinsic
def highest(typingctx, cards):
    """Return the highest card of a set, which must not be empty."""

    def codegen(context, builder, signature, args):
        zeros = builder.ctlz(args[0], ir.Constant(ir.IntType(1), 1))
        return builder.sub(ir.Constant(ir.IntType(64), 63), zeros)

    return types.int64(types.uint64), codegen


@compiled("uint64(int64)", inline="always")
def bit(card):
    """Return the set of one card."""
    return ONE << np.uint64(card)


def _beaters() -> np.ndarray:
    table = np.zeros((2, CARDS), np.uint64)
    for seat in range(2):
        for top in range(CARDS):
            suit, rank = divmod(top, RANK_COUNT)
            higher = (_SUIT & ~((2 << rank) - 1)) << (suit * RANK_COUNT)
            table[seat, top] = higher if suit == seat else higher | (_SUIT << (seat * RANK_COUNT))
    return table


def _lower() -> np.ndarray:
    table = np.zeros(CARDS, np.uint64)
    for card in range(CARDS):
        suit, rank = divmod(card, RANK_COUNT)
        table[card] = ((1 << rank) - 1) << (suit * RANK_COUNT)
    return table


#: ``BEATERS[seat, top]``: every card with which the seat beats the top card.
BEATERS = _beaters()

#: ``LOWER[card]``: every lower card of its suit.
LOWER = _lower()

#: ``SEEN_BY[seat, card]``: the card with the seat's own trump as suit 0 and the other's as suit 1.
SEEN_BY = np.array(
    [list(range(CARDS)), [(card + 13 if card < 13 else card - 13 if card < 26 else card) for card in range(CARDS)]],
    np.int64,
)

_random = np.random.default_rng(20261129)


def _keys(*shape: int) -> np.ndarray:
    return _random.integers(0, 2**64, shape, np.uint64)


#: Hash keys: a card in a seat's hand, a card at a height of the pile, the seat to move, the free pick-up rule.
HAND_KEYS = _keys(2, CARDS)
PILE_KEYS = _keys(CARDS, CARDS)
TURN_KEY = _keys(1)[0]
FREE_KEY = _keys(1)[0]

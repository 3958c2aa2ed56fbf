"""Card sets in compiled code, and the constant tables over them.

Inside the engine the suits are renamed so that seat 0's trump is suit 0 and seat 1's is
suit 1; positions that differ in the names of their suits alone are then the same to it.
"""

import numpy as np
from llvmlite import ir
from numba import config, types
from numba.extending import intrinsic

from games.engine.compiled import compiled

CARDS = 52
RANK_COUNT = 13
_SUIT = (1 << RANK_COUNT) - 1

ONE = np.uint64(1)
NOTHING = np.uint64(0)


def _counted(cards):
    return int(cards).bit_count()


def _lowest(cards):
    return (int(cards) & -int(cards)).bit_length() - 1


def _highest(cards):
    return int(cards).bit_length() - 1


def _instruction(plain, emit):
    """Return a function of a set as one machine instruction; ``plain`` where compiling is turned off."""
    if config.DISABLE_JIT:
        return plain

    @intrinsic
    def instruction(typingctx, cards):
        def codegen(context, builder, signature, args):
            return emit(builder, args[0])

        return types.int64(types.uint64), codegen

    return instruction


_TRUE = ir.Constant(ir.IntType(1), 1)
_LAST_BIT = ir.Constant(ir.IntType(64), 63)

#: How many cards a set holds; its lowest and its highest card, where it is not empty.
count = _instruction(_counted, lambda builder, cards: builder.ctpop(cards))
lowest = _instruction(_lowest, lambda builder, cards: builder.cttz(cards, _TRUE))
highest = _instruction(_highest, lambda builder, cards: builder.sub(_LAST_BIT, builder.ctlz(cards, _TRUE)))


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

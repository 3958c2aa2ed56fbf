"""The position in compiled code: one row of each array a turn, so that nothing is ever taken back.

``sets[ply]`` holds seat 0's hand, seat 1's hand and the hash key; ``pile[ply]`` the pile from
the bottom; ``work[ply, SIZE]`` its height. Row 0 is the position searched from.
"""

import numpy as np

from games.engine.bits import (
    BEATERS,
    CARDS,
    FREE_KEY,
    HAND_KEYS,
    NOTHING,
    PILE_KEYS,
    RANK_COUNT,
    TURN_KEY,
    bit,
    count,
    lowest,
)
from games.engine.compiled import compiled

#: Turns that a line of search can be long, and moves that a position can have.
PLIES = 128
MOVES = 1400

#: Columns of ``sets``.
KEY = 2

#: Columns of ``work``.
SIZE, MOVED, KILLER, SECOND_KILLER, LINE_LENGTH = range(5)
LINE = 8
WORK_COLUMNS = LINE + PLIES

#: Slots of ``facts``: what holds for a whole search.
SEAT, FREE, TURNS_LEFT, STOP, NODES, NODE_LIMIT, GENERATION, SALT_COUNT, CARD_COUNT = range(9)
ROOT_MOVE, ROOT_SCORE, DEPTH, MODE, ABORTED, TABLE_MASK, EXACT, LEFT_OUT = range(9, 17)
SALTED = 17
FACTS = SALTED + 200

#: A move is the card, then the cover in the six bits above; 63 stands for no card.
NONE = 63
TAKE = NONE | NONE << 6
NO_MOVE = -1

#: What a search leaves out at its root when it leaves nothing out: a card that covers itself.
NOTHING_LEFT_OUT = 0


@compiled("int64(int64,int64)", inline="always")
def pair(card, cover):
    """Return the move that plays a card and covers it."""
    return card | cover << 6


@compiled("int64(int8[:,::1],int64[:,::1],int64,int64)")
def pickup_count(pile, work, ply, seat):
    """Return how many cards the seat would take (rule 7); the pile must not be empty."""
    size = work[ply, SIZE]
    top = pile[ply, size - 1]
    if top // RANK_COUNT != seat:
        return min(3, size)
    if top % RANK_COUNT != RANK_COUNT - 1:
        return min(5, size)
    return size


@compiled("void(uint64[:,::1],int8[:,::1],int64[:,::1],int64,int64,int64)")
def play(sets, pile, work, ply, seat, move):
    """Write the position after a move into the next row."""
    hand = sets[ply, seat]
    key = sets[ply, KEY] ^ TURN_KEY
    size = work[ply, SIZE]
    for at in range(CARDS):
        pile[ply + 1, at] = pile[ply, at]
    if move == TAKE:
        for _ in range(pickup_count(pile, work, ply, seat)):
            size -= 1
            card = np.int64(pile[ply, size])
            hand |= bit(card)
            key ^= HAND_KEYS[seat, card] ^ PILE_KEYS[size, card]
    else:
        card = move & 63
        hand ^= bit(card)
        key ^= HAND_KEYS[seat, card] ^ PILE_KEYS[size, card]
        pile[ply + 1, size] = card
        size += 1
        card = move >> 6
        if card != NONE:
            hand ^= bit(card)
            key ^= HAND_KEYS[seat, card] ^ PILE_KEYS[size, card]
            pile[ply + 1, size] = card
            size += 1
    sets[ply + 1, seat] = hand
    sets[ply + 1, 1 - seat] = sets[ply, 1 - seat]
    sets[ply + 1, KEY] = key
    work[ply + 1, SIZE] = size
    work[ply, MOVED] = move


@compiled("boolean(uint64[:,::1],int8[:,::1],int64[:,::1],int64,int64)")
def ends_in_draw(sets, pile, work, ply, loser):
    """Whether the seat that still holds cards saves the draw with its last card (rule 9)."""
    rest = sets[ply, loser]
    size = work[ply, SIZE]
    if size == 0 or count(rest) != 1:
        return False
    return rest & BEATERS[loser, pile[ply, size - 1]] != NOTHING


@compiled("uint64(uint64[:,::1],int8[:,::1],int64[:,::1],int64,int64)")
def beaters_of(sets, pile, work, ply, seat):
    """Return the seat's cards that beat the top of the pile; none on an empty pile."""
    size = work[ply, SIZE]
    if size == 0:
        return NOTHING
    return sets[ply, seat] & BEATERS[seat, pile[ply, size - 1]]


@compiled("int64(uint64[:,::1],int8[:,::1],int64[:,::1],int64,int64,int64,int64[:,::1])")
def list_moves(sets, pile, work, ply, seat, free, moves):
    """Write the legal moves into the ply's row of ``moves`` and return their number."""
    hand = sets[ply, seat]
    number = 0
    if work[ply, SIZE] == 0:
        while hand:
            moves[ply, number] = pair(lowest(hand), NONE)
            number += 1
            hand &= hand - np.uint64(1)
        return number
    beaters = beaters_of(sets, pile, work, ply, seat)
    left = beaters
    while left:
        card = lowest(left)
        left &= left - np.uint64(1)
        rest = hand ^ bit(card)
        if rest == NOTHING:
            moves[ply, number] = pair(card, NONE)
            number += 1
        while rest:
            moves[ply, number] = pair(card, lowest(rest))
            number += 1
            rest &= rest - np.uint64(1)
    if beaters == NOTHING or free:
        moves[ply, number] = TAKE
        number += 1
    return number


@compiled("uint64(uint64[:,::1],int8[:,::1],int64[:,::1],int64,int64,int64)")
def key_of(sets, pile, work, ply, seat, free):
    """Return the hash key of a row, counted from nothing."""
    key = NOTHING
    for owner in range(2):
        hand = sets[ply, owner]
        while hand:
            key ^= HAND_KEYS[owner, lowest(hand)]
            hand &= hand - np.uint64(1)
    for at in range(work[ply, SIZE]):
        key ^= PILE_KEYS[at, pile[ply, at]]
    if seat:
        key ^= TURN_KEY
    if free:
        key ^= FREE_KEY
    return key


@compiled(
    "int64(uint64[:,::1],int8[:,::1],int64[:,::1],int64[:,::1],int64,int64,int64,int64)",
)
def perft(sets, pile, work, moves, ply, seat, free, depth):
    """Count the move sequences of exactly ``depth`` turns, a game that ends earlier once."""
    if depth == 0 or sets[ply, 0] == NOTHING or sets[ply, 1] == NOTHING:
        return 1
    number = list_moves(sets, pile, work, ply, seat, free, moves)
    if depth == 1:
        return number
    total = 0
    for at in range(number):
        play(sets, pile, work, ply, seat, moves[ply, at])
        total += perft(sets, pile, work, moves, ply + 1, 1 - seat, free, depth - 1)
    return total

"""Which moves to look at first: a fitted score of the card, the cover and what can answer it."""

import numpy as np

from games.engine.bits import BEATERS, LOWER, NOTHING, SEEN_BY, bit, count, highest, lowest
from games.engine.board import NONE, SIZE, TAKE, beaters_of, pair
from games.engine.compiled import compiled

#: Slots of the fitted ordering, cards as seen by the mover.
BEAT, COVER, LEAD, ANSWERS, TAKING = 0, 52, 104, 156, 162
ORDER = 163

_MOVE_BITS = 12


@compiled("int64(int32[::1],uint64,int64,int64)")
def order_of(order, other, seat, move):
    """Return how promising a move looks; ``other`` is the opponent's hand."""
    if move == TAKE:
        return order[TAKING]
    card, cover = move & 63, move >> 6
    if cover == NONE:
        answers = min(count(other & BEATERS[1 - seat, card]), 5)
        return order[LEAD + SEEN_BY[seat, card]] + order[ANSWERS + answers]
    answers = min(count(other & BEATERS[1 - seat, cover]), 5)
    return order[BEAT + SEEN_BY[seat, card]] + order[COVER + SEEN_BY[seat, cover]] + order[ANSWERS + answers]


@compiled("uint64(uint64,uint64)")
def spare_cards(hand, live):
    """Return the cards whose next lower live card of the suit is in the same hand.

    Such a card does little that the lower one does not, so it need not be searched.
    """
    spare = NOTHING
    left = hand
    while left:
        card = lowest(left)
        left &= left - np.uint64(1)
        below = LOWER[card] & live
        if below and hand & bit(highest(below)):
            spare |= bit(card)
    return spare


@compiled(
    "int64(uint64[:,::1],int8[:,::1],int64[:,::1],int64,int64,int64,int64,int32[::1],int64[:,::1],int64,int64[:,::1])",
)
def list_ordered(sets, pile, work, ply, seat, free, skipping, order, history, first, moves):
    """Write the moves worth searching, each with its promise in the bits above; return their number.

    With ``skipping`` 1 the moves of spare cards are left out, with 2 they are the only ones. The move
    ``first`` comes before all others. Call it only where the mover has a choice.
    """
    hand, other = sets[ply, seat], sets[ply, 1 - seat]
    number = 0
    live = hand | other
    if work[ply, SIZE] == 0:
        spare = spare_cards(hand, live) if skipping else NOTHING
        while hand:
            card = lowest(hand)
            hand &= hand - np.uint64(1)
            is_spare = bit(card) & spare != NOTHING
            if skipping and is_spare != (skipping == 2):
                continue
            moves[ply, number] = pair(card, NONE)
            number += 1
    else:
        beaters = beaters_of(sets, pile, work, ply, seat)
        spare_beaters = spare_cards(beaters, live) if skipping else NOTHING
        left = beaters
        while left:
            card = lowest(left)
            left &= left - np.uint64(1)
            rest = hand ^ bit(card)
            if rest == NOTHING:
                if skipping == 2:
                    break
                moves[ply, number] = pair(card, NONE)
                number += 1
                break
            beat_is_spare = bit(card) & spare_beaters != NOTHING
            if skipping == 1 and beat_is_spare:
                continue
            if skipping:
                spare = spare_cards(rest, live & ~bit(card))
                if skipping == 1:
                    rest &= ~spare
                elif not beat_is_spare:
                    rest &= spare
            while rest:
                moves[ply, number] = pair(card, lowest(rest))
                number += 1
                rest &= rest - np.uint64(1)
        if free and skipping != 2:
            moves[ply, number] = TAKE
            number += 1
    killer, second = work[ply, 2], work[ply, 3]
    for at in range(number):
        move = moves[ply, at]
        if move == first:
            promise = np.int64(1 << 30)
        else:
            promise = order_of(order, other, seat, move) + history[seat, move]
            if move == killer:
                promise += 300
            elif move == second:
                promise += 200
        moves[ply, at] = promise << _MOVE_BITS | move
    return number


@compiled("int64(int64[:,::1],int64,int64,int64)")
def next_best(moves, ply, start, number):
    """Bring the most promising of the moves left to the front and return it without its promise."""
    best = start
    for at in range(start + 1, number):
        if moves[ply, at] > moves[ply, best]:
            best = at
    chosen = moves[ply, best]
    moves[ply, best] = moves[ply, start]
    moves[ply, start] = chosen
    return chosen & ((1 << _MOVE_BITS) - 1)

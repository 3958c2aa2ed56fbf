"""What a position is worth before it is searched: the network, and the hand-made terms.

The network has one hidden layer, seen once with each seat's eyes (``HIDDEN`` units each, side by
side in a row of ``WIDTH``). ``sums[ply]`` holds what the hands add to it and is carried from turn to
turn; what the top of the pile adds is summed when the position is judged.
"""

import numpy as np

from games.engine.bits import BEATERS, NOTHING, RANK_COUNT, count, highest, lowest
from games.engine.board import CARD_COUNT, FREE, MODE, SIZE, beaters_of, pickup_count
from games.engine.compiled import compiled

HIDDEN = 64
WIDTH = 2 * HIDDEN

#: How deep into the pile the network looks.
DEEP = 8

#: Rows of the network's first layer: a card in a seat's hand, a card so deep in the pile,
#: nothing there, the kind of game, how many cards beat the top (of the viewer to move, of the other
#: to move), how many cards of the viewer and of the other none or one card beats.
HAND_ROW = 0
PILE_ROW = 104
EMPTY_ROW = PILE_ROW + DEEP * 52
KIND_ROW = EMPTY_ROW + DEEP
BEATING_ROW = KIND_ROW + 8
LASTING_ROW = BEATING_ROW + 16
ROWS = LASTING_ROW + 128

#: Outputs: eight phases by the smaller hand, for each pick-up rule.
PHASES = 8
OUTPUTS = 2 * PHASES
PHASE_OF = np.array([0, 0, 1, 2, 3, 3, 4, 4, 5, 5, 5, 6, 6, 6, 6] + [7] * 40, np.int64)

#: Fixed point: 1.0 in the hidden layer and in the output weights.
ONE_HIDDEN = 256
ONE_OUTPUT = 256
SCORE_POINTS = 200

#: The hand-made terms, for each of three phases.
TERMS = 18
TERM_PHASES = 3

NETWORK, HAND_MADE = range(2)


@compiled("int64(int64)", inline="always")
def deck_kind(cards):
    """Return the kind of deck, 0 to 3, by the number of cards in play."""
    return 0 if cards <= 28 else 1 if cards <= 34 else 2 if cards <= 44 else 3


@compiled("int64(uint64[:,::1],int64,int64)")
def output_of(sets, ply, free):
    """Return which output of the network judges the position."""
    return PHASE_OF[min(count(sets[ply, 0]), count(sets[ply, 1]))] + PHASES * free


@compiled("void(uint64[:,::1],int16[:,::1],int16[:,::1],int64[::1],int64)")
def sum_anew(sets, sums, net, facts, ply):
    """Sum what the hands add, from nothing."""
    kind = KIND_ROW + 4 * facts[FREE] + deck_kind(facts[CARD_COUNT])
    for at in range(WIDTH):
        sums[ply, at] = net[kind, at]
    for seat in range(2):
        hand = sets[ply, seat]
        while hand:
            row = seat * 52 + lowest(hand)
            hand &= hand - np.uint64(1)
            for at in range(WIDTH):
                sums[ply, at] += net[row, at]


@compiled("void(uint64[:,::1],int16[:,::1],int16[:,::1],int64,int64)")
def carry_sums(sets, sums, net, ply, mover):
    """Sum what the hands add, from the row before, in which ``mover`` moved."""
    before, after = sets[ply - 1, mover], sets[ply, mover]
    gone, come = before & ~after, after & ~before
    if gone:
        first = mover * 52 + lowest(gone)
        gone &= gone - np.uint64(1)
        if gone:
            second = mover * 52 + lowest(gone)
            for at in range(WIDTH):
                sums[ply, at] = sums[ply - 1, at] - net[first, at] - net[second, at]
        else:
            for at in range(WIDTH):
                sums[ply, at] = sums[ply - 1, at] - net[first, at]
        return
    for at in range(WIDTH):
        sums[ply, at] = sums[ply - 1, at]
    while come:
        row = mover * 52 + lowest(come)
        come &= come - np.uint64(1)
        for at in range(WIDTH):
            sums[ply, at] += net[row, at]


@compiled("int64(int8[:,::1],int64,int64,int64)", inline="always")
def _pile_row(pile, ply, size, deep):
    if deep >= size:
        return EMPTY_ROW + deep
    return PILE_ROW + 52 * deep + np.int64(pile[ply, size - 1 - deep])


@compiled("int64(uint64,uint64,int64)")
def lasting_cards(hand, other, rival):
    """Return how many cards of a hand no card of the rival's beats, times eight, plus how many just one beats.

    Both count to seven.
    """
    trumps = np.uint64(0x1FFF << (RANK_COUNT * rival))
    # Two trumps beat whatever is not of their suit.
    left = hand & trumps if count(other & trumps) > 1 else hand
    none = one = 0
    while left:
        number = count(other & BEATERS[rival, lowest(left)])
        left &= left - np.uint64(1)
        if number == 0:
            none += 1
        elif number == 1:
            one += 1
    return 8 * min(none, 7) + min(one, 7)


@compiled(
    "int64(uint64[:,::1],int8[:,::1],int64[:,::1],int16[:,::1],int16[:,::1],int16[:,::1],int64,int64,int64)",
)
def judge(sets, pile, work, sums, net, out, ply, seat, free):
    """Return what the network makes of the position for the seat to move, in points."""
    size = work[ply, SIZE]
    r0 = _pile_row(pile, ply, size, 0)
    r1 = _pile_row(pile, ply, size, 1)
    r2 = _pile_row(pile, ply, size, 2)
    r3 = _pile_row(pile, ply, size, 3)
    r4 = _pile_row(pile, ply, size, 4)
    r5 = _pile_row(pile, ply, size, 5)
    r6 = _pile_row(pile, ply, size, 6)
    r7 = _pile_row(pile, ply, size, 7)
    beating = min(count(beaters_of(sets, pile, work, ply, seat)), 7)
    r8 = BEATING_ROW + 8 * seat + beating
    r9 = LASTING_ROW + lasting_cards(sets[ply, 0], sets[ply, 1], 1)
    r10 = LASTING_ROW + 64 + lasting_cards(sets[ply, 1], sets[ply, 0], 0)
    o = 2 * output_of(sets, ply, free) + seat
    zero, one = np.int16(0), np.int16(ONE_HIDDEN)
    total = np.int32(0)
    for at in range(WIDTH):
        unit = np.int16(
            sums[ply, at]
            + net[r0, at]
            + net[r1, at]
            + net[r2, at]
            + net[r3, at]
            + net[r4, at]
            + net[r5, at]
            + net[r6, at]
            + net[r7, at]
            + net[r8, at]
            + net[r9, at]
            + net[r10, at]
        )
        unit = min(max(unit, zero), one)
        total = np.int32(total + np.int32(unit) * np.int32(out[o, at]))
    points = (np.int64(total) + np.int64(out[o, WIDTH]) * ONE_HIDDEN) * SCORE_POINTS // (ONE_HIDDEN * ONE_OUTPUT)
    return min(max(points, -8000), 8000)


@compiled("void(uint64[:,::1],uint64,int64,int64,float64[::1],int64,float64)")
def _hand_terms(sets, hand, seat, ply, terms, first, sign):
    """Add what one hand has of each kind: cards, trumps, aces, ranks, cards that stand."""
    other = sets[ply, 1 - seat]
    left = hand
    while left:
        card = lowest(left)
        left &= left - np.uint64(1)
        suit, rank = card // RANK_COUNT, card % RANK_COUNT
        terms[first] += sign
        if suit == seat:
            terms[first + 1] += sign
            terms[first + 2] += sign * rank
        elif suit == 1 - seat:
            terms[first + 3] += sign
            terms[first + 4] += sign * rank
        else:
            terms[first + 5] += sign * rank
        if rank == RANK_COUNT - 1:
            terms[first + 6] += sign
        answers = count(other & BEATERS[1 - seat, card])
        if answers == 0:
            terms[first + 7] += sign
        elif answers == 1:
            terms[first + 8] += sign
    if hand:
        terms[first + 9] += sign / count(hand)
    trumps = hand & np.uint64(0x1FFF << (RANK_COUNT * seat))
    if trumps:
        terms[first + 10] += sign * (highest(trumps) % RANK_COUNT)


@compiled(
    "void(uint64[:,::1],int8[:,::1],int64[:,::1],int64,int64,int64,float64[::1])",
)
def list_terms(sets, pile, work, ply, seat, free, terms):
    """Write the hand-made terms of a position, seen by the seat to move."""
    for at in range(TERMS):
        terms[at] = 0.0
    terms[0] = 1.0
    _hand_terms(sets, sets[ply, seat], seat, ply, terms, 1, 1.0)
    _hand_terms(sets, sets[ply, 1 - seat], 1 - seat, ply, terms, 1, -1.0)
    size = work[ply, SIZE]
    terms[12] = free
    if size == 0:
        terms[13] = 1.0
        return
    beaters = beaters_of(sets, pile, work, ply, seat)
    if beaters == NOTHING:
        terms[14] = 1.0
        terms[15] = pickup_count(pile, work, ply, seat)
    else:
        terms[16] = min(count(beaters), 5)
        terms[17] = 1.0 if count(beaters & ~np.uint64(0x1FFF << (RANK_COUNT * seat))) else 0.0


@compiled("int64(uint64[:,::1],int64)")
def term_phase(sets, ply):
    """Return which third of the game it is for the hand-made terms: 0 is the end."""
    smaller = min(count(sets[ply, 0]), count(sets[ply, 1]))
    return 0 if smaller <= 4 else 1 if smaller <= 9 else 2


@compiled(
    "int64(uint64[:,::1],int8[:,::1],int64[:,::1],float64[:,::1],float64[::1],int64,int64,int64)",
)
def judge_by_terms(sets, pile, work, weights, terms, ply, seat, free):
    """Return what the hand-made terms make of the position for the seat to move, in points."""
    list_terms(sets, pile, work, ply, seat, free, terms)
    phase = term_phase(sets, ply)
    total = 0.0
    for at in range(TERMS):
        total += weights[phase, at] * terms[at]
    return np.int64(min(max(total * SCORE_POINTS, -8000.0), 8000.0))


@compiled(
    "int64(uint64[:,::1],int8[:,::1],int64[:,::1],int16[:,::1],int16[:,::1],int16[:,::1],"
    "float64[:,::1],float64[::1],int64[::1],int64,int64)",
)
def static_score(sets, pile, work, sums, net, out, weights, terms, facts, ply, seat):
    """Return what the position is worth to the seat to move, unsearched."""
    if facts[MODE] == NETWORK:
        return judge(sets, pile, work, sums, net, out, ply, seat, facts[FREE])
    return judge_by_terms(sets, pile, work, weights, terms, ply, seat, facts[FREE])

"""The search: iterative deepening, principal variation, transposition table, reductions.

A forced pick-up costs no depth. A score beyond ``PROVEN`` is a proven win, ``WON`` less the
turns to it. A position that stands again within the line counts as a draw, which can only
hide wins, never invent them.
"""

import numpy as np

from games.engine.bits import NOTHING, count
from games.engine.board import (
    ABORTED,
    DEPTH,
    EXACT,
    FREE,
    GENERATION,
    KEY,
    KILLER,
    LEFT_OUT,
    LINE,
    LINE_LENGTH,
    NO_MOVE,
    NODE_LIMIT,
    NODES,
    PLIES,
    ROOT_MOVE,
    ROOT_SCORE,
    SALT_COUNT,
    SALTED,
    SEAT,
    SECOND_KILLER,
    SIZE,
    STOP,
    TABLE_MASK,
    TAKE,
    TURNS_LEFT,
    beaters_of,
    ends_in_draw,
    list_moves,
    play,
)
from games.engine.compiled import compiled
from games.engine.evaluate import carry_sums, static_score, sum_anew
from games.engine.ordering import list_ordered, next_best

WON = 30000
PROVEN = 29000
ENDLESS = 32000

#: Stands in the table where no move is known: a card that covers itself.
NO_STORED_MOVE = 0

_UPPER, _LOWER, _EXACT = 1, 2, 3


def _reductions() -> np.ndarray:
    table = np.zeros((PLIES, 64), np.int64)
    for depth in range(2, PLIES):
        for number in range(2, 64):
            table[depth, number] = int(0.4 + np.log(depth) * np.log(number) / 1.7)
    return table


REDUCTIONS = _reductions()

_ARRAYS = (
    "uint64[:,::1],int8[:,::1],int64[:,::1],int64[:,::1],int64[::1],int16[:,::1],int64[:,::1],float64[::1],"
    "int16[:,::1],int16[:,::1],float64[:,::1],int32[::1],uint64[:,::1]"
)


@compiled("boolean(uint64[:,::1],int64[::1],int64)")
def stands_again(sets, facts, ply):
    """Whether the position stood before in this line, or twice in the match."""
    key = sets[ply, KEY]
    at = ply - 4
    while at >= 0:
        if sets[at, KEY] == key:
            return True
        at -= 2
    for at in range(facts[SALT_COUNT]):  # noqa: SIM110 (generators do not compile)
        if np.uint64(facts[SALTED + at]) == key:
            return True
    return False


@compiled("void(uint64[:,::1],int64,uint64,int64,int64,int64,int64,int64)")
def store(table, mask, key, move, depth, kind, score, generation):
    """Write what is known of a position, unless something better of this search is there."""
    at = np.int64(key & np.uint64(mask))
    old = table[at, 1]
    if table[at, 0] ^ old != key:
        old_depth = np.int64(old >> np.uint64(12) & np.uint64(255))
        old_generation = np.int64(old >> np.uint64(40) & np.uint64(255))
        if old_generation == generation and old_depth > depth + 3:
            return
    elif move == NO_MOVE:
        move = np.int64(old & np.uint64(0xFFF))
    if move == NO_MOVE:
        move = np.int64(NO_STORED_MOVE)
    data = np.uint64(move | depth << 12 | kind << 20 | (score + 32768) << 24 | generation << 40)
    table[at, 0] = key ^ data
    table[at, 1] = data


@compiled(
    f"int64({_ARRAYS},int64,int64,int64,int64)",
)
def search(
    sets, pile, work, moves, facts, sums, history, terms, net, out, weights, order, table, ply, depth, alpha, beta
):
    """Return the score of the position in row ``ply`` for its mover; bounds as in fail-soft alpha-beta."""
    facts[NODES] += 1
    if facts[NODES] >= facts[NODE_LIMIT] or facts[STOP]:
        facts[ABORTED] = 1
        return 0
    seat = (facts[SEAT] + ply) & 1
    if ply > 0:
        work[ply, LINE_LENGTH] = 0
        if ply >= facts[TURNS_LEFT] or stands_again(sets, facts, ply):
            return 0
        if WON - ply - 1 <= alpha:
            return WON - ply - 1
    if ply >= PLIES - 2:
        carry_sums(sets, sums, net, ply, 1 - seat)
        return static_score(sets, pile, work, sums, net, out, weights, terms, facts, ply, seat)
    wide = beta - alpha > 1
    key = sets[ply, KEY]
    first = np.int64(NO_MOVE)
    at = np.int64(key & np.uint64(facts[TABLE_MASK]))
    data = table[at, 1]
    if table[at, 0] ^ data == key:
        first = np.int64(data & np.uint64(0xFFF))
        kind = np.int64(data >> np.uint64(20) & np.uint64(3))
        score = np.int64(data >> np.uint64(24) & np.uint64(0xFFFF)) - 32768
        proven = score >= PROVEN or score <= -PROVEN
        if score >= PROVEN:
            score -= ply
        elif score <= -PROVEN:
            score += ply
        deep_enough = np.int64(data >> np.uint64(12) & np.uint64(255)) >= depth
        if proven and WON - abs(score) > facts[TURNS_LEFT]:
            deep_enough = False
            proven = False
        # A bound on the winning side of a proven score holds at any depth.
        if ply > 0 and not wide:
            if kind & _LOWER and score >= beta and (deep_enough or (proven and score > 0)):
                return score
            if kind & _UPPER and score <= alpha and (deep_enough or (proven and score < 0)):
                return score
    if ply > 0:
        carry_sums(sets, sums, net, ply, 1 - seat)

    forced = work[ply, SIZE] > 0 and beaters_of(sets, pile, work, ply, seat) == NOTHING
    skipping = 0 if facts[EXACT] else 1
    if forced:
        moves[ply, 0] = TAKE
        number = 1
        skipping = 0
    else:
        if depth <= 0:
            depth = 1
        number = list_ordered(sets, pile, work, ply, seat, facts[FREE], skipping, order, history, first, moves)
    best = np.int64(-ENDLESS)
    best_move = np.int64(NO_MOVE)
    old_alpha = alpha
    searched = 0
    at = 0
    while True:
        if at == number:
            if skipping != 1 or best > -PROVEN:
                break
            # All else loses: look at the spare cards too.
            skipping = 2
            number = list_ordered(sets, pile, work, ply, seat, facts[FREE], 2, order, history, NO_MOVE, moves)
            at = 0
            if number == 0:
                break
        move = TAKE if forced else next_best(moves, ply, at, number)
        at += 1
        if ply == 0 and move == facts[LEFT_OUT]:
            continue
        play(sets, pile, work, ply, seat, move)
        child = ply + 1
        next_depth = depth if forced else depth - 1
        work[child, LINE_LENGTH] = 0
        if sets[child, seat] == NOTHING:
            facts[NODES] += 1
            score = 0 if ends_in_draw(sets, pile, work, child, 1 - seat) else WON - child
        elif (
            next_depth <= 0
            and count(sets[child, 1 - seat]) > 2
            and (work[child, SIZE] == 0 or beaters_of(sets, pile, work, child, 1 - seat) != NOTHING)
        ):
            facts[NODES] += 1
            if child >= facts[TURNS_LEFT]:
                score = 0
            else:
                carry_sums(sets, sums, net, child, seat)
                score = -static_score(sets, pile, work, sums, net, out, weights, terms, facts, child, 1 - seat)
        else:
            reduced = next_depth
            if searched >= 2 and next_depth >= 1 and not facts[EXACT]:
                reduced -= REDUCTIONS[depth, min(searched, 63)]
                if wide and reduced < next_depth:
                    reduced += 1
                reduced = max(reduced, 0)
            if searched == 0:
                score = -search(
                    sets, pile, work, moves, facts, sums, history, terms, net, out, weights, order, table,
                    child, next_depth, -beta, -alpha,
                )  # fmt: skip
            else:
                score = -search(
                    sets, pile, work, moves, facts, sums, history, terms, net, out, weights, order, table,
                    child, reduced, -alpha - 1, -alpha,
                )  # fmt: skip
                if score > alpha and reduced < next_depth:
                    score = -search(
                        sets, pile, work, moves, facts, sums, history, terms, net, out, weights, order, table,
                        child, next_depth, -alpha - 1, -alpha,
                    )  # fmt: skip
                if alpha < score < beta:
                    score = -search(
                        sets, pile, work, moves, facts, sums, history, terms, net, out, weights, order, table,
                        child, next_depth, -beta, -alpha,
                    )  # fmt: skip
            if facts[ABORTED]:
                return 0
        searched += 1
        if score > best:
            best = score
            if score > alpha or (ply == 0 and searched == 1):
                best_move = move
                if ply == 0:
                    facts[ROOT_MOVE] = move
                    facts[ROOT_SCORE] = score
                work[ply, LINE] = move
                length = min(work[child, LINE_LENGTH], PLIES - 1)
                for turn in range(length):
                    work[ply, LINE + 1 + turn] = work[child, LINE + turn]
                work[ply, LINE_LENGTH] = length + 1
            if score > alpha:
                alpha = score
                if alpha >= beta:
                    if not forced:
                        if work[ply, KILLER] != move:
                            work[ply, SECOND_KILLER] = work[ply, KILLER]
                            work[ply, KILLER] = move
                        gain = min(depth * depth, 200)
                        history[seat, move] += gain - history[seat, move] * gain // 1000
                    break
    kind = _LOWER if best >= beta else _EXACT if best > old_alpha else _UPPER
    kept = best + ply if best >= PROVEN else best - ply if best <= -PROVEN else best
    store(table, facts[TABLE_MASK], key, best_move, max(min(depth, 255), 0), kind, kept, facts[GENERATION])
    return best


@compiled(f"void({_ARRAYS},int64)")
def deepen(sets, pile, work, moves, facts, sums, history, terms, net, out, weights, order, table, limit):
    """Search row 0 deeper and deeper, until the budget in ``facts`` is used or nothing is left to find.

    The answer is in ``facts`` (move, score, depth, nodes) and the line in row 0 of ``work``.
    """
    facts[NODES] = 0
    facts[ABORTED] = 0
    facts[DEPTH] = 0
    facts[ROOT_MOVE] = NO_MOVE
    sum_anew(sets, sums, net, facts, 0)
    for ply in range(PLIES):
        work[ply, KILLER] = NO_MOVE
        work[ply, SECOND_KILLER] = NO_MOVE
    for seat in range(2):
        for move in range(4096):
            history[seat, move] //= 4
    depth = 0
    while depth < limit:
        depth += 1
        score = search(
            sets, pile, work, moves, facts, sums, history, terms, net, out, weights, order, table,
            0, depth, -ENDLESS, ENDLESS,
        )  # fmt: skip
        if facts[ABORTED]:
            break
        facts[DEPTH] = depth
        if abs(score) >= PROVEN and WON - abs(score) <= depth:
            break
        if depth >= facts[TURNS_LEFT]:
            break


@compiled(f"int64({_ARRAYS},int64)")
def weigh(sets, pile, work, moves, facts, sums, history, terms, net, out, weights, order, table, depth):
    """Score every move of row 0 by itself, after so many further turns; return their number.

    The moves are left in row 0 of ``moves``, their scores in the row behind the last ply.
    """
    facts[NODES] = 0
    facts[ABORTED] = 0
    sum_anew(sets, sums, net, facts, 0)
    for ply in range(PLIES):
        work[ply, KILLER] = NO_MOVE
        work[ply, SECOND_KILLER] = NO_MOVE
    seat = facts[SEAT]
    number = list_moves(sets, pile, work, 0, seat, facts[FREE], moves)
    for at in range(number):
        play(sets, pile, work, 0, seat, moves[0, at])
        if sets[1, seat] == NOTHING:
            score = 0 if ends_in_draw(sets, pile, work, 1, 1 - seat) else WON - 1
        elif depth == 0 and (work[1, SIZE] == 0 or beaters_of(sets, pile, work, 1, 1 - seat) != NOTHING):
            carry_sums(sets, sums, net, 1, seat)
            score = -static_score(sets, pile, work, sums, net, out, weights, terms, facts, 1, 1 - seat)
        else:
            score = -search(
                sets, pile, work, moves, facts, sums, history, terms, net, out, weights, order, table,
                1, depth, -ENDLESS, ENDLESS,
            )  # fmt: skip
        moves[PLIES, at] = score
    return number

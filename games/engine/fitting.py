"""Fitting the engine's numbers to records of self-play: the network, the hand-made terms, the ordering of moves.

All by Adam on cross-entropy, in compiled code; nothing beyond numpy and numba is needed.
"""

from collections.abc import Callable

import numpy as np

from games.engine.bits import BEATERS, CARDS, NOTHING, RANK_COUNT, SEEN_BY, bit, count, lowest
from games.engine.board import NONE, SIZE, TAKE
from games.engine.compiled import compiled
from games.engine.evaluate import (
    BEATING_ROW,
    DEEP,
    EMPTY_ROW,
    HIDDEN,
    KIND_ROW,
    LASTING_ROW,
    ONE_HIDDEN,
    ONE_OUTPUT,
    OUTPUTS,
    PHASE_OF,
    PHASES,
    PILE_ROW,
    ROWS,
    SCORE_POINTS,
    TERM_PHASES,
    TERMS,
    WIDTH,
    deck_kind,
    lasting_cards,
    list_terms,
    term_phase,
)
from games.engine.network import Weights
from games.engine.ordering import ANSWERS, BEAT, COVER, LEAD, ORDER, TAKING
from games.engine.selfplay import DISTURBED, FREE_RULE, HEIGHT, IN_PLAY, MOVE, MOVER, RESULT, SCORE, Records

#: How much of a target is the search's own score; the rest is how the game ended.
TRUST = 0.6


@compiled("float64(int16[:,::1],int64,float64)")
def target_of(notes, row, trust):
    """Return the result to expect for the mover of a record, 0 to 1."""
    believed = 1 / (1 + np.exp(-notes[row, SCORE] / SCORE_POINTS))
    if notes[row, DISTURBED]:
        trust = max(trust, 0.9)
    return trust * believed + (1 - trust) * notes[row, RESULT] / 2


@compiled("int64(int64,int64,int64)", inline="always")
def _seen(card, seat, swap):
    card = SEEN_BY[seat, card]
    if swap and card >= 2 * RANK_COUNT:
        return card + RANK_COUNT if card < 3 * RANK_COUNT else card - RANK_COUNT
    return card


@compiled(
    "int64(uint64[:,::1],int8[:,::1],int16[:,::1],int64,int64,int64,int64[::1])",
)
def list_rows(hands, tops, notes, row, seat, swap, rows):
    """Write which first-layer rows a record lights for one seat's eyes; return their number."""
    number = 0
    for owner in range(2):
        hand = hands[row, owner]
        while hand:
            card = lowest(hand)
            hand &= hand - np.uint64(1)
            rows[number] = (0 if owner == seat else CARDS) + _seen(card, seat, swap)
            number += 1
    for deep in range(DEEP):
        card = tops[row, deep]
        rows[number] = EMPTY_ROW + deep if card < 0 else PILE_ROW + CARDS * deep + _seen(card, seat, swap)
        number += 1
    rows[number] = KIND_ROW + 4 * notes[row, FREE_RULE] + deck_kind(notes[row, IN_PLAY])
    mover, other = np.int64(notes[row, MOVER]), 1 - seat
    beaters = hands[row, mover] & BEATERS[mover, tops[row, 0]] if tops[row, 0] >= 0 else NOTHING
    rows[number + 1] = BEATING_ROW + 8 * (seat != mover) + min(count(beaters), 7)
    rows[number + 2] = LASTING_ROW + lasting_cards(hands[row, seat], hands[row, other], other)
    rows[number + 3] = LASTING_ROW + 64 + lasting_cards(hands[row, other], hands[row, seat], seat)
    return number + 4


@compiled(
    "float64(uint64[:,::1],int8[:,::1],int16[:,::1],int64[::1],int64,int64,float64,float32[:,::1],float32[:,::1],"
    "float32[:,::1],float32[:,::1])",
    fastmath=True,
)
def _batch_slopes(hands, tops, notes, chosen, start, end, trust, first, second, first_slope, second_slope):
    """Add up the slopes of the loss over a batch; return the summed loss."""
    rows = np.zeros((2, 80), np.int64)
    numbers = np.zeros(2, np.int64)
    unit = np.zeros((2, HIDDEN), np.float32)
    slope = np.zeros(HIDDEN, np.float32)
    loss = 0.0
    for index in range(start, end):
        row = chosen[index]
        seat = np.int64(notes[row, MOVER])
        swap = (row * 7919 + start) >> 4 & 1
        for view in range(2):
            eyes = seat if view == 0 else 1 - seat
            numbers[view] = list_rows(hands, tops, notes, row, eyes, swap, rows[view])
            for at in range(HIDDEN):
                unit[view, at] = np.float32(0)
            for lit in range(numbers[view]):
                which = rows[view, lit]
                for at in range(HIDDEN):
                    unit[view, at] += first[which, at]
        smaller = min(count(hands[row, 0]), count(hands[row, 1]))
        o = PHASE_OF[smaller] + PHASES * notes[row, FREE_RULE]
        total = second[o, WIDTH]
        for view in range(2):
            for at in range(HIDDEN):
                value = min(max(unit[view, at], np.float32(0)), np.float32(1))
                total += value * second[o, HIDDEN * view + at]
        guess = 1 / (1 + np.exp(-np.float64(total)))
        target = target_of(notes, row, trust)
        loss -= target * np.log(guess + 1e-9) + (1 - target) * np.log(1 - guess + 1e-9)
        error = np.float32(guess - target)
        second_slope[o, WIDTH] += error
        for view in range(2):
            for at in range(HIDDEN):
                value = unit[view, at]
                inside = np.float32(0)
                if value > 0 and value < 1:
                    inside = np.float32(1)
                second_slope[o, HIDDEN * view + at] += error * min(max(value, np.float32(0)), np.float32(1))
                slope[at] = inside * error * second[o, HIDDEN * view + at]
            for lit in range(numbers[view]):
                which = rows[view, lit]
                for at in range(HIDDEN):
                    first_slope[which, at] += slope[at]
    return loss


class Adam:
    """Adam over a list of arrays, in place."""

    def __init__(self, arrays: list[np.ndarray]) -> None:
        """Start with no momentum."""
        self.arrays = arrays
        self._mean = [np.zeros_like(array) for array in arrays]
        self._square = [np.zeros_like(array) for array in arrays]
        self._steps = 0

    def step(self, slopes: list[np.ndarray], rate: float) -> None:
        """Take a step against the slopes."""
        self._steps += 1
        keep = 1 - 0.9**self._steps
        keep_square = 1 - 0.999**self._steps
        for array, slope, mean, square in zip(self.arrays, slopes, self._mean, self._square, strict=True):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            array -= (rate / keep) * mean / (np.sqrt(square / keep_square) + 1e-8)


class Network:
    """The network in floating point, as it is trained: one set of eyes, shared by both seats."""

    def __init__(self, seed: int) -> None:
        """Start from small random weights."""
        random = np.random.default_rng(seed)
        self.first = random.normal(0, 0.08, (ROWS, HIDDEN)).astype(np.float32)
        self.first[KIND_ROW:] += 0.3
        self.second = random.normal(0, 0.1, (OUTPUTS, WIDTH + 1)).astype(np.float32)
        self.second[:, WIDTH] = 0

    @classmethod
    def of(cls, weights: Weights) -> "Network":
        """Return the network that weights were rounded from, as near as they tell."""
        network = cls(0)
        net, out = weights.net.astype(np.float32), weights.out.astype(np.float32)
        network.first[:] = net[:, :HIDDEN] / ONE_HIDDEN
        network.second[:] = out[0::2] / ONE_OUTPUT
        return network

    def fit(
        self,
        records: Records,
        *,
        epochs: int,
        rate: float,
        seed: int,
        batch: int = 1024,
        tell: Callable[[str], None] = print,
    ) -> None:
        """Fit the network to records, the rate falling to a twentieth; a fiftieth of them only checks."""
        random = np.random.default_rng(seed)
        shuffled = random.permutation(len(records))
        check, train = shuffled[: len(records) // 50], shuffled[len(records) // 50 :]
        adam = Adam([self.first, self.second])
        slopes = [np.zeros_like(self.first), np.zeros_like(self.second)]
        data = (records.hands, records.tops, records.notes)
        steps, taken = epochs * (len(train) // batch), 0
        for epoch in range(epochs):
            random.shuffle(train)
            loss = 0.0
            for start in range(0, len(train) - batch + 1, batch):
                for slope in slopes:
                    slope.fill(0)
                loss += _batch_slopes(*data, train, start, start + batch, TRUST, self.first, self.second, *slopes)
                for slope in slopes:
                    slope /= batch
                adam.step(slopes, rate * (0.05 + 0.95 * 0.5 * (1 + np.cos(np.pi * taken / steps))))
                np.clip(self.second, -12, 12, out=self.second)
                np.clip(self.first, -8, 8, out=self.first)
                taken += 1
            seen = max(len(train) // batch * batch, 1)
            checked = _batch_slopes(*data, check, 0, len(check), TRUST, self.first, self.second, *slopes)
            tell(f"  epoch {epoch + 1}: loss {loss / seen:.4f}, unseen {checked / max(len(check), 1):.4f}")

    def rounded(self) -> tuple[np.ndarray, np.ndarray]:
        """Return both layers as the engine uses them: whole numbers, a row for each seat's eyes."""
        net = np.zeros((ROWS, WIDTH), np.int16)
        first = np.rint(self.first * ONE_HIDDEN).astype(np.int16)
        for view in range(2):
            half = slice(HIDDEN * view, HIDDEN * (view + 1))
            seen = SEEN_BY[view]
            for seat in range(2):
                net[seat * CARDS : (seat + 1) * CARDS, half] = first[seen if seat == view else CARDS + seen]
            for deep in range(DEEP):
                row = PILE_ROW + CARDS * deep
                net[row : row + CARDS, half] = first[row + seen]
            net[EMPTY_ROW:BEATING_ROW, half] = first[EMPTY_ROW:BEATING_ROW]
            for seat in range(2):
                for start, length in ((BEATING_ROW, 8), (LASTING_ROW, 64)):
                    there, here = start + length * seat, start + length * (seat != view)
                    net[there : there + length, half] = first[here : here + length]
        out = np.zeros((2 * OUTPUTS, WIDTH + 1), np.int16)
        second = np.rint(self.second * ONE_OUTPUT).astype(np.int16)
        out[0::2] = second
        out[1::2, :HIDDEN] = second[:, HIDDEN:WIDTH]
        out[1::2, HIDDEN:WIDTH] = second[:, :HIDDEN]
        out[1::2, WIDTH] = second[:, WIDTH]
        return net, out


@compiled(
    "void(uint64[:,::1],int8[:,::1],int16[:,::1],float64,float64[:,::1],float64[::1],int64[::1])",
)
def _terms_table(hands, tops, notes, trust, table, targets, phases):
    sets = np.zeros((1, 3), np.uint64)
    pile = np.zeros((1, CARDS), np.int8)
    work = np.zeros((1, 8), np.int64)
    for row in range(len(hands)):
        sets[0, 0], sets[0, 1] = hands[row, 0], hands[row, 1]
        height = np.int64(notes[row, HEIGHT])
        work[0, SIZE] = height
        if height:
            pile[0, height - 1] = tops[row, 0]
        list_terms(sets, pile, work, 0, np.int64(notes[row, MOVER]), np.int64(notes[row, FREE_RULE]), table[row])
        targets[row] = target_of(notes, row, trust)
        phases[row] = term_phase(sets, 0)


def fit_terms(records: Records, trust: float, steps: int = 400) -> np.ndarray:
    """Return the hand-made terms' weights for each phase, by logistic regression."""
    table = np.zeros((len(records), TERMS))
    targets, phases = np.zeros(len(records)), np.zeros(len(records), np.int64)
    _terms_table(records.hands, records.tops, records.notes, trust, table, targets, phases)
    weights = np.zeros((TERM_PHASES, TERMS))
    for phase in range(TERM_PHASES):
        rows, wanted = table[phases == phase], targets[phases == phase]
        if not len(rows):
            continue
        scale = rows.std(axis=0) + 1e-6
        scale[0] = 1.0
        rows = rows / scale
        fitted = np.zeros(TERMS)
        adam = Adam([fitted])
        for _ in range(steps):
            guess = 1 / (1 + np.exp(-(rows @ fitted)))
            adam.step([rows.T @ (guess - wanted) / len(rows)], 0.03)
        weights[phase] = fitted / scale
    return weights


@compiled("int64(uint64,uint64,int64,int64,int64,int64[:,::1],int64[::1])")
def _list_choices(hand, other, seat, top, free, slots, choices):
    """Write each legal move and the slots of the ordering that score it; return their number."""
    number = 0
    if top < 0:
        while hand:
            card = lowest(hand)
            hand &= hand - np.uint64(1)
            choices[number] = card | NONE << 6
            slots[number, 0] = LEAD + SEEN_BY[seat, card]
            slots[number, 1] = ANSWERS + min(count(other & BEATERS[1 - seat, card]), 5)
            slots[number, 2] = ORDER
            number += 1
        return number
    beaters = hand & BEATERS[seat, top]
    while beaters:
        card = lowest(beaters)
        beaters &= beaters - np.uint64(1)
        rest = hand ^ bit(card)
        while rest != NOTHING:
            cover = lowest(rest)
            rest &= rest - np.uint64(1)
            choices[number] = card | cover << 6
            slots[number, 0] = BEAT + SEEN_BY[seat, card]
            slots[number, 1] = ANSWERS + min(count(other & BEATERS[1 - seat, cover]), 5)
            slots[number, 2] = COVER + SEEN_BY[seat, cover]
            number += 1
    if free:
        choices[number] = TAKE
        slots[number, 0] = TAKING
        slots[number, 1] = ORDER
        slots[number, 2] = ORDER
        number += 1
    return number


@compiled(
    "float64(uint64[:,::1],int8[:,::1],int16[:,::1],int64,int64,float64[::1],float64[::1])",
)
def _order_slopes(hands, tops, notes, start, end, order, slopes):
    """Add up the slopes of choosing the move that the search chose; return the summed loss."""
    slots = np.zeros((1400, 3), np.int64)
    choices = np.zeros(1400, np.int64)
    odds = np.zeros(1400)
    loss = 0.0
    for row in range(start, end):
        seat = np.int64(notes[row, MOVER])
        free = np.int64(notes[row, FREE_RULE])
        number = _list_choices(
            hands[row, seat], hands[row, 1 - seat], seat, np.int64(tops[row, 0]), free, slots, choices
        )
        total, best = 0.0, -1
        for at in range(number):
            odds[at] = np.exp(order[slots[at, 0]] + order[slots[at, 1]] + order[slots[at, 2]])
            total += odds[at]
            if choices[at] == notes[row, MOVE]:
                best = at
        if best < 0:
            continue
        loss -= np.log(odds[best] / total)
        for at in range(number):
            error = odds[at] / total - (1.0 if at == best else 0.0)
            for slot in range(3):
                slopes[slots[at, slot]] += error
    return loss


#: Points of promise for one step of log odds.
ORDER_POINTS = 100


def fit_order(records: Records, epochs: int = 3, batch: int = 1024) -> tuple[np.ndarray, float]:
    """Return the ordering of moves that makes the search's own choices most likely, and its loss."""
    order, slopes = np.zeros(ORDER + 1), np.zeros(ORDER + 1)
    adam = Adam([order])
    data = (records.hands, records.tops, records.notes)
    loss = 0.0
    for epoch in range(epochs):
        loss = 0.0
        for start in range(0, len(records) - batch + 1, batch):
            slopes.fill(0)
            loss += _order_slopes(*data, start, start + batch, order, slopes)
            slopes[ORDER] = 0
            adam.step([slopes / batch], 0.05 / (1 + 2 * epoch))
            order[ORDER] = 0
    points = np.rint(np.clip(order[:ORDER], -20, 20) * ORDER_POINTS).astype(np.int32)
    return points, loss / max(len(records) // batch * batch, 1)

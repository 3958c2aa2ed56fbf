"""Games of the engine against itself, all in compiled code: what the evaluation is learnt from.

A record is made of each position in which the mover had a choice: both hands, the top of the
pile, and in ``notes`` what the search thought of it and how the game ended for the mover.
"""

import threading
from dataclasses import dataclass

import numpy as np

from games.engine import board
from games.engine.bits import CARDS, NOTHING, bit, count
from games.engine.board import (
    CARD_COUNT,
    EXACT,
    FREE,
    GENERATION,
    KEY,
    NODE_LIMIT,
    ROOT_MOVE,
    ROOT_SCORE,
    SALT_COUNT,
    SALTED,
    SEAT,
    SIZE,
    TAKE,
    TURNS_LEFT,
    beaters_of,
    ends_in_draw,
    key_of,
    list_moves,
    play,
)
from games.engine.compiled import compiled
from games.engine.desk import Desk
from games.engine.evaluate import DEEP, NETWORK
from games.engine.network import Weights
from games.engine.search import PROVEN, deepen

#: Columns of ``notes``.
MOVER, FREE_RULE, IN_PLAY, HEIGHT, SCORE, RESULT, MOVE, DISTURBED = range(8)
NOTES = 8

LOSS, DRAW, WIN = range(3)

_TURN_LIMIT = 400
_EXACT_CARDS = 10

#: The score written for a proven result: as good as certain.
_CERTAIN = 2000


@compiled("int64(uint64[::1],int64)")
def draw_number(state, below):
    """Return a random number under ``below`` (xorshift64*)."""
    x = state[0]
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    state[0] = x
    return np.int64((x * np.uint64(2685821657736338717)) >> np.uint64(33)) % below


@compiled("void(uint64[::1],uint64[:,::1],int8[:,::1],int64[:,::1],int64[::1])")
def deal(state, sets, pile, work, facts):
    """Deal a game of any kind: every deck, both deals, both pick-up rules, either seat to lead."""
    kind = draw_number(state, 100)
    lowest_rank = 7 if kind < 12 else 5 if kind < 25 else 4 if kind < 75 else 0
    sets[0, 0] = NOTHING
    sets[0, 1] = NOTHING
    if draw_number(state, 2):
        for rank in range(lowest_rank, 13):
            for suit in (0, 2):
                side = draw_number(state, 2)
                sets[0, side] |= bit(13 * suit + rank)
                sets[0, 1 - side] |= bit(13 * (suit + 1) + rank)
    else:
        wanted = 2 * (13 - lowest_rank)
        left = 2 * wanted
        for card in range(CARDS):
            if card % 13 < lowest_rank:
                continue
            if draw_number(state, left) < wanted:
                sets[0, 0] |= bit(card)
                wanted -= 1
            else:
                sets[0, 1] |= bit(card)
            left -= 1
    work[0, SIZE] = 0
    facts[FREE] = draw_number(state, 100) < 25
    facts[SEAT] = draw_number(state, 2)
    facts[CARD_COUNT] = 4 * (13 - lowest_rank)
    sets[0, KEY] = key_of(sets, pile, work, 0, facts[SEAT], facts[FREE])


_ARRAYS = (
    "uint64[:,::1],int8[:,::1],int64[:,::1],int64[:,::1],int64[::1],int16[:,::1],int64[:,::1],float64[::1],"
    "int16[:,::1],int16[:,::1],float64[:,::1],int32[::1],uint64[:,::1]"
)


@compiled(
    f"int64({_ARRAYS},uint64[::1],int64,uint64[:,::1],int8[:,::1],int16[:,::1],int64,int64)",
)
def play_game(
    sets,
    pile,
    work,
    moves,
    facts,
    sums,
    history,
    terms,
    net,
    out,
    weights,
    order,
    table,
    state,
    nodes,
    hands,
    tops,
    notes,
    start,
    room,
):
    """Play a game and write its records from row ``start`` on; return the row after the last.

    The first turns are partly random and a few later ones too, so that the records hold the odd positions that a
    search meets. Of the games whose result is proven half end there and half are played out.
    """
    deal(state, sets, pile, work, facts)
    keys = np.zeros(_TURN_LIMIT + 1, np.uint64)
    at = start
    opening = draw_number(state, 10)
    disturbed_until = start
    winner = -1
    decided = 0
    for turn in range(_TURN_LIMIT):
        seat = facts[SEAT]
        free = facts[FREE]
        keys[turn] = sets[0, KEY]
        stood = 0
        for earlier in range(turn + 1):
            if keys[earlier] == keys[turn]:
                stood += 1
        if stood >= 3:
            break
        beaters = beaters_of(sets, pile, work, 0, seat)
        if work[0, SIZE] > 0 and beaters == NOTHING:
            move = np.int64(TAKE)
        else:
            facts[SALT_COUNT] = 0
            for earlier in range(turn):
                if facts[SALT_COUNT] >= 100:
                    break
                times = 0
                for other in range(turn):
                    if keys[other] == keys[earlier]:
                        times += 1
                if times >= 2:
                    facts[SALTED + facts[SALT_COUNT]] = np.int64(keys[earlier])
                    facts[SALT_COUNT] += 1
            facts[TURNS_LEFT] = _TURN_LIMIT - turn
            facts[NODE_LIMIT] = nodes
            facts[GENERATION] = (facts[GENERATION] + 1) & 255
            facts[EXACT] = facts[CARD_COUNT] <= _EXACT_CARDS
            deepen(sets, pile, work, moves, facts, sums, history, terms, net, out, weights, order, table, 40)
            move = facts[ROOT_MOVE]
            score = facts[ROOT_SCORE]
            if score >= PROVEN or score <= -PROVEN:
                winner = seat if score > 0 else 1 - seat
                score = _CERTAIN if score > 0 else -_CERTAIN
                if decided == 0:
                    decided = 1 + draw_number(state, 2)
            if at < room and count(sets[0, seat]) > 2:
                hands[at, 0] = sets[0, 0]
                hands[at, 1] = sets[0, 1]
                for deep in range(DEEP):
                    there = work[0, SIZE] - 1 - deep
                    tops[at, deep] = pile[0, there] if there >= 0 else -1
                notes[at, MOVER] = seat
                notes[at, FREE_RULE] = free
                notes[at, IN_PLAY] = facts[CARD_COUNT]
                notes[at, HEIGHT] = work[0, SIZE]
                notes[at, SCORE] = score
                notes[at, MOVE] = move
                at += 1
            if decided == 1:
                break
            chance = 0 if decided else 40 if turn < opening else 6
            if draw_number(state, 100) < chance:
                number = list_moves(sets, pile, work, 0, seat, free, moves)
                chosen = moves[0, draw_number(state, number)]
                if chosen != move:
                    move = chosen
                    disturbed_until = at
        play(sets, pile, work, 0, seat, move)
        ended = sets[1, seat] == NOTHING
        if ended:
            winner = -1 if ends_in_draw(sets, pile, work, 1, 1 - seat) else seat
            break
        for column in range(3):
            sets[0, column] = sets[1, column]
        for card in range(CARDS):
            pile[0, card] = pile[1, card]
        work[0, SIZE] = work[1, SIZE]
        facts[SEAT] = 1 - seat
    for row in range(start, at):
        notes[row, RESULT] = DRAW if winner < 0 else WIN if winner == notes[row, MOVER] else LOSS
        notes[row, DISTURBED] = row < disturbed_until
    return at


@dataclass(frozen=True, slots=True)
class Records:
    """Positions of self-play, as arrays with a row each."""

    hands: np.ndarray
    tops: np.ndarray
    notes: np.ndarray

    @classmethod
    def blank(cls, size: int) -> "Records":
        """Return room for so many records."""
        return cls(np.zeros((size, 2), np.uint64), np.zeros((size, DEEP), np.int8), np.zeros((size, NOTES), np.int16))

    def __len__(self) -> int:
        """Return the number of records."""
        return len(self.hands)

    def first(self, size: int) -> "Records":
        """Return the first so many records."""
        return Records(self.hands[:size], self.tops[:size], self.notes[:size])

    @classmethod
    def joined(cls, parts: "list[Records]") -> "Records":
        """Return several sets of records as one."""
        return cls(
            np.concatenate([part.hands for part in parts]),
            np.concatenate([part.tops for part in parts]),
            np.concatenate([part.notes for part in parts]),
        )


def _fill(weights: Weights, mode: int, nodes: int, seed: int, records: Records) -> int:
    """Play until the records are full; return the number of games."""
    desk = Desk()
    table = np.zeros((1 << 14, 2), np.uint64)
    desk.facts[board.TABLE_MASK] = len(table) - 1
    desk.facts[board.MODE] = mode
    state = np.array([seed * 0x9E3779B97F4A7C15 + 1 & 2**64 - 1], np.uint64)
    at = games = 0
    while at < len(records):
        at = play_game(
            desk.sets,
            desk.pile,
            desk.work,
            desk.moves,
            desk.facts,
            desk.sums,
            desk.history,
            desk.terms,
            weights.net,
            weights.out,
            weights.terms,
            weights.order,
            table,
            state,
            nodes,
            records.hands,
            records.tops,
            records.notes,
            at,
            len(records),
        )
        games += 1
    return games


def self_play(
    weights: Weights, *, size: int, nodes: int, seed: int, threads: int = 2, mode: int = NETWORK
) -> tuple[Records, int]:
    """Return ``size`` records of fresh games at ``nodes`` positions a move, and the number of games.

    The same arguments give the same records.
    """
    share = size // threads
    parts = [Records.blank(share) for _ in range(threads)]
    games = [0] * threads

    def run(number: int) -> None:
        games[number] = _fill(weights, mode, nodes, seed * 64 + number + 1, parts[number])

    workers = [threading.Thread(target=run, args=(number,)) for number in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return Records.joined(parts), sum(games)

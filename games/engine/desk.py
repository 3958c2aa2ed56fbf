"""A desk: the arrays that one search works on, and the way from the rules' values to them and back."""

from collections.abc import Sequence

import numpy as np

from games.engine import board
from games.engine.bits import CARDS, RANK_COUNT
from games.engine.evaluate import TERMS, WIDTH
from games.rules import TURN_LIMIT, Move, Position, cards_of
from games.rules.moves import NO_CARD, TAKE


def _renamed_suits(trumps: tuple[int, int]) -> list[int]:
    """The engine's name of each suit: seat 0's trump first, then seat 1's, then the others in order."""
    plain = [suit for suit in range(4) if suit not in trumps]
    names = [0] * 4
    for name, suit in enumerate((*trumps, *plain)):
        names[suit] = name
    return names


class Desk:
    """The working arrays of one search, filled from a position. Not to be shared between threads at once."""

    def __init__(self) -> None:
        """Make empty arrays."""
        self.sets = np.zeros((board.PLIES + 2, 3), np.uint64)
        self.pile = np.zeros((board.PLIES + 2, CARDS), np.int8)
        self.work = np.zeros((board.PLIES + 2, board.WORK_COLUMNS), np.int64)
        self.moves = np.zeros((board.PLIES + 2, board.MOVES), np.int64)
        self.facts = np.zeros(board.FACTS, np.int64)
        self.sums = np.zeros((board.PLIES + 2, WIDTH), np.int16)
        self.history = np.zeros((2, 4096), np.int64)
        self.terms = np.zeros(TERMS)
        self._cards: list[int] = list(range(CARDS))
        self._back: list[int] = list(range(CARDS))

    def lay(self, position: Position) -> None:
        """Put a position into row 0."""
        names = _renamed_suits(position.trumps)
        self._cards = [names[card // RANK_COUNT] * RANK_COUNT + card % RANK_COUNT for card in range(CARDS)]
        self._back = [0] * CARDS
        for card, inner in enumerate(self._cards):
            self._back[inner] = card
        self._write(position, 0)
        self.facts[board.SEAT] = position.turn
        self.facts[board.FREE] = not position.strict
        self.facts[board.CARD_COUNT] = sum(hand.bit_count() for hand in position.hands) + len(position.pile)

    def _write(self, position: Position, row: int) -> None:
        for seat, hand in enumerate(position.hands):
            self.sets[row, seat] = sum(1 << self._cards[card] for card in cards_of(hand))
        for at, card in enumerate(position.pile):
            self.pile[row, at] = self._cards[card]
        self.work[row, board.SIZE] = len(position.pile)
        self.sets[row, board.KEY] = board.key_of(
            self.sets, self.pile, self.work, row, position.turn, not position.strict
        )

    def remember(self, history: Sequence[Position], position: Position) -> None:
        """Note the turns left, and the positions that stood twice already: one more time is a draw.

        They change the key of row 0, since what is known of a position without that history no longer holds.
        """
        scratch = board.PLIES + 1
        self.facts[board.TURNS_LEFT] = max(TURN_LIMIT - len(history), 0)
        seen: dict[Position, int] = {}
        for past in (*history, position):
            seen[past] = seen.get(past, 0) + 1
        twice = [past for past, times in seen.items() if times >= 2 and past != position]
        keys = []
        for past in twice:
            self._write(past, scratch)
            keys.append(int(self.sets[scratch, board.KEY]))
        salt = hash((tuple(sorted(keys)), len(history) if len(history) > TURN_LIMIT - board.PLIES else 0))
        salt = salt & 2**64 - 1 if keys or len(history) > TURN_LIMIT - board.PLIES else 0
        self.sets[0, board.KEY] ^= np.uint64(salt)
        for at, key in enumerate(keys):
            self.facts[board.SALTED + at] = np.uint64(key ^ salt).astype(np.int64)
        self.facts[board.SALT_COUNT] = len(keys)

    def perft(self, depth: int) -> int:
        """Count the move sequences of ``depth`` turns from row 0."""
        seat, free = int(self.facts[board.SEAT]), int(self.facts[board.FREE])
        return int(board.perft(self.sets, self.pile, self.work, self.moves, 0, seat, free, depth))

    def inner(self, move: Move) -> int:
        """Return a move of the rules as the engine writes it."""
        if move.is_take:
            return board.TAKE
        cover = board.NONE if move.cover == NO_CARD else self._cards[move.cover]
        return self._cards[move.card] | cover << 6

    def outer(self, move: int) -> Move:
        """Return the engine's move as the rules write it."""
        if move == board.TAKE:
            return TAKE
        card, cover = move & 63, move >> 6
        return Move(self._back[card], NO_CARD if cover == board.NONE else self._back[cover])

"""A deal that can be checked: trumps, lead and hands derived from a secret and a nonce.

The algorithm (version 1), which ``docs/dealing.md`` spells out for other languages:

* *Bytes*: block ``i`` (from 0) is ``HMAC-SHA256(key=secret, message=nonce + i)`` with ``i``
  as four bytes, big-endian; the blocks follow one another.
* *A number below n*: the next four bytes, big-endian; where the value is not below the
  greatest multiple of ``n`` that fits in 32 bits it is dropped and the next four are
  taken; the answer is the remainder by ``n``.
* *Trumps*: for seat 0 and then seat 1, where the seat left its trump open: a number below
  the count of suits that the other seat has not (yet), counted in the order C D H S.
* *Lead*: a number below 2, the seat that leads; drawn always, used in a first game.
* *Shuffled hands*: the deck in the order C D H S and upwards; for ``i`` from the last index
  down to 1 swap the cards at ``i`` and at a number below ``i + 1``; the first half is
  seat 0's hand.
* *Mirrored hands*: for each rank upwards of seat 0's trump suit, then of the first suit (in
  the order C D H S) that is nobody's trump: a number below 2; at 0 seat 0 gets this card
  and seat 1 its image, at 1 the other way round. The image of a card has the same rank in
  the suit's counterpart: one trump suit for the other, one of the other two for the other.
"""

import hashlib
import hmac
from collections.abc import Iterator
from typing import NamedTuple

from games.rules.cards import DECK_SIZES, RANK_COUNT, SUITS, cards_of, deck
from games.rules.position import Position

SECRET_BYTES = 32


class Terms(NamedTuple):
    """What is agreed before a deal; ``trumps`` holds a suit (0..3) or None a seat."""

    deck_size: int
    mirrored: bool
    strict: bool
    trumps: tuple[int | None, int | None]


class Dealt(NamedTuple):
    """A deal: each seat's trump suit, the seat drawn to lead, each seat's hand as a card set."""

    trumps: tuple[int, int]
    drawn_lead: int
    hands: tuple[int, int]

    def position(self, lead: int, strict: bool) -> Position:
        """Return the starting position with the given seat to lead."""
        return Position(self.hands, (), self.trumps, lead, strict)


def commitment(secret: bytes) -> str:
    """Return what is shown of a secret before the deal: its SHA-256 in hexadecimal."""
    return hashlib.sha256(secret).hexdigest()


class Numbers:
    """Uniform random numbers out of a secret and a nonce."""

    def __init__(self, secret: bytes, nonce: bytes) -> None:
        self._words = self._stream(secret, nonce)

    @staticmethod
    def _stream(secret: bytes, nonce: bytes) -> Iterator[int]:
        counter = 0
        while True:
            block = hmac.digest(secret, nonce + counter.to_bytes(4, "big"), "sha256")
            for at in range(0, len(block), 4):
                yield int.from_bytes(block[at : at + 4], "big")
            counter += 1

    def below(self, bound: int) -> int:
        """Return the next number from 0 up to, not including, ``bound``."""
        limit = (1 << 32) // bound * bound
        return next(word for word in self._words if word < limit) % bound


def _draw_trumps(numbers: Numbers, chosen: tuple[int | None, int | None]) -> tuple[int, int]:
    trumps = list(chosen)
    for seat in (0, 1):
        if trumps[seat] is None:
            left = [suit for suit in range(len(SUITS)) if suit != trumps[1 - seat]]
            trumps[seat] = left[numbers.below(len(left))]
    first, second = trumps
    if first is None or second is None or first == second:
        raise ValueError("the two trump suits differ")
    return first, second


def _shuffled(numbers: Numbers, size: int) -> tuple[int, int]:
    cards = list(cards_of(deck(size)))
    for at in range(len(cards) - 1, 0, -1):
        other = numbers.below(at + 1)
        cards[at], cards[other] = cards[other], cards[at]
    half = len(cards) // 2
    return sum(1 << card for card in cards[:half]), sum(1 << card for card in cards[half:])


def _mirrored(numbers: Numbers, size: int, trumps: tuple[int, int]) -> tuple[int, int]:
    others = [suit for suit in range(len(SUITS)) if suit not in trumps]
    hands = [0, 0]
    for suit, image in (trumps, others):
        for rank in range(DECK_SIZES[size], RANK_COUNT):
            side = numbers.below(2)
            hands[side] |= 1 << (suit * RANK_COUNT + rank)
            hands[1 - side] |= 1 << (image * RANK_COUNT + rank)
    return hands[0], hands[1]


def deal(secret: bytes, nonce: bytes, terms: Terms) -> Dealt:
    """Return the deal that a secret and a nonce make under the given terms.

    Raises ``ValueError`` where both seats chose one trump suit or the deck size is unknown.
    """
    numbers = Numbers(secret, nonce)
    trumps = _draw_trumps(numbers, terms.trumps)
    lead = numbers.below(2)
    hands = _mirrored(numbers, terms.deck_size, trumps) if terms.mirrored else _shuffled(numbers, terms.deck_size)
    return Dealt(trumps, lead, hands)

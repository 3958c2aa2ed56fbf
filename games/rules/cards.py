"""Cards, suits and decks.

A card is an integer 0..51, ``suit * 13 + rank``, suits in the order C D H S and ranks
from the two (0) up to the ace (12). A set of cards is an integer with one bit a card,
so the bits of a hand stand in the order in which a hand is written.
"""

from collections.abc import Iterator

RANKS = "23456789TJQKA"
SUITS = "CDHS"

RANK_COUNT = len(RANKS)
SUIT_MASK = (1 << RANK_COUNT) - 1

#: Deck size -> the lowest rank that the deck holds (an index into ``RANKS``).
DECK_SIZES = {24: 7, 32: 5, 36: 4, 52: 0}

_NAMES = tuple(rank + suit for suit in SUITS for rank in RANKS)
_CARDS = {name: card for card, name in enumerate(_NAMES)}


class NotationError(ValueError):
    """A string that is not a card, a move or a position; the message names what is wrong."""


def suit_of(card: int) -> int:
    """Return the index into ``SUITS`` of a card's suit."""
    return card // RANK_COUNT


def rank_of(card: int) -> int:
    """Return the index into ``RANKS`` of a card's rank."""
    return card % RANK_COUNT


def card_bit(card: int) -> int:
    """Return the set that holds this card alone."""
    return 1 << card


def suit_mask(suit: int) -> int:
    """Return the set of all thirteen cards of a suit."""
    return SUIT_MASK << (suit * RANK_COUNT)


def card_name(card: int) -> str:
    """Return a card in notation, such as ``TS``."""
    return _NAMES[card]


def parse_card(text: str) -> int:
    """Return the card written as rank then suit, such as ``TS``.

    Raises :class:`NotationError` for anything else.
    """
    try:
        return _CARDS[text]
    except KeyError:
        raise NotationError(f"unknown card: {text!r}") from None


def cards_of(cards: int) -> Iterator[int]:
    """Yield the cards of a set, by suit and then by rank upwards."""
    while cards:
        lowest = cards & -cards
        yield lowest.bit_length() - 1
        cards ^= lowest


def deck(size: int) -> int:
    """Return the set of all cards of a deck of 24, 32, 36 or 52.

    Raises ``ValueError`` for another size.
    """
    try:
        lowest = DECK_SIZES[size]
    except KeyError:
        raise ValueError(f"no deck has {size} cards") from None
    suit = SUIT_MASK & ~((1 << lowest) - 1)
    return sum(suit << (number * RANK_COUNT) for number in range(len(SUITS)))

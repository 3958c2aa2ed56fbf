"""Deals: what the documented algorithm makes of a secret and a nonce."""

import hashlib
import hmac
import re
from collections import Counter
from itertools import permutations, product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules import DECK_SIZES, cards_of, deck, parse_position
from games.rules.dealing import Dealt, Numbers, Terms, commitment, deal

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "dealing.md"
SUITS, RANKS = "CDHS", "23456789TJQKA"
SECRET, NONCE = bytes(range(32)), bytes(range(255, 223, -1))


class ByThePage:
    """The algorithm once more, written from docs/dealing.md alone and on card names."""

    def __init__(self, secret: bytes, nonce: bytes) -> None:
        self.bytes = b""
        self.secret, self.nonce, self.blocks, self.used = secret, nonce, 0, 0

    def below(self, bound: int) -> int:
        while True:
            if self.used == len(self.bytes):
                message = self.nonce + bytes([0, 0, self.blocks // 256, self.blocks % 256])
                self.bytes += hmac.new(self.secret, message, hashlib.sha256).digest()
                self.blocks += 1
            a, b, c, d = self.bytes[self.used : self.used + 4]
            self.used += 4
            value = ((a * 256 + b) * 256 + c) * 256 + d
            if value < 2**32 - 2**32 % bound:
                return value % bound

    def deal(self, size: int, mirrored: bool, chosen: list[str]) -> str:
        """Return the start with the drawn lead, strict pick-up, as a position in notation."""
        trumps = list(chosen)
        for seat, other in ((0, 1), (1, 0)):
            if not trumps[seat]:
                left = SUITS.replace(trumps[other], "") if trumps[other] else SUITS
                trumps[seat] = left[self.below(len(left))]
        lead = self.below(2)
        ranks = RANKS[-size // 4 :]
        if mirrored:
            hands = self._mirrored(ranks, trumps)
        else:
            cards = [rank + suit for suit in SUITS for rank in ranks]
            for at in range(size - 1, 0, -1):
                other = self.below(at + 1)
                cards[at], cards[other] = cards[other], cards[at]
            hands = [cards[: size // 2], cards[size // 2 :]]
        first, second = ("".join(sorted(hand, key=self._order)) for hand in hands)
        return f"{first}/{second} - {''.join(trumps)} {lead} strict"

    def _mirrored(self, ranks: str, trumps: list[str]) -> list[list[str]]:
        others = [suit for suit in SUITS if suit not in trumps]
        hands: list[list[str]] = [[], []]
        for suit, image in (trumps, others):
            for rank in ranks:
                side = self.below(2)
                hands[side].append(rank + suit)
                hands[1 - side].append(rank + image)
        return hands

    @staticmethod
    def _order(card: str) -> tuple[int, int]:
        return SUITS.index(card[1]), RANKS.index(card[0])


def dealt(secret: bytes, nonce: bytes, size: int, mirrored: bool, chosen: tuple[str, str]) -> Dealt:
    trumps = tuple(SUITS.index(suit) if suit else None for suit in chosen)
    return deal(secret, nonce, Terms(size, mirrored, True, trumps))  # type: ignore[arg-type]


def start(*terms: object) -> str:
    """Return the start that the rules deal, with the drawn lead."""
    made = dealt(*terms)  # type: ignore[arg-type]
    return str(made.position(made.drawn_lead, True))


CHOICES = [(first, second) for first, second in product(["", *SUITS], repeat=2) if not first or first != second]


@given(
    st.binary(min_size=32, max_size=32),
    st.binary(min_size=32, max_size=32),
    st.sampled_from(sorted(DECK_SIZES)),
    st.booleans(),
    st.sampled_from(CHOICES),
)
@settings(max_examples=150, deadline=None)
def test_a_deal_is_what_the_page_says(
    secret: bytes, nonce: bytes, size: int, mirrored: bool, chosen: tuple[str, str]
) -> None:
    assert start(secret, nonce, size, mirrored, chosen) == ByThePage(secret, nonce).deal(size, mirrored, list(chosen))


def test_the_worked_example_of_the_page_is_right() -> None:
    page = PAGE.read_text(encoding="utf-8")
    example = dict(re.findall(r"^- (.+?): `(.+?)`", page[page.index("## A worked example") :], re.MULTILINE))
    numbers = Numbers(SECRET, NONCE)
    assert example["Commitment"] == commitment(SECRET) == hashlib.sha256(SECRET).hexdigest()
    assert example["Block 0"] == hmac.digest(SECRET, NONCE + bytes(4), "sha256").hex()
    suits = example["Suits left for seat 1"]
    trump, lead = numbers.below(len(suits)), numbers.below(2)
    assert suits[trump] == example["Trump of seat 1"]
    assert str(lead) == example["Lead"]
    assert example["First five numbers of the shuffle"] == " ".join(
        str(numbers.below(bound)) for bound in range(36, 31, -1)
    )
    assert example["Shuffled start"] == start(SECRET, NONCE, 36, False, ("H", ""))
    assert example["Mirrored start"] == start(SECRET, NONCE, 36, True, ("H", ""))


@pytest.mark.parametrize("size", sorted(DECK_SIZES))
@pytest.mark.parametrize("mirrored", [False, True])
def test_the_hands_are_two_halves_of_the_deck(size: int, mirrored: bool) -> None:
    made = dealt(SECRET, NONCE, size, mirrored, ("", ""))
    first, second = made.hands
    assert first | second == deck(size)
    assert first & second == 0
    assert first.bit_count() == second.bit_count() == size // 2
    assert str(parse_position(str(made.position(1, False)))) == str(made.position(1, False))


@given(st.binary(min_size=32, max_size=32), st.sampled_from(sorted(DECK_SIZES)), st.sampled_from(CHOICES))
def test_mirrored_hands_are_each_others_image(secret: bytes, size: int, chosen: tuple[str, str]) -> None:
    made = dealt(secret, NONCE, size, True, chosen)
    first, second = made.trumps
    third, fourth = (suit for suit in range(4) if suit not in made.trumps)
    image = {first: second, second: first, third: fourth, fourth: third}
    mirrored = {image[card // 13] * 13 + card % 13 for card in cards_of(made.hands[0])}
    assert mirrored == set(cards_of(made.hands[1]))


@given(st.binary(min_size=32, max_size=32), st.sampled_from(CHOICES))
def test_a_chosen_trump_stays_and_the_two_differ(secret: bytes, chosen: tuple[str, str]) -> None:
    trumps = [SUITS[suit] for suit in dealt(secret, NONCE, 36, False, chosen).trumps]
    assert trumps[0] != trumps[1]
    assert all(not suit or suit == trump for suit, trump in zip(chosen, trumps, strict=True))


def test_equal_trumps_and_unknown_decks_are_refused() -> None:
    with pytest.raises(ValueError, match="differ"):
        dealt(SECRET, NONCE, 36, False, ("H", "H"))
    with pytest.raises(ValueError, match="40"):
        dealt(SECRET, NONCE, 40, False, ("H", "S"))


def test_secret_and_nonce_both_change_the_deal() -> None:
    terms = (36, False, ("H", "S"))
    assert start(SECRET, NONCE, *terms) == start(SECRET, NONCE, *terms)
    assert len({start(SECRET, NONCE, *terms), start(NONCE, SECRET, *terms), start(SECRET, SECRET, *terms)}) == 3


def chi_square(counts: Counter[object], cells: int) -> float:
    """Return how far counts are from equal ones, in units of the statistic's standard deviation."""
    expected = counts.total() / cells
    statistic = sum((count - expected) ** 2 / expected for count in counts.values())
    statistic += (cells - len(counts)) * expected
    return (statistic - (cells - 1)) / (2 * (cells - 1)) ** 0.5


@pytest.mark.parametrize("mirrored", [False, True])
def test_deals_are_fair(mirrored: bool) -> None:
    # Fixed secrets, so that the outcome is always the same; five standard deviations would be one in millions.
    deals = [
        dealt(hashlib.sha256(bytes([at % 256, at // 256])).digest(), NONCE, 24, mirrored, ("", ""))
        for at in range(2400)
    ]
    holders = Counter((card, seat) for made in deals for seat in (0, 1) for card in cards_of(made.hands[seat]))
    assert abs(chi_square(holders, 48)) < 5
    assert abs(chi_square(Counter(made.trumps for made in deals), len(list(permutations(range(4), 2))))) < 5
    assert abs(chi_square(Counter(made.drawn_lead for made in deals), 2)) < 5


def test_numbers_below_a_bound_are_uniform_and_skip_what_would_favour_the_small() -> None:
    numbers = Numbers(SECRET, NONCE)
    assert abs(chi_square(Counter(numbers.below(7) for _ in range(7000)), 7)) < 5
    # Below 2**31 + 1 only the lower half of the words counts: about every second is dropped.
    words, bound = iter(Numbers(SECRET, NONCE)._words), 2**31 + 1
    kept = [word for word in (next(words) for _ in range(64)) if word < bound]
    assert 16 < len(kept) < 48
    numbers = Numbers(SECRET, NONCE)
    assert [numbers.below(bound) for _ in kept] == kept

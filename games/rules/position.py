"""A position of the game: two hands, the pile, the trumps, whose turn it is."""

from collections.abc import Iterator
from dataclasses import dataclass

from games.rules.cards import (
    RANK_COUNT,
    SUIT_MASK,
    SUITS,
    NotationError,
    card_name,
    cards_of,
    parse_card,
    suit_mask,
)
from games.rules.moves import NO_CARD, TAKE, Move
from games.rules.outcome import Outcome, Reason

PICKUP_RULES = ("strict", "free")


class IllegalMoveError(ValueError):
    """A well-formed move that the rules do not allow in this position."""


def _beaters_table() -> tuple[tuple[int, ...], ...]:
    """For each own trump suit and top card, the set of cards that beat it (rule 5)."""
    table = []
    for trump in range(len(SUITS)):
        row = []
        for top in range(len(SUITS) * RANK_COUNT):
            suit, rank = divmod(top, RANK_COUNT)
            higher = (SUIT_MASK & ~((2 << rank) - 1)) << (suit * RANK_COUNT)
            row.append(higher if suit == trump else higher | suit_mask(trump))
        table.append(tuple(row))
    return tuple(table)


#: ``BEATERS[own trump suit][top card]`` is the set of all cards that beat the top card.
BEATERS = _beaters_table()


@dataclass(frozen=True, slots=True)
class Position:
    """An immutable position.

    ``hands`` are two card sets, ``pile`` the cards from bottom to top, ``trumps`` the two
    suits by seat, ``turn`` the seat to move, ``strict`` whether picking up is allowed only
    when nothing beats (rule 8).
    """

    hands: tuple[int, int]
    pile: tuple[int, ...]
    trumps: tuple[int, int]
    turn: int
    strict: bool = True

    @property
    def top(self) -> int | None:
        """The top card of the pile, or None where there is no pile."""
        return self.pile[-1] if self.pile else None

    def beaters(self) -> int:
        """The cards in the mover's hand that beat the top of the pile; none on an empty pile."""
        if not self.pile:
            return 0
        return self.hands[self.turn] & BEATERS[self.trumps[self.turn]][self.pile[-1]]

    def pickup_count(self) -> int | None:
        """How many cards a pick-up by the mover takes (rule 7); None on an empty pile."""
        if not self.pile:
            return None
        suit, rank = divmod(self.pile[-1], RANK_COUNT)
        if suit != self.trumps[self.turn]:
            return min(3, len(self.pile))
        if rank != RANK_COUNT - 1:
            return min(5, len(self.pile))
        return len(self.pile)

    def can_take(self) -> bool:
        """Whether the mover may pick up (rule 8)."""
        if not self.pile or self.outcome() is not None:
            return False
        return not self.strict or not self.beaters()

    def legal_moves(self) -> Iterator[Move]:
        """Yield every legal move, in no promised order; none when the game is over."""
        if self.outcome() is not None:
            return
        hand = self.hands[self.turn]
        if not self.pile:
            for card in cards_of(hand):
                yield Move(card)
            return
        beaters = self.beaters()
        for card in cards_of(beaters):
            rest = hand ^ (1 << card)
            if not rest:
                yield Move(card)
            for cover in cards_of(rest):
                yield Move(card, cover)
        if not self.strict or not beaters:
            yield TAKE

    def count_moves(self) -> int:
        """Return the number of legal moves without listing them."""
        if self.outcome() is not None:
            return 0
        size = self.hands[self.turn].bit_count()
        if not self.pile:
            return size
        beats = self.beaters().bit_count()
        takes = 0 if self.strict and beats else 1
        return beats * max(size - 1, 1) + takes

    def why_illegal(self, move: Move) -> str | None:
        """Return what forbids a move here, or None where it is legal."""
        if self.outcome() is not None:
            return "the game is over"
        hand = self.hands[self.turn]
        if move.is_take:
            if not self.pile:
                return "there is no pile to pick up"
            if self.strict and self.beaters():
                return "the top card can be beaten, so it must be"
            return None
        for card in move.cards:
            if not hand >> card & 1:
                return f"{card_name(card)} is not in the hand of seat {self.turn}"
        if not self.pile:
            return None if move.cover == NO_CARD else "a lead is one card"
        if not self.beaters() >> move.card & 1:
            return f"{card_name(move.card)} does not beat {card_name(self.pile[-1])}"
        if move.cover == NO_CARD and hand != 1 << move.card:
            return "a beat needs a second card to cover with"
        if move.cover == move.card:
            return "a card cannot cover itself"
        return None

    def play(self, move: Move) -> "Position":
        """Return the position after a legal move.

        Raises :class:`IllegalMoveError` for any other.
        """
        reason = self.why_illegal(move)
        if reason is not None:
            raise IllegalMoveError(f"{move}: {reason}")
        return self._after(move)

    def _after(self, move: Move) -> "Position":
        """Return the position after a move that is known to be legal."""
        hand = self.hands[self.turn]
        if move.is_take:
            count = self.pickup_count() or 0
            for card in self.pile[-count:]:
                hand |= 1 << card
            pile = self.pile[:-count]
        else:
            for card in move.cards:
                hand ^= 1 << card
            pile = self.pile + move.cards
        hands = (self.hands[0], hand) if self.turn else (hand, self.hands[1])
        return Position(hands, pile, self.trumps, 1 - self.turn, self.strict)

    def outcome(self) -> Outcome | None:
        """How the game stands over by rule 9, or None while it goes on.

        Draws by history (rule 10) are for :class:`games.rules.game.Game`, which knows it.
        """
        first, second = self.hands
        if first and second:
            return None
        winner = 0 if not first else 1
        loser = 1 - winner
        rest = self.hands[loser]
        if rest.bit_count() == 1 and self.pile and rest & BEATERS[self.trumps[loser]][self.pile[-1]]:
            return Outcome(None, Reason.LAST_CARD)
        return Outcome(winner, Reason.CARDS_OUT)

    def perft(self, depth: int) -> int:
        """Count the move sequences of exactly ``depth`` turns, a game that ends earlier once.

        The last turn is counted without being played.
        """
        if depth <= 0 or self.outcome() is not None:
            return 1
        if depth == 1:
            return self.count_moves()
        return sum(self._after(move).perft(depth - 1) for move in self.legal_moves())

    def __str__(self) -> str:
        """Write the position in notation: ``HANDS PILE TRUMPS TURN PICKUP``."""
        hands = "/".join("".join(map(card_name, cards_of(hand))) or "-" for hand in self.hands)
        pile = "".join(map(card_name, self.pile)) or "-"
        trumps = "".join(SUITS[suit] for suit in self.trumps)
        return f"{hands} {pile} {trumps} {self.turn} {PICKUP_RULES[0 if self.strict else 1]}"


def _parse_cards(text: str, where: str, seen: set[int]) -> list[int]:
    if text == "-":
        return []
    if not text or len(text) % 2:
        raise NotationError(f"{where}: {text!r} is not a row of cards")
    cards = [parse_card(text[at : at + 2]) for at in range(0, len(text), 2)]
    for card in cards:
        if card in seen:
            raise NotationError(f"{where}: the card {card_name(card)} stands twice")
        seen.add(card)
    return cards


def parse_position(text: str) -> Position:
    """Return the position written as ``HANDS PILE TRUMPS TURN PICKUP``.

    Raises :class:`NotationError` that names what is wrong: a missing field, an unknown
    card, a card twice, equal trumps.
    """
    fields = text.split(" ")
    if len(fields) != 5:
        raise NotationError(f"a position has five fields with one space between them, not {len(fields)}")
    hands_text, pile_text, trumps_text, turn_text, pickup_text = fields
    sides = hands_text.split("/")
    if len(sides) != 2:
        raise NotationError(f"hands: {hands_text!r} is not two hands with a / between them")
    seen: set[int] = set()
    hands = tuple(
        sum(1 << card for card in _parse_cards(side, f"hand of seat {seat}", seen)) for seat, side in enumerate(sides)
    )
    pile = tuple(_parse_cards(pile_text, "pile", seen))
    if len(trumps_text) != 2 or any(suit not in SUITS for suit in trumps_text):
        raise NotationError(f"trumps: {trumps_text!r} is not two suits out of {SUITS}")
    if trumps_text[0] == trumps_text[1]:
        raise NotationError(f"trumps: both players have {trumps_text[0]}")
    if turn_text not in ("0", "1"):
        raise NotationError(f"turn: {turn_text!r} is not 0 or 1")
    if pickup_text not in PICKUP_RULES:
        raise NotationError(f"pick-up rule: {pickup_text!r} is not strict or free")
    trumps = (SUITS.index(trumps_text[0]), SUITS.index(trumps_text[1]))
    return Position((hands[0], hands[1]), pile, trumps, int(turn_text), pickup_text == "strict")

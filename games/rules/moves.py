"""A turn as a value: lead, beat and cover, or pick up."""

from typing import NamedTuple

from games.rules.cards import NotationError, card_name, parse_card

NO_CARD = -1


class Move(NamedTuple):
    """One turn.

    ``card`` is the card that leads or beats, ``cover`` the second card of a beat. A lead,
    and a beat with the last card, have no cover; picking up has neither (:data:`TAKE`).
    """

    card: int = NO_CARD
    cover: int = NO_CARD

    @property
    def is_take(self) -> bool:
        """Whether the turn picks cards up."""
        return self.card == NO_CARD

    @property
    def cards(self) -> tuple[int, ...]:
        """The cards that the turn lays on the pile, in order."""
        return tuple(card for card in self if card != NO_CARD)

    def __str__(self) -> str:
        """Write the move in notation: ``7H``, ``9H+KD`` or ``take``."""
        if self.card == NO_CARD:
            return "take"
        if self.cover == NO_CARD:
            return card_name(self.card)
        return f"{card_name(self.card)}+{card_name(self.cover)}"


TAKE = Move()


def parse_move(text: str) -> Move:
    """Return the move written as ``7H``, ``9H+KD`` or ``take``.

    Raises :class:`NotationError` for a string that is none of these; whether the move is
    legal is for the position to say.
    """
    if text == "take":
        return TAKE
    card, plus, cover = text.partition("+")
    if not plus:
        return Move(parse_card(card))
    move = Move(parse_card(card), parse_card(cover))
    if move.card == move.cover:
        raise NotationError(f"the same card twice: {text!r}")
    return move

"""A position as it lies before one side of a table: its cards, what is asked of that side, which hands are closed."""

from django.contrib.auth.models import AnonymousUser

from accounts.models import HandOrder, User
from games.present import words
from games.present.parts import CardView, ClockView, SideView
from games.rules import SUITS, Position, card_bit, card_name, cards_of

Viewer = User | AnonymousUser


def sorts_by_rank(viewer: Viewer) -> bool:
    """Whether this viewer wants the own hand sorted by rank instead of by suit."""
    return getattr(viewer, "hand_order", "") == HandOrder.RANK


class Sight:
    """A position in the sight of seat ``near``; nothing comes out of it about a hand that is not ``shown``, by seat.

    ``stage`` is what is asked of the near side, as in :class:`~games.present.parts.TableView`: what the rules ask,
    unless another is given. ``chosen`` is given as the code of a beating card that was chosen without a script, and
    kept as that card if it beats and a second one is there to cover it.
    """

    def __init__(
        self, position: Position, near: int, shown: tuple[bool, bool], *, stage: str = "", chosen: str | None = None
    ) -> None:
        self.position = position
        self.near = near
        self.shown = shown
        self.trumps = [SUITS[suit] for suit in position.trumps]
        self._near_trump, self._far_trump = self.trumps[near], self.trumps[1 - near]
        self.stage = stage or self._asked()
        self._own = position.hands[near]
        self.chosen: CardView | None = None
        if chosen and self.stage == "beat" and self._own.bit_count() > 1:
            for card in cards_of(position.beaters()):
                if card_name(card) == chosen:
                    self.stage, self.chosen = "cover", self.card(card)
                    self._own ^= card_bit(card)

    def _asked(self) -> str:
        """Return what the rules ask of the near side; of a closed hand not even that is told."""
        if self.position.outcome() is not None:
            return "over"
        if self.position.turn != self.near or not self.shown[self.near]:
            return "wait"
        if not self.position.pile:
            return "lead"
        return "beat" if self.position.beaters() else "take"

    def card(self, card: int, playable: bool = False, new: bool = False) -> CardView:
        """Return a face-up card."""
        code = card_name(card)
        return CardView(code, words.trump_of(code, self._near_trump, self._far_trump), playable, new)

    @property
    def pile(self) -> list[CardView]:
        """The pile, bottom to top."""
        return [self.card(card) for card in self.position.pile]

    def hand(self, seat: int) -> list[CardView] | None:
        """Return a seat's hand as it is sorted, or None where it is closed."""
        if not self.shown[seat]:
            return None
        rows = words.sort_hand(list(cards_of(self.position.hands[seat])), self.trumps[seat], by_rank=False)
        return [self.card(card) for row in rows for card in row]

    def rows(self, *, new: int = 0, by_rank: bool = False) -> list[list[CardView]]:
        """Return the near hand in rows without the chosen card, none where it is closed.

        Marked is what may be played now, and the cards of the set ``new``.
        """
        if not self.shown[self.near]:
            return []
        own = self._own
        playable = {"lead": own, "cover": own, "beat": self.position.beaters()}.get(self.stage, 0)
        rows = words.sort_hand(list(cards_of(own)), self.trumps[self.near], by_rank)
        return [[self.card(card, bool(playable >> card & 1), bool(new >> card & 1)) for card in row] for row in rows]

    def side(
        self,
        seat: int,
        name: str,
        *,
        to_move: bool,
        won: bool = False,
        own: bool = False,
        username: str = "",
        is_computer: bool = False,
        is_guest: bool = True,
        clock: ClockView | None = None,
    ) -> SideView:
        """Return a side of the table; one without a username is nobody's account."""
        return SideView(
            seat=seat,
            name=name,
            username=username,
            is_computer=is_computer,
            is_guest=is_guest,
            trump=self.trumps[seat],
            card_count=self.position.hands[seat].bit_count(),
            to_move=to_move,
            won=won,
            own=own,
            clock=clock,
            cards=self.hand(seat),
        )

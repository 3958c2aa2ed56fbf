"""A board to try moves on: the table's parts around a position that belongs to no match in play."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext, ngettext

from games import words
from games.present import CardView, Layout, SideView
from games.rules import SUITS, Position, card_name, cards_of, parse_card


@dataclass(slots=True, kw_only=True)
class Board(Layout):
    """What the templates of the table ask for; ``stage`` is that of :class:`games.present.TableView`.

    ``url`` is the address of the board as it stands, without a chosen card.
    """

    url: str
    stage: str
    pickup_count: int
    can_take: bool
    is_seated: bool = True
    is_running: bool = True


def board(position: Position, near: int, names: Sequence[str], url: str, chosen: str = "") -> Board:
    """Return the board with the hand of seat ``near`` in front; it may play if it is to move.

    ``names`` are those of the seats, ``chosen`` the beating card that was chosen without a script.
    """
    trumps = [SUITS[suit] for suit in position.trumps]
    over = position.outcome() is not None
    stage, picked = _stage(position, near, chosen, over)
    hand = position.hands[near]
    playable = {"lead": hand, "cover": hand, "beat": position.beaters()}.get(stage, 0)

    def view(card: int, can: bool = False) -> CardView:
        code = card_name(card)
        return CardView(code, words.trump_of(code, trumps[near], trumps[1 - near]), can)

    rows = words.sort_hand([card for card in cards_of(hand) if card != picked], trumps[near], by_rank=False)
    outcome = position.outcome()

    def side(seat: int) -> SideView:
        sorted_hand = words.sort_hand(list(cards_of(position.hands[seat])), trumps[seat], by_rank=False)
        return SideView(
            seat=seat,
            name=names[seat],
            username="",
            is_computer=False,
            is_guest=True,
            trump=trumps[seat],
            trump_name=words.suit_name(trumps[seat]),
            card_count=position.hands[seat].bit_count(),
            to_move=not over and position.turn == seat,
            won=outcome is not None and outcome.winner == seat,
            cards=[view(card) for row in sorted_hand for card in row],
        )

    return Board(
        url=url,
        near=side(near),
        far=side(1 - near),
        pile=[view(card) for card in position.pile],
        rows=[[view(card, bool(playable >> card & 1)) for card in row] for row in rows],
        stage=stage,
        sentence=_sentence(position, stage, names),
        chosen=None if picked is None else view(picked),
        pickup_count=position.pickup_count() or 0,
        can_take=stage in ("beat", "take") and position.can_take(),
    )


def _stage(position: Position, near: int, chosen: str, over: bool) -> tuple[str, int | None]:
    """Return what is asked of the near side, and the card that it has chosen to beat with."""
    if over:
        return "over", None
    if position.turn != near:
        return "wait", None
    if not position.pile:
        return "lead", None
    if not position.beaters():
        return "take", None
    card = parse_card(chosen) if chosen in {card_name(card) for card in cards_of(position.beaters())} else None
    if card is not None and position.hands[near].bit_count() > 1:
        return "cover", card
    return "beat", None


def _sentence(position: Position, stage: str, names: Sequence[str]) -> str:
    """Return the one sentence that says what is asked."""
    if stage == "over":
        outcome = position.outcome()
        if outcome is None or outcome.winner is None:
            return gettext("A draw")
        return gettext("%(player)s has won") % {"player": names[outcome.winner]}
    count = position.pickup_count() or 0
    top = position.top
    values = {
        "player": names[position.turn],
        "card": words.short_card(card_name(top)) if top is not None else "",
        "count": count,
    }
    if stage == "lead":
        return gettext("%(player)s leads: any card.") % values
    if stage == "cover":
        return gettext("Now cover it with any second card.")
    if stage == "take":
        return (
            ngettext(
                "%(player)s cannot beat %(card)s: pick up %(count)d card.",
                "%(player)s cannot beat %(card)s: pick up %(count)d cards.",
                count,
            )
            % values
        )
    if stage == "beat" and position.strict:
        return gettext("%(player)s has to beat %(card)s.") % values
    if stage == "beat":
        return (
            ngettext(
                "%(player)s beats %(card)s or picks up %(count)d card.",
                "%(player)s beats %(card)s or picks up %(count)d cards.",
                count,
            )
            % values
        )
    return gettext("%(player)s is to move.") % values

"""A game to be looked at turn by turn: the table as it stood after any of its turns."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext

from games.present import words
from games.present.layout import Sight
from games.present.parts import Layout, SideView, TableView, TurnLine
from games.records import Record
from games.rules import SUITS, Outcome, Position, Reason, card_name, cards_of


@dataclass(slots=True)
class Ending:
    """How a game ended, in two sentences."""

    headline: str
    explanation: str


@dataclass(slots=True)
class Reel:
    """A whole game as one viewer may see it.

    ``positions`` holds one more than there are turns. ``shown`` says for each seat whether
    its hand may be seen; ``mine`` is the viewer's seat. ``seats`` are the sides as they stand
    at the end; what differs from turn to turn is filled in.
    """

    positions: list[Position]
    lines: list[TurnLine]
    seats: tuple[SideView, SideView]
    shown: tuple[bool, bool]
    mine: int | None
    near: int
    result: Ending | None

    @property
    def last(self) -> int:
        """The number of turns."""
        return len(self.lines)


@dataclass(slots=True, kw_only=True)
class Still(Layout):
    """The table as it stood after ``turn`` turns, with what the templates of the table ask for."""

    turn: int
    last: int
    lines: list[TurnLine]
    flipped: bool
    result: Ending | None


def reel_of_match(table: TableView, record: Record) -> Reel:
    """Return a match's reel for the viewer of its table."""
    seats = (table.near, table.far) if table.near.seat == 0 else (table.far, table.near)
    return Reel(
        positions=record.positions(),
        lines=table.turns,
        seats=seats,
        shown=(seats[0].cards is not None, seats[1].cards is not None),
        mine=table.near.seat if table.is_seated else None,
        near=table.near.seat,
        result=Ending(table.result.headline, table.result.explanation) if table.result else None,
    )


def reel_of_record(record: Record) -> Reel:
    """Return the reel of a game that was not played here, or not by the viewer."""
    names = [record.names[0] or gettext("First player"), record.names[1] or gettext("Second player")]
    positions = record.positions()
    lines = []
    for number, move in enumerate(record.moves, start=1):
        before = positions[number - 1]
        beaten = None if before.top is None else card_name(before.top)
        sentence = words.turn_sentence(names[before.turn], move, beaten, before.pickup_count() or 0)
        lines.append(TurnLine(number, before.turn, str(move), sentence))
    winner = record.outcome.winner if record.outcome else None
    shown = (True, True)
    sight = Sight(record.start, 0, shown)
    seats = (
        sight.side(0, names[0], to_move=False, won=winner == 0),
        sight.side(1, names[1], to_move=False, won=winner == 1),
    )
    return Reel(positions, lines, seats, shown, None, 0, _result(record.outcome, names))


def _result(outcome: Outcome | None, names: Sequence[str]) -> Ending | None:
    if outcome is None:
        return None
    if outcome.reason == Reason.ABORTED:
        headline = gettext("No result")
    elif outcome.winner is None:
        headline = gettext("A draw")
    else:
        headline = gettext("%(player)s has won") % {"player": names[outcome.winner]}
    return Ending(headline, words.reason_sentence(outcome.reason))


def still(reel: Reel, turn: int, flipped: bool = False) -> Still:
    """Return the table after ``turn`` turns; ``flipped`` shows it from the other side."""
    turn = max(0, min(turn, reel.last))
    near = 1 - reel.near if flipped else reel.near
    position = reel.positions[turn]
    sight = Sight(position, near, reel.shown, stage="watch")
    new = position.hands[near] & ~reel.positions[turn - 1].hands[near] if turn else 0
    at_end = turn == reel.last and reel.result is not None
    return Still(
        turn=turn,
        last=reel.last,
        near=_side(reel, sight, near, at_end),
        far=_side(reel, sight, 1 - near, at_end),
        pile=sight.pile,
        rows=sight.rows(new=new),
        sentence=reel.lines[turn - 1].sentence if turn else opening(reel),
        lines=reel.lines,
        flipped=flipped,
        is_seated=near == reel.mine,
        result=reel.result if at_end else None,
    )


def opening(reel: Reel) -> str:
    """Return the sentence about the start."""
    start = reel.positions[0]
    if start.turn == reel.mine:
        return gettext("The cards are dealt: you lead.")
    return gettext("The cards are dealt: %(player)s leads.") % {"player": reel.seats[start.turn].name}


def _side(reel: Reel, sight: Sight, seat: int, at_end: bool) -> SideView:
    return replace(
        reel.seats[seat],
        card_count=sight.position.hands[seat].bit_count(),
        to_move=not at_end and sight.position.turn == seat,
        won=at_end and reel.seats[seat].won,
        own=sight.near == seat == reel.mine,
        clock=None,
        cards=sight.hand(seat),
    )


def as_data(reel: Reel) -> dict[str, object]:
    """Return what the page's script needs to show every turn without asking again.

    Holds the cards of no hand that the viewer may not see: such a hand is a number.
    """
    start = reel.positions[0]
    deck = sum(hand.bit_count() for hand in start.hands) + len(start.pile)
    hands = [
        [card_name(card) for card in cards_of(start.hands[seat])] if reel.shown[seat] else start.hands[seat].bit_count()
        for seat in (0, 1)
    ]
    turns = []
    for line, before, after in zip(reel.lines, reel.positions, reel.positions[1:], strict=False):
        laid = [card_name(card) for card in after.pile[len(before.pile) :]]
        turns.append({"seat": line.seat, "laid": laid, "taken": max(0, len(before.pile) - len(after.pile))})
    return {
        "hands": hands,
        "pile": [card_name(card) for card in start.pile],
        "trumps": [SUITS[suit] for suit in start.trumps],
        "near": reel.near,
        "mine": reel.mine,
        "first": start.turn,
        "opening": opening(reel),
        "turns": turns,
        "names": {card_name(card): words.spoken_card(card_name(card)) for card in range(52)},
        "marks": {
            "near": gettext("%(card)s, your trump") % {"card": "*"},
            "far": gettext("%(card)s, the opponent’s trump") % {"card": "*"},
        },
        "strips": [_strips(side.trump) for side in reel.seats],
        "counts": [words.count_of_cards(count) for count in range(deck + 1)],
        "piles": [words.size_of_pile(count) for count in range(deck + 1)],
        "over": reel.result is not None,
    }


def _strips(suit: str) -> dict[str, str]:
    """Return what stands under a player's name, with a star for the number of cards."""
    return {"own": f"{words.trumps(suit, own=True)} · *", "plain": f"{words.trumps(suit, own=False)} · *"}

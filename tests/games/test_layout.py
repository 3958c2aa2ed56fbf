"""A position in the sight of one side: what is asked of it, what it may play, and which hands are closed."""

import random
from dataclasses import asdict

import pytest

from games.present.layout import Sight
from games.rules import Position, card_name, cards_of, parse_card, parse_position

BOTH = (True, True)


def _codes(sight: Sight) -> list[str]:
    return [view.code for row in sight.rows() for view in row]


def _playable(sight: Sight) -> list[str]:
    return [view.code for row in sight.rows() for view in row if view.playable]


@pytest.mark.parametrize(
    ("position", "near", "stage", "playable"),
    [
        ("6C9C/7DKDAD - CD 0 strict", 0, "lead", ["6C", "9C"]),
        ("6C9C/7DKDAD - CD 0 strict", 1, "wait", []),
        ("6C9C/7DKDAD 8C CD 0 strict", 0, "beat", ["9C"]),
        ("6C9C/7DKDAD TC CD 0 free", 0, "take", []),
        ("6C9C/- TC CD 0 strict", 0, "over", []),
    ],
)
def test_a_side_is_asked_what_the_rules_ask(position: str, near: int, stage: str, playable: list[str]) -> None:
    sight = Sight(parse_position(position), near, BOTH)
    assert (sight.stage, _playable(sight)) == (stage, playable)


def test_a_chosen_card_waits_beside_the_hand_until_it_is_covered() -> None:
    sight = Sight(parse_position("6C9C7S/7DKDAD 8C CD 0 strict"), 0, BOTH, chosen="9C")
    assert sight.chosen is not None
    assert (sight.stage, sight.chosen.code, _codes(sight), _playable(sight)) == (
        "cover",
        "9C",
        ["7S", "6C"],
        ["7S", "6C"],
    )
    assert [view.code for view in sight.hand(0) or []] == ["7S", "6C", "9C"]


@pytest.mark.parametrize("chosen", ["6C", "AD", "XX", ""])
def test_no_card_is_chosen_that_does_not_beat(chosen: str) -> None:
    sight = Sight(parse_position("6C9C/7DKDAD 8C CD 0 strict"), 0, BOTH, chosen=chosen)
    assert (sight.stage, sight.chosen, _codes(sight)) == ("beat", None, ["6C", "9C"])


def test_the_last_card_is_not_chosen_for_nothing_covers_it() -> None:
    assert Sight(parse_position("9C/7DKDAD 8C CD 0 strict"), 0, BOTH, chosen="9C").stage == "beat"


def test_nothing_can_be_chosen_or_played_where_no_turn_is_asked() -> None:
    sight = Sight(parse_position("6C9C/7DKDAD 8C CD 0 strict"), 0, BOTH, stage="watch", chosen="9C")
    assert (sight.stage, sight.chosen, _codes(sight), _playable(sight)) == ("watch", None, ["6C", "9C"], [])


def test_trumps_are_told_apart_from_the_near_side_and_new_cards_marked() -> None:
    rows = Sight(parse_position("6C7D8H/KD - CD 0 strict"), 0, BOTH).rows(new=1 << parse_card("7D"), by_rank=True)
    assert [(view.code, view.trump, view.new) for view in rows[0]] == [
        ("7D", "far", True),
        ("8H", "", False),
        ("6C", "near", False),
    ]
    flipped = Sight(parse_position("6C7D8H/KD - CD 0 strict"), 1, BOTH)
    assert [(view.code, view.trump) for view in flipped.hand(0) or []] == [("7D", "near"), ("8H", ""), ("6C", "far")]


def _out_of(sight: Sight) -> str:
    """Return all that a table takes out of a sight, hands last."""
    sides = [asdict(sight.side(seat, "", to_move=False)) for seat in (0, 1)]
    return repr((sight.stage, sight.chosen, sight.pile, sight.rows(new=(1 << 52) - 1), sides))


def _with_hand(position: Position, seat: int, hand: int) -> Position:
    hands = (hand, position.hands[1]) if seat == 0 else (position.hands[0], hand)
    return Position(hands, position.pile, position.trumps, position.turn, position.strict)


@pytest.mark.parametrize("closed", [0, 1])
@pytest.mark.parametrize("near", [0, 1])
def test_a_closed_hand_could_be_any_other_of_its_size(closed: int, near: int) -> None:
    chance = random.Random(11)
    position = parse_position("6C9CTDJH8S7S/7DKDAD9HQS6S - CD 0 free")
    shown = (closed != 0, closed != 1)
    for _ in range(30):
        hand = position.hands[closed]
        elsewhere = position.hands[1 - closed] | sum(1 << card for card in position.pile)
        free = [card for card in range(52) if not elsewhere >> card & 1]
        other = sum(1 << card for card in chance.sample(free, hand.bit_count()))
        for chosen in ["", *map(card_name, cards_of(hand))]:
            told = [
                _out_of(Sight(_with_hand(position, closed, held), near, shown, chosen=chosen)) for held in (hand, other)
            ]
            assert told[0] == told[1]
        moves = list(position.legal_moves())
        if not moves:
            break
        position = position.play(chance.choice(moves))

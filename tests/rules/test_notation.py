"""Strings enter through parsers that name what is wrong."""

import pytest

from games.rules import (
    TAKE,
    IllegalMoveError,
    Move,
    NotationError,
    card_name,
    cards_of,
    deck,
    parse_card,
    parse_move,
    parse_position,
)

SOUND = "6C9H/7DKD 8H SH 1 strict"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "five fields"),
        ("6C9H/7DKD 8H SH 1", "five fields.*not 4"),
        ("6C9H/7DKD  8H SH 1 strict", "five fields.*not 6"),
        (f"{SOUND} ", "five fields"),
        ("6C9H7DKD 8H SH 1 strict", "hands"),
        ("6C/9H/7DKD 8H SH 1 strict", "hands"),
        ("6C9H/ 8H SH 1 strict", "hand of seat 1"),
        ("6C9/7DKD 8H SH 1 strict", "hand of seat 0.*6C9"),
        ("6C9X/7DKD 8H SH 1 strict", "unknown card.*9X"),
        ("6C1H/7DKD 8H SH 1 strict", "unknown card.*1H"),
        ("6c9H/7DKD 8H SH 1 strict", "unknown card.*6c"),
        ("6C6C/7DKD 8H SH 1 strict", "hand of seat 0.*6C.*twice"),
        ("6C9H/7D6C 8H SH 1 strict", "hand of seat 1.*6C.*twice"),
        ("6C9H/7DKD 9H SH 1 strict", "pile.*9H.*twice"),
        ("6C9H/7DKD 8H S 1 strict", "trumps.*'S'"),
        ("6C9H/7DKD 8H SX 1 strict", "trumps.*'SX'"),
        ("6C9H/7DKD 8H SS 1 strict", "trumps.*both.*S"),
        ("6C9H/7DKD 8H SH 2 strict", "turn.*'2'"),
        ("6C9H/7DKD 8H SH ١ strict", "turn"),
        ("6C9H/7DKD 8H SH 1 lax", "pick-up.*'lax'"),
    ],
)
def test_a_bad_position_is_refused_with_what_is_wrong(text: str, named: str) -> None:
    with pytest.raises(NotationError, match=named):
        parse_position(text)


@pytest.mark.parametrize(
    "text", ["", "9", "10S", "9H ", "9H+", "+KD", "9H+KD+7S", "9h", "Take", "9H+9H", "9H KD", "\x00"]
)
def test_a_string_that_is_no_move_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        parse_move(text)


@pytest.mark.parametrize("text", ["7H", "9H+KD", "take"])
def test_a_move_is_written_as_it_was_read(text: str) -> None:
    assert str(parse_move(text)) == text


def test_a_bad_string_and_an_illegal_move_are_different_value_errors() -> None:
    assert issubclass(NotationError, ValueError)
    assert issubclass(IllegalMoveError, ValueError)
    assert not issubclass(NotationError, IllegalMoveError)
    assert not issubclass(IllegalMoveError, NotationError)


def test_a_hand_is_written_in_order_however_it_was_read() -> None:
    assert str(parse_position("9H6C/KD7D 8H SH 1 strict")) == SOUND
    assert str(parse_position("-/7D - SH 0 free")) == "-/7D - SH 0 free"


@pytest.mark.parametrize(
    ("position", "move", "why"),
    [
        (SOUND, "6C+7D", "6C is not in the hand of seat 1"),
        (SOUND, "7D", "7D does not beat 8H"),
        ("6C9H/7DKH 8H SH 1 strict", "KH", "a second card"),
        ("6C9H/7DKH 8H SH 1 strict", "take", "must be"),
        ("6C9H/7DKH - SH 1 strict", "7D+KH", "a lead is one card"),
        ("6C9H/7DKH - SH 1 strict", "take", "no pile"),
        ("-/7DKH 8H SH 1 strict", "KH+7D", "over"),
    ],
)
def test_an_illegal_move_is_refused_with_the_reason(position: str, move: str, why: str) -> None:
    with pytest.raises(IllegalMoveError, match=why):
        parse_position(position).play(parse_move(move))


@pytest.mark.parametrize(("size", "lowest"), [(24, "9"), (32, "7"), (36, "6"), (52, "2")])
def test_a_deck_goes_from_its_lowest_rank_to_the_ace(size: int, lowest: str) -> None:
    names = [card_name(card) for card in cards_of(deck(size))]
    assert len(names) == size
    assert names[0] == f"{lowest}C"
    assert names[-1] == "AS"
    assert [name for name in names if name[0] == lowest] == [lowest + suit for suit in "CDHS"]


def test_no_other_deck_exists() -> None:
    with pytest.raises(ValueError, match="40"):
        deck(40)


def test_a_move_tells_what_it_lays_down() -> None:
    nine, king = parse_card("9H"), parse_card("KD")
    assert TAKE.is_take
    assert TAKE.cards == ()
    assert Move(nine).cards == (nine,)
    assert parse_move("9H+KD").cards == (nine, king)

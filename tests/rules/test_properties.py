"""What holds in every position and every game."""

import random
import re
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules import (
    DECK_SIZES,
    TAKE,
    TURN_LIMIT,
    Game,
    IllegalMoveError,
    Move,
    Outcome,
    Position,
    Reason,
    cards_of,
    deck,
    parse_move,
    parse_position,
)
from games.rules.game import outcome_after

CARDS = range(52)
TRUMPS = list(permutations(range(4), 2))


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Any position: two hands and a pile out of some of the 52 cards."""
    cards = draw(st.permutations(CARDS))
    first = draw(st.integers(0, 20))
    second = draw(st.integers(0, 20))
    pile = draw(st.integers(0, 12))
    hands = (sum(1 << card for card in cards[:first]), sum(1 << card for card in cards[first : first + second]))
    return Position(
        hands,
        tuple(cards[first + second : first + second + pile]),
        draw(st.sampled_from(TRUMPS)),
        draw(st.integers(0, 1)),
        draw(st.booleans()),
    )


@st.composite
def starts(draw: st.DrawFn) -> Position:
    """A starting position of any deck."""
    size = draw(st.sampled_from(sorted(DECK_SIZES)))
    cards = draw(st.permutations(list(cards_of(deck(size)))))
    hands = (sum(1 << card for card in cards[: size // 2]), sum(1 << card for card in cards[size // 2 :]))
    return Position(hands, (), draw(st.sampled_from(TRUMPS)), draw(st.integers(0, 1)), draw(st.booleans()))


def all_cards(position: Position) -> list[int]:
    """Return every card of a position, one that stands twice twice."""
    return sorted([*cards_of(position.hands[0]), *cards_of(position.hands[1]), *position.pile])


def random_game(start: Position, seed: int, turns: int = 1000) -> tuple[Game, list[Move]]:
    """Play random legal moves until the game or ``turns`` end."""
    chance = random.Random(seed)
    game, moves = Game(start), []
    while game.outcome is None and len(moves) < turns:
        move = chance.choice(sorted(game.position.legal_moves()))
        game.play(move)
        moves.append(move)
    return game, moves


@given(positions())
def test_a_position_is_read_as_it_was_written(position: Position) -> None:
    assert parse_position(str(position)) == position


@given(positions())
@settings(max_examples=40)
def test_a_move_is_listed_if_and_only_if_it_applies(position: Position) -> None:
    listed = list(position.legal_moves())
    assert len(listed) == len(set(listed)) == position.count_moves()
    every = [TAKE, *(Move(card) for card in CARDS), *(Move(*pair) for pair in permutations(CARDS, 2))]
    applies = [move for move in every if position.why_illegal(move) is None]
    assert set(applies) == set(listed)


@given(positions(), st.sampled_from([TAKE, *(Move(*pair) for pair in permutations(CARDS, 2)), Move(7), Move(3, 3)]))
def test_play_agrees_with_why_a_move_is_illegal(position: Position, move: Move) -> None:
    why = position.why_illegal(move)
    if why is None:
        assert position.play(move).turn == 1 - position.turn
    else:
        with pytest.raises(IllegalMoveError, match=re.escape(why)):
            position.play(move)


@given(positions())
def test_a_position_without_moves_is_over_and_only_that(position: Position) -> None:
    assert (position.outcome() is None) == (position.count_moves() > 0)
    assert position.can_take() == (TAKE in position.legal_moves())


@given(positions())
def test_moves_are_written_and_read(position: Position) -> None:
    for move in position.legal_moves():
        assert parse_move(str(move)) == move


@given(positions(), st.integers(0, 2))
@settings(max_examples=25, deadline=None)
def test_perft_counts_every_sequence_of_moves(position: Position, depth: int) -> None:
    def count(at: Position, turns: int) -> int:
        moves = list(at.legal_moves())
        return sum(count(at.play(move), turns - 1) for move in moves) if turns and moves else 1

    assert position.perft(depth) == count(position, depth)


@given(starts(), st.integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_the_cards_stay_one_deck(start: Position, seed: int) -> None:
    game, moves = Game(start), random_game(start, seed)[1]
    whole = all_cards(start)
    for move in moves:
        mover = game.position.turn
        game.play(move)
        assert all_cards(game.position) == whole
        assert game.position.turn == 1 - mover
        assert parse_position(str(game.position)) == game.position


@given(starts(), st.integers(0, 2**32))
@settings(max_examples=15, deadline=None)
def test_a_replayed_game_stands_as_it_was_played(start: Position, seed: int) -> None:
    game, moves = random_game(start, seed)
    replayed = Game.replay(parse_position(str(start)), [parse_move(str(move)) for move in moves])
    assert (replayed.position, replayed.turns, replayed.outcome) == (game.position, game.turns, game.outcome)
    assert game.outcome is not None


@given(positions())
def test_the_game_ends_with_the_cards_of_a_hand(position: Position) -> None:
    outcome = position.outcome()
    empty = [seat for seat in (0, 1) if not position.hands[seat]]
    assert (outcome is not None) == bool(empty)
    if outcome and outcome.reason == Reason.LAST_CARD:
        (loser,) = {0, 1} - set(empty)
        one = Position(position.hands, position.pile, position.trumps, loser, position.strict)
        assert position.hands[loser].bit_count() == 1
        assert one.beaters() == position.hands[loser]


def test_the_same_position_for_the_third_time_is_a_draw() -> None:
    start = parse_position("3H5H7S/TH9SQSKS - SH 0 strict")
    round_trip = [parse_move(move) for move in ("3H", "TH+KS", "take", "9S", "KS+TH", "take")]
    game = Game(start)
    for move in [*round_trip, *round_trip[:-1]]:
        game.play(move)
        assert game.outcome is None
    game.play(round_trip[-1])
    assert game.position == start
    assert game.outcome == Outcome(None, Reason.REPETITION)


def test_the_end_of_the_last_turn_without_a_result_is_a_draw() -> None:
    position = parse_position("6C7D/8D9D - SH 0 strict")
    assert outcome_after(position, TURN_LIMIT - 1, 1) is None
    assert outcome_after(position, TURN_LIMIT, 1) == Outcome(None, Reason.TURN_LIMIT)


def test_the_cards_count_before_the_history() -> None:
    won = parse_position("-/8D9D 6C SH 1 strict")
    assert outcome_after(won, TURN_LIMIT, 3) == Outcome(0, Reason.CARDS_OUT)


def test_a_game_that_is_over_takes_no_more_turns() -> None:
    game = Game(parse_position("6C/8D9D - SH 0 strict"))
    game.play(parse_move("6C"))
    over = game.position
    with pytest.raises(IllegalMoveError, match="over"):
        game.play(TAKE)
    assert (game.position, game.turns) == (over, 1)

"""The puzzles that come with the site: well-formed, and each with exactly one winning move.

A win is proven by playing: at the winner's turns the engine's move, at the loser's turns every reply that the rules
package allows. Whatever the loser does, the winner must win.
"""

import json
import random
from collections import Counter

import pytest

from games.engine import Win, think
from games.engine.puzzles import FEWEST_CHOICES, GRADES, MOST_TURNS, puzzle_in
from games.management.commands.loadpuzzles import SHIPPED
from games.rules import Move, Position, parse_move, parse_position

PUZZLES = [json.loads(line) for line in SHIPPED.read_text(encoding="utf-8").splitlines()]
#: Drawn once and for all; short enough to be played out in full.
SAMPLE = random.Random(5).sample([puzzle for puzzle in PUZZLES if puzzle["turns"] <= 9], 8)
NODES = 60_000
#: No proof of the sample comes near this many positions.
TOO_MANY = 30_000


class Prover:
    """Plays games out until the winner has won all of them."""

    def __init__(self) -> None:
        self.won: dict[Position, bool] = {}
        self.visited = 0

    def wins(self, position: Position, winner: int) -> bool:
        """Whether ``winner`` wins from a position against every reply, playing the engine's moves."""
        outcome = position.outcome()
        if outcome is not None:
            return outcome.winner == winner
        if position in self.won:
            # A position on the way to itself is no win: it stands for False until it is proven.
            return self.won[position]
        self.won[position] = False
        self.visited += 1
        assert self.visited < TOO_MANY
        if position.turn == winner:
            thought = think(position, nodes=NODES)
            proven = isinstance(thought.score, Win) and self.wins(position.play(thought.move), winner)
        else:
            proven = all(self.wins(position.play(reply), winner) for reply in position.legal_moves())
        self.won[position] = proven
        return proven


def test_at_least_five_hundred_come_with_the_site_in_all_grades() -> None:
    assert len(PUZZLES) >= 500
    assert len({puzzle["position"] for puzzle in PUZZLES}) == len(PUZZLES)
    grades = Counter(puzzle["grade"] for puzzle in PUZZLES)
    assert sorted(grades) == list(range(1, GRADES + 1))
    assert max(grades.values()) <= 0.36 * len(PUZZLES)


def test_every_line_is_legal_and_ends_in_the_solvers_win() -> None:
    for puzzle in PUZZLES:
        start = position = parse_position(puzzle["position"])
        assert str(start) == puzzle["position"]
        assert start.count_moves() >= FEWEST_CHOICES
        assert puzzle["line"][0] == puzzle["move"]
        assert len(puzzle["line"]) == puzzle["turns"] <= MOST_TURNS
        assert puzzle["turns"] % 2 == 1
        assert puzzle["asked"] % 2 == 1
        assert 1 <= puzzle["asked"] <= puzzle["turns"]
        for move in puzzle["line"]:
            assert position.outcome() is None
            position = position.play(parse_move(move))
        outcome = position.outcome()
        assert outcome is not None
        assert outcome.winner == start.turn


@pytest.mark.parametrize("puzzle", SAMPLE, ids=lambda puzzle: puzzle["position"].replace(" ", "_"))
def test_one_move_wins_against_every_reply_and_every_other_loses(puzzle: dict) -> None:
    start = parse_position(puzzle["position"])
    solver = start.turn
    assert Prover().wins(start.play(parse_move(puzzle["move"])), solver)
    others = [move for move in start.legal_moves() if str(move) != puzzle["move"]]
    assert others
    for move in others:
        assert Prover().wins(start.play(move), 1 - solver), f"{move} does not lose"


def test_up_to_where_it_is_asked_there_is_no_second_way() -> None:
    puzzle = next(puzzle for puzzle in SAMPLE if puzzle["asked"] > 1)
    position = parse_position(puzzle["position"])
    for at, notation in enumerate(puzzle["line"][: puzzle["asked"]]):
        move = parse_move(notation)
        if at % 2 == 0:
            for other in position.legal_moves():
                assert other == move or Prover().wins(position.play(other), 1 - position.turn)
        position = position.play(move)


def test_the_maker_refuses_positions_with_two_winning_moves() -> None:
    two_ways = parse_position("9CTCJC/6D - CD 0 strict")
    winning: list[Move] = [move for move in two_ways.legal_moves() if Prover().wins(two_ways.play(move), 0)]
    assert len(winning) != 1
    assert puzzle_in(two_ways) is None

"""Puzzles out of the engine's own games: exactly one move wins."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from games.engine.thinker import search_position
from games.engine.thought import Thought, Win, expectation
from games.rules import DECK_SIZES, Game, Move, Position
from games.rules.dealing import Terms, deal

#: The grades of difficulty, from 1.
GRADES = 5

#: A puzzle is won in so many turns, the solver's and the opponent's counted.
FEWEST_TURNS = 3
MOST_TURNS = 15

#: More cards than this in both hands are too many to look over.
MOST_CARDS = 22
FEWEST_CHOICES = 3

#: Positions searched for a turn of the games, for the win, and for the best of the other moves.
_GAME_NODES = 1500
_WIN_NODES = 30_000
_OTHER_NODES = 120_000

#: What the best of the other moves may be expected to score.
_LOST = 0.25

#: The engine's budgets that a puzzle is tried on; the first that finds the move tells the grade.
_TRIALS = (3, 30, 200, 1500)


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position with one winning move: how long the win takes, the best play for both, the grade."""

    position: Position
    move: Move
    turns: int
    line: tuple[Move, ...]
    grade: int

    def as_json(self) -> dict[str, object]:
        """Return the puzzle as it is written in JSON."""
        return {
            "position": str(self.position),
            "move": str(self.move),
            "turns": self.turns,
            "line": [str(move) for move in self.line],
            "grade": self.grade,
        }


def _grade(position: Position, move: Move) -> int:
    for grade, nodes in enumerate(_TRIALS, start=1):
        if search_position(position, nodes=nodes).move == move:
            return grade
    return GRADES


def puzzle_in(position: Position) -> Puzzle | None:
    """Return the puzzle that a position is, or None.

    The win is proven by the search. Of the other moves none may win, nor look better than nearly lost, to a search
    of four times as many positions.
    """
    moves = list(position.legal_moves())
    if len(moves) < FEWEST_CHOICES or sum(hand.bit_count() for hand in position.hands) > MOST_CARDS:
        return None
    thought = search_position(position, nodes=_WIN_NODES)
    if isinstance(search_position(position, nodes=_WIN_NODES // 10, without=thought.move).score, Win):
        return None
    if not isinstance(thought.score, Win) or not FEWEST_TURNS <= thought.score.turns <= MOST_TURNS:
        return None
    others = search_position(position, nodes=_OTHER_NODES, without=thought.move)
    if expectation(others.score) > _LOST:
        return None
    return Puzzle(position, thought.move, thought.score.turns, thought.line, _grade(position, thought.move))


def _self_play(number: int, seed: int) -> Iterator[tuple[Position, Thought]]:
    """Play a game with a few odd turns and yield its positions with what the engine thought of them."""
    chance = random.Random(f"{seed}/{number}")  # noqa: S311
    terms = Terms(chance.choice(sorted(DECK_SIZES)), chance.random() < 0.5, chance.random() < 0.75, (None, None))
    dealt = deal(b"puzzles", f"{seed}/{number}".encode(), terms)
    game = Game(dealt.position(dealt.drawn_lead, terms.strict))
    history: list[Position] = []
    while game.outcome is None:
        thought = search_position(game.position, nodes=_GAME_NODES, history=history)
        yield game.position, thought
        odd = chance.random() < 0.1
        move = chance.choice(sorted(game.position.legal_moves())) if odd else thought.move
        history.append(game.position)
        game.play(move)


def puzzles_of_game(number: int, seed: int) -> list[Puzzle]:
    """Return the puzzles in a game of the engine against itself; the same numbers give the same puzzles.

    After a puzzle the same win is not asked for again.
    """
    found: list[Puzzle] = []
    solved_by: int | None = None
    for position, thought in _self_play(number, seed):
        if solved_by is not None and position.turn == solved_by and not isinstance(thought.score, Win):
            solved_by = None
        if isinstance(thought.score, Win) and position.turn != solved_by:
            puzzle = puzzle_in(position)
            if puzzle is not None:
                found.append(puzzle)
                solved_by = position.turn
    return found

"""Puzzles out of the engine's own games: exactly one move wins, and all others are proven to lose.

The games are dealt with few cards. With a whole deck nearly every win is there in several moves or too far off to be
proven, and a person could not work it out either.
"""

import random
from dataclasses import dataclass

from games.engine.thinker import search_position
from games.engine.thought import Loss, Win
from games.rules import Game, Move, Position, card_bit, cards_of, deck

#: The grades of difficulty, from 1.
GRADES = 5

#: A puzzle is won in so many turns, the solver's and the opponent's counted.
FEWEST_TURNS = 3
MOST_TURNS = 21

#: Fewer moves are no choice, and more are too many to look over.
FEWEST_CHOICES = 4
MOST_CHOICES = 48

#: So many cards a game is dealt, half of them each, out of a deck of this size.
_CARDS = (10, 12, 12, 14, 14, 16, 16, 18)
_DECK = 36

#: Positions searched for a turn of the games, for the win, and for each of the other moves: a short look first,
#: since most positions are won by several moves, which it finds at once.
_GAME_NODES = 100
_WIN_NODES = 6000
_SHORT_NODES = 1500
_OTHER_NODES = 40_000
#: So many moves that the short look did not settle are given the long one.
_MOST_UNSETTLED = 12

#: Up to so many turns a win against an opponent who can but pick up is of the first grade.
_SHORT_RUN = 7

#: How often a move of the games is made by chance, and the turns after which a game is left.
_ODD = 0.2
_MOST_GAME_TURNS = 60

#: The engine's budgets that a puzzle is tried on; what does not find the move makes it harder.
_TRIALS = (40, 200, 1000)


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position with one winning move: how long the win takes, the best play for both, the grade.

    ``asked`` is how many turns of ``line`` are to be found, the opponent's counted: as long as one move alone wins.
    """

    position: Position
    move: Move
    turns: int
    line: tuple[Move, ...]
    asked: int
    grade: int

    def as_json(self) -> dict[str, object]:
        """Return the puzzle as it is written in JSON."""
        return {
            "position": str(self.position),
            "move": str(self.move),
            "turns": self.turns,
            "line": [str(move) for move in self.line],
            "asked": self.asked,
            "grade": self.grade,
        }


def wins_alone(position: Position, move: Move) -> bool:
    """Whether every other move than ``move`` is proven to lose."""
    unsettled = []
    for other in position.legal_moves():
        if other == move:
            continue
        after = position.play(other)
        outcome = after.outcome()
        if outcome is not None:
            if outcome.winner != after.turn:
                return False
            continue
        score = search_position(after, nodes=_SHORT_NODES).score
        if isinstance(score, Loss):
            return False
        if not isinstance(score, Win):
            unsettled.append(after)
    if len(unsettled) > _MOST_UNSETTLED:
        return False
    return all(isinstance(search_position(after, nodes=_OTHER_NODES).score, Win) for after in unsettled)


def _asked(position: Position, line: tuple[Move, ...]) -> int:
    """How many turns of the line are to be found: up to the first turn at which the win is in several moves."""
    asked = 1
    for turn, move in enumerate(line):
        if turn and turn % 2 == 0:
            if position.count_moves() > 1 and not wins_alone(position, move):
                break
            asked = turn + 1
        position = position.play(move)
    return asked


def _grade(position: Position, line: tuple[Move, ...], turns: int, choices: int) -> int:
    """How hard a puzzle is: by its length, the choice there is, and how much looking finds the move."""
    hard = (turns >= 7) + (turns >= 11) + (choices >= 8)
    for nodes in _TRIALS:
        if search_position(position, nodes=nodes).move == line[0]:
            break
        hard += 1
    if all(reply.is_take for reply in line[1::2]):
        # The opponent can but pick up each time: such turns are easy to work out.
        return 1 if turns <= _SHORT_RUN else 2
    return min(GRADES, 1 + hard)


def puzzle_in(position: Position) -> Puzzle | None:
    """Return the puzzle that a position is, or None.

    The win is proven by the search, and that each other move loses likewise; one that might draw spoils a puzzle.
    """
    choices = position.count_moves()
    if not FEWEST_CHOICES <= choices <= MOST_CHOICES:
        return None
    thought = search_position(position, nodes=_WIN_NODES)
    if not isinstance(thought.score, Win) or not FEWEST_TURNS <= thought.score.turns <= MOST_TURNS:
        return None
    if not wins_alone(position, thought.move):
        return None
    turns = thought.score.turns
    grade = _grade(position, thought.line, turns, choices)
    return Puzzle(position, thought.move, turns, thought.line, _asked(position, thought.line), grade)


def _self_play(chance: random.Random) -> list[Position]:
    """Play a game with few cards and a few odd moves, and return its positions."""
    count = chance.choice(_CARDS)
    cards = chance.sample(list(cards_of(deck(_DECK))), count)
    first, second = (sum(map(card_bit, cards[half::2])) for half in (0, 1))
    trumps = chance.sample(range(4), 2)
    game = Game(Position((first, second), (), (trumps[0], trumps[1]), 0, chance.random() < 0.8))
    positions = []
    while game.outcome is None and game.turns < _MOST_GAME_TURNS:
        positions.append(game.position)
        if chance.random() < _ODD:
            game.play(chance.choice(sorted(game.position.legal_moves())))
        else:
            game.play(search_position(game.position, nodes=_GAME_NODES).move)
    return positions


def puzzles_of_game(number: int, seed: int) -> list[Puzzle]:
    """Return the hardest puzzle of a game of the engine against itself, if it has one.

    The same numbers give the same puzzle, as long as the engine stays the same.
    """
    chance = random.Random(f"{seed}/{number}")  # noqa: S311
    found = [puzzle for position in _self_play(chance) if (puzzle := puzzle_in(position))]
    return sorted(found, key=lambda puzzle: (puzzle.grade, puzzle.turns))[-1:]

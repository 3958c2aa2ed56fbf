"""Playing below full strength, as people do: forgetting cards, liking the wrong ones, looking at little."""

import random
import time
from collections import Counter
from collections.abc import Sequence

from games.engine.levels import Level
from games.engine.thinker import search_position, weigh_moves
from games.engine.thought import POINTS, Loss, Score, Thought, Win
from games.rules import Move, Position, card_bit, cards_of, rank_of, suit_of
from games.rules.cards import RANK_COUNT
from games.rules.moves import NO_CARD

#: What a proven result counts for beside points.
_CERTAIN = 20 * POINTS

_ACE = RANK_COUNT - 1

#: Positions looked at to give the chosen move an honest score.
_SCORE_NODES = 2000


def _remembered(position: Position, forgets: float, chance: random.Random) -> Position:
    """The position as it is remembered: some of the opponent's cards are forgotten, never all."""
    other = 1 - position.turn
    cards = list(cards_of(position.hands[other]))
    kept = [card for card in cards if chance.random() >= forgets] or [chance.choice(cards)]
    hand = sum(map(card_bit, kept))
    hands = (hand, position.hands[1]) if other == 0 else (position.hands[0], hand)
    return Position(hands, position.pile, position.trumps, position.turn, position.strict)


def _liking(position: Position, move: Move, level: Level) -> float:
    """How much the character likes a move for what it is, whatever comes of it."""
    if move.is_take:
        return 0.0
    trump = position.trumps[position.turn]
    liking = 0.0
    if move.cover != NO_CARD and suit_of(move.card) == trump != suit_of(position.pile[-1]):
        liking += level.trumps
    last = move.cards[-1]
    liking += level.greed * rank_of(last) / _ACE
    if rank_of(move.card) == _ACE:
        liking += level.aces
    return liking


def _points(score: Score) -> float:
    if isinstance(score, Win):
        return _CERTAIN - score.turns
    if isinstance(score, Loss):
        return -_CERTAIN + score.turns
    return score


def _wins(position: Position, move: Move) -> bool:
    """Whether a move wins at once."""
    outcome = position.play(move).outcome()
    return outcome is not None and outcome.winner == position.turn


def play_as(level: Level, position: Position, history: Sequence[Position], seed: int | None) -> Thought:
    """Return the move of a level's character; the same seed gives the same move.

    The score is an honest one of the chosen move, not what the character believes.
    A win at once is seen by everyone, and so is a draw by repetition, for the table remembers it.
    Raises ``ValueError`` where the game is over.
    """
    started = time.perf_counter()
    moves = sorted(position.legal_moves())
    if not moves:
        raise ValueError("the game is over")
    chance = random.Random(seed)  # noqa: S311
    believed = _remembered(position, level.forgets, chance)
    best, best_liking = moves[0], float("-inf")
    if len(moves) > 1:
        worth = weigh_moves(believed, level.depth)
        at_once = [move for move in moves if _wins(position, move)]
        stood_twice = {stood for stood, times in Counter((*history, position)).items() if times >= 2}
        for move in at_once or moves:
            draws = bool(stood_twice) and position.play(move) in stood_twice
            liking = 0.0 if draws else _points(worth[move])
            liking += _liking(position, move, level) + chance.gauss(0, level.wanders)
            if liking > best_liking:
                best, best_liking = move, liking
    return _honest(position, best, history, started)


def _honest(position: Position, move: Move, history: Sequence[Position], started: float) -> Thought:
    """A thought about a chosen move with the score that a short search of what follows gives it."""
    after = position.play(move)
    outcome = after.outcome()
    score: Score
    if outcome is not None:
        score = 0 if outcome.winner is None else Win(1)
        return Thought(move, score, 1, 1, time.perf_counter() - started, (move,))
    reply = search_position(after, nodes=_SCORE_NODES, history=(*history, position))
    if isinstance(reply.score, Win):
        score = Loss(reply.score.turns + 1)
    elif isinstance(reply.score, Loss):
        score = Win(reply.score.turns + 1)
    else:
        score = -reply.score
    return Thought(move, score, reply.depth + 1, reply.nodes + 1, time.perf_counter() - started, (move, *reply.line))

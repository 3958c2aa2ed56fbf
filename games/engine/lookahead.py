"""The one-turn look-ahead: each move and the opponent's simplest reply, by hand-made terms.

It is the yardstick of the arena and the bench, so it stays as it is while the engine grows.
"""

import random
import time

from games.engine.thought import Loss, Score, Thought, Win
from games.rules import Move, Position, cards_of, rank_of, suit_of
from games.rules.moves import TAKE

_WON = 1_000_000
_CARD = 100
_TRUMP = 90
_RANK = 5
_TRUMP_RANK = 8
_TOP_STANDS = 60


def _card_worth(card: int, trump: int) -> int:
    """How much of a card's burden its power takes away again."""
    if suit_of(card) == trump:
        return _TRUMP + _TRUMP_RANK * rank_of(card)
    return _RANK * rank_of(card)


def _hand_score(hand: int, trump: int) -> int:
    return sum(_card_worth(card, trump) - _CARD for card in cards_of(hand))


def _balance(position: Position, seat: int) -> int:
    """The hand-made terms from a seat's side: few cards are good, trumps and high cards less bad."""
    own = _hand_score(position.hands[seat], position.trumps[seat])
    other = _hand_score(position.hands[1 - seat], position.trumps[1 - seat])
    score = own - other
    if position.pile and not position.beaters():
        score += _TOP_STANDS if position.turn != seat else -_TOP_STANDS
    return score


def _result(position: Position, seat: int) -> int | None:
    outcome = position.outcome()
    if outcome is None:
        return None
    if outcome.winner is None:
        return 0
    return _WON if outcome.winner == seat else -_WON


def _simple_replies(position: Position) -> list[Move]:
    """The replies that a hasty opponent thinks of: the cheapest beat with each lowest cover, or picking up."""
    trump = position.trumps[position.turn]
    hand = position.hands[position.turn]
    if not position.pile:
        return [Move(min(cards_of(hand), key=lambda card: _card_worth(card, trump)))]
    beaters = position.beaters()
    if not beaters:
        return [TAKE]
    beat = min(cards_of(beaters), key=lambda card: _card_worth(card, trump))
    lowest: dict[int, int] = {}
    for card in cards_of(hand & ~(1 << beat)):
        lowest.setdefault(suit_of(card), card)
    return [Move(beat, cover) for cover in lowest.values()] or [Move(beat)]


def _score(position: Position, seat: int) -> tuple[int, Move | None, int]:
    """Score a position after the seat's move: the worst that a simple reply makes of it."""
    result = _result(position, seat)
    if result is not None:
        return result, None, 1
    worst, reply, nodes = _WON + 1, None, 1
    for move in _simple_replies(position):
        after = position.play(move)
        nodes += 1
        result = _result(after, seat)
        score = _balance(after, seat) if result is None else result
        if score < worst:
            worst, reply = score, move
    return worst, reply, nodes


def look_ahead(position: Position, *, seed: int | None = None) -> Thought:
    """Return the best move by one turn of look-ahead; equal moves are chosen from by ``seed``.

    Raises ``ValueError`` where the game is over.
    """
    started = time.perf_counter()
    seat = position.turn
    moves = sorted(position.legal_moves())
    if not moves:
        raise ValueError("the game is over")
    random.Random(seed).shuffle(moves)  # noqa: S311
    best, best_move, nodes = -_WON - 1, moves[0], 0
    line: tuple[Move, ...] = (moves[0],)
    for move in moves:
        score, reply, visited = _score(position.play(move), seat)
        nodes += visited
        if score > best:
            best, best_move = score, move
            line = (move,) if reply is None else (move, reply)
    return Thought(best_move, _as_score(best, len(moves)), 1, nodes, time.perf_counter() - started, line)


def _as_score(score: int, choices: int) -> Score:
    """A win at once is proven; a loss is proven only where there was no choice and the reply ends it."""
    if score == _WON:
        return Win(1)
    if score == -_WON and choices == 1:
        return Loss(2)
    return max(-_WON // 100, min(_WON // 100, score))

"""Why the engine's move is the best one, derived from the position: what is told has to be true of it."""

from games.engine import Loss, Thought, Win
from games.models import HintReason
from games.rules import Move, Position, cards_of, rank_of, suit_of
from games.rules.moves import NO_CARD

#: The highest rank, from the two as 0, that counts as low: the nine.
LOW = 7


def reason_of(position: Position, thought: Thought) -> tuple[HintReason, int]:
    """Return why the move of a thought is the best, and what the reason counts."""
    move = thought.move
    if position.count_moves() == 1:
        return HintReason.ONLY, 0
    if isinstance(thought.score, Win):
        return HintReason.WINS, thought.score.turns
    if isinstance(thought.score, Loss):
        return HintReason.HOLDS, thought.score.turns
    after = position.play(move)
    outcome = after.outcome()
    if outcome is not None and outcome.winner is None:
        return HintReason.DRAWS, 0
    if after.pile and not after.beaters():
        return HintReason.STANDS, after.pickup_count() or 0
    return _by_cards(position, move) or (HintReason.LOOKS, thought.depth)


def _by_cards(position: Position, move: Move) -> tuple[HintReason, int] | None:
    """Return what the move does to the hand, where that can be said."""
    trump = position.trumps[position.turn]
    hand = position.hands[position.turn]
    own_trumps = [card for card in cards_of(hand) if suit_of(card) == trump]
    if move.is_take:
        taken = position.pile[-(position.pickup_count() or 0) :]
        trumps = sum(suit_of(card) == trump for card in taken)
        return (HintReason.GETS, trumps) if trumps else None
    if trump not in map(suit_of, move.cards) and own_trumps:
        return HintReason.KEEPS, len(own_trumps)
    beaters = [card for card in cards_of(position.beaters()) if suit_of(card) == suit_of(move.card)]
    if len(beaters) > 1 and move.card == min(beaters, key=rank_of):
        return HintReason.SAVES, 0
    laid = move.cover if move.cover != NO_CARD else move.card
    if rank_of(laid) <= LOW and suit_of(laid) != trump:
        return HintReason.SHEDS, 0
    return None

"""Dealing a match from its secret and nonce, and checking it afterwards."""

from games.models import Deal, Match, Pickup, Seat
from games.rules import SUITS, Position, parse_position
from games.rules.dealing import Dealt, Terms, commitment, deal


class DealError(ValueError):
    """A deal that cannot be checked yet, or that does not follow from its secret."""


def deal_match(match: Match, seats: list[Seat], nonce: bytes) -> Dealt:
    """Return the deal of a match, whose second seat need not be saved yet."""
    chosen = [SUITS.index(seat.trump_choice) if seat.trump_choice else None for seat in seats]
    terms = Terms(match.deck_size, match.deal == Deal.MIRRORED, is_strict(match), (chosen[0], chosen[1]))
    return deal(bytes(match.secret), nonce, terms)


def is_strict(match: Match) -> bool:
    """Whether one must beat when one can."""
    return bool(match.pickup == Pickup.STRICT)


def lead_of_rematch(match: Match, seats: list[Seat]) -> int | None:
    """Return the seat that leads a rematch (rule 3), or None in a first game.

    The previous winner leads; after a draw the lead changes sides. A match without a
    result settles nothing, so the lead is drawn anew.
    """
    earlier = match.rematch_of
    if earlier is None or not earlier.has_result:
        return None
    leading = earlier.winner if earlier.winner is not None else 1 - parse_position(earlier.start).turn
    player = next(seat.user_id for seat in Seat.objects.filter(match=earlier) if seat.number == leading)
    return next((seat.number for seat in seats if seat.user_id == player), None)


def starting_position(match: Match, seats: list[Seat], nonce: bytes) -> Position:
    """Return the position that a match starts from."""
    dealt = deal_match(match, seats, nonce)
    lead = lead_of_rematch(match, seats)
    return dealt.position(dealt.drawn_lead if lead is None else lead, is_strict(match))


def check_deal(match: Match) -> dict[str, str]:
    """Return what shows that a finished match was dealt fairly.

    Raises :class:`DealError` where the match is not over, the secret is not the one that
    was committed to, or the start does not follow from it.
    """
    if not match.is_over or match.nonce is None:
        raise DealError("the secret of a match is shown when it is over")
    secret, nonce = bytes(match.secret), bytes(match.nonce)
    if commitment(secret) != match.commitment:
        raise DealError("the secret is not the one that was committed to")
    start = str(starting_position(match, match.seated, nonce))
    if start != match.start:
        raise DealError(f"the secret and the nonce make another start: {start}")
    return {"secret": secret.hex(), "commitment": match.commitment, "nonce": nonce.hex(), "start": start}

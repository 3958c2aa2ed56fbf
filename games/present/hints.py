"""The hints of a match as a viewer may see them: the answer is for the one who asked alone."""

from collections.abc import Sequence

from django.utils.translation import gettext, ngettext

from games.models import Hint, HintReason, Match, Seat
from games.present import words
from games.present.parts import CardView, HintsView
from games.rules import SUITS, card_name, parse_move, parse_position


def hints_view(match: Match, seat: Seat | None, hints: Sequence[Hint]) -> HintsView:
    """Return what stands about hints at the table; ``seat`` is the viewer's."""
    asked = len({hint.turn for hint in hints if seat is None or hint.seat == seat.number})
    view = HintsView(asked=asked, mine=seat is not None)
    if seat is None or not match.is_running or match.paused_at is not None or match.to_move != seat.number:
        return view
    hint = next((hint for hint in hints if hint.turn == match.turn and hint.seat == seat.number), None)
    view.can_ask = hint is None
    view.waits = hint is not None and hint.answered_at is None
    if hint is not None and hint.answered_at is not None:
        trumps = [SUITS[suit] for suit in parse_position(match.position).trumps]
        move = parse_move(hint.move)
        for card in map(card_name, move.cards):
            view.cards.append(CardView(card, words.trump_of(card, trumps[seat.number], trumps[1 - seat.number])))
        view.move = words.move_phrase(move)
        view.reason = reason_sentence(hint.reason, hint.number)
    return view


def reason_sentence(reason: str, number: int) -> str:
    """Return why a move is the best one, in the reader's language."""
    values = {"count": number}
    counted = {
        HintReason.WINS: ngettext(
            "It wins by force, in %(count)d turn.", "It wins by force, in %(count)d turns.", number
        ),
        HintReason.HOLDS: ngettext(
            "The opponent wins by force; this holds out longest: %(count)d turn.",
            "The opponent wins by force; this holds out longest: %(count)d turns.",
            number,
        ),
        HintReason.STANDS: ngettext(
            "It leaves nothing that beats it: your opponent has to pick up %(count)d card.",
            "It leaves nothing that beats it: your opponent has to pick up %(count)d cards.",
            number,
        ),
        HintReason.KEEPS: ngettext("It keeps %(count)d trump of yours.", "It keeps %(count)d trumps of yours.", number),
        HintReason.GETS: ngettext(
            "It brings %(count)d of your trumps into your hand.",
            "It brings %(count)d of your trumps into your hand.",
            number,
        ),
        HintReason.LOOKS: ngettext(
            "It looks best %(count)d turn ahead.", "It looks best %(count)d turns ahead.", number
        ),
    }
    plain = {
        HintReason.ONLY: gettext("It is the only move that the rules allow."),
        HintReason.DRAWS: gettext("It reaches a draw."),
        HintReason.SAVES: gettext("It beats with your lowest card that can, and saves the better ones."),
        HintReason.SHEDS: gettext("It gets rid of a low card."),
    }
    kind = HintReason(reason)
    return plain[kind] if kind in plain else counted[kind] % values

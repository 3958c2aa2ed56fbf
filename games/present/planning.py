"""Conditional turns as their player reads and makes them, on a table that is played out in advance."""

from dataclasses import dataclass, field

from django.utils.translation import gettext

from games.models import Line, Match, Seat
from games.present import words
from games.present.layout import Sight
from games.present.parts import CardView
from games.present.table import TurnLog
from games.rules import RANKS, SUITS, NotationError, card_name, parse_move


@dataclass(slots=True)
class LaidLine:
    """A line that is kept: its sentences, the opponent's turn first."""

    pk: int
    sentences: list[str]


@dataclass(slots=True)
class Plan:
    """The table after turns that have not been made.

    ``moves`` are these turns, ``sentences`` say them. ``asks`` is what comes next: ``theirs``
    (a turn of the opponent, chosen by ranks and suits: nothing here says what a closed hand
    holds, nor whether it has to beat: ``may_take_theirs`` looks into open hands alone), ``lead``,
    ``beat``, ``cover`` (after ``beat`` is chosen), ``take`` or ``over``.
    """

    moves: list[str]
    sentences: list[str]
    asks: str
    pile: list[CardView]
    pile_count: int
    pickup_count: int
    can_take: bool
    may_take_theirs: bool
    can_keep: bool
    beat: str = ""
    cards: list[CardView] = field(default_factory=list)
    last_card: bool = False
    their_last_card: bool = False

    @property
    def path(self) -> str:
        """The turns as one field of a form."""
        return " ".join(self.moves)


def build(match: Match, seat: Seat, moves: list[str], beat: str = "") -> Plan:
    """Return the table after ``moves``; raises ``ValueError`` where they are not possible."""
    log = TurnLog(match.position)
    log.extend((log_seat(match, number), notation) for number, notation in enumerate(moves))
    position = log.position
    shown = (seat.number == 0, seat.number == 1)
    sight = Sight(position, seat.number, shown, chosen=beat)
    return Plan(
        moves=moves,
        sentences=_sentences(match, seat, log),
        asks="theirs" if sight.stage == "wait" else sight.stage,
        pile=sight.pile[-6:],
        pile_count=len(position.pile),
        pickup_count=position.pickup_count() or 0,
        can_take=position.turn == seat.number and position.can_take(),
        may_take_theirs=bool(position.pile) and (position.can_take() or not match.open_hands),
        can_keep=bool(moves) and len(moves) % 2 == 0,
        beat=sight.chosen.code if sight.chosen else "",
        cards=[card for row in sight.rows() for card in row if card.playable],
        last_card=position.hands[seat.number].bit_count() == 1,
        their_last_card=position.hands[1 - seat.number].bit_count() == 1,
    )


def refusal(match: Match, seat: Seat, moves: list[str], following: str) -> str:
    """Return why a turn cannot follow these, which are possible."""
    log = TurnLog(match.position)
    log.extend((log_seat(match, number), notation) for number, notation in enumerate(moves))
    position = log.position
    if following == "take" and position.turn != seat.number and position.beaters():
        opponent = words.player_name(match.seated[1 - seat.number].user)
        top = words.short_card(card_name(position.pile[-1]))
        return gettext("%(player)s has to beat %(card)s.") % {"player": opponent, "card": top}
    return gettext("That turn is not possible there.")


def log_seat(match: Match, number: int) -> int:
    """Return the seat that makes the turn ``number`` turns after the present one."""
    return ((match.to_move or 0) + number) % 2


def _sentences(match: Match, seat: Seat, log: TurnLog) -> list[str]:
    opponent = words.player_name(match.seated[1 - seat.number].user)
    return [
        words.own_turn_sentence(turn.move, turn.beaten, len(turn.taken))
        if turn.seat == seat.number
        else words.turn_sentence(opponent, turn.move, turn.beaten, len(turn.taken))
        for turn in log.turns
    ]


def laid_lines(match: Match, seat: Seat) -> list[LaidLine]:
    """Return the lines that wait for the opponent's present turn, the oldest first."""
    laid = []
    for line in Line.objects.filter(seat=seat, turn=match.turn):
        log = TurnLog(match.position)
        log.extend((log_seat(match, number), notation) for number, notation in enumerate(line.notations))
        laid.append(LaidLine(line.pk, _sentences(match, seat, log)))
    return laid


def their_move(rank: str, suit: str, cover_rank: str, cover_suit: str) -> str:
    """Return the notation of an opponent's turn that was chosen by ranks and suits; raises ``ValueError``."""
    cards = [r + s for r, s in ((rank, suit), (cover_rank, cover_suit)) if r or s]
    if not cards or any(len(card) != 2 or card[0] not in RANKS or card[1] not in SUITS for card in cards):
        raise NotationError("a card is a rank and a suit")
    return str(parse_move("+".join(cards)))

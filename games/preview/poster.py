"""What a preview picture says of a match: nothing that is hidden from anybody."""

from dataclasses import dataclass

from django.utils.translation import gettext, ngettext

from games.models import Match
from games.present import terms, words
from games.rules import SUITS, Reason, card_name, parse_position

#: So many cards of the pile are shown, the top one last.
PILE_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Side:
    """A player and the suit of their trumps, empty while it is not drawn."""

    name: str
    trump: str


@dataclass(frozen=True, slots=True)
class Poster:
    """The words and cards of one picture; no cards means a picture of backs."""

    sides: tuple[Side, ...]
    headline: str
    detail: str
    cards: tuple[str, ...]

    @property
    def title(self) -> str:
        """The players in one line."""
        return " – ".join(side.name for side in self.sides)


def of_match(match: Match) -> Poster:
    """Return the poster of a match in the active language, as anybody may see it."""
    if not match.start:
        creator = match.seated[0]
        name = words.player_name(creator.user)
        return Poster(
            (Side(name, creator.trump_choice),),
            gettext("%(player)s invites you to a game") % {"player": name},
            " · ".join(terms.describe(match)[:2]),
            (),
        )
    position = parse_position(match.position)
    sides = tuple(Side(words.player_name(seat.user), SUITS[position.trumps[seat.number]]) for seat in match.seated)
    pile = tuple(card_name(card) for card in position.pile[-PILE_SHOWN:])
    return Poster(sides, _headline(match, sides), _detail(match), pile)


def _headline(match: Match, sides: tuple[Side, ...]) -> str:
    if not match.is_over:
        return gettext("Turn %(turn)d") % {"turn": match.turn}
    if match.reason == Reason.ABORTED:
        return gettext("No result")
    if match.winner is None:
        return gettext("A draw")
    return gettext("%(player)s has won") % {"player": sides[match.winner].name}


def _detail(match: Match) -> str:
    if not match.is_over:
        return terms.pace_text(match)
    turns = match.turn - 1
    return ngettext("A game of %(count)d turn", "A game of %(count)d turns", turns) % {"count": turns}

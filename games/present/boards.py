"""A board to try moves on: the table's parts around a position that belongs to no match in play."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext, ngettext

from games.present import words
from games.present.layout import Sight, Viewer, sorts_by_rank
from games.present.parts import Layout, SideView
from games.rules import Position, card_name


@dataclass(slots=True, kw_only=True)
class Board(Layout):
    """What the templates of the table ask for; ``stage`` is that of :class:`games.present.parts.TableView`.

    ``url`` is the address of the board as it stands, without a chosen card.
    """

    url: str
    stage: str
    pickup_count: int
    can_take: bool
    is_seated: bool = True
    is_running: bool = True


def board(
    position: Position,
    near: int,
    names: Sequence[str],
    url: str,
    viewer: Viewer,
    *,
    chosen: str = "",
    plays_both: bool = False,
) -> Board:
    """Return the board with the hand of seat ``near`` in front, sorted for the viewer; it may play if it is to move.

    ``names`` are those of the seats, ``chosen`` the beating card that was chosen without a script. Where the viewer
    ``plays_both`` sides, neither is the own one.
    """
    sight = Sight(position, near, (True, True), chosen=chosen)
    outcome = position.outcome()

    def side(seat: int) -> SideView:
        to_move, won = (position.turn == seat, False) if outcome is None else (False, outcome.winner == seat)
        return sight.side(seat, names[seat], to_move=to_move, won=won, own=seat == near and not plays_both)

    return Board(
        url=url,
        near=side(near),
        far=side(1 - near),
        pile=sight.pile,
        rows=sight.rows(by_rank=sorts_by_rank(viewer)),
        stage=sight.stage,
        sentence=_sentence(position, sight.stage, names),
        chosen=sight.chosen,
        pickup_count=position.pickup_count() or 0,
        can_take=sight.stage in ("beat", "take") and position.can_take(),
    )


def _sentence(position: Position, stage: str, names: Sequence[str]) -> str:
    """Return the one sentence that says what is asked."""
    if stage == "over":
        outcome = position.outcome()
        if outcome is None or outcome.winner is None:
            return gettext("A draw")
        return gettext("%(player)s has won") % {"player": names[outcome.winner]}
    count = position.pickup_count() or 0
    top = position.top
    values = {
        "player": names[position.turn],
        "card": words.short_card(card_name(top)) if top is not None else "",
        "count": count,
    }
    if stage == "lead":
        return gettext("%(player)s leads: any card.") % values
    if stage == "cover":
        return gettext("Now cover it with any second card.")
    if stage == "take":
        return (
            ngettext(
                "%(player)s cannot beat %(card)s: pick up %(count)d card.",
                "%(player)s cannot beat %(card)s: pick up %(count)d cards.",
                count,
            )
            % values
        )
    if stage == "beat" and position.strict:
        return gettext("%(player)s has to beat %(card)s.") % values
    if stage == "beat":
        return (
            ngettext(
                "%(player)s beats %(card)s or picks up %(count)d card.",
                "%(player)s beats %(card)s or picks up %(count)d cards.",
                count,
            )
            % values
        )
    return gettext("%(player)s is to move.") % values

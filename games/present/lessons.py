"""The table of a lesson: what the templates of the real table need, out of a bare position."""

from django.utils.translation import gettext

from games.present import words
from games.present.layout import Sight
from games.present.parts import TableView
from games.rules import Move, Position, card_name
from games.tutorial import LEARNER, Lesson


def lesson_table(lesson: Lesson, address: str, *, chosen: str = "", move: Move | None = None) -> TableView:
    """Return the table before the learner's turn, or after it where ``move``, a legal turn, is given.

    ``chosen`` is the beating card that was chosen without a script; one that does not beat is dropped.
    """
    before = lesson.position
    position = before.play(move) if move is not None else before
    shown = (True, lesson.open_hands)
    sight = Sight(position, LEARNER, shown, stage="wait" if move is not None else "", chosen=chosen)
    mover = position.turn if position.outcome() is None else None
    sentence = _sentence(lesson, before, sight.stage, move)
    return TableView(
        code="",
        url=address,
        turn=1 if move is None else 2,
        stage=sight.stage,
        sentence=sentence,
        title=str(lesson.title),
        near=sight.side(LEARNER, gettext("You"), to_move=mover == LEARNER, own=True),
        far=sight.side(1 - LEARNER, gettext("Your opponent"), to_move=mover == 1 - LEARNER),
        pile=sight.pile,
        rows=sight.rows(new=position.hands[LEARNER] & ~before.hands[LEARNER]),
        chosen=sight.chosen,
        pickup_count=position.pickup_count() or 0,
        can_take=move is None and before.can_take(),
        is_seated=True,
        is_paused=False,
        is_running=move is None,
        terms=[],
        commitment="",
        draw_offer="",
        draw_declined=False,
        can_abort=False,
        can_claim_time=False,
        confirm_turns=False,
        latest="",
    )


def _sentence(lesson: Lesson, before: Position, stage: str, move: Move | None) -> str:
    if move is not None:
        beaten = None if before.top is None else card_name(before.top)
        return words.own_turn_sentence(move, beaten, before.pickup_count() or 0)
    return gettext("Now cover it with any second card.") if stage == "cover" else str(lesson.asks)

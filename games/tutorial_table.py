"""The table of a lesson: what the templates of the real table need, out of a bare position."""

from django.utils.translation import gettext

from games import words
from games.present import CardView, SideView, TableView
from games.rules import SUITS, Move, Position, card_name, cards_of, parse_card
from games.tutorial import LEARNER, Lesson


def lesson_table(lesson: Lesson, address: str, *, chosen: str = "", move: Move | None = None) -> TableView:
    """Return the table before the learner's turn, or after it where ``move``, a legal turn, is given.

    ``chosen`` is the beating card that was chosen without a script; one that does not beat is dropped.
    """
    before = lesson.position
    position = before.play(move) if move is not None else before
    beaters = {card_name(card) for card in cards_of(before.beaters())}
    if move is not None or chosen not in beaters or before.hands[LEARNER].bit_count() < 2:
        chosen = ""
    stage = "wait" if move is not None else _stage(before, chosen)
    picked_up = position.hands[LEARNER] & ~before.hands[LEARNER]
    sentence = _sentence(lesson, before, stage, move)
    return TableView(
        code="",
        url=address,
        turn=1 if move is None else 2,
        stage=stage,
        sentence=sentence,
        title=str(lesson.title),
        near=_side(position, LEARNER, gettext("You"), shown=True),
        far=_side(position, 1 - LEARNER, gettext("Your opponent"), shown=lesson.open_hands),
        pile=[_card(position, card) for card in position.pile],
        rows=_rows(position, stage, chosen, picked_up),
        chosen=_card(position, parse_card(chosen)) if chosen else None,
        pickup_count=position.pickup_count() or 0,
        can_take=move is None and before.can_take(),
        is_seated=True,
        is_paused=False,
        is_running=move is None,
        open_hands=lesson.open_hands,
        terms=[],
        commitment="",
        draw_offer="",
        draw_declined=False,
        can_abort=False,
        can_claim_time=False,
        confirm_turns=False,
        announcement=sentence,
    )


def _stage(position: Position, chosen: str) -> str:
    if not position.pile:
        return "lead"
    if not position.beaters():
        return "take"
    return "cover" if chosen else "beat"


def _sentence(lesson: Lesson, before: Position, stage: str, move: Move | None) -> str:
    if move is not None:
        beaten = None if before.top is None else card_name(before.top)
        return words.own_turn_sentence(move, beaten, before.pickup_count() or 0)
    return gettext("Now cover it with any second card.") if stage == "cover" else str(lesson.asks)


def _card(position: Position, card: int, playable: bool = False, new: bool = False) -> CardView:
    code = card_name(card)
    near, far = (SUITS[suit] for suit in position.trumps)
    return CardView(code, words.trump_of(code, near, far), playable, new)


def _side(position: Position, seat: int, name: str, *, shown: bool) -> SideView:
    trump = SUITS[position.trumps[seat]]
    hand = position.hands[seat]
    rows = words.sort_hand(list(cards_of(hand)), trump, by_rank=False)
    return SideView(
        seat=seat,
        name=name,
        username="",
        is_computer=False,
        is_guest=True,
        trump=trump,
        trump_name=words.suit_name(trump),
        card_count=hand.bit_count(),
        to_move=position.turn == seat and position.outcome() is None,
        won=False,
        cards=[_card(position, card) for row in rows for card in row] if shown else None,
    )


def _rows(position: Position, stage: str, chosen: str, picked_up: int) -> list[list[CardView]]:
    hand = position.hands[LEARNER]
    playable = {"lead": hand, "cover": hand, "beat": position.beaters()}.get(stage, 0)
    left = [card for card in cards_of(hand) if card_name(card) != chosen]
    rows = words.sort_hand(left, SUITS[position.trumps[LEARNER]], by_rank=False)
    return [
        [_card(position, card, bool(playable >> card & 1), bool(picked_up >> card & 1)) for card in row] for row in rows
    ]

"""Three people at once do anything that the services offer, in any order, with any arguments."""

import contextlib
import datetime
from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import get_random_string
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from games.models import ChatLine, Match, Move, Status
from games.rules import parse_move, parse_position
from games.services import blocking, chatting, ending, playing, seating
from games.services.errors import MatchError
from games.services.moderation import matches, measures
from games.services.moderation.desk import Order
from tests.games import cast
from tests.moderation import staff

PLAYERS = st.integers(0, 2)
TURNS = st.one_of(st.just(None), st.integers(-2, 9))
OTHER_DEEDS = ("resign", "abort", "offer", "accept", "drop", "claim", "rematch")
OUTCOMES = ("0", "1", "draw", "void", "2")
CARDS = st.sampled_from(["take", "6C", "AS", "9H+KD", "6C+6C", "", "x", "🂡", "take+take", "TS+"])


class ThreeAtOnce(RuleBasedStateMachine):
    """The services as a state machine: whatever is refused changes nothing, whatever is done is in the log."""

    def __init__(self) -> None:
        super().__init__()
        self.savepoint = transaction.atomic()
        self.savepoint.__enter__()

    def teardown(self) -> None:
        """Leave the database as it was."""
        transaction.set_rollback(True)
        self.savepoint.__exit__(None, None, None)

    @initialize()
    def sit_around(self) -> None:
        """Make three players, a moderator and a match."""
        mark = get_random_string(5, "bcdfgh")
        self.players = [cast.person(f"{name}{mark}") for name in ("Ana", "Boris", "Cara")]
        self.moderator = staff.moderator(f"Mira{mark}")
        self.codes = [cast.start_match(self.players[0], self.players[1]).code]

    def _code(self, number: int) -> str:
        return self.codes[number % len(self.codes)]

    def _try(self, deed: Callable[[], Any]) -> Any:
        before = self._state()
        with contextlib.suppress(MatchError), transaction.atomic():
            return deed()
        assert self._state() == before, "a refusal changed something"
        return None

    def _state(self) -> list[tuple[Any, ...]]:
        fields = ("code", "status", "turn", "position", "winner", "reason", "draw_offered_by", "paused_at")
        return sorted(Match.objects.filter(code__in=self.codes).values_list(*fields))

    @rule(who=PLAYERS, where=st.integers(0, 5), turn=TURNS, move=CARDS)
    def play_anything(self, who: int, where: int, turn: int | None, move: str) -> None:
        """Send any text as a move."""
        match = Match.objects.get(code=self._code(where))
        turn = match.turn if turn is None else turn
        self._try(lambda: playing.play(match.code, self.players[who], turn, move))

    @rule(who=PLAYERS, where=st.integers(0, 5), choice=st.integers(0, 500))
    def play_a_legal_move(self, who: int, where: int, choice: int) -> None:
        """Send a move that the rules allow, as whoever."""
        match = Match.objects.get(code=self._code(where))
        legal = sorted(map(str, match.rules_position.legal_moves())) if match.start and match.is_running else ["take"]
        self._try(lambda: playing.play(match.code, self.players[who], match.turn, legal[choice % len(legal)]))

    @rule(who=PLAYERS, where=st.integers(0, 5), turn=TURNS, what=st.sampled_from(OTHER_DEEDS))
    def do_something_else(self, who: int, where: int, turn: int | None, what: str) -> None:
        """Resign, abort, offer and answer draws, claim time, ask for a rematch."""
        match = Match.objects.get(code=self._code(where))
        user, code = self.players[who], match.code
        turn = match.turn if turn is None else turn
        deeds: dict[str, Callable[[], Any]] = {
            "resign": lambda: ending.resign(code, user),
            "abort": lambda: ending.abort(code, user, turn),
            "offer": lambda: ending.offer_draw(code, user, turn),
            "accept": lambda: ending.accept_draw(code, user),
            "drop": lambda: ending.drop_draw(code, user),
            "claim": lambda: ending.claim_time(code, user),
            "rematch": lambda: seating.offer_rematch(code, user),
        }
        made = self._try(deeds[what])
        if made is not None:
            self.codes.append(made.code)

    @rule(who=PLAYERS, whom=PLAYERS, live=st.booleans(), trump=st.sampled_from(["", "S", "H", "X"]))
    def make_a_match(self, who: int, whom: int, live: bool, trump: str) -> None:
        """Offer a seat, to anyone or to one player."""
        terms = cast.LIVE if live else cast.UNTIMED
        more = {"open_to": "player", "invited": self.players[whom]} if who != whom else {"open_to": "link"}
        made = self._try(lambda: seating.create(self.players[who], terms, trump=trump, **more))
        if made is not None:
            self.codes.append(made.code)

    @rule(who=PLAYERS, where=st.integers(0, 5), what=st.sampled_from(["accept", "decline", "cancel"]))
    def answer_a_match(self, who: int, where: int, what: str) -> None:
        """Accept, decline or withdraw whatever there is."""
        self._try(lambda: getattr(seating, what)(self._code(where), self.players[who]))

    @rule(who=PLAYERS, where=st.integers(0, 5), text=st.text(max_size=210), preset=st.sampled_from(["", "hello", "no"]))
    def say(self, who: int, where: int, text: str, preset: str) -> None:
        """Say anything anywhere."""
        self._try(lambda: chatting.say(self._code(where), self.players[who], text=text, preset=preset))

    @rule(who=PLAYERS, whom=PLAYERS, on=st.booleans())
    def block(self, who: int, whom: int, on: bool) -> None:
        """Block and unblock, oneself too."""
        act = blocking.block if on else blocking.unblock
        self._try(lambda: act(self.players[who], self.players[whom]))

    @rule(
        whom=PLAYERS,
        what=st.sampled_from(["suspend", "lift", "end"]),
        turn=TURNS,
        outcome=st.sampled_from(["0", "1", "draw", "void", "2"]),
    )
    def moderate(self, whom: int, what: str, turn: int | None, outcome: str) -> None:
        """Suspend somebody, lift it, or decide a match."""
        order = Order(self.moderator, self.players[whom], "other")
        match = Match.objects.get(code=self._code(whom))
        turn = match.turn if turn is None else turn
        deeds: dict[str, Callable[[], Any]] = {
            "suspend": lambda: measures.suspend(order, timezone.now() + datetime.timedelta(hours=1)) and None,
            "lift": lambda: measures.lift(order, "suspend") and None,
            "end": lambda: matches.end_match(order, match.code, turn, outcome),
        }
        self._try(deeds[what])

    @invariant()
    def every_position_is_its_log(self) -> None:
        """Each match stands where its log, replayed from its deal, leads: no state without legal moves."""
        for match in Match.objects.filter(code__in=getattr(self, "codes", [])).exclude(start=""):
            position = parse_position(match.start)
            log = list(Move.objects.filter(match=match).order_by("turn").values_list("seat", "notation"))
            for seat, notation in log:
                assert seat == position.turn
                position = position.play(parse_move(notation))
            assert str(position) == match.position
            assert match.turn == len(log) + 1
            assert (match.status == Status.FINISHED) == bool(match.reason)

    @invariant()
    def nothing_unclean_was_said(self) -> None:
        """Whatever was said is one line of at most 200 characters."""
        for text in ChatLine.objects.values_list("text", flat=True):
            assert len(text) <= 200
            assert "\n" not in text


@pytest.mark.django_db
@pytest.mark.slow
def test_three_players_at_once_cannot_break_the_services() -> None:
    checks = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.filter_too_much]
    run_state_machine_as_test(
        ThreeAtOnce,
        settings=settings(max_examples=25, stateful_step_count=25, deadline=None, suppress_health_check=checks),
    )

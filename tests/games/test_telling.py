"""Others are told after the commit, of what changed and nothing else."""

import threading
import time
from typing import Any

import pytest
from django.db import connection, transaction

from accounts.models import User
from games import broadcast
from games.models import Match, OpenTo
from games.services import ending, hints, lines, livening, presence, seating
from games.services.errors import MatchError
from games.services.playing import play
from tests.games.cast import (
    DAYS,
    LIVE,
    ROUND,
    ROUND_TRIP,
    SHORT,
    any_move,
    computer,
    mover,
    open_match,
    play_randomly,
    start_match,
    waiter,
)

Messages = list[tuple[str, dict[str, Any]]]


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Messages:
    """What goes to the channel layer, in order."""
    sent: Messages = []

    async def note(messages: Messages) -> None:
        sent.extend(messages)

    monkeypatch.setattr(broadcast, "_send", note)
    return sent


def groups(told: Messages) -> set[str]:
    return {group for group, _ in told}


@pytest.mark.django_db(transaction=True)
class TestWhoIsTold:
    def test_a_turn_is_told_to_the_table_with_the_lists_that_show_it(
        self, told: Messages, ana: User, boris: User, cara: User
    ) -> None:
        match = start_match(ana, boris)
        told.clear()
        play(match.code, mover(match), 1, any_move(match))
        bells = {f"account.{user.pk}" for user in (ana, boris)}
        assert groups(told) == {f"match.{match.code}", *bells}
        assert (f"match.{match.code}", {"type": "match.changed", "code": match.code, "turn": 2}) in told

    def test_no_message_carries_a_card(self, told: Messages, ana: User, boris: User) -> None:
        match = start_match(ana, boris)
        move = any_move(match)
        play(match.code, mover(match), 1, move)
        ending.resign(match.code, ana)
        assert {name for _, message in told for name in message} <= {"type", "code", "turn"}

    def test_the_lobby_hears_of_seats_in_the_lobby_alone(
        self, told: Messages, ana: User, boris: User, cara: User
    ) -> None:
        seat = open_match(ana, LIVE, open_to=OpenTo.LOBBY)
        assert broadcast.LOBBY_GROUP in groups(told)
        told.clear()
        seating.accept(seat.code, boris)
        assert {broadcast.LOBBY_GROUP, f"match.{seat.code}"} <= groups(told)
        told.clear()
        invitation = open_match(ana, open_to=OpenTo.PLAYER, invited=cara)
        seating.decline(invitation.code, cara)
        concerned = {f"{kind}.{user.pk}" for kind in ("player", "account") for user in (ana, cara)}
        assert groups(told) == {f"match.{invitation.code}", *concerned}

    def test_nobody_is_told_of_an_offer_that_is_dropped_and_was_not_there(
        self, told: Messages, ana: User, boris: User
    ) -> None:
        match = start_match(ana, boris, DAYS)
        told.clear()
        ending.drop_draw(match.code, ana)
        livening.drop(match.code, ana)
        assert f"match.{match.code}" not in groups(told)
        ending.offer_draw(match.code, ana, 1)
        told.clear()
        ending.drop_draw(match.code, boris)
        assert f"match.{match.code}" in groups(told)

    def test_nobody_but_the_asker_is_told_where_nothing_changed(self, told: Messages, ana: User, boris: User) -> None:
        match = play_randomly(start_match(ana, boris, DAYS), 2)
        against = start_match(ana, computer(), position=SHORT)
        for player in (ana, boris):
            presence.hear(match.code, player.pk)

        def ask() -> None:
            ending.offer_draw(match.code, ana, match.turn)
            livening.offer(match.code, ana)
            hints.ask(against.code, ana, 1)

        ask()
        assert {f"match.{match.code}", f"match.{against.code}"} <= groups(told)
        told.clear()
        ask()
        assert told == [(f"account.{ana.pk}", {"type": "account.changed"})] * 3

    def test_who_lays_down_a_line_or_erases_it_is_told_and_the_opponent_is_not(
        self, told: Messages, ana: User, boris: User
    ) -> None:
        match = start_match(ana, boris, DAYS, position=ROUND)
        told.clear()
        for _ in range(2):
            lines.lay(match.code, boris, 1, list(ROUND_TRIP[:2]))
            lines.erase(match.code, boris)
        assert told
        assert groups(told) == {f"account.{boris.pk}"}

    @pytest.mark.parametrize("verb", ["resign", "abort", "offer", "claim", "rematch"])
    def test_every_change_is_told_to_the_table(self, told: Messages, ana: User, boris: User, verb: str) -> None:
        match = start_match(ana, boris, LIVE)
        if verb == "rematch":
            ending.resign(match.code, ana)
        if verb == "claim":
            Match.objects.filter(pk=match.pk).update(deadline=match.turn_started_at)
        told.clear()
        {
            "resign": lambda: ending.resign(match.code, ana),
            "abort": lambda: ending.abort(match.code, ana, 1),
            "offer": lambda: ending.offer_draw(match.code, ana, 1),
            "claim": lambda: ending.claim_time(match.code, ana),
            "rematch": lambda: seating.offer_rematch(match.code, ana),
        }[verb]()
        assert f"match.{match.code}" in groups(told)

    def test_nobody_is_told_of_what_was_refused(self, told: Messages, ana: User, boris: User) -> None:
        match = start_match(ana, boris)
        told.clear()
        for refused in (
            lambda: play(match.code, waiter(match), 1, any_move(match)),
            lambda: play(match.code, mover(match), 1, "nonsense"),
            lambda: play(match.code, mover(match), 7, any_move(match)),
            lambda: ending.accept_draw(match.code, ana),
            lambda: seating.accept(match.code, mover(match), "X"),
        ):
            try:
                refused()
            except MatchError:
                continue
        assert told == []

    def test_nobody_is_told_of_what_is_rolled_back(self, told: Messages, ana: User, boris: User) -> None:
        match = start_match(ana, boris)
        told.clear()
        with transaction.atomic():
            play(match.code, mover(match), 1, any_move(match))
            transaction.set_rollback(True)
        assert told == []
        assert Match.objects.get(pk=match.pk).turn == 1

    def test_a_channel_layer_that_fails_undoes_no_turn(
        self, monkeypatch: pytest.MonkeyPatch, ana: User, boris: User, caplog: pytest.LogCaptureFixture
    ) -> None:
        match = start_match(ana, boris)

        async def fail(messages: Messages) -> None:
            raise ConnectionError("the layer is down")

        monkeypatch.setattr(broadcast, "_send", fail)
        play(match.code, mover(match), 1, any_move(match))
        assert Match.objects.get(pk=match.pk).turn == 2
        assert "the layer is down" in caplog.text


@pytest.mark.django_db(transaction=True)
def test_whoever_is_told_sees_the_new_state_however_long_the_commit_takes(
    monkeypatch: pytest.MonkeyPatch, ana: User, boris: User
) -> None:
    match = start_match(ana, boris)
    told, seen = threading.Event(), []

    def look_again() -> None:
        told.wait(10)
        seen.append(Match.objects.get(pk=match.pk).turn)
        connection.close()

    async def tell(messages: Messages) -> None:
        told.set()

    monkeypatch.setattr(broadcast, "_send", tell)
    looker = threading.Thread(target=look_again)
    looker.start()
    with transaction.atomic():
        play(match.code, mover(match), 1, any_move(match))
        time.sleep(0.3)
        assert not told.is_set()
    looker.join(10)
    assert seen == [2]

"""Matches of a suspended player: what stands still and goes on in front of its players, and what ends at once."""

import datetime
from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.models import Delivery, DeliveryState, Event, Match, NoResult, Notice, OfficialWord, Reader, Status
from games.notices import relevance
from games.rules import Reason
from games.services import fairplay, leaving, livening, presence
from games.services.moderation import measures
from games.services.moderation.matches import resume_due
from games.worker import sweep
from tests.games import cast

pytestmark = pytest.mark.django_db
MINUTE = datetime.timedelta(minutes=1)
HOUR = datetime.timedelta(hours=1)
WEEK = datetime.timedelta(days=7)
EVENING = datetime.datetime(2026, 3, 2, 20, tzinfo=datetime.UTC)


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    """Time that stands in the evening and moves when it is told to."""
    with time_machine.travel(EVENING, tick=False) as traveller:
        yield traveller


@pytest.fixture
def pressed(clock: time_machine.Traveller, ana: User, boris: User) -> Match:
    """A match in which Ana has 90 minutes left for her turn, after all that a player is told of one."""
    match = cast.play(cast.start_match(ana, boris, cast.DAYS, position=cast.ROUND), "3H", "TH+KS")
    clock.shift(3 * 24 * HOUR - 90 * MINUTE)
    Delivery.objects.filter(match=match, user=ana).update(state=DeliveryState.SENT, done_at=timezone.now())
    Reader.objects.update_or_create(user=ana, defaults={"turn_mailed_at": EVENING + 10 * MINUTE})
    return match


def stop_and_go_on(order: Any, clock: time_machine.Traveller) -> None:
    measures.suspend(order(), timezone.now() + WEEK)
    clock.shift(WEEK)
    assert resume_due() == 1


def wanted(match: Match, user: User, event: Event) -> list[Delivery]:
    """The mails about a match that are still to be sent to a player."""
    return list(Delivery.objects.waiting().filter(match=match, user=user, event=event, channel="mail"))


class TestGoesOn:
    def test_the_player_to_move_has_a_day_and_is_told_of_the_turn_and_warned_anew(
        self, pressed: Match, order: Any, clock: time_machine.Traveller, ana: User
    ) -> None:
        Notice.objects.all().delete()
        stop_and_go_on(order, clock)
        now = timezone.now()
        pressed.refresh_from_db()
        assert pressed.deadline == now + 24 * HOUR
        assert [notice.event for notice in Notice.objects.filter(user=ana, match=pressed)] == [Event.TURN]
        (turn,) = wanted(pressed, ana, Event.TURN)
        assert [mail.due_at for mail in wanted(pressed, ana, Event.LOW_TIME)] == [
            pressed.deadline - 0.2 * 72 * HOUR,
            pressed.deadline - 2 * HOUR,
        ]
        clock.shift(10 * MINUTE)
        assert relevance.why_not(turn, timezone.now()) == ""
        assert relevance.claim_turn_mail(turn, timezone.now())

    def test_who_looked_at_the_turn_before_is_told_all_the_same(
        self, pressed: Match, order: Any, clock: time_machine.Traveller, ana: User
    ) -> None:
        presence.look(pressed, ana, pressed.turn)
        stop_and_go_on(order, clock)
        (turn,) = wanted(pressed, ana, Event.TURN)
        clock.shift(10 * MINUTE)
        assert relevance.why_not(turn, timezone.now()) == ""

    def test_who_had_more_than_a_day_left_has_that(
        self, order: Any, clock: time_machine.Traveller, ana: User, boris: User
    ) -> None:
        match = cast.start_match(ana, boris, cast.DAYS)
        clock.shift(HOUR)
        stop_and_go_on(order, clock)
        match.refresh_from_db()
        assert match.deadline == timezone.now() + 71 * HOUR

    def test_a_match_without_a_clock_is_told_of_too(
        self, order: Any, clock: time_machine.Traveller, ana: User, boris: User
    ) -> None:
        match = cast.start_match(ana, boris, position=cast.ROUND)
        Delivery.objects.update(state=DeliveryState.SENT)
        stop_and_go_on(order, clock)
        match.refresh_from_db()
        assert match.deadline is None
        assert len(wanted(match, ana, Event.TURN)) == 1

    def test_one_that_was_played_on_live_has_its_days_again(
        self, order: Any, clock: time_machine.Traveller, ana: User, boris: User
    ) -> None:
        match = cast.play_randomly(cast.start_match(ana, boris, cast.DAYS), 1)
        for player in (ana, boris):
            presence.hear(match.code, player.pk)
        for player in (ana, boris):
            livening.offer(match.code, player)
        clock.shift(MINUTE)
        stop_and_go_on(order, clock)
        match = cast.check(match)
        assert not match.livened
        assert match.deadline == timezone.now() + 72 * HOUR


class TestLive:
    def test_it_ends_without_a_result_and_nobody_s_doing(
        self, order: Any, clock: time_machine.Traveller, ana: User, boris: User
    ) -> None:
        match = cast.play_randomly(cast.start_match(ana, boris, cast.LIVE), 3)
        measures.suspend(order(), timezone.now() + WEEK)
        match = cast.check(match)
        assert (match.status, match.reason, match.no_result) == (Status.FINISHED, Reason.ABORTED, NoResult.MODERATOR)
        assert (match.winner, match.ended_by, match.paused_at) == (None, None, None)
        assert fairplay.spoilt(boris) == 0
        assert OfficialWord.objects.get(user=ana, match=match)
        clock.shift(WEEK)
        assert (resume_due(), sweep()) == (0, 0)

    def test_a_clock_that_had_run_out_before_decides_it(
        self, order: Any, clock: time_machine.Traveller, ana: User, boris: User
    ) -> None:
        match = cast.play_randomly(cast.start_match(ana, boris, cast.LIVE), 3)
        clock.shift(HOUR)
        measures.suspend(order(), timezone.now() + WEEK)
        assert cast.check(match).reason == Reason.TIME

    def test_it_is_left_alone_where_the_suspension_was_lifted_before_it_could_be_ended(
        self, order: Any, clock: time_machine.Traveller, ana: User, boris: User
    ) -> None:
        match = cast.start_match(ana, boris, cast.LIVE)
        with transaction.atomic():
            leaving.put_down(boris, measures.STAND)
        leaving.carry_out(boris)
        assert cast.check(match).status == Status.RUNNING

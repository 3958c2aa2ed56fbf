"""Whoever leaves or is barred leaves at once; the matches follow, each by itself, whatever happens on the way."""

import datetime
from collections.abc import Callable
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.utils import timezone

from accounts.models import User
from games.admin.measures import take
from games.models import Case, Departure, Leaving, Match, OfficialWord, OpenTo, Status
from games.rules import Reason
from games.services import cleanup, ending, leaving, playing, privacy, seating, table
from games.services.errors import BarredError, MatchPausedError, SeatTakenError
from games.services.moderation import measures
from games.services.moderation.matches import resume_due
from games.worker import sweep
from tests.games import cast

pytestmark = pytest.mark.django_db
MINUTE = datetime.timedelta(minutes=1)
MONTH = datetime.timedelta(days=30)


@pytest.fixture
def crash(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Let the process die right after an account was closed or barred; what is returned brings the next one up."""
    with monkeypatch.context() as dying:
        dying.setattr(leaving, "carry_out", lambda user: None)
        yield dying.undo


def suspend(order: Any, running: str = measures.STAND) -> None:
    measures.suspend(order(), timezone.now() + 30 * MINUTE, running)


def close(order: Any) -> None:
    measures.close(order())


def leave(order: Any) -> None:
    privacy.close_account(order().subject)


@pytest.mark.parametrize(
    ("go", "status", "reason"),
    [
        (suspend, Status.RUNNING, ""),
        (close, Status.FINISHED, Reason.MODERATOR),
        (leave, Status.FINISHED, Reason.RESIGNATION),
    ],
)
def test_what_a_crash_leaves_over_is_done_by_a_worker_and_done_once(
    crash: Callable[[], None], order: Any, ana: User, boris: User, go: Callable[..., None], status: str, reason: str
) -> None:
    running = [cast.play_randomly(cast.start_match(ana, boris, cast.DAYS), 2) for _ in range(2)]
    offer = cast.open_match(boris, cast.DAYS, open_to=OpenTo.LOBBY)
    go(order)
    crash()
    boris.refresh_from_db()
    with pytest.raises(BarredError):
        seating.create(boris, cast.DAYS, open_to=OpenTo.LOBBY)
    with pytest.raises(SeatTakenError):
        seating.accept(offer.code, ana)
    # Whoever has begun is not disturbed.
    assert leaving.carry_out_due() == 0
    with time_machine.travel(timezone.now() + leaving.LEASE + MINUTE):
        assert leaving.carry_out_due() == 1
        assert leaving.carry_out_due() == 0
    assert not Leaving.objects.exists()
    assert cast.check(offer).status == Status.CANCELLED
    for match in running:
        match = Match.objects.get(pk=match.pk)
        assert (match.status, match.reason, match.winner) == (status, reason, 0 if reason else None)
        assert (match.paused_at is not None) == (go is suspend)
        assert OfficialWord.objects.filter(user=ana, match=match).count() == (0 if go is leave else 1)


def test_matches_against_a_suspended_player_stand_still_before_they_are_stopped_and_lose_no_time(
    crash: Callable[[], None], order: Any, ana: User, boris: User
) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        match = cast.play_randomly(cast.start_match(ana, boris, cast.DAYS), 2)
        left = match.deadline - timezone.now()
        measures.suspend(order(), timezone.now() + MONTH)
        crash()
        who, move = cast.mover(match), cast.any_move(match)
        with pytest.raises(MatchPausedError):
            playing.play(match.code, who, match.turn, move)
        clock.shift(left + MINUTE)
        assert sweep() == 0
        leaving.carry_out_due()
        match.refresh_from_db()
        assert match.paused_at is not None
        clock.shift(MONTH)
        assert resume_due() == 1
        match.refresh_from_db()
        assert match.deadline - timezone.now() == left
        playing.play(match.code, who, match.turn, move)


def test_a_match_that_cannot_be_ended_keeps_no_other_waiting_and_is_come_back_to(
    order: Any, ana: User, boris: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, sound = (cast.play_randomly(cast.start_match(ana, boris), 2) for _ in range(2))

    def fail_once(code: str) -> Any:
        if code == broken.code:
            raise RuntimeError("a row that nobody can read")
        return table.held(code)

    monkeypatch.setattr(leaving, "held", fail_once)
    close(order)
    boris.refresh_from_db()
    assert boris.is_suspended_for_good
    assert (cast.check(broken).status, cast.check(sound).status) == (Status.RUNNING, Status.FINISHED)
    monkeypatch.undo()
    with time_machine.travel(timezone.now() + leaving.LEASE + MINUTE):
        assert leaving.carry_out_due() == 1
    assert cast.check(broken).reason == Reason.MODERATOR
    assert not Leaving.objects.exists()


def test_what_begins_after_one_has_come_back_is_left_alone(crash: Callable[[], None], ana: User, boris: User) -> None:
    earlier = cast.play_randomly(cast.start_match(ana, boris), 2)
    privacy.close_account(ana)
    crash()
    ana = privacy.reopen_account(ana)
    later = cast.play_randomly(cast.start_match(ana, boris), 2)
    offer = cast.open_match(ana)
    leaving.carry_out(ana)
    assert cast.check(earlier).reason == Reason.RESIGNATION
    assert (cast.check(later).status, cast.check(offer).status) == (Status.RUNNING, Status.OPEN)


def test_a_suspension_that_was_lifted_stops_nothing_more(
    crash: Callable[[], None], order: Any, ana: User, boris: User
) -> None:
    match = cast.start_match(ana, boris, cast.LIVE)
    suspend(order)
    crash()
    measures.lift(order(), "suspend")
    leaving.carry_out(boris)
    assert cast.check(match).paused_at is None
    ending.resign(match.code, boris)
    assert not Leaving.objects.exists()


def test_whoever_has_nothing_to_give_up_leaves_nothing_to_do(ana: User, crash: Callable[[], None]) -> None:
    privacy.close_account(ana)
    assert not Leaving.objects.exists()


def through_the_desk(mira: User, case: Case, **chosen: Any) -> None:
    take(case, mira, {"reason": "chat", "why": "seen", "message": "", "keep_open": False} | chosen)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("way", ["closed by a moderator", "suspended", "renamed", "owner", "guest"])
def test_no_transaction_holds_more_than_one_of_the_matches(
    way: str, mira: User, case: Case, ana: User, boris: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        cast.start_match(ana, boris)
        cast.open_match(boris)
    held_within: list[bool] = []

    def watched(held: Callable[[str], Any]) -> Callable[[str], Any]:
        def hold(code: str) -> Any:
            held_within.append(connection.in_atomic_block)
            return held(code)

        return hold

    for module in (leaving, seating):
        monkeypatch.setattr(module, "held", watched(module.held))
    if way == "closed by a moderator":
        through_the_desk(mira, case, verb="close")
    elif way == "suspended":
        until = timezone.now() + MINUTE
        through_the_desk(mira, case, verb="suspend", until=until, running=Departure.STAND)
    elif way == "renamed":
        through_the_desk(mira, case, verb="rename")
    elif way == "owner":
        privacy.close_account(boris)
    else:
        User.objects.filter(pk=boris.pk).update(kind="guest", last_active_at=timezone.now() - 31 * 24 * 60 * MINUTE)
        cleanup.clean_guests()
    assert held_within == [False] * (2 if way == "renamed" else 4)
    assert not Leaving.objects.exists()
    if way not in ("owner", "guest"):
        case.refresh_from_db()
        assert case.closed_at is not None

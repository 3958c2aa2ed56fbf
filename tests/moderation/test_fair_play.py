"""What looks like foul play is flagged, not refused; spoiling matches lowers how many one may begin."""

import datetime

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from games.client import Client as Visitor
from games.models import Case, Flag, FlagKind, Match, Move, Status, Trace
from games.services import ending, fairplay, seating, traces
from games.services.errors import TooManyMatchesError
from tests.games import cast

pytestmark = pytest.mark.django_db


def test_two_seats_from_one_browser_are_flagged_and_play(ana: User, boris: User) -> None:
    browser = Client()
    browser.force_login(ana)
    made = browser.post("/new/", {"opponent": "link", "time": "live-10-10"})
    device = browser.cookies["device"].value
    browser.logout()
    browser.cookies["device"] = device
    browser.force_login(boris)
    assert browser.post(f"{made.url}accept/").status_code == 302
    flag = Flag.objects.get()
    assert (flag.user, flag.other, flag.kind) == (boris, ana, FlagKind.SAME_DEVICE)
    assert Match.objects.get().status == Status.RUNNING
    assert Case.objects.get().reported == boris


def test_players_with_nothing_in_common_are_not_flagged(ana: User, boris: User) -> None:
    traces.note(ana, Visitor("192.0.2.1", "a" * 32, "one"))
    traces.note(boris, Visitor("192.0.2.2", "b" * 32, "two"))
    cast.start_match(ana, boris)
    assert not Flag.objects.exists()


def test_one_address_is_a_flag_of_its_own(ana: User, boris: User) -> None:
    traces.note(ana, Visitor("192.0.2.1", "a" * 32))
    traces.note(boris, Visitor("192.0.2.1", "b" * 32))
    cast.start_match(ana, boris)
    assert Flag.objects.get().kind == FlagKind.SAME_ADDRESS


def test_traces_are_keyed_hashes_that_go_after_ninety_days(ana: User) -> None:
    traces.note(ana, Visitor("192.0.2.1"))
    trace = Trace.objects.get()
    assert "192" not in trace.digest
    now = timezone.now()
    assert traces.forget_old(now + datetime.timedelta(days=89)) == 0
    assert traces.forget_old(now + datetime.timedelta(days=91)) == 1


def test_whoever_aborts_often_may_begin_few_at_once(ana: User, boris: User) -> None:
    for _ in range(fairplay.SPOILT):
        match = cast.start_match(ana, boris, cast.LIVE)
        ending.abort(match.code, ana, 1)
    for _ in range(fairplay.AT_ONCE_LOWERED):
        cast.open_match(ana, cast.LIVE)
    with pytest.raises(TooManyMatchesError):
        cast.open_match(ana, cast.LIVE)
    assert Flag.objects.get().kind == FlagKind.ABORTS
    for _ in range(fairplay.AT_ONCE_LOWERED + 1):
        cast.open_match(boris, cast.LIVE)


def test_there_is_an_end_to_what_one_may_begin(ana: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fairplay, "AT_ONCE", 3)
    for _ in range(3):
        cast.open_match(ana)
    with pytest.raises(TooManyMatchesError):
        cast.open_match(ana)


@pytest.mark.parametrize(
    ("seconds", "kind"),
    [
        ([3.0, 3.1] * 10, FlagKind.EVEN_TIMES),
        ([0.2, 0.5] * 10, FlagKind.QUICK_TIMES),
        ([1.0, 9.0, 3.0, 14.0] * 5, ""),
        ([3.0] * 5, ""),
    ],
)
def test_times_are_judged(seconds: list[float], kind: str) -> None:
    assert fairplay.judge(seconds)[0] == kind


def test_a_finished_match_with_even_times_is_flagged_once_and_nothing_else_happens(ana: User, boris: User) -> None:
    match = cast.start_match(ana, boris, cast.LIVE)
    began = timezone.now() - datetime.timedelta(minutes=9)
    at = began
    for turn in range(1, 42):
        # One seat always takes three seconds, the other now two, now twenty.
        at += datetime.timedelta(seconds=3 if turn % 2 else (2, 20)[turn // 2 % 2])
        Move.objects.create(
            match=match, turn=turn, seat=turn % 2, notation="take", played_at=at, position_key=turn, clock_ms=None
        )
    now = timezone.now()
    Match.objects.filter(pk=match.pk).update(turn=42, status=Status.FINISHED, finished_at=now, winner=0)
    with CaptureQueriesContext(connection) as captured:
        assert fairplay.study_finished(now) == 1
    assert sum('FROM "games_move"' in query["sql"] for query in captured) == 1
    assert fairplay.study_finished(now) == 0
    flag = Flag.objects.get()
    assert (flag.kind, flag.user) == (FlagKind.EVEN_TIMES, cast.player(match, 1))
    assert not flag.user.is_suspended
    seating.create(flag.user, cast.LIVE, open_to="lobby")

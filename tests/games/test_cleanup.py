"""Guests that nobody will miss go; what people played with them stays. Workers that have ended are forgotten."""

import datetime
from collections.abc import Callable

import pytest
from django.utils import timezone

from accounts.holding import hold
from accounts.models import Kind, User
from games.models import Heartbeat, Match, OpenTo, Status
from games.rules import Reason
from games.services import cleanup, ending, seating
from games.services.cleanup import clean_guests
from tests.games.cast import UNTIMED, check, guest_player, open_match, play_randomly, start_match

pytestmark = pytest.mark.django_db

DAY = datetime.timedelta(days=1)


def aged(user: User, days: float) -> User:
    """Make an account look as if it was made and last used so many days ago."""
    then = timezone.now() - days * DAY
    User.objects.filter(pk=user.pk).update(date_joined=then, last_active_at=then)
    return user


def test_a_guest_who_never_played_goes_after_a_day(guest: User) -> None:
    aged(guest, 0.9)
    assert clean_guests() == 0
    aged(guest, 1.1)
    assert clean_guests() == 1
    assert not User.objects.filter(pk=guest.pk).exists()


def test_a_guest_who_played_goes_after_thirty_idle_days(guest: User, computer: User) -> None:
    match = seating.play_computer(guest, 3, UNTIMED)
    aged(guest, 29)
    assert clean_guests() == 0
    aged(guest, 31)
    assert clean_guests() == 1
    assert not User.objects.filter(pk=guest.pk).exists()
    assert not Match.objects.filter(pk=match.pk).exists()


def test_registered_players_and_the_computer_stay(ana: User, computer: User) -> None:
    aged(ana, 400)
    aged(computer, 400)
    assert clean_guests() == 0
    assert User.objects.filter(pk__in=[ana.pk, computer.pk]).count() == 2


def test_a_guest_who_played_a_person_stays_in_that_persons_history(guest: User, ana: User) -> None:
    ended = play_randomly(start_match(ana, guest), 3)
    ending.resign(ended.code, ana)
    running = play_randomly(start_match(guest, ana), 3)
    aged(guest, 31)
    clean_guests()
    guest.refresh_from_db()
    assert not guest.is_active
    assert check(ended).winner == 1
    assert (check(running).winner, check(running).reason) == (1, Reason.RESIGNATION)
    assert clean_guests() == 0


def test_what_a_guest_offered_or_was_offered_is_withdrawn(guest: User, ana: User) -> None:
    ended = start_match(ana, guest)
    ending.resign(ended.code, guest)
    rematch = seating.offer_rematch(ended.code, ana)
    offered = open_match(guest)
    aged(guest, 31)
    clean_guests()
    assert check(rematch).status == Status.CANCELLED
    assert not Match.objects.filter(pk=offered.pk, status=Status.OPEN).exists()


def test_an_invitation_to_a_guest_who_goes_is_declined_or_gone(guest: User, ana: User) -> None:
    invitation = open_match(ana, open_to=OpenTo.PLAYER, invited=guest)
    aged(guest, 31)
    assert clean_guests() == 1
    assert not Match.objects.filter(pk=invitation.pk, status=Status.OPEN).exists()


def test_the_rest_is_left_for_the_next_time(db: None) -> None:
    for number in range(3):
        aged(guest_player(f"Guest-{number:06}"), 2)
    assert [clean_guests(limit=2) for _ in range(3)] == [2, 1, 0]


def meanwhile(monkeypatch: pytest.MonkeyPatch, happens: Callable[[User], object]) -> None:
    """Let something happen after the sweep has read whom to remove, and before it removes the first."""

    def late(pk: int) -> User:
        happens(User.objects.get(pk=pk))
        return hold(pk)

    monkeypatch.setattr(cleanup, "hold", late)


def register(guest: User) -> None:
    User.objects.filter(pk=guest.pk).update(kind=Kind.PERSON)


def test_a_guest_who_registers_during_the_sweep_stays(guest: User, ana: User, monkeypatch: pytest.MonkeyPatch) -> None:
    running = play_randomly(start_match(guest, ana), 3)
    aged(guest, 31)
    meanwhile(monkeypatch, register)
    assert clean_guests() == 0
    assert User.objects.get(pk=guest.pk).is_active
    assert check(running).is_running


def test_a_guest_who_sits_down_during_the_sweep_stays(
    guest: User, computer: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    aged(guest, 2)
    meanwhile(monkeypatch, lambda guest: seating.play_computer(guest, 3, UNTIMED))
    assert clean_guests() == 0
    assert check(Match.objects.get(seats__user=guest)).is_running


def test_a_guest_whom_another_worker_has_removed_is_no_trouble(guest: User, monkeypatch: pytest.MonkeyPatch) -> None:
    aged(guest, 2)
    meanwhile(monkeypatch, User.delete)
    assert clean_guests() == 0


def test_an_offer_that_came_to_nothing_is_forgotten_after_a_month(ana: User, boris: User) -> None:
    withdrawn, fresh, waiting = (open_match(ana) for _ in range(3))
    ended = start_match(ana, boris)
    ending.resign(ended.code, ana)
    for match in (withdrawn, fresh):
        seating.cancel(match.code, ana)
    Match.objects.exclude(pk=fresh.pk).update(created_at=timezone.now() - 31 * DAY)
    Match.objects.filter(pk__in=[withdrawn.pk, ended.pk]).update(finished_at=timezone.now() - 31 * DAY)
    assert [cleanup.forget_cancelled() for _ in range(2)] == [1, 0]
    assert set(Match.objects.all()) == {fresh, waiting, ended}


def test_a_worker_that_was_not_seen_for_a_day_is_forgotten() -> None:
    for worker, days in (("ended", 1.1), ("silent", 0.9), ("at work", 0)):
        Heartbeat.objects.create(worker=worker, seen_at=timezone.now() - days * DAY)
    assert cleanup.forget_workers() == 1
    assert set(Heartbeat.objects.values_list("worker", flat=True)) == {"silent", "at work"}

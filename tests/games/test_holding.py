"""What is decided about an account is decided on its row as it is, and keeps no opponent from playing."""

import datetime
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from accounts.holding import hold
from accounts.models import User
from games.models import Match, OpenTo, Status
from games.notices import inbox
from games.rules import Reason, parse_position
from games.services import blocking, ending, fairplay, playing, privacy, seating
from games.services.moderation.desk import Order, doing
from tests.games.cast import DAYS, SHORT, any_move, check, log, mover, open_match, start_match, take_time_off_while
from tests.moderation.staff import moderator


@contextmanager
def held_account(user: User) -> Iterator[None]:
    with transaction.atomic():
        hold(user.pk)
        yield


def measure(user: User) -> AbstractContextManager[object]:
    return doing(Order(moderator("Mira"), user, "chat"), "warn")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("holding", [held_account, measure])
def test_the_opponents_turn_does_not_wait_for_whoever_holds_the_player_whom_it_tells(
    holding: Callable[[User], AbstractContextManager[object]], ana: User, boris: User
) -> None:
    match = start_match(ana, boris, DAYS)
    who, move = mover(match), any_move(match)
    waiting = boris if who == ana else ana

    def play() -> None:
        try:
            playing.play(match.code, who, 1, move)
        finally:
            connection.close()

    turn = threading.Thread(target=play)
    with holding(waiting):
        turn.start()
        # On SQLite a transaction holds the whole database, and the turn comes after it.
        if connection.features.has_select_for_update:
            turn.join(10)
            assert not turn.is_alive()
    turn.join(10)
    assert log(match) == [move]
    assert waiting.notices.filter(event="turn").exists()


@pytest.mark.django_db(transaction=True)
def test_an_account_that_is_closed_while_a_match_of_its_own_ends_and_the_match_do_not_wait_for_each_other(
    ana: User, boris: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = start_match(ana, boris, DAYS)
    who = mover(match)
    other = boris if who == ana else ana
    assert who.deliveries.exists()
    assert who.notices.exists()
    clear, failures = inbox.clear, []

    def close() -> None:
        try:
            privacy.close_account(who)
        except DatabaseError as error:
            failures.append(error)
        finally:
            connection.close()

    closing = threading.Thread(target=close)

    def clear_while_it_is_closed(*args: Any) -> None:
        if not closing.ident:
            closing.start()
            # Held, it waits until the match has ended; not held, it is through by then.
            closing.join(0.5)
        clear(*args)

    monkeypatch.setattr(inbox, "clear", clear_while_it_is_closed)
    ending.resign(match.code, other)
    closing.join(10)
    assert failures == []
    assert check(match).reason == Reason.RESIGNATION
    assert User.objects.get(pk=who.pk).is_closed


def make(user: User, offered: Match) -> None:
    seating.create(user, DAYS, open_to=OpenTo.LOBBY)


def accept(user: User, offered: Match) -> None:
    seating.accept(offered.code, user)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("sit_down", [make, accept])
def test_an_account_that_is_closed_while_it_sits_down_leaves_no_match_behind(
    sit_down: Callable[[User, Match], None], ana: User, boris: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    offered = open_match(ana, DAYS, open_to=OpenTo.LOBBY)

    def close() -> None:
        try:
            privacy.close_account(boris)
        finally:
            connection.close()

    closing = threading.Thread(target=close)

    def closed_after_the_check(user: User) -> None:
        closing.start()
        # Held, the account closes only afterwards; not held, it is closed by then.
        closing.join(0.3)

    monkeypatch.setattr(fairplay, "require_may_sit_down", closed_after_the_check)
    sit_down(boris, offered)
    closing.join(10)
    boris.refresh_from_db()
    assert boris.is_closed
    assert not Match.objects.filter(seats__user=boris, status__in=(Status.OPEN, Status.RUNNING)).exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("meanwhile", ["closed", "blocked"])
def test_a_challenge_does_not_slip_past_what_its_player_does_at_that_moment(
    meanwhile: str, ana: User, boris: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def withdraw() -> None:
        try:
            if meanwhile == "closed":
                privacy.close_account(boris)
            else:
                blocking.block(boris, ana)
        finally:
            connection.close()

    other = threading.Thread(target=withdraw)
    require_few = seating._require_few_challenges

    def after_the_checks(user: User, invited: User) -> None:
        require_few(user, invited)
        other.start()
        # Held, it comes afterwards and withdraws the challenge; not held, it has found none by then.
        other.join(0.5)

    monkeypatch.setattr(seating, "_require_few_challenges", after_the_checks)
    challenge = seating.create(ana, DAYS, open_to=OpenTo.PLAYER, invited=boris)
    other.join(10)
    assert check(challenge).status == Status.CANCELLED


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("rematch", [False, True], ids=["challenge", "rematch"])
def test_time_off_that_is_taken_while_ones_challenge_is_accepted_moves_the_deadline_of_its_turn(
    rematch: bool, ana: User, boris: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    if rematch:
        ended = start_match(ana, boris, DAYS)
        ending.resign(ended.code, ana)
        offered = seating.offer_rematch(ended.code, ana)
    else:
        offered = open_match(ana, DAYS, open_to=OpenTo.LOBBY)

    def answer() -> None:
        if rematch:
            seating.offer_rematch(ended.code, boris)
        else:
            seating.accept(offered.code, boris)

    monkeypatch.setattr(seating, "starting_position", lambda *_args: parse_position(SHORT))
    take_time_off_while(monkeypatch, ana, 10, answer)
    match = Match.objects.get(pk=offered.pk)
    assert mover(match) == ana
    assert match.deadline - timezone.now() > datetime.timedelta(days=12)

"""Many at once: on SQLite, where a transaction holds the database, and on PostgreSQL, where it holds a row."""

import contextlib
import threading
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games import selectors
from games.models import Match, OpenTo, Status
from games.rules import Reason
from games.services import ending, playing, seating
from games.services.errors import MatchError, SeatTakenError, StaleTurnError
from games.worker import sweep
from tests.games.cast import DAYS, LIVE, ROUND, any_move, check, log, mover, open_match, page, person, play, start_match

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*jobs: Callable[[], Any]) -> list[Any]:
    """Run jobs in threads that begin together, and return what each returned or raised."""
    barrier = threading.Barrier(len(jobs))
    outcomes: list[Any] = [None] * len(jobs)

    def run(number: int, job: Callable[[], Any]) -> None:
        try:
            barrier.wait(30)
            outcomes[number] = job()
        except Exception as error:
            outcomes[number] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(number, job)) for number, job in enumerate(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return outcomes


def kinds(outcomes: list[Any]) -> Counter[str]:
    return Counter(type(outcome).__name__ if isinstance(outcome, Exception) else "done" for outcome in outcomes)


def browser(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.mark.parametrize("attempt", range(3))
def test_the_same_move_twice_at_once_is_one_turn_and_both_see_it(attempt: int, ana: User, boris: User) -> None:
    match = start_match(ana, boris)
    who, move = mover(match), any_move(match)
    fields = {"turn": "1", "move": move}
    jobs = [
        lambda tab=tab: tab.post(f"/m/{match.code}/play/", fields, follow=True) for tab in (browser(who), browser(who))
    ]
    answers = at_once(*jobs)
    assert [answer.status_code for answer in answers] == [200, 200]
    for answer in answers:
        assert page(answer).select_one("#state")["data-turn"] == "2"
    assert log(match) == [move]


def test_one_of_two_gets_the_open_seat_and_the_other_is_told(ana: User, boris: User, cara: User) -> None:
    for _ in range(3):
        match = open_match(ana, LIVE, open_to=OpenTo.LOBBY)
        outcomes = at_once(
            lambda match=match: seating.accept(match.code, boris), lambda match=match: seating.accept(match.code, cara)
        )
        assert kinds(outcomes) == {"done": 1, "SeatTakenError": 1}
        assert check(match).seats.count() == 2


def test_the_one_who_was_too_slow_reads_that_the_seat_is_taken(ana: User, boris: User, cara: User) -> None:
    match = open_match(ana, LIVE, open_to=OpenTo.LOBBY)
    boris_browser, cara_browser = browser(boris), browser(cara)
    answers = at_once(
        lambda: boris_browser.post(f"/m/{match.code}/accept/", follow=True),
        lambda: cara_browser.post(f"/m/{match.code}/accept/", follow=True),
    )
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    late = next(answer for answer in answers if answer.status_code == 409)
    assert str(SeatTakenError.message) in page(late).get_text()


def test_withdrawing_and_accepting_at_once_has_one_outcome(ana: User, boris: User) -> None:
    match = open_match(ana, LIVE, open_to=OpenTo.LOBBY)
    outcomes = at_once(lambda: seating.cancel(match.code, ana), lambda: seating.accept(match.code, boris))
    assert kinds(outcomes) == {"done": 1, "SeatTakenError": 1}
    assert check(match).status in (Status.CANCELLED, Status.RUNNING)


def test_two_rematch_offers_at_once_are_one_match(ana: User, boris: User) -> None:
    match = start_match(ana, boris)
    ending.resign(match.code, ana)
    outcomes = at_once(lambda: seating.offer_rematch(match.code, ana), lambda: seating.offer_rematch(match.code, boris))
    assert len({outcome.pk for outcome in outcomes}) == 1
    assert check(match.rematches.get()).is_running


def overdue(match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(deadline=timezone.now())


def test_a_resignation_and_the_end_of_the_clock_at_once_are_one_result(ana: User, boris: User) -> None:
    match = play(start_match(ana, boris, LIVE, position=ROUND), "3H")
    overdue(match)
    outcomes = at_once(
        sweep, lambda: ending.resign(match.code, boris), sweep, lambda: ending.claim_time(match.code, ana)
    )
    assert sum(outcome for outcome in outcomes if isinstance(outcome, int)) <= 1
    ended = check(match)
    assert (ended.winner, ended.reason) == (0, Reason.TIME)
    assert selectors.record(ana).won == selectors.record(boris).lost == 1


@pytest.mark.parametrize("terms", [LIVE, DAYS], ids=["live", "days"])
def test_many_sweeps_at_once_end_an_overdue_match_once(ana: User, boris: User, terms: Any) -> None:
    match = play(start_match(ana, boris, terms, position=ROUND), "3H")
    overdue(match)
    assert sum(at_once(sweep, sweep, sweep, sweep)) == 1
    assert check(match).reason == Reason.TIME


def test_a_turn_that_races_the_sweep_has_one_outcome(ana: User, boris: User) -> None:
    for _ in range(3):
        match = play(start_match(ana, boris, LIVE, position=ROUND), "3H")
        overdue(match)
        at_once(sweep, lambda code=match.code: playing.play(code, boris, 2, "TH+KS"))
        assert (check(match).reason, log(match)) == (Reason.TIME, ["3H"])


def test_two_matches_of_one_player_that_end_at_once_both_count(ana: User, boris: User, cara: User) -> None:
    first, second = start_match(ana, boris), start_match(cara, ana)
    at_once(lambda: ending.resign(first.code, boris), lambda: ending.resign(second.code, cara))
    record = selectors.record(ana)
    assert (record.played, record.won) == (2, 2)


def test_twenty_plays_in_twenty_matches_at_once_all_count() -> None:
    pairs = [(person(f"Left {number}"), person(f"Right {number}")) for number in range(20)]
    matches = [start_match(*pair) for pair in pairs]
    jobs = []
    for match in matches:
        client = browser(mover(match))
        fields = {"turn": "1", "move": any_move(match)}
        jobs.append(lambda client=client, code=match.code, fields=fields: client.post(f"/m/{code}/play/", fields))
    answers = at_once(*jobs)
    assert Counter(answer.status_code for answer in answers) == {302: 20}
    assert all(check(match).turn == 2 for match in matches)


def test_of_twenty_different_plays_in_one_match_one_wins(ana: User, boris: User) -> None:
    position = "6C7C8C9CTCJCQCKCAC6D7D8D9DTDJDQDKDAD6H7H/8H9H - CD 0 strict"
    match = start_match(ana, boris, position=position)
    moves = sorted(map(str, match.rules_position.legal_moves()))
    assert len(moves) == 20
    client = browser(ana)
    cookie = client.cookies["sessionid"].value
    jobs = []
    for move in moves:
        tab = Client()
        tab.cookies["sessionid"] = cookie
        jobs.append(lambda tab=tab, move=move: tab.post(f"/m/{match.code}/play/", {"turn": "1", "move": move}))
    answers = at_once(*jobs)
    assert Counter(answer.status_code for answer in answers) == {302: 1, 409: 19}
    for answer in answers:
        if answer.status_code == 409:
            told = page(answer)
            assert str(StaleTurnError.message) in told.get_text()
            assert told.select_one("#state")["data-turn"] == "2"
    assert check(match).turn == 2


def test_many_turns_of_both_players_at_once_leave_one_log(ana: User, boris: User) -> None:
    match = start_match(ana, boris)

    def play_on(user: User) -> None:
        while (now := Match.objects.get(pk=match.pk)).is_running and now.turn <= 10:
            with contextlib.suppress(MatchError):
                playing.play(match.code, user, now.turn, any_move(now))

    outcomes = at_once(*[lambda user=user: play_on(user) for user in (ana, boris, ana, boris)])
    assert outcomes == [None] * 4
    assert check(match).turn > 10

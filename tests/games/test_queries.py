"""The pages ask the database a fixed number of questions, however much there is to show."""

import dataclasses
from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.translation import override

from accounts.models import User
from games.consumers import MatchConsumer
from games.evidence import evidence
from games.management.commands.serve import LONGEST_SOCKET_MESSAGE
from games.models import Case, Match, Move, OpenTo
from games.personal_data import personal_data
from games.services import ending, playing
from tests.games.cast import (
    DAYS,
    LIVE,
    ROUND,
    ROUND_TRIP,
    check,
    copies,
    mover,
    open_match,
    page,
    person,
    play_randomly,
    start_match,
)
from tests.games.sockets import turn_lines

pytestmark = pytest.mark.django_db


def queries(job: Callable[[], object]) -> list[str]:
    """Return the queries that a job makes the second time, when all that can be remembered is."""
    job()
    with CaptureQueriesContext(connection) as captured:
        job()
    return [query["sql"] for query in captured]


def visit(user: User | None, path: str) -> Callable[[], object]:
    client = Client()
    if user is not None:
        client.force_login(user)

    def get() -> object:
        answer = client.get(path)
        assert answer.status_code == 200
        return answer

    return get


@pytest.fixture
def long_match(ana: User, boris: User, monkeypatch: pytest.MonkeyPatch) -> Match:
    """A match of 200 turns, made by going to and fro with repetition left out."""
    monkeypatch.setattr("games.rules.game.REPETITION_LIMIT", 1000)
    match = start_match(ana, boris, position=ROUND)
    for turn in range(1, 201):
        now = Match.objects.get(pk=match.pk)
        playing.play(match.code, mover(now), turn, ROUND_TRIP[(turn - 1) % 6])
    assert Move.objects.filter(match=match).count() == 200
    return Match.objects.get(pk=match.pk)


def test_a_table_takes_as_many_queries_after_200_turns_as_after_10(
    long_match: Match, ana: User, boris: User, cara: User
) -> None:
    short = start_match(ana, boris, position=ROUND)
    for turn in range(1, 11):
        playing.play(short.code, mover(short), turn, ROUND_TRIP[(turn - 1) % 6])
    for viewer in (ana, boris, cara, None):
        few = queries(visit(viewer, f"/m/{short.code}/"))
        many = queries(visit(viewer, f"/m/{long_match.code}/"))
        assert len(many) == len(few), "\n".join(many)
        assert len(few) <= 20
    answer = visit(ana, f"/m/{long_match.code}/")()
    assert len(page(answer).select("#turn-list li")) == 200
    # Its history would have been a draw long ago: that is not to be checked.
    long_match.delete()


def test_the_whole_table_of_the_longest_match_fits_into_one_message(long_match: Match, boris: User) -> None:
    consumer = MatchConsumer()
    consumer.scope = {"url_route": {"kwargs": {"code": long_match.code}}}
    consumer.viewer = boris
    with override("ta"):
        size = len(consumer.render(True).encode())
    assert 2 * size < LONGEST_SOCKET_MESSAGE
    # Its history would have been a draw long ago: that is not to be checked.
    long_match.delete()


def test_a_push_takes_few_queries_and_they_do_not_grow(ana: User, boris: User) -> None:
    # From 26 cards each nobody can be rid of all in 24 turns, whatever the deal.
    match = play_randomly(start_match(ana, boris, dataclasses.replace(LIVE, deck_size=52)), 4)
    consumer = MatchConsumer()
    consumer.scope = {"url_route": {"kwargs": {"code": match.code}}}
    consumer.viewer = boris
    consumer.render(True)
    few = queries(lambda: consumer.render(False))
    play_randomly(match, 20)
    assert len(queries(lambda: consumer.render(False))) == len(few) <= 2, "\n".join(few)


def test_own_matches_take_as_many_queries_for_100_as_for_2(ana: User) -> None:
    matches = []
    for number in range(2):
        opponent = person(f"Opponent {number}")
        matches += [start_match(ana, opponent, terms) for terms in (LIVE, DAYS)]
        over = start_match(ana, opponent)
        ending.resign(over.code, opponent)
        matches += [over, open_match(ana, open_to=OpenTo.PLAYER, invited=opponent)]
    few = queries(visit(ana, "/mine/"))
    for match in matches:
        copies(match, 12)
    assert Match.objects.count() > 100
    many = queries(visit(ana, "/mine/"))
    assert len(many) == len(few), "\n".join(many)
    assert len(few) <= 20


def test_the_lobby_takes_as_many_queries_for_56_seats_as_for_7(ana: User) -> None:
    seats = [open_match(person(f"Maker {number}"), LIVE, open_to=OpenTo.LOBBY) for number in range(7)]
    few = queries(visit(ana, "/lobby/"))
    for seat in seats:
        copies(seat, 7)
    many = queries(visit(ana, "/lobby/"))
    assert len(many) == len(few), "\n".join(many)
    assert len(few) <= 15
    assert len(page(visit(ana, "/lobby/")()).select(".match-item")) == 56


def test_a_profile_takes_as_many_queries_for_30_matches_as_for_3(ana: User, boris: User) -> None:
    matches = [start_match(ana, boris) for _ in range(3)]
    for match in matches:
        ending.resign(match.code, boris)
    few = queries(visit(boris, "/@/Ana/"))
    for match in matches:
        copies(match, 9)
    assert len(queries(visit(boris, "/@/Ana/"))) == len(few) <= 20


def test_a_file_with_ones_data_takes_as_many_queries_for_30_matches_as_for_3(ana: User, boris: User) -> None:
    matches = [start_match(ana, boris, DAYS) for _ in range(3)]
    few = queries(lambda: personal_data(ana))
    for match in matches:
        copies(match, 9)
    assert len(personal_data(ana)["matches"]) == 30
    assert len(queries(lambda: personal_data(ana))) == len(few) <= 35


def test_what_a_moderator_looks_at_takes_as_many_queries_for_30_matches_as_for_3(ana: User, boris: User) -> None:
    matches = [start_match(ana, boris, DAYS) for _ in range(3)]
    case = Case.objects.create(reported=boris)
    few = queries(lambda: evidence(case))
    for match in matches:
        copies(match, 9)
    assert len(evidence(case).matches) > 3
    assert len(queries(lambda: evidence(case))) <= len(few) <= 25


def test_a_turn_takes_a_fixed_number_of_queries(ana: User, boris: User) -> None:
    def one_turn(match: Match) -> int:
        now = Match.objects.get(pk=match.pk)
        who, move = mover(match), next(iter(sorted(map(str, now.rules_position.legal_moves()))))
        with CaptureQueriesContext(connection) as captured:
            playing.play(match.code, who, now.turn, move)
        return len(captured)

    # From 26 cards each nobody can be rid of all in 21 turns, whatever the deal.
    match = start_match(ana, boris, dataclasses.replace(LIVE, deck_size=52))
    first = one_turn(match)
    play_randomly(match, 20)
    assert check(match).is_running
    # A transaction of its own inside the test's: savepoint, seats and match, repetitions, move, match, seat, release.
    assert one_turn(match) == first == 7


@pytest.mark.django_db(transaction=True)
def test_a_turn_that_this_process_made_is_pushed_without_asking_again(ana: User, boris: User) -> None:
    match = start_match(ana, boris, dataclasses.replace(LIVE, deck_size=52))
    consumer = MatchConsumer()
    consumer.scope = {"url_route": {"kwargs": {"code": match.code}}}
    consumer.viewer = boris
    consumer.render(True)
    for turn in range(2, 6):
        play_randomly(match, 1)
        consumer.watch.tell(turn)
        with CaptureQueriesContext(connection) as captured:
            html = consumer.render(False)
        assert [query["sql"] for query in captured] == []
        assert f'data-turn="{turn}"' in html
        assert turn_lines([html]) == [turn - 1]

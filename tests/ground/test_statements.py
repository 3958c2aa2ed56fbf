"""Statements that are composed once do what Django's own do."""

import datetime

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from games.models import Match, Move, Seat
from tests.games.cast import LIVE, start_match
from tests.games.conftest import ana, boris
from yourtrumps.statements import Rows, insert, update

__all__ = ["ana", "boris"]

pytestmark = pytest.mark.django_db

SEATS = Rows(
    Seat,
    Match,
    User,
    source="games_seat JOIN games_match ON games_match.id = games_seat.match_id"
    " JOIN accounts_user ON accounts_user.id = games_seat.user_id"
    " WHERE games_match.code = %s ORDER BY games_seat.number",
    lock=(Seat, Match),
)


@pytest.fixture
def match(ana: User, boris: User) -> Match:
    return start_match(ana, boris, LIVE)


def values(row: Match | Seat | User | Move) -> dict[str, object]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def test_rows_are_those_of_a_queryset(match: Match) -> None:
    for _ in range(2):
        rows = SEATS(match.code)
        assert [seat.number for seat, _match, _user in rows] == [0, 1]
        for seat, its_match, user in rows:
            for row in (seat, its_match, user):
                assert values(row) == values(type(row).objects.get(pk=row.pk))
                assert not row._state.adding
    assert SEATS("nowhere") == []


def test_rows_are_locked_where_the_database_locks_rows(match: Match) -> None:
    with CaptureQueriesContext(connection) as captured, transaction.atomic():
        SEATS(match.code)
    locks = ['FOR NO KEY UPDATE OF "games_seat", "games_match"' in query["sql"] for query in captured]
    assert any(locks) == connection.features.has_select_for_update


def test_an_update_saves_the_named_fields_and_no_others(match: Match) -> None:
    before = values(Match.objects.get(pk=match.pk))
    match.turn, match.deadline, match.position = 7, timezone.now() + datetime.timedelta(days=1), "elsewhere"
    update(match, ["turn", "deadline"])
    assert values(Match.objects.get(pk=match.pk)) == before | {"turn": 7, "deadline": match.deadline}


def test_an_update_of_a_row_that_is_gone_or_a_field_that_is_not_there_raises(match: Match) -> None:
    with pytest.raises(KeyError):
        update(match, ["trun"])
    match.pk = 10**9
    with pytest.raises(DatabaseError):
        update(match, ["turn"])


def test_an_insert_adds_a_row_under_the_constraints_of_its_table(match: Match) -> None:
    def move() -> Move:
        return Move(match=match, turn=1, seat=0, notation="7H", played_at=timezone.now(), position_key=-5)

    made = move()
    insert(made)
    assert values(Move.objects.get(match=match)) == values(made) | {"id": Move.objects.get(match=match).pk}
    with pytest.raises(IntegrityError), transaction.atomic():
        insert(move())

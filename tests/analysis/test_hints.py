"""Hints: for one's own turn against the computer alone, true, counted, and told in the result."""

import pytest
from django.test import Client

from accounts.models import User
from games.engine import Loss, Thought, Win
from games.hinting import reason_of
from games.models import Hint, HintReason, Match
from games.rules import parse_move, parse_position
from games.services import ending, hints, playing, seating
from games.services.errors import MatchError, NotSeatedError, NotYourTurnError, StaleTurnError
from tests.games import cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(ana: User, computer: User) -> Match:
    """A match in which Ana leads against the computer."""
    match = seating.play_computer(ana, 3, cast.UNTIMED, "S")
    cast.stand_at(match, cast.ROUND)
    Match.objects.filter(pk=match.pk).update(computer_due_at=None)
    return Match.objects.get(pk=match.pk)


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_a_hint_is_asked_for_by_a_form_and_shown_when_it_is_there(match: Match, ana: User) -> None:
    client = client_of(ana)
    url = f"/m/{match.code}/"
    assert cast.page(client.get(url)).select_one("#ask-hint")
    page = cast.page(client.post(f"{url}hint/", {"turn": "1"}, follow=True))
    assert page.select_one("#hint .waiting")
    assert page.select_one("noscript meta[http-equiv=refresh]")
    (task,) = hints.claim(5)
    assert hints.claim(5) == []
    hints.answer(task, "3H", HintReason.STANDS, 1)
    page = cast.page(client.get(url))
    assert page.select_one("noscript meta[http-equiv=refresh]") is None
    card = page.select_one("#hint .hint-card")
    assert "3♥" in card.get_text()
    assert "leaves nothing that beats it" in card.get_text()


def test_the_cards_of_a_hint_are_numbered_as_they_are_played(match: Match, ana: User) -> None:
    cast.stand_at(match, "6D8D9H/7C8C9C 7D CS 0 strict")
    hints.ask(match.code, ana, 1)
    (task,) = hints.claim(5)
    hints.answer(task, "8D+6D", HintReason.LOOKS, 1)
    rows = cast.page(client_of(ana).get(f"/m/{match.code}/")).select("#rows .is-hinted")
    assert {card["data-card"]: card["data-order"] for card in rows} == {"8D": "1", "6D": "2"}


def test_nobody_else_sees_a_hint(match: Match, ana: User, boris: User) -> None:
    hints.ask(match.code, ana, 1)
    (task,) = hints.claim(1)
    hints.answer(task, "3H", HintReason.LOOKS, 4)
    for client in (Client(), client_of(boris)):
        assert "hint-card" not in client.get(f"/m/{match.code}/").content.decode()


def test_asking_twice_in_a_turn_counts_once(match: Match, ana: User) -> None:
    hints.ask(match.code, ana, 1)
    hints.ask(match.code, ana, 1)
    assert Hint.objects.count() == 1


def test_hints_are_counted_and_told_in_the_result(match: Match, ana: User) -> None:
    hints.ask(match.code, ana, 1)
    (task,) = hints.claim(1)
    hints.answer(task, "3H", HintReason.LOOKS, 4)
    ending.resign(match.code, ana)
    told = cast.page(client_of(ana).get(f"/m/{match.code}/")).select_one("#hints-taken")
    assert told.get_text() == "You took 1 hint."
    told = cast.page(Client().get(f"/m/{match.code}/")).select_one("#hints-taken")
    assert told.get_text() == "1 hint was taken."


def test_there_are_no_hints_against_people(ana: User, boris: User) -> None:
    match = cast.start_match(ana, boris)
    mover = cast.mover(match)
    with pytest.raises(hints.NoHintError):
        hints.ask(match.code, mover, 1)
    page = cast.page(client_of(mover).get(f"/m/{match.code}/"))
    assert page.select_one("#ask-hint") is None


def test_hints_are_for_the_own_turn_as_it_stands(match: Match, ana: User, boris: User) -> None:
    with pytest.raises(StaleTurnError):
        hints.ask(match.code, ana, 2)
    with pytest.raises(NotSeatedError):
        hints.ask(match.code, boris, 1)
    playing.play(match.code, ana, 1, "3H")
    with pytest.raises(NotYourTurnError):
        hints.ask(match.code, ana, 2)
    ending.resign(match.code, ana)
    with pytest.raises(MatchError):
        hints.ask(match.code, ana, 2)


def test_a_hint_that_is_no_longer_wanted_is_dropped(match: Match, ana: User) -> None:
    hints.ask(match.code, ana, 1)
    playing.play(match.code, ana, 1, "3H")
    assert hints.claim(5) == []
    assert not Hint.objects.exists()


@pytest.mark.parametrize(
    ("position", "move", "score", "reason", "number"),
    [
        ("6C9C/7DKDAD - CD 0 strict", "6C", Win(3), HintReason.WINS, 3),
        ("6C9C/7DKDAD - CD 0 strict", "6C", Loss(6), HintReason.HOLDS, 6),
        ("6C9H/8D9D AS CD 0 strict", "6C+9H", 10, HintReason.ONLY, 0),
        ("6C7C9H/8HTHJH AS CD 0 strict", "6C+7C", 10, HintReason.STANDS, 3),
        ("9H6CTH/8D9DTDAH 6H CD 0 strict", "9H+TH", 10, HintReason.KEEPS, 1),
        ("9CTC6D7S/8D9DTDAHKS 8C CD 0 strict", "9C+7S", 10, HintReason.SAVES, 0),
        ("9C6D7STH/8D9DTDAHKS 8C CD 0 free", "9C+7S", 10, HintReason.SHEDS, 0),
        ("9H6D/8D9DTDAHKS KC7H CD 0 free", "take", 10, HintReason.GETS, 1),
    ],
)
def test_the_reason_is_true_of_the_position(
    position: str, move: str, score: object, reason: HintReason, number: int
) -> None:
    thought = Thought(parse_move(move), score, 5, 100, 0.1, (parse_move(move),))
    found = reason_of(parse_position(position), thought)
    assert found == (reason, number)

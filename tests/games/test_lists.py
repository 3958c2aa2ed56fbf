"""The lists of matches that pages show: a player's own, and what is played now."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games import selectors
from games.models import Match, OpenTo
from games.services import ending, seating
from tests.games.cast import DAYS, LIVE, UNTIMED, any_move, open_match, page, play, start_match

pytestmark = pytest.mark.django_db


def items(viewer: User, address: str) -> list[str]:
    """Return what the lines of the list on a page say to a viewer."""
    client = Client()
    client.force_login(viewer)
    return [" ".join(item.get_text(" ").split()) for item in page(client.get(address)).select(".match-item")]


def test_the_lobby_shows_the_live_matches_that_began_there(ana: User, boris: User, cara: User) -> None:
    seating.accept(open_match(ana, LIVE).code, boris)
    seating.accept(open_match(ana, LIVE, open_to=OpenTo.PLAYER, invited=boris).code, boris)
    for terms in (DAYS, LIVE, LIVE, LIVE):
        seating.accept(open_match(ana, terms, open_to=OpenTo.LOBBY).code, boris)
    shown, stopped, ended = Match.objects.filter(open_to=OpenTo.LOBBY, pace="live").order_by("pk")
    Match.objects.filter(pk=stopped.pk).update(paused_at=stopped.started_at)
    ending.resign(ended.code, ana)
    (line,) = items(cara, "/lobby/")
    assert line.startswith("Ana – Boris Turn 1 5 min + 5 s a turn 36 cards")
    assert line.endswith("Watch")
    assert items(ana, "/lobby/")[0].endswith("Play")
    ending.resign(shown.code, ana)
    assert items(cara, "/lobby/") == []


def test_the_lobby_shows_the_ten_latest_in_as_many_queries_as_one(
    ana: User, boris: User, django_assert_num_queries: Any
) -> None:
    def begin(count: int) -> list[str]:
        offers = [open_match(ana, LIVE, open_to=OpenTo.LOBBY) for _ in range(count)]
        for offer in offers:
            seating.accept(offer.code, boris)
        return [offer.code for offer in offers]

    begin(1)
    with CaptureQueriesContext(connection) as few:
        selectors.played_now(ana)
    latest = begin(11)
    with django_assert_num_queries(len(few)):
        shown = selectors.played_now(ana)
    assert [match.code for match in shown] == latest[:0:-1]


def test_a_match_that_stands_still_waits_for_no_opponent(ana: User, match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(paused_at=match.started_at)
    client = Client()
    client.force_login(ana)
    mine = page(client.get("/mine/"))
    assert [heading.text for heading in mine.select("#mine h2")] == ["Matches that stand still"]
    assert "until the moderators have decided" in mine.select_one("#mine .match-item").text


def test_a_history_says_you_to_its_own_player_alone(ana: User, boris: User, cara: User, match: Match) -> None:
    for _ in range(2):
        play(match, any_move(match))
    ending.resign(match.code, boris)
    address = f"/@/{boris.username}/"
    (own,), (others,), (in_mine,) = items(boris, address), items(cara, address), items(boris, "/mine/")
    assert own.startswith("Lost · Ana 2 turns")
    assert others.startswith("Lost · Ana 2 turns")
    assert "You resigned" in own
    assert "You resigned" in in_mine
    assert "The loser resigned" in others
    assert "You" not in others


def test_who_has_no_match_yet_can_begin_one_there(ana: User, boris: User) -> None:
    client = Client()
    client.force_login(ana)
    mine = page(client.get("/mine/"))
    button = mine.select_one("#mine .empty button[form]")
    form = mine.select_one(f"form#{button['form']}")
    fields = {field["name"]: field["value"] for field in form.select("input")}
    assert client.post(form["action"], fields).status_code == 302
    assert Match.objects.get().seats.filter(user=ana).exists()
    assert "All finished matches" not in mine.text
    ending.resign(start_match(ana, boris).code, ana)
    assert "All finished matches" in page(client.get("/mine/")).text


def test_the_computer_is_told_apart_from_people(ana: User, computer: User, match: Match) -> None:
    start_match(ana, computer, UNTIMED)
    by_person, by_computer = sorted(items(ana, "/mine/"), key=lambda text: "computer" in text)
    assert "computer" not in by_person
    assert "Noi computer" in by_computer

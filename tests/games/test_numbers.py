"""Whole numbers as they are sent."""

import pytest
from django.test import Client

from accounts.models import User
from games.models import Match
from games.numbers import whole_number
from games.services import ending
from tests.games.cast import play_randomly


@pytest.mark.parametrize(("sent", "number"), [("0", 0), ("41", 41), ("007", 7), (12, 12), ("9" * 18, 10**18 - 1)])
def test_a_whole_number_is_read(sent: object, number: int) -> None:
    assert whole_number(sent, None) == number


@pytest.mark.parametrize(
    "sent", [None, "", " 1", "-1", -1, "+1", "1.0", 1.0, "1_0", "٣", "²", "x", True, [1], "9" * 19, 10**30]
)
def test_all_else_is_none(sent: object) -> None:
    assert whole_number(sent, "none") == "none"


@pytest.mark.django_db
@pytest.mark.parametrize("number", ["9" * 18, "9" * 5000, "٣"])
def test_no_number_brings_a_page_down(match: Match, ana: User, boris: User, number: str) -> None:
    client = Client()
    client.force_login(ana)
    assert client.post(f"/m/{match.code}/play/", {"turn": number, "move": "take"}).status_code in (400, 409)
    ending.resign(play_randomly(match, 2).code, boris)
    for page in ("", "replay/", "analysis/", "try/"):
        assert client.get(f"/m/{match.code}/{page}", {"turn": number}).status_code == 200
    for path, field in (("lines/keep/", "turn"), ("lines/erase/", "line")):
        assert client.post(f"/m/{match.code}/{path}", {field: number}).status_code == 302
    assert client.get("/puzzles/grade/1/", {"after": number}).status_code == 302
    assert client.post("/notices/read/", {"notice": number}).status_code == 302
    assert client.get("/@/Boris/report/", {"line": number}).status_code == 200

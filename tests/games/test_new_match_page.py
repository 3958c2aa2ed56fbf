"""The page on which a match is made: what is chosen from the start, and what is folded away."""

import pytest
from bs4 import Tag
from django.test import Client

from accounts.models import User
from games.models import Match, Pace
from tests.games.cast import page

pytestmark = pytest.mark.django_db


def form(query: str = "") -> Tag:
    """Return the form with all choices, as a link to it shows it."""
    return page(Client().get(f"/new/{query}")).select_one(".terms-form")


def chosen(form: Tag) -> dict[str, str]:
    """Return what the form sends as it stands."""
    return {radio["name"]: radio["value"] for radio in form.select("input[type=radio][checked]")}


def test_every_choice_is_made_from_the_start() -> None:
    shown = form()
    assert chosen(shown).keys() == {radio["name"] for radio in shown.select("input[type=radio]")}


@pytest.mark.parametrize(("opponent", "pace"), [("computer", Pace.UNTIMED), ("link", Pace.LIVE), ("lobby", Pace.LIVE)])
def test_the_standard_time_is_that_of_the_opponent(ana: User, opponent: str, pace: str) -> None:
    client = Client()
    client.force_login(ana)
    fields = chosen(form()) | {"opponent": opponent}
    assert fields["time"] == ""
    assert client.post("/new/", fields).status_code == 302
    assert Match.objects.get().pace == pace


@pytest.mark.parametrize(
    ("query", "is_open"), [("", False), ("?time=days-3", False), ("?deck_size=52", True), ("?hands=open", True)]
)
def test_what_is_folded_away_is_open_where_it_was_chosen(query: str, is_open: bool) -> None:
    shown = form(query)
    assert shown.select_one("details.more").has_attr("open") == is_open
    for name, value in chosen(shown).items():
        assert f"{name}=" not in query or f"{name}={value}" in query

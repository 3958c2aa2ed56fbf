"""The card that says how a match ended, and where to go from there."""

import pytest
from django.test import Client

from accounts.models import User
from games.models import Match
from games.services import ending
from tests.games.cast import any_move, page, play, start_match

pytestmark = pytest.mark.django_db


def ways(match: Match, viewer: User) -> list[str]:
    """Return where the links on the card lead, each of which must lead somewhere."""
    client = Client()
    client.force_login(viewer)
    links = [link["href"] for link in page(client.get(match.get_absolute_url())).select("#result .result-card > * a")]
    assert all(client.get(link).status_code == 200 for link in links)
    return links


def test_a_match_with_turns_leads_to_its_analysis(ana: User, cara: User, match: Match) -> None:
    play(match, any_move(match))
    ending.resign(match.code, ana)
    for viewer in (ana, cara):
        assert f"/m/{match.code}/analysis/" in ways(match, viewer)


def test_a_match_without_a_turn_has_no_analysis(ana: User, match: Match) -> None:
    ending.resign(match.code, ana)
    assert not [way for way in ways(match, ana) if "analysis" in way]


def test_a_guest_is_shown_how_to_keep_the_match(ana: User, guest: User) -> None:
    match = start_match(ana, guest)
    ending.resign(match.code, ana)
    sign_up = f"/account/signup/?next=/m/{match.code}/"
    assert sign_up in ways(match, guest)
    assert sign_up not in ways(match, ana)


def test_who_aborted_a_match_is_told_to_both_players(ana: User, boris: User, match: Match) -> None:
    ending.abort(match.code, ana, 1)
    told = {ana: "You aborted the match", boris: "Your opponent aborted the match", None: "The match was aborted"}
    for viewer, said in told.items():
        client = Client()
        if viewer:
            client.force_login(viewer)
        assert page(client.get(match.get_absolute_url())).select_one("#result p").text.startswith(said)


def test_ending_a_match_is_asked_once_more_without_a_script(ana: User, match: Match) -> None:
    client = Client()
    client.force_login(ana)
    table = page(client.get(match.get_absolute_url()))
    for deed in ("abort", "resign"):
        button = table.select_one(f"#offers button[formaction$='/{deed}/']")
        assert button.find_parent("details", id=deed) is not None

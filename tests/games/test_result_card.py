"""The card that says how a match ended, and where to go from there."""

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.models import Event, Match
from games.notices import wording
from games.present import lists
from games.services import ending
from games.services.moderation import measures
from games.services.moderation.desk import Order
from games.services.moderation.matches import end_match
from games.services.seating import MatchTerms
from tests.games.cast import DAYS, LIVE, any_move, mover, page, play, start_match, waiter
from tests.moderation.staff import moderator

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


def why(match: Match, viewer: User | None) -> str:
    """Return what the card says to a viewer of how the match ended."""
    client = Client()
    if viewer:
        client.force_login(viewer)
    return page(client.get(match.get_absolute_url())).select_one("#result p").text


def test_who_aborted_a_match_is_told_to_both_players(ana: User, boris: User, match: Match) -> None:
    ending.abort(match.code, ana, 1)
    told = {ana: "You aborted the match", boris: "Your opponent aborted the match", None: "The match was aborted"}
    for viewer, said in told.items():
        assert why(match, viewer).startswith(said)


@pytest.mark.parametrize("terms", [LIVE, DAYS], ids=["live", "days"])
def test_who_did_not_lead_in_time_is_not_told_to_have_aborted_the_match(
    ana: User, boris: User, cara: User, terms: MatchTerms
) -> None:
    match = start_match(ana, boris, terms)
    late, other = mover(match), waiter(match)
    Match.objects.filter(pk=match.pk).update(deadline=timezone.now())
    assert ending.expire(match.code)
    told = {late: "You did not lead in time", other: "Your opponent did not lead in time", cara: "Nobody led in time"}
    for viewer, said in told.items():
        assert why(match, viewer).startswith(said)
    ended = Match.objects.with_seats().get(pk=match.pk)
    for player in (late, other):
        assert lists.match_card(ended, player).reason.startswith(told[player])
        assert wording.tell(Event.OVER, player.pk, ended, {}).sentences[0].startswith(told[player])


@pytest.mark.parametrize("deed", ["void", "close"])
def test_that_a_moderator_ended_a_match_is_told_to_all(
    ana: User, boris: User, cara: User, match: Match, deed: str
) -> None:
    order = Order(moderator("Mira"), boris, "chat")
    if deed == "void":
        end_match(order, match.code, 1, "void")
    else:
        measures.close(order)
    for viewer in (ana, boris, cara, None):
        assert why(match, viewer).startswith("A moderator ended the match: it does not count")


def test_ending_a_match_is_asked_once_more_without_a_script(ana: User, match: Match) -> None:
    client = Client()
    client.force_login(ana)
    table = page(client.get(match.get_absolute_url()))
    for deed in ("abort", "resign"):
        button = table.select_one(f"#offers button[formaction$='/{deed}/']")
        assert button.find_parent("details", id=deed) is not None

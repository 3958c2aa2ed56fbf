"""Laying lines down by playing them out, without a script."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.models import Line, Match, Move
from games.services import playing
from games.services.errors import StaleTurnError
from tests.correspondence.conftest import Begin, mover, waiter
from tests.correspondence.test_lines import START
from tests.games.secrets_of import without_tokens


@pytest.fixture
def match(begin: Begin) -> Match:
    match = begin()
    Match.objects.filter(pk=match.pk).update(start=START, position=START, to_move=0)
    match.refresh_from_db()
    return match


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_a_line_is_played_out_kept_listed_and_played(match: Match) -> None:
    client = client_of(waiter(match))
    address = reverse("games:lines", args=[match.code])
    theirs = {"moves": "", "rank": "9", "suit": "H", "cover_rank": "6", "cover_suit": "C"}
    laid = client.get(address, theirs, follow=True)
    assert laid.context["plan"].asks == "beat"
    assert {view.code for view in laid.context["plan"].cards} == {"8C"}
    chosen = client.get(address, {"moves": "9H+6C", "beat": "8C"})
    assert chosen.context["plan"].asks == "cover"
    done = client.get(address, {"moves": "9H+6C", "move": "8C+TD"}, follow=True)
    assert done.context["plan"].can_keep
    kept = client.post(reverse("games:keep_line", args=[match.code]), {"turn": 1, "moves": "9H+6C 8C+TD"}, follow=True)
    (line,) = kept.context["laid"]
    assert [sentence.split()[0] for sentence in line.sentences] == [mover(match).username, "You"]
    playing.play(match.code, mover(match), 1, "9H+6C")
    assert Move.objects.filter(match=match).count() == 2


def test_lines_are_erased_one_by_one_and_all(match: Match) -> None:
    client = client_of(waiter(match))
    for cover in ("6C", "7C", "9C"):
        client.post(reverse("games:keep_line", args=[match.code]), {"turn": 1, "moves": f"9H+{cover} take"})
        client.post(reverse("games:keep_line", args=[match.code]), {"turn": 1, "moves": f"9H+{cover} 8C+TD"})
    assert Line.objects.count() == 3
    erase = reverse("games:erase_lines", args=[match.code])
    client.post(erase, {"line": Line.objects.first().pk})
    client.post(erase, {"line": "12x"})
    assert Line.objects.count() == 2
    client.post(erase)
    assert not Line.objects.exists()


@pytest.mark.parametrize(
    "query",
    [
        {"moves": "9H+6C", "move": "KD+TD"},
        {"moves": "", "rank": "A", "suit": "H"},
        {"moves": "", "rank": "Z", "suit": "H"},
        {"moves": "", "rank": "9", "suit": "H", "cover_rank": "6"},
        {"moves": "", "rank": "9", "suit": "H"},
    ],
)
def test_what_cannot_be_is_said_and_leads_nowhere(match: Match, query: dict[str, str]) -> None:
    response = client_of(waiter(match)).get(reverse("games:lines", args=[match.code]), query)
    assert response.status_code == 200
    assert response.context["notice"]
    assert response.context["plan"].path == query["moves"]


def picking_up(match: Match) -> tuple[str, bool]:
    """Return what is said of a pick-up by the opponent, who can beat, and whether it was offered."""
    client, address = client_of(waiter(match)), reverse("games:lines", args=[match.code])
    offered = 'value="take"' in client.get(address).content.decode()
    return str(client.get(address, {"moves": "", "move": "take"}).context["notice"]), offered


def test_an_opponent_who_has_to_beat_does_not_pick_up_and_the_page_says_why(match: Match) -> None:
    said, offered = picking_up(match)
    assert said.startswith(f"{mover(match).username} has to beat")
    # To leave the offer out would tell what a closed hand holds.
    assert offered
    Match.objects.filter(pk=match.pk).update(open_hands=True)
    assert picking_up(match) == (said, False)


def test_nonsense_in_the_address_starts_again(match: Match) -> None:
    address = reverse("games:lines", args=[match.code])
    response = client_of(waiter(match)).get(address, {"moves": "no such move"})
    assert (response.status_code, response.url) == (302, address)


def test_a_line_that_is_refused_is_shown_with_the_reason(match: Match) -> None:
    client, keep = client_of(waiter(match)), reverse("games:keep_line", args=[match.code])
    stale = client.post(keep, {"turn": 2, "moves": "9H+6C 8C+TD"})
    assert stale.status_code == 409
    assert stale.context["notice"] == StaleTurnError.message
    assert stale.context["plan"].path == "9H+6C 8C+TD"
    halfway = client.post(keep, {"turn": 1, "moves": "9H+6C"})
    assert (halfway.status_code, halfway.context["notice"]) == (422, "A line ends with a turn of your own.")
    assert not Line.objects.exists()


def test_a_line_that_cannot_be_played_out_leads_back_to_the_table(match: Match) -> None:
    client = client_of(waiter(match))
    keep = reverse("games:keep_line", args=[match.code])
    response = client.post(keep, {"turn": 1, "moves": "no such move"}, follow=True)
    assert response.redirect_chain == [(reverse("games:lines", args=[match.code]), 302)]
    assert response.status_code == 200


def test_the_pages_hide_lines_and_closed_hands_from_the_opponent(match: Match, outsider: User) -> None:
    planner, opponent = waiter(match), mover(match)
    client_of(planner).post(reverse("games:keep_line", args=[match.code]), {"turn": 1, "moves": "9H+6C 8C+TD"})
    for user in (opponent, outsider):
        page = without_tokens(client_of(user).get(match.get_absolute_url()).content.decode())
        assert "planned line" not in page
        assert "8C" not in page
    assert client_of(opponent).get(reverse("games:lines", args=[match.code])).status_code == 302
    assert client_of(outsider).get(reverse("games:lines", args=[match.code])).status_code == 404
    fresh = client_of(planner).get(reverse("games:lines", args=[match.code]), {"x": ""})
    plan = fresh.content.decode().partition('id="plan"')[2].partition("</section>")[0]
    for code in ("6C", "7C", "9C", "6D", "9H"):
        assert code not in plan
    table = client_of(planner).get(match.get_absolute_url()).content.decode()
    assert "1 planned line" in table
    for code in ("6C", "7C", "9C", "6D", "9H"):
        assert f'"{code}"' not in table

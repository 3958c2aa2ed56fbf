"""A link from a mail plays one turn, and nothing else."""

from collections.abc import Callable

import pytest
import time_machine
from django.test import Client

from accounts.models import User
from games.models import Match, Seat
from games.notices import links, outbox
from games.services import ending
from tests.games.cast import DAYS, ROUND, log, page, play
from tests.games.secrets_of import without_tokens
from tests.notices.conftest import Postbox
from tests.notices.tools import DAY, MINUTE, begin

pytestmark = pytest.mark.django_db


@pytest.fixture
def days(clock: time_machine.Traveller, ana: User, boris: User) -> Match:
    return play(begin(ana, boris, DAYS, position=ROUND), "3H")


@pytest.fixture
def link(days: Match, clock: time_machine.Traveller, postbox: Postbox) -> str:
    """The path of the link in the mail to Boris."""
    clock.shift(10 * MINUTE)
    outbox.send_due()
    (letter,) = postbox.take()
    return letter.path("/play/")


def test_it_opens_the_table_ready_to_play_without_a_log_in(link: str, days: Match, client: Client) -> None:
    answer = client.get(link)
    assert answer.status_code == 200
    shown = page(answer)
    buttons = shown.select("#rows button[data-card]")
    assert {button["data-card"] for button in buttons} == {"TH", "9S", "QS", "KS"}
    assert shown.select_one("#turn-form")["action"] == link
    assert "sessionid" not in client.cookies
    assert not shown.select("[formaction]")
    assert "ws-connect" not in answer.content.decode()


def test_a_whole_turn_is_made_by_its_forms(link: str, days: Match, client: Client) -> None:
    shown = page(client.get(link))
    choose = shown.select_one("#choose-form")
    assert choose["action"] == link
    shown = page(client.get(f"{link}?beat=TH"))
    cover = shown.select_one('#rows button[data-card="KS"]')
    assert (cover["form"], cover["name"], cover["value"]) == ("turn-form", "move", "TH+KS")
    answer = client.post(link, {"move": cover["value"]})
    assert (answer.status_code, answer["Location"]) == (302, days.get_absolute_url())
    assert log(days) == ["3H", "TH+KS"]
    assert "Your turn is made." in client.get(answer["Location"]).content.decode()


def test_it_is_no_log_in(link: str, days: Match, client: Client) -> None:
    client.get(link)
    client.post(link, {"move": "TH+KS"})
    table = page(client.get(days.get_absolute_url()))
    assert not table.select("#rows")
    assert client.post(f"{days.get_absolute_url()}resign/").status_code == 302
    assert Match.objects.get(pk=days.pk).is_running
    assert client.get("/mine/").status_code == 302


def test_it_plays_that_turn_only(link: str, days: Match, client: Client) -> None:
    play(days, "TH+KS", "take")
    answer = client.get(link, follow=True)
    assert answer.redirect_chain == [(days.get_absolute_url(), 302)]
    assert "The turn that this link was for has passed." in answer.content.decode()
    client.post(link, {"move": "9S"})
    assert log(days) == ["3H", "TH+KS", "take"]


def test_posted_twice_the_turn_is_made_once(link: str, days: Match, client: Client) -> None:
    assert client.post(link, {"move": "TH+KS"}).status_code == 302
    assert client.post(link, {"move": "TH+KS"}).status_code == 302
    assert log(days) == ["3H", "TH+KS"]


def test_an_illegal_turn_is_refused_and_can_be_mended(link: str, days: Match, client: Client) -> None:
    answer = client.post(link, {"move": "9S+TH"})
    assert answer.status_code == 422
    assert "The rules do not allow that." in answer.content.decode()
    assert client.post(link, {"move": "take"}).status_code in (302, 422)
    assert len(log(days)) <= 2


def test_after_seven_days_it_is_too_old(clock: time_machine.Traveller, ana: User, boris: User, client: Client) -> None:
    match = play(begin(ana, boris, position=ROUND), "3H")
    path = f"/play/{links.play_token(match)}/"
    clock.shift(7 * DAY)
    assert client.get(path).status_code == 200
    clock.shift(MINUTE)
    answer = client.get(path, follow=True)
    assert "This link is too old to play by." in answer.content.decode()
    client.post(path, {"move": "TH+KS"})
    assert log(match) == ["3H"]


@pytest.mark.parametrize(
    "change",
    [
        lambda token: token[:-1] + ("A" if token[-1] != "A" else "B"),
        lambda token: token.replace(".2.1.", ".2.0."),
        lambda token: token.replace(".2.1.", ".3.1."),
        lambda token: token.partition(".")[0],
        lambda token: "x",
    ],
)
def test_a_changed_link_is_none(link: str, client: Client, change: Callable[[str], str]) -> None:
    token = link.removeprefix("/play/").removesuffix("/")
    assert client.get(f"/play/{change(token)}/").status_code == 404


def test_a_link_of_one_kind_is_none_of_another(link: str, client: Client, boris: User) -> None:
    token = link.removeprefix("/play/").removesuffix("/")
    assert client.get(f"/notices/off/{token}/").status_code == 404
    assert client.get(f"/play/{links.off_token(boris, 'turn', 'mail')}/").status_code == 404


def test_a_program_that_follows_links_does_not_count_as_the_player(link: str, days: Match, client: Client) -> None:
    client.get(link)
    assert Seat.objects.get(match=days, number=1).looked_at is None


def test_the_player_with_a_session_goes_to_the_table_itself(
    link: str, days: Match, client: Client, boris: User
) -> None:
    client.force_login(boris)
    assert client.get(link)["Location"] == days.get_absolute_url()


def test_a_match_that_is_over_is_only_shown(link: str, days: Match, client: Client, boris: User) -> None:
    ending.resign(days.code, boris)
    assert client.get(link)["Location"] == days.get_absolute_url()


def test_the_cards_of_the_opponent_stay_hidden(link: str, days: Match, client: Client) -> None:
    # The address of the page itself stands in it, with a key of random letters.
    text = without_tokens(client.get(link).content.decode()).replace(link, "")
    assert "5H" not in text
    assert "7S" not in text

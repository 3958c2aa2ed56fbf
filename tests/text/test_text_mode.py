"""The table as text: a whole game is played by its form alone."""

import datetime
from collections.abc import Iterator

import pytest
import time_machine
from bs4 import BeautifulSoup
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.middleware import UNATTENDED
from accounts.models import User
from games.models import Match
from games.services import ending
from tests.games import cast


@pytest.fixture
def ana(db: None) -> User:
    return cast.person("Ana")


@pytest.fixture
def boris(db: None) -> User:
    return cast.person("Boris")


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(datetime.datetime(2026, 3, 2, 12, tzinfo=datetime.UTC), tick=False) as traveller:
        yield traveller


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def page_of(client: Client, match: Match) -> BeautifulSoup:
    return cast.page(client.get(reverse("games:text", args=[match.code])))


def answer(page: BeautifulSoup) -> dict[str, str] | None:
    """Fill in the form as a person does who takes the first card of each list; None where it is not the turn."""
    form = page.select_one("#turn-form")
    if form is None:
        return None
    filled = {"turn": form.select_one("[name=turn]")["value"]}
    if form.select_one("[name=card]") is None:
        return {**filled, "take": form.select_one("[name=take]")["value"]}
    filled["card"] = form.select_one("[name=card] option")["value"]
    if (cover := form.select_one("[name=cover]")) is not None:
        choices = [option["value"] for option in cover.select("option")]
        filled["cover"] = next(code for code in choices if code and code != filled["card"])
    return {**filled, "play": "1"}


def test_a_whole_game_is_played_by_the_form(ana: User, boris: User) -> None:
    match = cast.start_match(ana, boris)
    clients = [client_of(ana), client_of(boris)]
    for _ in range(400):
        match = Match.objects.get(pk=match.pk)
        if not match.is_running:
            break
        player = clients[match.to_move]
        assert answer(page_of(clients[1 - match.to_move], match)) is None
        response = player.post(reverse("games:text", args=[match.code]), answer(page_of(player, match)))
        assert response.status_code == 302
    match = cast.check(match)
    assert match.is_over
    assert match.turn > 10
    said = [page_of(client, match).select_one("#announce").text for client in clients]
    assert any("You have won" in text or "A draw" in text for text in said)


def test_a_turn_can_be_typed(ana: User, boris: User) -> None:
    match = cast.start_match(ana, boris, position="6C9H/7DKDAD 8D SH 1 strict")
    client = client_of(boris)
    client.post(reverse("games:text", args=[match.code]), {"turn": "1", "typed": " ad + 7d ", "card": "KD"})
    assert cast.log(match) == ["AD+7D"]


@pytest.mark.parametrize(
    "fields", [{}, {"card": "KD"}, {"card": "KD", "cover": "KD"}, {"typed": "nonsense"}, {"take": "1"}, {"turn": "x"}]
)
def test_a_turn_that_is_none_is_refused_with_a_reason_and_the_table(
    ana: User, boris: User, fields: dict[str, str]
) -> None:
    match = cast.start_match(ana, boris, position="6C9H/7DKDAD 8D SH 1 strict")
    response = client_of(boris).post(reverse("games:text", args=[match.code]), {"turn": "1", **fields})
    assert 400 <= response.status_code < 500
    page = cast.page(response)
    assert page.select_one(".notice-line[role=alert]").text.strip()
    assert page.select_one("#turn-form")
    assert cast.log(match) == []


def test_the_text_names_every_card_of_the_own_hand_and_none_of_the_other(ana: User, boris: User) -> None:
    match = cast.start_match(ana, boris, position="6C9H/7DKDAD 8D SH 1 strict")
    own = page_of(client_of(ana), match).text
    other = page_of(client_of(boris), match).text
    assert "six of clubs" in own
    assert "seven of diamonds" not in own
    assert "king of diamonds" in other
    assert "nine of hearts" not in other


def test_a_page_asks_for_news_and_gets_none_or_the_table(ana: User, boris: User) -> None:
    match = cast.start_match(ana, boris)
    client = client_of(cast.waiter(match))
    page = page_of(client, match)
    asks = page.select_one("#text-table")["hx-get"]
    again = client.get(asks, headers={"hx-request": "true"})
    assert (again.status_code, again.content) == (204, b"")
    cast.play(match, cast.any_move(match))
    news = client.get(asks, headers={"hx-request": "true"})
    assert news.status_code == 200
    assert news.content.strip().startswith(b"<title>")
    assert b'<div id="text-table"' in news.content
    assert b"<html" not in news.content
    assert answer(cast.page(news)) is not None


def test_a_page_is_told_when_a_moderator_lets_the_match_stand_still(ana: User, boris: User) -> None:
    match = cast.start_match(ana, boris)
    for user in (ana, boris):
        Match.objects.filter(pk=match.pk).update(paused_at=None)
        client = client_of(user)
        asks = page_of(client, match).select_one("#text-table")["hx-get"]
        Match.objects.filter(pk=match.pk).update(paused_at=match.started_at)
        news = client.get(asks, headers={"hx-request": "true"})
        assert news.status_code == 200
        assert "stands still" in cast.page(news).select_one("#announce").text


def test_offers_and_the_end_are_in_the_text(ana: User, boris: User) -> None:
    match = cast.play_randomly(cast.start_match(ana, boris), 4)
    address = reverse("games:text", args=[match.code])
    one, other = client_of(ana), client_of(boris)
    one.post(address, {"do": "draw:offer", "turn": str(match.turn)})
    assert "Ana offers a draw" in page_of(other, match).text
    other.post(address, {"do": "draw:decline", "turn": str(match.turn)})
    one.post(address, {"do": "resign", "turn": str(match.turn)})
    assert "You have won" in page_of(other, match).select_one("#announce").text
    other.post(address, {"do": "rematch", "turn": str(match.turn)})
    assert page_of(one, match).select_one("button[value=rematch]").text == "Accept the rematch"
    response = one.post(address, {"do": "rematch", "turn": str(match.turn)})
    rematch = Match.objects.get(rematch_of=match)
    assert response.url == reverse("games:text", args=[rematch.code])


def test_whoever_only_looks_on_sees_no_form(ana: User, boris: User) -> None:
    match = cast.start_match(ana, boris)
    page = page_of(client_of(cast.person("Cara")), match)
    assert page.select("main form") == []
    assert page.select(".cards-as-text") == []
    ending.resign(match.code, ana)
    assert page_of(Client(), match).select(".cards-as-text")


def test_a_turn_without_a_log_in_leads_to_it_and_back(ana: User, boris: User) -> None:
    match = cast.start_match(ana, boris)
    address = reverse("games:text", args=[match.code])
    response = Client().post(address, {"turn": "1", "card": "7H"})
    assert response.status_code == 302
    assert response.url.endswith(f"?next={address}")


def test_an_open_match_has_no_text(ana: User) -> None:
    assert Client().get(reverse("games:text", args=[cast.open_match(ana).code])).status_code == 404


def test_asking_for_news_keeps_a_player_at_the_table_but_sees_nothing(
    clock: time_machine.Traveller, ana: User, boris: User
) -> None:
    match = cast.start_match(ana, boris, cast.LIVE)
    waiter = cast.waiter(match)
    client = client_of(waiter)
    asks = page_of(client, match).select_one("#text-table")["hx-get"]
    seat = match.seats.get(user=waiter)
    clock.shift(datetime.timedelta(seconds=15))
    assert client.get(asks, headers={"hx-request": "true"}).status_code == 204
    before, seat = seat, match.seats.get(user=waiter)
    assert seat.here_at == timezone.now()
    cast.play(match, cast.any_move(match))
    clock.shift(datetime.timedelta(minutes=2))
    assert client.get(asks, headers={"hx-request": "true", UNATTENDED: "1"}).status_code == 200
    after = match.seats.get(user=waiter)
    assert (after.looked_at, after.seen_turn) == (before.looked_at, before.seen_turn)
    assert User.objects.get(pk=waiter.pk).last_active_at == waiter.last_active_at


def test_a_live_clock_is_told_anew(clock: time_machine.Traveller, ana: User, boris: User) -> None:
    match = cast.start_match(ana, boris, cast.LIVE)
    cast.play(match, cast.any_move(match))
    match = cast.check(match)
    client = client_of(cast.mover(match))
    page = page_of(client, match)
    asks = page.select_one("#text-table")["hx-get"]
    clock.shift(datetime.timedelta(seconds=70))
    news = client.get(asks, headers={"hx-request": "true"})
    assert news.status_code == 200
    assert "Time left" in news.content.decode()

"""The replay's pages: what each turn shows to whom, the links, the downloads, the picture, the import."""

import json
import re

import pytest
from bs4 import BeautifulSoup
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.models import Match
from games.records import read
from games.rules import card_name, cards_of, parse_position
from tests.games import cast


def client_of(user: User | None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def replay_page(match: Match, user: User | None = None, query: str = "") -> BeautifulSoup:
    response = client_of(user).get(f"{reverse('games:replay', args=[match.code])}{query}")
    assert response.status_code == 200
    return cast.page(response)


def cards(page: BeautifulSoup, place: str) -> set[str]:
    return {card["data-card"] for card in page.select(f"{place} .card")}


def hand(match: Match, seat: int, turn: int) -> set[str]:
    position = parse_position(match.start)
    for notation in cast.log(match)[:turn]:
        from games.rules import parse_move

        position = position.play(parse_move(notation))
    return {card_name(card) for card in cards_of(position.hands[seat])}


def test_each_turn_shows_the_table_as_it_stood(ended: Match, ana: User) -> None:
    near = ended.seats.get(user=ana).number
    for turn in range(ended.turn):
        page = replay_page(ended, ana, f"?turn={turn}")
        assert cards(page, "#hand") == hand(ended, near, turn)
        assert cards(page, "#far") == hand(ended, 1 - near, turn)
        current = page.select_one("#turn-list [aria-current]")
        assert current["data-turn"] == str(turn)


def test_flipping_swaps_the_sides(ended: Match, ana: User) -> None:
    page = replay_page(ended, ana, "?turn=4&flip=1")
    near = ended.seats.get(user=ana).number
    assert cards(page, "#hand") == hand(ended, 1 - near, 4)
    assert "turn=4" in page.select_one("#to-flip")["href"]
    assert "flip" not in page.select_one("#to-flip")["href"]
    assert page.select_one("#to-on")["href"] == "?turn=5&flip=1"


@pytest.mark.parametrize("query", ["?turn=-1", "?turn=x", "?turn=", "?turn=٣", "?flip=9", "?turn=999999999999999999"])
def test_an_odd_address_still_shows_a_turn(ended: Match, query: str) -> None:
    assert replay_page(ended, None, query).select("#turn-list [aria-current]")


def test_the_steps_lead_through_the_whole_match_without_a_script(ended: Match) -> None:
    page, seen = replay_page(ended, None, "?turn=0"), [0]
    while link := page.select_one("#to-on[href]"):
        page = replay_page(ended, None, link["href"])
        seen.append(int(page.select_one("#replay")["data-turn"]))
    assert seen == list(range(ended.turn))
    assert "resigned" in page.select_one("#outcome").text
    assert page.select_one("#to-last[href]") is None


def test_playing_without_a_script_goes_on_by_itself_up_to_the_end(ended: Match) -> None:
    last = ended.turn - 1
    middle = replay_page(ended, None, "?turn=2&play=1").select_one("noscript meta")
    assert middle["content"] == "2; url=?turn=3&play=1"
    before_last = replay_page(ended, None, f"?turn={last - 1}&play=1").select_one("noscript meta")
    assert before_last["content"] == f"2; url=?turn={last}"
    assert replay_page(ended, None, f"?turn={last}&play=1").select("noscript meta") == []


@pytest.mark.parametrize("who", ["player", "outsider", "nobody"])
def test_a_running_match_shows_no_card_of_a_closed_hand(match: Match, ana: User, cara: User, who: str) -> None:
    user = {"player": ana, "outsider": cara, "nobody": None}[who]
    near = match.seats.get(user=ana).number
    client = client_of(user)
    for name in ("replay", "replay_turns"):
        for turn in (0, 5, match.turn - 1):
            body = client.get(f"{reverse(f'games:{name}', args=[match.code])}?turn={turn}").content.decode()
            if name == "replay":
                page = BeautifulSoup(body, "lxml")
                assert cards(page, "#far") == set()
                assert cards(page, "#hand") == (hand(match, near, turn) if who == "player" else set())
            else:
                found = json.loads(body)["hands"]
                assert found[1 - near] == 18
                assert found[near] == (sorted(hand(match, near, 0), key=found[near].index) if who == "player" else 18)


@pytest.mark.parametrize("name", ["replay_text", "replay_json"])
def test_a_record_with_both_hands_waits_for_the_end(match: Match, ana: User, name: str) -> None:
    response = client_of(ana).get(reverse(f"games:{name}", args=[match.code]))
    assert response.status_code == 403
    assert match.start.split()[0].split("/")[1] not in response.content.decode()


def test_the_downloads_are_records_of_the_match(ended: Match) -> None:
    for name, kind in (("replay_text", "text/plain"), ("replay_json", "application/json")):
        response = Client().get(reverse(f"games:{name}", args=[ended.code]))
        assert response["Content-Type"].startswith(kind)
        record = read(response.content.decode())
        assert (str(record.start), [str(move) for move in record.moves]) == (ended.start, cast.log(ended))
        assert record.outcome.reason == "resignation"
        assert set(record.names) == {"Ana", "Борис"}


def test_the_list_has_the_sentence_of_every_turn_that_the_script_shows(ended: Match, ana: User) -> None:
    data = client_of(ana).get(reverse("games:replay_turns", args=[ended.code])).json()
    page = replay_page(ended, ana)
    for number, turn in enumerate(data["turns"], start=1):
        (sentence,) = page.select(f'#turn-list a[data-turn="{number}"] > span:not(.n)')
        assert sentence.text.startswith("You ") == (turn["seat"] == data["mine"])
        named = [mark["aria-label"] for mark in sentence.select("[role=img]")]
        assert [data["names"][card] for card in turn["laid"]] == named[len(named) - len(turn["laid"]) :]


def test_a_match_that_has_not_begun_has_no_replay(ana: User) -> None:
    match = cast.open_match(ana)
    for name in ("replay", "replay_turns", "replay_text"):
        assert Client().get(reverse(f"games:{name}", args=[match.code])).status_code == 404
    assert Client().get(reverse("games:replay", args=["nothing"])).status_code == 404


def test_the_page_carries_a_preview_for_other_sites(ended: Match) -> None:
    page = replay_page(ended)
    meta = {tag["property"]: tag["content"] for tag in page.select("meta[property]")}
    assert meta["og:image"] == f"http://testserver/m/{ended.code}/preview.png"
    assert "Ana" in meta["og:title"]
    image = Client().get(meta["og:image"])
    assert image["Content-Type"] == "image/png"
    assert image.content.startswith(b"\x89PNG")


def test_the_picture_shows_nothing_hidden_and_is_drawn_once(
    match: Match, ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    from games.preview import picture, poster

    match = Match.objects.with_seats().get(pk=match.pk)
    drawing = picture.svg(poster.of_match(match))
    shown = set(re.findall(r'href="#([2-9TJQKA][CDHS])" width="200"', drawing))
    pile = {card_name(card) for card in match.rules_position.pile}
    assert shown <= pile
    address = reverse("games:preview", args=[match.code])
    first = Client().get(address).content
    monkeypatch.setattr(picture, "png", lambda drawing: pytest.fail("drawn twice"))
    assert Client().get(address).content == first


def test_a_pasted_record_is_shown_without_being_stored(ended: Match) -> None:
    text = Client().get(reverse("games:replay_text", args=[ended.code])).content.decode()
    response = Client().post(reverse("games:import"), {"text": text})
    assert response.status_code == 302
    client = Client()
    page = cast.page(client.get(response.url))
    assert int(page.select_one("#replay")["data-last"]) == ended.turn - 1
    assert cards(page, "#hand") == hand(ended, 0, 0)
    assert "Ana" in page.title.text or "Борис" in page.title.text
    turns = client.get(page.select_one("#replay")["data-turns"]).json()
    assert len(turns["turns"]) == ended.turn - 1
    link = page.select_one("a[href$='game.txt']")["href"]
    assert read(client.get(link).content.decode()).start == read(text).start


def test_a_record_comes_in_as_a_file_too(ended: Match) -> None:
    body = Client().get(reverse("games:replay_json", args=[ended.code])).content
    response = Client().post(reverse("games:import"), {"file": SimpleUploadedFile("game.json", body)})
    assert response.status_code == 302
    assert Client().get(response.url).status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("posted", "says"),
    [
        ({"text": ""}, "nothing here"),
        ({"text": "Start: 6C/7D - SH 0 strict\n1. 9S"}, "9S is not in"),
        ({"file": SimpleUploadedFile("x.txt", b"\xff\xfe\x00")}, "not text"),
        ({"file": SimpleUploadedFile("x.txt", b"x" * 300_000)}, "too large"),
    ],
)
def test_a_record_that_is_none_is_refused_in_words(posted: dict, says: str) -> None:
    response = Client().post(reverse("games:import"), posted)
    assert response.status_code == 422
    assert says in cast.page(response).select_one(".errorlist").text


@pytest.mark.django_db
def test_an_address_that_holds_no_game_is_not_found() -> None:
    for name in ("record", "record_turns", "record_text"):
        assert Client().get(reverse(f"games:{name}", args=["nonsense"])).status_code == 404

"""The lessons teach what the rules say, and can be played, skipped and taken up again."""

from collections.abc import Iterator

import pytest
from bs4 import BeautifulSoup
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import translation
from pytest_django.fixtures import Settings

from games.rules import card_name, parse_move
from games.tutorial import LESSONS, Aim
from tests.games import cast

#: What an experienced player answers in each lesson; the lessons themselves list nothing.
RIGHT = [
    {"6C", "8D", "9H", "QS"},
    {"JD+7C", "JD+8S"},
    {"6H+KC", "6H+QD"},
    {"JD+7C", "JD+AS"},
    {"QH+AD", "QH+9H"},
    {"TC+KD"},
    {"JD+AS"},
    {"take"},
    {"take"},
    {"take"},
    {"JD+KD"},
]
TAKEN = {8: 3, 9: 5, 10: 7}
STEPS = range(1, len(LESSONS) + 1)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def fresh_limits() -> Iterator[None]:
    """Start every test with no newcomer counted against a limit."""
    cache.clear()
    yield
    cache.clear()


def page_of(client: Client, step: int, query: str = "") -> BeautifulSoup:
    return cast.page(client.get(reverse("games:lesson", args=[step]) + query))


def play(client: Client, step: int, move: str) -> BeautifulSoup:
    response = client.post(reverse("games:lesson", args=[step]), {"move": move}, follow=True)
    return cast.page(response)


@pytest.mark.parametrize("step", STEPS)
def test_the_right_answers_are_those_of_an_experienced_player(step: int) -> None:
    lesson = LESSONS[step - 1]
    assert {str(move) for move in lesson.right_moves()} == RIGHT[step - 1]


@pytest.mark.parametrize("step", STEPS)
def test_a_lesson_with_one_allowed_answer_needs_no_correction_and_others_have_one(step: int) -> None:
    lesson = LESSONS[step - 1]
    has_wrong = len(lesson.right_moves()) < len(list(lesson.position.legal_moves()))
    assert has_wrong == (lesson.aim != Aim.ALLOWED) == bool(lesson.corrects)


@pytest.mark.parametrize(("step", "count"), TAKEN.items())
def test_picking_up_takes_as_many_cards_as_its_lesson_says(step: int, count: int) -> None:
    before = LESSONS[step - 1].position
    after = before.play(parse_move("take"))
    assert after.hands[0].bit_count() - before.hands[0].bit_count() == count


def test_what_the_lessons_claim_of_the_cards_is_so() -> None:
    def beaters(step: int, move: str) -> set[str]:
        after = LESSONS[step - 1].position.play(parse_move(move))
        return {card_name(card) for card in range(52) if after.beaters() >> card & 1}

    assert beaters(6, "TC+6C") == {"9C"}
    assert beaters(7, "JD+6C") == {"8C", "QC", "KS"}
    assert LESSONS[6].position.play(parse_move("JD+AS")).pickup_count() == 6
    assert card_name(LESSONS[7].position.play(parse_move("take")).top) == "8H"
    assert LESSONS[9].position.play(parse_move("take")).pile == ()
    assert LESSONS[10].position.play(parse_move("KD+JD")).outcome().reason == "last-card"
    trap = LESSONS[4].position
    assert (trap.beaters().bit_count(), trap.pickup_count()) == (1, 2)


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_all_lessons_are_played_by_plain_forms(language: str) -> None:
    client = Client(headers={"accept-language": language})
    address = client.get(reverse("games:lessons")).url
    for step in STEPS:
        page = cast.page(client.get(address))
        assert page.html["lang"] == language
        answer = sorted(RIGHT[step - 1])[0]
        if "+" in answer:
            beat = page.select_one(f"#rows button[name=beat][value='{answer.split('+')[0]}']")
            assert page.select_one(f"form#{beat['form']}")["method"] == "get"
            page = page_of(client, step, f"?beat={beat['value']}")
        button = page.select_one(f"button[name=move][value='{answer}']")
        form = page.select_one(f"form#{button['form']}")
        page = cast.page(client.post(form["action"], {"move": button["value"]}, follow=True))
        with translation.override(language):
            assert page.select_one("#lesson-text.is-right").text.strip() == str(LESSONS[step - 1].praises)
        address = page.select_one("#lesson-on")["href"]
    assert cast.page(client.get(address)).select_one("form[action='/play/']")


@pytest.mark.parametrize(("step", "move"), [(6, "TC+6C"), (7, "JD+6C"), (11, "KD+JD")])
def test_an_allowed_turn_that_misses_the_aim_is_explained_and_can_be_tried_again(step: int, move: str) -> None:
    client = Client()
    page = play(client, step, move)
    assert page.select_one("#lesson-text").text == str(LESSONS[step - 1].corrects)
    assert page.select_one("#lesson-on")["href"] == reverse("games:lesson", args=[step])
    assert client.get(reverse("games:lessons")).url == reverse("games:lesson", args=[step])


@pytest.mark.parametrize("move", ["", "x", "AS+JD", "take", "JD", "7C+JD"])
def test_a_turn_that_the_rules_forbid_is_refused(move: str) -> None:
    response = Client().post(reverse("games:lesson", args=[2]), {"move": move})
    assert response.status_code == 422
    assert cast.page(response).select_one(".lesson-note[role=alert]")


def test_the_lessons_go_on_where_they_were_left() -> None:
    client = Client()
    play(client, 1, "6C")
    play(client, 2, "JD+7C")
    assert client.get(reverse("games:lessons")).url == reverse("games:lesson", args=[3])
    # Going back to an earlier step loses nothing.
    play(client, 1, "6C")
    assert client.get(reverse("games:lessons")).url == reverse("games:lesson", args=[3])
    marks = [step.get("class", []) for step in page_of(client, 3).select(".lesson-steps a")]
    assert ["is-done" in mark for mark in marks] == [True, True] + [False] * (len(LESSONS) - 2)


def test_one_client_is_not_remembered_without_end_and_learns_nevertheless(settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"guest": "2/m/ip"}
    for step, move in ((1, "7C"), (2, "x"), (6, "TC+6C")):
        Client().post(reverse("games:lesson", args=[step]), {"move": move})
    assert Session.objects.count() == 1
    clients = [Client() for _ in range(3)]
    for client in clients:
        play(client, 1, "6C")
        play(client, 2, "JD+7C")
    assert Session.objects.count() == 2
    steps = [client.get(reverse("games:lessons")).url for client in clients]
    assert steps == [reverse("games:lesson", args=[step]) for step in (3, 1, 1)]


def test_an_account_goes_on_where_it_was_left_on_another_device() -> None:
    ana, before = cast.person("Ana"), Client()
    play(before, 1, "6C")
    play(before, 2, "JD+7C")
    # What was done before logging in is the account's with its first turn.
    before.force_login(ana)
    assert before.get(reverse("games:lessons")).url == reverse("games:lesson", args=[3])
    play(before, 3, "6H+KC")
    elsewhere = Client()
    elsewhere.force_login(ana)
    assert elsewhere.get(reverse("games:lessons")).url == reverse("games:lesson", args=[4])
    play(elsewhere, 1, "6C")
    assert elsewhere.get(reverse("games:lessons")).url == reverse("games:lesson", args=[4])
    assert Client().get(reverse("games:lessons")).url == reverse("games:lesson", args=[1])


def test_every_step_can_be_skipped_and_left() -> None:
    client = Client()
    address = reverse("games:lesson", args=[1])
    for _step in STEPS:
        links = [link["href"] for link in cast.page(client.get(address)).select(".lesson-ways a")]
        assert links[1] == reverse("games:lobby")
        address = links[0]
    assert address == reverse("games:lessons_done")


@pytest.mark.parametrize("step", [0, len(LESSONS) + 1])
def test_there_are_no_other_steps(step: int) -> None:
    assert Client().get(reverse("games:lesson", args=[step])).status_code == 404


def test_a_hand_is_open_only_where_the_lesson_needs_it() -> None:
    for step in STEPS:
        shown = page_of(Client(), step).select("#far .card")
        assert bool(shown) == LESSONS[step - 1].open_hands


def test_a_script_gets_the_lesson_alone() -> None:
    client = Client(headers={"hx-request": "true"})
    body = client.post(reverse("games:lesson", args=[1]), {"move": "6C"}, follow=True).content.decode()
    assert "<html" not in body
    assert 'id="lesson-words"' in body

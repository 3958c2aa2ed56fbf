"""Who hears the table hears names of cards, and who sees it sees their signs."""

import re

import pytest
from bs4 import BeautifulSoup
from django.conf import settings
from django.template import Context, Template
from django.test import Client
from django.utils.translation import override

from accounts.models import User
from games.models import Match
from games.present import words
from tests.games import cast

SIGNS = re.compile("[♣♦♥♠]")


def render(sentence: str, name: str) -> str:
    return Template("{% load cards %}{{ sentence|" + name + " }}").render(Context({"sentence": sentence}))


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_every_card_of_a_sentence_is_named(language: str) -> None:
    with override(language):
        for code in (rank + suit for suit in "CDHS" for rank in "23456789TJQKA"):
            for written in (words.short_card(code), words.short_card(code).strip("\u2066\u2069")):
                assert words.with_names(f"({written}).") == f"({words.spoken_card(code)})."


def test_what_is_no_card_stays() -> None:
    for text in ("", "♥ 9", "A9♥", "11♣", "10", "Борис ♠"):
        assert words.with_names(text) == text


def test_a_sentence_is_seen_as_before_and_marked_for_hearing() -> None:
    sentence = f"<Ana> leads {words.short_card('TH')}."
    shown = BeautifulSoup(render(sentence, "with_card_names"), "html.parser")
    assert shown.get_text() == sentence
    assert [mark["aria-label"] for mark in shown.select("[role=img]")] == ["ten of hearts"]
    assert render(sentence, "read_out") == "&lt;Ana&gt; leads ten of hearts."


def test_what_the_table_announces_has_no_signs(ana: User, boris: User) -> None:
    match = cast.start_match(ana, boris, position="6C9C/7DKDAD - CD 0 strict")
    cast.play(match, "6C")
    client = Client()
    client.force_login(boris)
    page = cast.page(client.get(Match.objects.get(pk=match.pk).get_absolute_url()))
    said = page.select_one("#announce").get_text()
    assert "Ana leads six of clubs." in said
    assert not SIGNS.search(said)
    for sentence in page.select("#ask, #turn-list li"):
        for mark in sentence.select("[role=img]"):
            mark.decompose()
        assert not SIGNS.search(sentence.get_text())


def test_what_the_latest_turn_did_stands_above_what_is_asked(ana: User, boris: User) -> None:
    match = cast.start_match(ana, boris, position="6C9C/7DKDAD - CD 0 strict")
    client = Client()
    client.force_login(boris)
    assert cast.page(client.get(match.get_absolute_url())).select_one("#latest") is None
    cast.play(match, "6C")
    latest, ask = cast.page(client.get(match.get_absolute_url())).select("#status > p")[:2]
    assert (latest["id"], latest.get_text()) == ("latest", f"Ana leads {words.short_card('6C')}.")
    assert ask["id"] == "ask"

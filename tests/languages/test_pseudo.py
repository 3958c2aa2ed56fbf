"""A made-up language that puts every translated text in brackets: letters outside them were never translated."""

import re
from collections.abc import Callable, Iterator

import pytest
from bs4 import BeautifulSoup
from django.test import Client
from django.utils import translation

from games.models import Match
from games.present import words
from games.services import ending, playing
from games.templatetags import cards
from tests.games.cast import DAYS, ROUND, ROUND_TRIP, UNTIMED, open_match, person, start_match

pytestmark = pytest.mark.django_db

OPEN, CLOSE = "⟦⟧"
#: Names of players and of the project's own addresses, letters of ranks and of notation are no words.
NAMES = ("Reader", "Writer")
#: Parts of a page that hold no words to translate: languages in themselves, records, names as their owners write them.
WORDLESS = "script, style, svg, code, kbd, bdi, [lang]:not(html), .notation, [name=time_zone], select[name=language]"
#: A record is written in one way for all, as notation is.
RECORD = "textarea, pre, [name=record]"
SPOKEN = ("alt", "aria-label", "placeholder", "title", "data-offline", "data-lost", "data-label")
RANK = re.compile(r"\b(?:10|[2-9JQKA])(?=[♣♦♥♠])|^[JQKA]$", re.MULTILINE)


@pytest.fixture
def bracketed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Put brackets around whatever is translated, at the one place that all ways of translating go through."""

    def wrapping(translate: Callable[..., str]) -> Callable[..., str]:
        return lambda *arguments: f"{OPEN}{translate(*arguments)}{CLOSE}"

    forget()
    for name in ("gettext", "pgettext", "ngettext", "npgettext"):
        monkeypatch.setattr(translation._trans, name, wrapping(getattr(translation._trans, name)))
    yield
    forget()


def forget() -> None:
    """Drop the names of cards that were made in either language."""
    for made in (*vars(cards).values(), *vars(words).values()):
        if hasattr(made, "cache_clear"):
            made.cache_clear()


def outside(text: str) -> str:
    """Return what stands in no bracket, without ranks of cards and names."""
    depth, kept = 0, []
    for character in text:
        depth += (character == OPEN) - (character == CLOSE)
        if not depth and character != CLOSE:
            kept.append(character)
    assert depth == 0, text
    bare = RANK.sub("", "".join(kept))
    for name in NAMES:
        bare = bare.replace(name, "")
    return bare


def untranslated(page: BeautifulSoup) -> list[str]:
    """Return the texts of a page, seen or read out, that have letters outside brackets."""
    for part in page.select(f"{WORDLESS}, {RECORD}"):
        part.decompose()
    texts = [page.title.get_text(), page.body.get_text("\n")]
    texts += [tag["content"] for tag in page.select("meta[name=description]")]
    texts += [str(tag[name]) for tag in page.body.find_all(True) for name in SPOKEN if tag.get(name)]
    bare = [part for text in texts for part in outside(text).split("\n")]
    return [part.strip() for part in bare if re.search(r"[^\W\d_]", part)]


@pytest.fixture
def places() -> dict[str, str]:
    """Matches in each of their stages, by what the pages are called."""
    reader, writer = person("Reader"), person("Writer")
    running, waiting = (start_match(reader, writer, DAYS, position=ROUND) for _match in range(2))
    for match in (running, waiting):
        playing.play(match.code, reader, match.turn, ROUND_TRIP[0])
    playing.play(running.code, writer, running.turn + 1, ROUND_TRIP[1])
    over = start_match(reader, writer, UNTIMED, position=ROUND)
    playing.play(over.code, reader, over.turn, ROUND_TRIP[0])
    ending.resign(over.code, writer)
    seat = open_match(writer)
    made = {"running": running, "waiting": waiting, "over": over, "seat": seat}
    return {name: match.get_absolute_url() for name, match in made.items()}


PUBLIC = [
    "/",
    "/lobby/",
    "/new/",
    "/rules/",
    "/learn/1/",
    "/learn/6/",
    "/learn/done/",
    "/puzzles/",
    "/records/",
    "/verify/",
    "/privacy/",
    "/terms/",
    "/offline/",
    "/account/signup/",
    "/account/login/",
    "/account/password/reset/",
]
OWN = [
    "/mine/",
    "/new/",
    "/@/Reader/",
    "/@/Writer/report/",
    "/notices/",
    "/time-off/",
    "/standing/",
    "/blocks/",
    "/data/",
    "/close/",
    "/account/",
    "/account/preferences/",
    "/account/email/",
    "/account/password/change/",
]
TABLES = ["{running}", "{running}text/", "{waiting}", "{waiting}lines/", "{seat}"]
ENDED = ["{over}", "{over}text/", "{over}replay/?turn=1"]


@pytest.mark.parametrize("address", PUBLIC)
def test_all_words_of_a_public_page_are_translated(bracketed: None, address: str) -> None:
    assert untranslated(read(Client(), address)) == []


@pytest.mark.parametrize("address", [*OWN, *TABLES, *ENDED])
def test_all_words_of_a_players_page_are_translated(bracketed: None, places: dict[str, str], address: str) -> None:
    client = Client()
    client.force_login(Match.objects.first().seats.get(user__username="Reader").user)
    assert untranslated(read(client, address.format(**places))) == []


def test_a_bare_word_is_found() -> None:
    page = BeautifulSoup(
        "<html><head><title>⟦Rules⟧</title><meta name=description content='⟦All⟧'></head>"
        "<body><p>⟦Beat ⟦the jack⟧ 10♠⟧ and cover</p><a title='Close'>⟦x⟧</a></body></html>",
        "lxml",
    )
    assert untranslated(page) == ["and cover", "Close"]


def read(client: Client, address: str) -> BeautifulSoup:
    response = client.get(address)
    assert response.status_code == 200
    return BeautifulSoup(response.content, "lxml")

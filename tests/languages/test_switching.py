"""Choosing a language: the switcher keeps the page, addresses name languages for search engines."""

import gettext
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from bs4 import BeautifulSoup
from django.conf.locale import LANG_INFO
from django.contrib.auth import get_user_model
from django.test import Client
from django.utils import formats, translation
from pytest_django import Settings

from games.management.commands.makemessages import Command
from yourtrumps.languages import INFO, PLURAL_RULES

pytestmark = pytest.mark.django_db


CATALOGUE = f"""msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: {PLURAL_RULES["lo"]}\\n"

msgid "%(count)d card"
msgid_plural "%(count)d cards"
msgstr[0] "ໄພ້ %(count)d ໃບ"
"""


@pytest.fixture(autouse=True)
def three_languages(settings: Settings, tmp_path: Path) -> Iterator[None]:
    """English, Russian, and a Lao of one text."""
    folder = tmp_path / "lo" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    with (folder / "django.mo").open("wb") as file:
        write_mo(file, read_po(StringIO(CATALOGUE)))
    settings.LOCALE_PATHS = [tmp_path]
    settings.LANGUAGES = [("en", "English"), ("ru", "Russian"), ("lo", "Lao")]
    formats.reset_format_cache()
    yield
    translation.activate("en")
    formats.reset_format_cache()


def page_of(client: Client, address: str) -> BeautifulSoup:
    return BeautifulSoup(client.get(address).content, "lxml")


def language_of(page: BeautifulSoup) -> str:
    return str(page.html["lang"])


def test_the_switcher_names_each_language_in_itself_and_marks_the_present_one() -> None:
    buttons = page_of(Client(), "/rules/").select("form.languages button")
    assert [(button["value"], button["lang"], button.text) for button in buttons] == [
        ("en", "en", "English"),
        ("ru", "ru", "Русский"),
        ("lo", "lo", "ລາວ"),
    ]
    assert [button["value"] for button in buttons if button.get("aria-current")] == ["en"]


@pytest.mark.parametrize("logged_in", [False, True])
def test_switching_keeps_the_page_and_its_query(logged_in: bool) -> None:
    client = Client()
    if logged_in:
        client.force_login(get_user_model().objects.create_user("Ana"))
    form = page_of(client, "/verify/?deck_size=36&lang=ru&deal=shuffled").select_one("form.languages")
    fields = {"next": form.select_one("[name=next]")["value"], "language": "lo"}
    response = client.post(form["action"], fields)
    assert response.url == "/verify/?deck_size=36&deal=shuffled"
    assert language_of(page_of(client, response.url)) == "lo"


def test_with_one_language_there_is_nothing_to_switch(settings: Settings) -> None:
    settings.LANGUAGES = [("en", "English")]
    page = page_of(Client(), "/rules/")
    assert page.select("form.languages, link[hreflang]") == []


def test_every_page_names_its_other_languages() -> None:
    links = page_of(Client(), "/verify/?deck_size=24&lang=ru").select("link[rel=alternate][hreflang]")
    found = {link["hreflang"]: link["href"] for link in links}
    assert set(found) == {"en", "ru", "lo", "x-default"}
    for language, address in found.items():
        assert address.startswith("http://testserver/verify/?")
        query = parse_qs(urlsplit(address).query)
        assert query == {"deck_size": ["24"]} | ({} if language == "x-default" else {"lang": [language]})
        client = Client(headers={"accept-language": "en"})
        assert language_of(page_of(client, address)) == ("en" if language == "x-default" else language)


def test_an_address_names_a_language_only_for_whoever_chose_none() -> None:
    client = Client(headers={"accept-language": "ru"})
    assert language_of(page_of(client, "/rules/?lang=lo")) == "lo"
    assert language_of(page_of(client, "/rules/?lang=xx")) == "ru"
    client.post("/account/language/", {"language": "en", "next": "/"})
    assert language_of(page_of(client, "/rules/?lang=lo")) == "en"


def test_lao_is_known_though_django_does_not_know_it() -> None:
    assert translation.get_language_info("lo")["name_local"] == INFO["lo"]["name_local"] == "ລາວ"
    assert LANG_INFO["lo"]["bidi"] is False
    with translation.override("lo"):
        counted = [translation.ngettext("%(count)d card", "%(count)d cards", n) % {"count": n} for n in (0, 1, 2)]
        assert counted == ["ໄພ້ 0 ໃບ", "ໄພ້ 1 ໃບ", "ໄພ້ 2 ໃບ"]
        assert formats.get_format("DATE_FORMAT") == "d/m/Y"
        assert formats.number_format(1234567.5, force_grouping=True) == "1.234.567,5"


@pytest.mark.parametrize("language", PLURAL_RULES)
def test_a_new_catalogue_gets_a_plural_rule_that_can_be_used(language: str) -> None:
    fresh = 'msgid ""\nmsgstr ""\n"Language: \\n"\n"Plural-Forms: nplurals=INTEGER; plural=EXPRESSION;\\n"\n'
    made = Command().copy_plural_forms(fresh, language)
    assert f'"Plural-Forms: {PLURAL_RULES[language]}\\n"' in made
    rule = PLURAL_RULES[language].split("plural=")[1].rstrip(";")
    assert {gettext.c2py(rule)(count) for count in range(100)} == {0}

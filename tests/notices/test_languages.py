"""Every text in the language and time of who reads it, whoever caused it (fault 22)."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import time_machine
from babel.messages import Catalog
from babel.messages.mofile import write_mo
from django.conf import locale
from django.test import Client
from django.utils import translation
from django.utils.translation import trans_real

from accounts.models import User
from games.models import Match
from games.notices import digest, outbox
from tests.games.cast import DAYS, ROUND, page, play
from tests.notices.conftest import Postbox
from tests.notices.tools import MINUTE, NOON, begin

pytestmark = pytest.mark.django_db

GEORGIAN = {
    "Your turn against %(player)s": "KA turn %(player)s",
    "Play this turn": "KA play",
    "Stop these mails": "KA stop",
    "%(player)s leads %(card)s.": "KA leads %(player)s %(card)s",
    "%(player)s beats %(beaten)s with %(card)s and covers with %(cover)s.": "KA beats %(player)s",
    "You have until %(deadline)s. Time left: %(left)s.": "KA until %(deadline)s",
    "Hello %(name)s,": "KA hello %(name)s,",
    "Beat %(card)s.": "KA ask %(card)s",
    "Notices": "KA notices",
}
TAMIL = {"Your turn against %(player)s": "TA turn %(player)s", "Notices": "TA notices"}


@pytest.fixture(autouse=True)
def catalogues(tmp_path: Path, settings: object, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Two languages in which every text of this test can be told from English."""
    for code, texts in (("ka", GEORGIAN), ("ta", TAMIL)):
        catalogue = Catalog(locale="ru")
        for source, text in texts.items():
            catalogue.add(source, text)
        folder = tmp_path / code / "LC_MESSAGES"
        folder.mkdir(parents=True)
        with (folder / "django.mo").open("wb") as file:
            write_mo(file, catalogue)
    settings.LANGUAGES = [("en", "English"), ("ka", "Georgian"), ("ta", "Tamil")]  # type: ignore[attr-defined]
    settings.LOCALE_PATHS = [tmp_path]  # type: ignore[attr-defined]
    assert {"ka", "ta"} <= set(locale.LANG_INFO)
    forget()
    yield
    forget()


def forget() -> None:
    """Have Django read the catalogues and languages of the settings anew."""
    trans_real._translations.clear()
    trans_real.reset_cache(setting="LANGUAGES")
    translation.activate("en")


@pytest.fixture
def match(clock: time_machine.Traveller, ana: User, boris: User) -> Match:
    """Ana plays in Tamil and leads; Boris reads Georgian, in Tbilisi."""
    User.objects.filter(pk=ana.pk).update(language="ta")
    User.objects.filter(pk=boris.pk).update(language="ka", time_zone="Asia/Tbilisi")
    match = begin(User.objects.get(pk=ana.pk), User.objects.get(pk=boris.pk), DAYS, position=ROUND)
    browser = Client()
    browser.force_login(ana)
    answer = browser.post(f"{match.get_absolute_url()}play/", {"turn": 1, "move": "3H"})
    assert answer.status_code == 302
    return Match.objects.get(pk=match.pk)


def test_the_mail_the_table_and_the_next_request_speak_their_readers_language(
    match: Match, clock: time_machine.Traveller, postbox: Postbox, boris: User, client: Client
) -> None:
    clock.shift(10 * MINUTE)
    outbox.send_due()
    (letter,) = postbox.take()
    assert letter.subject == "KA turn Ana"
    assert letter.message["Content-Language"] == "ka"
    for part in (letter.text, letter.html):
        assert "KA hello Boris" in part
        assert "KA leads Ana" in part
        assert "KA play" in part
        assert "(Asia/Tbilisi)" in part
        assert "16:00" in part
    assert 'lang="ka"' in letter.html
    client.force_login(boris)
    assert "KA ask" in page(client.get(match.get_absolute_url())).select_one("#ask").get_text()
    english = Client(headers={"accept-language": "en"})
    assert "Your trumps" in english.get("/").content.decode()
    assert translation.get_language() == "en"
    assert "KA" not in english.get("/lobby/").content.decode()


def test_a_notice_is_written_when_it_is_read(match: Match, boris: User, client: Client) -> None:
    client.force_login(boris)
    assert "KA turn Ana" in client.get("/notices/").content.decode()
    User.objects.filter(pk=boris.pk).update(language="ta")
    assert "TA turn Ana" in client.get("/notices/").content.decode()


def test_the_language_of_the_last_visit_serves_who_leaves_it_to_the_browser(
    match: Match, clock: time_machine.Traveller, postbox: Postbox, ana: User
) -> None:
    User.objects.filter(pk=ana.pk).update(language="", time_zone="")
    browser = Client(headers={"accept-language": "ka, en;q=0.5"})
    browser.force_login(ana)
    browser.cookies["timezone"] = "America/Lima"
    browser.get(match.get_absolute_url())
    play(match, "TH+KS")
    clock.move_to(NOON + 30 * MINUTE)
    digest.begin_due()
    outbox.send_due()
    letter = next(letter for letter in postbox.letters if letter.to == "ana")
    assert letter.subject == "KA turn Boris"
    assert "(America/Lima)" in letter.text
    assert "KA beats Boris" in letter.text

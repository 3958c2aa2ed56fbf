"""Talk at the table: who says what, who reads it, and in which language."""

import datetime
from typing import Any

import pytest
from bs4 import BeautifulSoup
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from accounts.models import ChatFrom, User
from games.models import ChatLine, Match, Room
from games.present.chat import chat
from games.selectors import find_match
from games.services import blocking, chatting
from games.services.errors import MatchError
from tests.games import cast

pytestmark = pytest.mark.django_db


def read(match: Match, viewer: User) -> list[str]:
    found = find_match(match.code)
    view = chat(found, User.objects.get(pk=viewer.pk))
    return [line.text for line in view.lines] if view else []


def test_players_and_spectators_have_rooms_of_their_own(match: Match, ana: User, boris: User, cara: User) -> None:
    chatting.say(match.code, ana, text="to you")
    chatting.say(match.code, cara, text="to all who look on")
    assert read(match, boris) == ["to you"]
    assert read(match, cara) == ["to all who look on"]
    assert set(ChatLine.objects.values_list("room", flat=True)) == {Room.PLAYERS, Room.SPECTATORS}


def test_a_preset_is_kept_by_its_key_and_read_in_the_readers_language(
    match: Match, ana: User, boris: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    class InTheActiveLanguage:
        def __str__(self) -> str:
            return {"ka": "წარმატებები!"}.get(translation.get_language() or "", "Good luck!")

    monkeypatch.setitem(chatting.PRESETS, "luck", InTheActiveLanguage())
    chatting.say(match.code, ana, preset="luck")
    assert ChatLine.objects.get().text == ""
    for language, text in (("ka", "წარმატებები!"), ("en", "Good luck!")):
        with translation.override(language):
            assert read(match, boris) == [text]


def test_guests_say_presets_alone(ana: User, guest: User) -> None:
    match = cast.start_match(ana, guest)
    chatting.say(match.code, guest, preset="hello")
    with pytest.raises(MatchError):
        chatting.say(match.code, guest, text="hello")
    assert read(match, ana) == ["Hello!"]


def test_guests_are_told_how_to_write_their_own(ana: User, guest: User) -> None:
    match = cast.start_match(ana, guest)
    for viewer, told in ((guest, True), (ana, False)):
        client = Client()
        client.force_login(viewer)
        say = cast.page(client.get(match.get_absolute_url())).select_one("#chat-say")
        assert say is not None
        assert bool(say.select('a[href^="/account/signup/"]')) == told


@pytest.mark.parametrize(
    "said",
    [
        {},
        {"text": "  "},
        {"text": "\u202e\u2066"},
        {"text": "x" * 201},
        {"preset": "insult"},
        {"text": "a", "preset": "oops"},
    ],
)
def test_what_is_no_line_is_refused(match: Match, ana: User, said: dict[str, str]) -> None:
    with pytest.raises(MatchError):
        chatting.say(match.code, ana, **said)
    assert not ChatLine.objects.exists()


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  two\n lines ", "two lines"),
        ("x" * 200, "x" * 200),
        ("न\u094d\u200dय", "न\u094d\u200dय"),
        ("a\u202eb\x00c", "abc"),
    ],
)
def test_a_line_is_kept_clean(match: Match, ana: User, typed: str, kept: str) -> None:
    assert chatting.say(match.code, ana, text=typed).text == kept


def test_links_and_markup_are_text(match: Match, ana: User, boris: User, client: Client) -> None:
    chatting.say(match.code, ana, text="<b>see</b> https://example.org/")
    client.force_login(boris)
    page = BeautifulSoup(client.get(match.get_absolute_url()).content, "html.parser")
    line = page.select_one("#chat-lines .chat-text")
    assert line.get_text() == "<b>see</b> https://example.org/"
    assert not line.select("a, b")


def test_chat_is_off_by_preference(match: Match, ana: User, boris: User) -> None:
    chatting.say(match.code, ana, text="before")
    User.objects.filter(pk=boris.pk).update(chat_from=ChatFrom.NOBODY)
    assert read(match, boris) == []
    with pytest.raises(MatchError):
        chatting.say(match.code, ana, text="after")


def test_chat_can_be_off_for_guests(ana: User, guest: User) -> None:
    User.objects.filter(pk=ana.pk).update(chat_from=ChatFrom.REGISTERED)
    match = cast.start_match(ana, guest)
    with pytest.raises(MatchError):
        chatting.say(match.code, guest, preset="hello")


def test_chat_is_off_for_one_match_and_on_again(match: Match, ana: User, boris: User, cara: User) -> None:
    chatting.switch(match.code, boris, off=True)
    with pytest.raises(MatchError):
        chatting.say(match.code, ana, text="hello")
    with pytest.raises(MatchError):
        chatting.switch(match.code, cara, off=True)
    chatting.switch(match.code, boris, off=False)
    chatting.say(match.code, ana, text="hello")


def test_whoever_is_blocked_is_not_read_and_not_told(match: Match, ana: User, boris: User) -> None:
    blocking.block(ana, boris)
    chatting.say(match.code, boris, text="can you hear me?")
    assert read(match, ana) == []
    assert read(match, boris) == ["can you hear me?"]


def test_without_a_script_a_form_says_it(match: Match, ana: User) -> None:
    client = Client()
    client.force_login(ana)
    address = f"{match.get_absolute_url()}chat/"
    assert client.post(address, {"text": "hello"}).status_code == 302
    assert client.post(address, {"text": "x" * 300}).status_code == 422
    assert client.post(address, {"switch": "off"}).status_code == 302
    assert client.post(address, {"text": "hello"}).status_code == 422


LATER = timezone.now() + datetime.timedelta(days=1)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({}, ""),
        ({"must_rename": True}, ""),
        ({"muted_until": LATER}, "a moderator has muted you"),
        ({"suspended_until": LATER}, "your account is suspended"),
        ({"chat_from": ChatFrom.NOBODY}, "You have switched chat off in your preferences."),
    ],
)
@pytest.mark.parametrize("seated", [True, False])
def test_a_line_is_offered_where_one_can_be_said(
    match: Match, ana: User, boris: User, cara: User, fields: dict[str, Any], says: str, seated: bool
) -> None:
    chatting.say(match.code, boris if seated else cara, text="an earlier line")
    speaker = ana if seated else cara
    User.objects.filter(pk=speaker.pk).update(**fields)
    speaker.refresh_from_db()
    client = Client()
    client.force_login(speaker)
    talk = BeautifulSoup(client.get(match.get_absolute_url()).content, "html.parser").select_one("#chat")
    assert bool(talk.select("#chat-text")) == bool(talk.select("[name=preset]")) == (not says)
    assert talk.text.count(says or "muted you") == bool(says)
    assert ("an earlier line" in talk.text) == ("chat_from" not in fields)
    if says:
        with pytest.raises(MatchError):
            chatting.say(match.code, speaker, preset="hello")
    else:
        chatting.say(match.code, speaker, preset="hello")


def test_where_the_opponent_reads_nothing_no_line_is_offered(match: Match, ana: User, boris: User) -> None:
    User.objects.filter(pk=boris.pk).update(chat_from=ChatFrom.NOBODY)
    view = chat(find_match(match.code), ana)
    assert (view.can_write, view.why_not) == (False, "Your opponent has switched chat off.")


def test_a_refused_line_is_still_in_its_field(match: Match, ana: User) -> None:
    client = Client()
    client.force_login(ana)
    line = 'x" ' * 100
    answer = client.post(f"{match.get_absolute_url()}chat/", {"text": line})
    assert answer.status_code == 422
    assert BeautifulSoup(answer.content, "html.parser").select_one("#chat-text")["value"] == line


def test_saying_a_line_looks_the_players_up_once(match: Match, ana: User) -> None:
    with CaptureQueriesContext(connection) as queries:
        chatting.say(match.code, ana, text="hello")
    assert len([query for query in queries if 'FROM "games_seat"' in query["sql"]]) == 1


def test_at_the_computers_table_there_is_no_chat(ana: User, computer: User) -> None:
    from games.services import seating

    match = seating.play_computer(ana, 3, cast.UNTIMED)
    assert chat(find_match(match.code), ana) is None


def test_hidden_lines_are_read_by_nobody_and_stay(match: Match, ana: User, boris: User, mira: User) -> None:
    from games.services.moderation import measures
    from games.services.moderation.desk import Order

    line = chatting.say(match.code, boris, text="rude")
    measures.hide_line(Order(mira, boris, "chat"), line.pk)
    assert read(match, ana) == []
    assert ChatLine.objects.get().text == "rude"


def test_the_form_has_a_limit(settings: Any, match: Match, ana: User) -> None:
    settings.RATE_LIMITS = settings.RATE_LIMITS | {"chat": {"account": (1, 60), "address": (100, 60)}}
    client = Client()
    client.force_login(ana)
    address = f"{match.get_absolute_url()}chat/"
    assert client.post(address, {"text": "one"}).status_code == 302
    assert client.post(address, {"text": "two"}).status_code == 429

"""What a socket takes, and when it loses the right to be open."""

import asyncio
import datetime
import json
import re
from importlib import import_module
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.utils import timezone

from accounts.models import User
from games.consumers import live
from games.models import Match
from games.services import chatting, playing
from games.services.moderation import measures
from games.services.moderation.desk import Order
from tests.games import cast
from tests.security.sockets import opened
from tests.site import session_key

pytestmark = pytest.mark.django_db(transaction=True)
_in_database = sync_to_async


def table(match: Match) -> str:
    return f"/ws/match/{match.code}/"


async def test_a_suspended_players_sockets_close_by_themselves(mira: User, boris: User, match: Match) -> None:
    order = Order(mira, boris, "chat", why="seen")
    async with opened(table(match), boris) as at_table, opened("/ws/mine/", boris) as mine:
        await at_table.heard()
        await mine.heard()
        await _in_database(measures.suspend)(order, timezone.now() + datetime.timedelta(hours=1))
        said = await at_table.heard(5)
        await mine.heard(5)
        assert (at_table.code, mine.code) == (live.CLOSE_SUSPENDED, live.CLOSE_SUSPENDED)
        assert 'data-href="/standing/"' in said


async def test_a_suspended_player_opens_no_socket(mira: User, boris: User, match: Match) -> None:
    order = Order(mira, boris, "chat", why="seen")
    await _in_database(measures.suspend)(order, timezone.now() + datetime.timedelta(hours=1))
    fresh = await User.objects.aget(pk=boris.pk)
    async with opened(table(match), fresh) as socket:
        await socket.heard()
        assert socket.code == live.CLOSE_SUSPENDED


async def test_the_opponent_sees_that_the_match_stands_still(mira: User, ana: User, boris: User, match: Match) -> None:
    async with opened(table(match), ana) as socket:
        await socket.heard()
        order = Order(mira, boris, "chat", why="seen")
        await _in_database(measures.suspend)(order, timezone.now() + datetime.timedelta(hours=1))
        assert "stands still" in await socket.heard(5)


@pytest.mark.parametrize("ended_by", ["logging out", "a new password"])
async def test_a_socket_whose_session_has_ended_hears_and_does_nothing_more(
    monkeypatch: pytest.MonkeyPatch, ana: User, boris: User, match: Match, ended_by: str
) -> None:
    monkeypatch.setattr(live, "SESSION_SECONDS", 0.2)
    who, other = await _in_database(lambda: (cast.mover(match), cast.waiter(match)))()
    key = await _in_database(session_key)(who)
    async with opened(table(match), who, key=key) as socket:
        await socket.heard()
        if ended_by == "logging out":
            await _in_database(import_module(settings.SESSION_ENGINE).SessionStore(key).delete)()
        else:
            who.set_password("another password 9")
            await who.asave()
        await asyncio.sleep(0.3)
        move = await _in_database(cast.any_move)(match)
        await socket.send(text=json.dumps({"action": "play", "turn": 1, "move": move}))
        said = await socket.heard(5)
        assert socket.code == live.CLOSE_SESSION_ENDED
        assert 'id="hand"' not in said
    match = await Match.objects.aget(pk=match.pk)
    assert match.turn == 1
    assert other


async def test_a_silent_socket_is_told_nothing_after_its_session_has_ended(
    monkeypatch: pytest.MonkeyPatch, match: Match
) -> None:
    monkeypatch.setattr(live, "SESSION_SECONDS", 0.2)
    mover, waiter = await _in_database(lambda: (cast.mover(match), cast.waiter(match)))()
    key = await _in_database(session_key)(waiter)
    async with opened(table(match), waiter, key=key) as socket:
        await socket.heard()
        await _in_database(import_module(settings.SESSION_ENGINE).SessionStore(key).delete)()
        await asyncio.sleep(0.3)
        move = await _in_database(cast.any_move)(match)
        await _in_database(playing.play)(match.code, mover, 1, move)
        assert re.fullmatch(r'<i id="goto"[^>]*></i>', await socket.heard(5))
        assert socket.code == live.CLOSE_SESSION_ENDED


async def test_a_message_that_is_too_big_closes_the_socket(ana: User, match: Match) -> None:
    async with opened(table(match), ana) as socket:
        await socket.heard()
        await socket.send(text=json.dumps({"action": "chat", "text": "x" * live.MAX_MESSAGE}))
        await socket.heard()
        assert socket.code == live.CLOSE_TOO_BIG


async def test_messages_that_come_too_fast_close_the_socket(
    monkeypatch: pytest.MonkeyPatch, ana: User, match: Match
) -> None:
    # On a busy machine the messages would take long enough to earn some more.
    monkeypatch.setattr(live, "MESSAGES_A_SECOND", 0.1)
    async with opened(table(match), ana) as socket:
        await socket.heard()
        for _ in range(live.BURST + 30):
            await socket.send(text='{"action": "ping", "turn": 1}')
        await socket.heard()
        assert socket.code == live.CLOSE_TOO_FAST


async def test_chat_goes_over_the_socket_in_each_readers_language(ana: User, boris: User, match: Match) -> None:
    async with opened(table(match), ana) as one, opened(table(match), boris) as other, opened(table(match)) as looker:
        for socket in (one, other, looker):
            await socket.heard()
        await one.send(text=json.dumps({"action": "chat", "preset": "luck"}))
        assert "Good luck!" in await one.heard(5)
        read = await other.heard(5)
        assert "Good luck!" in read
        assert f"/@/{ana.username}/report/?line=" in read
        assert "Good luck!" not in await looker.heard(1)


async def test_what_is_half_typed_is_no_part_of_what_is_pushed(ana: User, match: Match) -> None:
    async with opened(table(match), ana) as socket:
        await socket.heard()
        await _in_database(chatting.say)(match.code, ana, text="hello there")
        said = await socket.heard(5)
        assert "hello there" in said
        assert "report/?line=" not in said
        assert 'id="chat-form"' not in said
        assert 'id="chat-say"' not in said


async def test_the_fields_for_a_line_come_and_go_with_the_right_to_say_one(
    ana: User, boris: User, mira: User, match: Match
) -> None:
    async with opened(table(match), ana) as socket:
        await socket.heard()
        await _in_database(chatting.switch)(match.code, boris, off=True)
        closed = await socket.heard(5)
        assert 'id="chat-say"' in closed
        assert 'id="chat-text"' not in closed
        await _in_database(chatting.switch)(match.code, boris, off=False)
        assert 'id="chat-text"' in await socket.heard(5)
        await _in_database(measures.mute)(Order(mira, ana, "chat"), timezone.now() + datetime.timedelta(hours=1))
        muted = await socket.heard(5)
        assert "a moderator has muted you" in muted
        assert 'id="chat-text"' not in muted


async def test_a_new_link_brings_the_fields_for_a_line_to_whoever_has_a_place_for_them(ana: User, match: Match) -> None:
    async with opened(table(match), ana) as socket, opened(table(match)) as looker:
        assert 'id="chat-text"' in await socket.heard()
        assert 'id="chat-say"' not in await looker.heard()


async def test_chat_has_a_limit(settings: Any, ana: User, match: Match) -> None:
    settings.RATE_LIMITS = settings.RATE_LIMITS | {"chat": {"account": (2, 60), "address": (100, 60)}}
    async with opened(table(match), ana) as socket:
        await socket.heard()
        for _ in range(3):
            await socket.send(text=json.dumps({"action": "chat", "preset": "oops"}))
        assert "too often" in await socket.heard(5)
        assert socket.code is None
    assert await match.lines.acount() == 2


def test_every_close_code_is_one_that_an_application_may_send() -> None:
    codes = {name: value for name, value in vars(live).items() if name.startswith("CLOSE_")}
    assert codes
    # RFC 6455 keeps all others but 1000 for the protocol, and a server refuses to send them.
    assert {name: value for name, value in codes.items() if not 3000 <= value <= 4999} == {}


@pytest.mark.parametrize("path", ["/", "/ws/", "/ws/nothing/", "/ws/match/no code/", "/ws/match/\0/"])
async def test_an_address_without_a_socket_is_refused(path: str, ana: User) -> None:
    async with opened(path, ana) as socket:
        assert socket.code is not None

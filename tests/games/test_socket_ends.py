"""How sockets end: with their session, with what fails, and while something is being rendered for them."""

import asyncio
import datetime
import threading
from types import SimpleNamespace
from typing import Any

import pytest
from autobahn.exception import Disconnected
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.db import OperationalError
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode

from accounts.models import User
from games import actions, broadcast
from games.consumers import MatchConsumer, live
from games.models import Match
from games.services import ending, playing, presence
from tests.games.cast import any_move, log, mover, waiter
from tests.games.sockets import Socket, in_database, log_in, table_of

pytestmark = pytest.mark.django_db(transaction=True)


def fail_once(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str) -> None:
    """Let a function fail the next time that it is called, as where the database is away for a moment."""
    real = getattr(owner, name)

    def fail(*args: Any, **kwargs: Any) -> Any:
        monkeypatch.setattr(owner, name, real)
        raise OperationalError("the connection is closed")

    monkeypatch.setattr(owner, name, fail)


class TestSessionsThatEnd:
    """Within five seconds a socket whose session ended gets nothing more and can do nothing more."""

    @pytest.fixture
    def clock(self, monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
        clock = SimpleNamespace(now=1000.0)
        monkeypatch.setattr(live, "time", SimpleNamespace(monotonic=lambda: clock.now))
        return clock

    def end(self, how: str, user: User, session: str) -> None:
        if how == "log out":
            client = Client()
            client.cookies["sessionid"] = session
            assert client.post("/account/logout/").status_code == 302
        elif how == "password":
            user.set_password("another long password")
            user.save()
        else:
            User.objects.filter(pk=user.pk).update(is_active=False)

    @pytest.mark.parametrize("how", ["log out", "password", "account"])
    @pytest.mark.parametrize("then", ["push", "act", "ping"])
    async def test_it_is_closed(self, match: Match, clock: SimpleNamespace, how: str, then: str) -> None:
        user = await in_database(lambda: mover(match))
        move = await in_database(lambda: any_move(match))
        session = await in_database(lambda: log_in(user))
        async with Socket(table_of(match), user, session=session) as socket:
            await socket.until_turn(1)
            await in_database(lambda: self.end(how, user, session))
            seen = len(socket.frames)
            clock.now += 5
            if then == "push":
                await in_database(lambda: ending.resign(match.code, waiter(match)))
            elif then == "act":
                await socket.send("play", turn=1, move=move)
            else:
                await socket.send("ping", turn=0)
            assert await socket.close_code() == live.CLOSE_SESSION_ENDED
            (last,) = socket.frames[seen:]
            assert last == live.go_to(f"{reverse(settings.LOGIN_URL)}?{urlencode({'next': match.get_absolute_url()})}")
            await socket.send("play", turn=1, move=move)
            assert await socket.line.receive_nothing(timeout=0.1)
        assert await in_database(lambda: log(match)) == []

    async def test_a_session_that_lives_is_left_alone(self, match: Match, clock: SimpleNamespace) -> None:
        user = await in_database(lambda: mover(match))
        async with Socket(table_of(match), user) as socket:
            await socket.until_turn(1)
            for _ in range(3):
                clock.now += 5
                await socket.until_pong()

    def test_the_session_is_looked_up_often_enough(self) -> None:
        assert live.SESSION_SECONDS < 5


@pytest.mark.parametrize("ends", ["server", "browser"])
async def test_a_socket_that_ends_while_its_page_is_rendered_is_no_error(
    match: Match, ana: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, ends: str
) -> None:
    began, goes_on = threading.Event(), threading.Event()
    tried = asyncio.Event()
    send = AsyncWebsocketConsumer.send

    def slowly(self: MatchConsumer, whole: bool) -> str:
        began.set()
        assert goes_on.wait(20)
        return "late"

    async def note(self: MatchConsumer, text_data: str, *args: Any) -> None:
        if text_data.startswith("late"):
            tried.set()
            raise Disconnected
        await send(self, text_data, *args)

    monkeypatch.setattr(MatchConsumer, "render", slowly)
    monkeypatch.setattr(AsyncWebsocketConsumer, "send", note)
    async with Socket(table_of(match), ana) as socket:
        assert await asyncio.to_thread(began.wait, 20)
        if ends == "server":
            until = timezone.now() + datetime.timedelta(hours=1)
            await in_database(lambda: User.objects.filter(pk=ana.pk).update(suspended_until=until))
            await in_database(lambda: broadcast.account_changed(ana.pk))
            assert await socket.close_code() == live.CLOSE_SUSPENDED
        goes_on.set()
        if ends == "browser":
            await asyncio.wait_for(tried.wait(), 20)
        assert await socket.line.receive_nothing(timeout=0.2)
    assert tried.is_set() == (ends == "browser")
    assert caplog.records == []


async def test_a_socket_ends_where_its_session_cannot_be_looked_up_for_a_push(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    player, move = await in_database(lambda: (mover(match), any_move(match)))
    viewer = await in_database(lambda: waiter(match))
    async with Socket(table_of(match), viewer) as socket:
        await socket.until_turn(1)
        fail_once(monkeypatch, live, "still_logged_in")
        monkeypatch.setattr(live, "SESSION_SECONDS", 0)
        await in_database(lambda: playing.play(match.code, player, 1, move))
        assert await socket.close_code() == live.CLOSE_FAILED


@pytest.mark.parametrize(
    ("owner", "name"),
    [(live, "still_logged_in"), (actions, "perform"), (presence, "hear")],
)
async def test_a_socket_ends_where_a_message_fails(
    match: Match, ana: User, monkeypatch: pytest.MonkeyPatch, owner: Any, name: str
) -> None:
    async with Socket(table_of(match), ana) as socket:
        await socket.until_turn(1)
        if name == "still_logged_in":
            monkeypatch.setattr(live, "SESSION_SECONDS", 0)
        fail_once(monkeypatch, owner, name)
        await socket.send("ping" if name == "hear" else "hint", turn=1)
        assert await socket.close_code() == live.CLOSE_FAILED
    # Another one finds the table as it was.
    async with Socket(table_of(match), ana) as socket:
        await socket.until_turn(1)

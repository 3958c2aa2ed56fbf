"""A page's socket, through the real ASGI application."""

import asyncio
import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Self

from bs4 import BeautifulSoup
from channels.db import database_sync_to_async
from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.test import Client

from accounts.models import User
from games.models import Match
from yourtrumps.asgi import application

#: Long enough for a slow machine; nothing here waits for it to pass.
PATIENCE = 20


def table_of(match: Match) -> str:
    """Return the address of a table's socket."""
    return f"/ws/match/{match.code}/"


async def in_database[T](job: Callable[[], T]) -> T:
    """Run something that uses the database."""
    return await database_sync_to_async(job)()


def log_in(user: User) -> str:
    """Log a browser in, and return its session's key."""
    client = Client()
    client.force_login(user)
    return client.cookies[settings.SESSION_COOKIE_NAME].value


class Socket:
    """The socket of one page; an async context manager that opens and closes it."""

    def __init__(
        self,
        path: str,
        user: User | None = None,
        *,
        origin: str | None = "http://testserver",
        session: str = "",
        cookies: Mapping[str, str] | None = None,
    ) -> None:
        self.path, self.user, self.origin, self.session = path, user, origin, session
        self.cookies = dict(cookies or {})
        self.frames: list[str] = []
        self.line: WebsocketCommunicator

    async def open(self) -> bool:
        """Open the socket, and say whether it was let in."""
        if self.user is not None and not self.session:
            user = self.user
            self.session = await in_database(lambda: log_in(user))
        headers = [(b"host", b"testserver")]
        if self.origin is not None:
            headers.append((b"origin", self.origin.encode()))
        cookies = self.cookies | ({settings.SESSION_COOKIE_NAME: self.session} if self.session else {})
        if cookies:
            headers.append((b"cookie", "; ".join(f"{name}={value}" for name, value in cookies.items()).encode()))
        self.line = WebsocketCommunicator(application, self.path, headers=headers)
        accepted, _ = await self.line.connect(timeout=PATIENCE)
        return accepted

    async def __aenter__(self) -> Self:
        assert await self.open()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.line.disconnect(timeout=PATIENCE)

    async def send(self, action: object, **fields: Any) -> None:
        """Send an action as the page's script does."""
        await self.line.send_to(text_data=json.dumps({"action": action, **fields}))

    async def next(self) -> str:
        """Return the next frame."""
        frame = await self.line.receive_from(timeout=PATIENCE)
        assert isinstance(frame, str)
        self.frames.append(frame)
        return frame

    async def until(self, there: Callable[[str], object]) -> str:
        """Return the next frame of which something is so."""
        while not there(frame := await self.next()):
            pass
        return frame

    async def until_turn(self, turn: int) -> str:
        """Return the next frame that shows the table at this turn."""
        return await self.until(lambda frame: f'data-turn="{turn}"' in frame)

    async def until_pong(self) -> list[str]:
        """Ask for a sign of life and return the frames that came before it: whatever was under way is among them."""
        await self.send("ping", turn=None)
        at = len(self.frames)
        await self.until(lambda frame: 'id="pong"' in frame)
        return self.frames[at:-1]

    async def close_code(self) -> int:
        """Return with what code the server closes the socket, however much it sends before."""
        while True:
            async with asyncio.timeout(PATIENCE):
                event = await self.line.output_queue.get()
            if event["type"] == "websocket.close":
                return int(event["code"])
            self.frames.append(event["text"])


def turn_lines(frames: list[str]) -> list[int]:
    """Return the numbers of the turns in the list of a page that has shown these frames, in order."""
    lines: list[int] = []
    for frame in frames:
        numbers = [int(number) for number in re.findall(r'id="turn-(\d+)"', frame)]
        if BeautifulSoup(frame, "lxml").select_one("#turns"):
            lines = numbers
        else:
            lines += numbers
    return lines

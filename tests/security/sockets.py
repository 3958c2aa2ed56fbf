"""Sockets through the whole application, as a browser opens them."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.conf import settings

from accounts.models import User
from tests.site import session_key

QUIET = 0.4


@contextlib.asynccontextmanager
async def opened(path: str, user: User | None = None, *, key: str = "") -> AsyncIterator["Socket"]:
    """Open a socket as a user, or as nobody, and close it in the end."""
    from yourtrumps.asgi import application

    headers = [(b"origin", b"http://localhost"), (b"host", b"localhost")]
    if user is not None:
        key = key or await sync_to_async(session_key)(user)
    if key:
        headers.append((b"cookie", f"{settings.SESSION_COOKIE_NAME}={key}".encode()))
    communicator = WebsocketCommunicator(application, path, headers=headers)
    socket = Socket(communicator)
    connected, code = await communicator.connect(timeout=10)
    socket.code = None if connected else code
    try:
        yield socket
    finally:
        with contextlib.suppress(Exception, asyncio.CancelledError):
            await communicator.disconnect(timeout=2)


class Socket:
    """One open socket; ``code`` is set once the server has closed it."""

    def __init__(self, communicator: WebsocketCommunicator) -> None:
        self.communicator = communicator
        self.code: int | None = None

    async def send(self, **message: Any) -> None:
        """Send one raw message."""
        await self.communicator.send_input({"type": "websocket.receive", **message})

    async def answered(self) -> str:
        """Ask for a sign of life, and return all text that came before it, or before the server closed.

        What was sent earlier has been dealt with by then: a socket reads its messages one after another.
        """
        texts: list[str] = []
        if self.code is None:
            await self.send(text='{"action": "ping", "turn": 1}')
        while self.code is None:
            message = await self.communicator.receive_output(timeout=20)
            if message["type"] == "websocket.close":
                self.code = message.get("code")
            elif 'id="pong"' in (text := message.get("text") or ""):
                break
            else:
                texts.append(text)
        return "".join(texts)

    async def heard(self, within: float = 10.0) -> str:
        """Return all text that arrives until the server closes or is quiet for a moment."""
        texts: list[str] = []
        patience = within
        while self.code is None:
            # Waiting in vain for output would cancel the application.
            if await self.communicator.receive_nothing(timeout=patience, interval=0.02):
                break
            message = await self.communicator.receive_output(timeout=1)
            if message["type"] == "websocket.close":
                self.code = message.get("code")
            else:
                texts.append(message.get("text") or "")
                patience = QUIET
        return "".join(texts)

"""A page that is kept up to date: what all sockets have in common."""

import asyncio
import json
import logging
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from autobahn.exception import Disconnected
from channels.consumer import get_handler_name
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import SuspiciousOperation
from django.http import QueryDict
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.html import format_html

from accounts.localising import language_of, zone_of
from accounts.models import User
from games import actions, broadcast, client
from games.notices import inbox
from games.services.errors import MatchError
from games.threads import in_database, reading
from yourtrumps.sessions import still_logged_in

logger = logging.getLogger(__name__)

#: Close codes of our own: there is no such match; this page needs an account; the account is
#: suspended; the session that opened the socket has ended; messages come too fast.
CLOSE_NO_MATCH = 4404
CLOSE_NO_ACCOUNT = 4403
CLOSE_SUSPENDED = 4402
CLOSE_SESSION_ENDED = 4401
CLOSE_TOO_FAST = 4429
#: A message is too big, and a page could not be rendered: an application may not send the protocol's own codes.
CLOSE_TOO_BIG = 4413
CLOSE_FAILED = 4500

#: The longest message that a page sends, in characters.
MAX_MESSAGE = 4096
#: How many messages a socket may send at once, and a second in the long run.
BURST = 120
MESSAGES_A_SECOND = 30.0
#: As how many messages one counts that costs a rendering of the whole page: honest pages send few of them.
COST_OF_A_PAGE = 10
#: As how many one counts that only has something noted, of which a page sends two a turn, however fast that is played.
COST_OF_A_NOTE = 2

#: What is sent where there is nothing to show.
ALIVE = '<i id="pong" hx-swap-oob="true" hidden></i>'

#: How long a socket trusts its session before it looks again.
SESSION_SECONDS = 4.0


def _language(scope: dict[str, Any], user: User | AnonymousUser) -> str:
    """Return the viewer's language, as that of a request for the page."""
    accepted = dict(scope["headers"]).get(b"accept-language", b"").decode("latin-1")
    try:
        query = QueryDict(scope["query_string"])
    except SuspiciousOperation:
        query = QueryDict()
    return language_of(user, scope["cookies"], query, accepted)


def go_to(address: str) -> str:
    """Return what makes the page go to another address."""
    return format_html('<i id="goto" hx-swap-oob="true" hidden data-href="{}"></i>', address)


class LiveConsumer(AsyncWebsocketConsumer):
    """A page that is kept up to date: joins a group, sends the whole page, then what changes."""

    _telling: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        """Accept the socket and send the page's present state."""
        user = self.scope["user"]
        self.viewer: User | AnonymousUser = user if user.is_authenticated else AnonymousUser()
        self.language = _language(self.scope, self.viewer)
        self._changed = asyncio.Event()
        self._whole = True
        self._page_changed = True
        self._bell_changed = False
        self._ended = False
        self._checked_at = time.monotonic()
        self._client = client.of_scope(self.scope)
        self._budget, self._budget_at = float(BURST), self._checked_at
        await self.accept()
        if self.viewer.is_authenticated and self.viewer.is_suspended:
            await self._end_suspended()
            return
        refusal = await self._refusal()
        if refusal is not None:
            self._ended = True
            await self.close(refusal)
            return
        # Joined before the first rendering, so that no change falls between the two.
        for group in self._groups():
            await self.channel_layer.group_add(group, self.channel_name)
        self._telling = asyncio.create_task(self._tell())
        self._changed.set()

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Hand a message to its handler, without waiting for the thread that renders.

        Channels tidies database connections there before every message. What uses the database
        does so itself here, and a burst of changes must be noted while a page is being rendered:
        else each change would get a rendering of its own.

        What fails, as where the database is away for a moment, ends the socket: the page opens another.
        """
        try:
            await getattr(self, get_handler_name(message))(message)
        except StopConsumer:
            raise
        except Exception:
            if message["type"] == "websocket.disconnect":
                raise
            await self._end_failed()

    async def disconnect(self, code: int) -> None:
        """Leave the group."""
        if self._telling is not None:
            self._telling.cancel()
            for group in self._groups():
                await self.channel_layer.group_discard(group, self.channel_name)

    def _groups(self) -> list[str]:
        own = [broadcast.account_group(self.viewer.pk)] if self.viewer.pk is not None else []
        return [self.group(), *own]

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Take one message from the page; one that is no JSON object is answered with a notice.

        A page that sends too much, or too fast, loses its socket.
        """
        if self._ended:
            return
        if len(text_data or bytes_data or "") > MAX_MESSAGE:
            await self._end(CLOSE_TOO_BIG)
            return
        if not self._within_budget():
            await self._end(CLOSE_TOO_FAST)
            return
        try:
            fields = json.loads(text_data or "")
        except (ValueError, RecursionError):
            fields = None
        if not await self._still_allowed():
            return
        if not isinstance(fields, dict):
            await self.refuse(actions.BadActionError())
        elif fields.get("action") == "ping":
            await self.ping(fields)
        else:
            await self.act(fields)

    def _within_budget(self) -> bool:
        now = time.monotonic()
        earned = (now - self._budget_at) * MESSAGES_A_SECOND
        self._budget, self._budget_at = min(float(BURST), self._budget + earned) - 1.0, now
        return self._budget >= 0.0

    def charge(self, cost: int) -> None:
        """Count the message that was taken last as so many more."""
        self._budget -= cost

    async def send(self, text_data: str | None = None, bytes_data: bytes | None = None, close: Any = False) -> None:
        """Send to the page; what was being rendered when its socket ended is for nobody, and no error."""
        if self._ended:
            return
        try:
            await super().send(text_data, bytes_data, close)
        except Disconnected:
            self._ended = True

    async def _end(self, code: int) -> None:
        self._ended = True
        await self.close(code)

    async def _end_failed(self) -> None:
        """Log the error that is being handled, and close."""
        logger.exception("socket page %s", self.scope["path"])
        await self._end(CLOSE_FAILED)

    async def _end_suspended(self) -> None:
        """Send the page to where it says why, and close."""
        await self.send(text_data=go_to(reverse("games:standing")))
        await self._end(CLOSE_SUSPENDED)

    async def _end_logged_out(self) -> None:
        """Close: nobody is logged in here any more."""
        await self._end(CLOSE_SESSION_ENDED)

    async def account_changed(self, event: dict[str, Any]) -> None:
        """Something was decided about the viewer's account: look it up now."""
        self._checked_at = 0.0
        await self._still_allowed()

    async def ping(self, fields: dict[str, Any]) -> None:
        """Answer a heart-beat, so that the page knows that the line is alive."""
        await self.send(text_data=ALIVE)

    async def act(self, fields: dict[str, Any]) -> None:
        """Do what the page asks for; a page that only looks can ask for nothing."""
        await self.refuse(actions.BadActionError())

    async def refuse(self, error: MatchError) -> None:
        """Tell this page alone why something was refused, with the present state."""
        self.charge(COST_OF_A_PAGE)
        html = await in_database(
            self._localised, lambda: render_to_string("games/notice.html", {"notice": error.message, "oob": True})
        )
        await self.send(text_data=html)
        self.look_again(whole=True)

    def look_again(self, whole: bool = False) -> None:
        """Render again soon; ``whole`` sends everything and not only what is new."""
        self._whole |= whole
        self._page_changed = True
        self._changed.set()

    async def notices_changed(self, event: dict[str, Any]) -> None:
        """The viewer has more notices to read, or fewer: the bell counts anew."""
        self._bell_changed = True
        self._changed.set()

    async def _tell(self) -> None:
        """Send what has changed, again and again; an error ends the socket, so that no page waits for nothing."""
        try:
            while True:
                await self._changed.wait()
                self._changed.clear()
                if not await self._still_allowed():
                    return
                html = await reading(partial(self._localised, self._news()))
                if html:
                    await self.send(text_data=html)
        except Exception:
            await self._end_failed()

    def _news(self) -> Callable[[], str]:
        """Return what renders all that has changed; a page that is sent whole brings the bell along."""
        page, self._page_changed = self._page_changed, False
        whole, self._whole = self._whole, False
        bell, self._bell_changed = self._bell_changed, False

        def render() -> str:
            html = self.render(whole) if page else ""
            if whole and not html:
                # Whoever has just come waits for a word, also where nothing has changed yet.
                return ALIVE
            return html + self._bell() if bell or (whole and html) else html

        return render

    def _bell(self) -> str:
        if not self.viewer.is_authenticated:
            return ""
        context = {"unread_notices": inbox.unread_count(self.viewer), "oob": True}
        return render_to_string("notices/unread.html", context)

    async def _still_allowed(self) -> bool:
        """Look the session up again if that was a while ago, and close the socket where it ended.

        Logging out, changing the password, losing the account or being suspended ends this
        socket within ``SESSION_SECONDS``, whatever is sent or pushed.
        """
        now = time.monotonic()
        if self._ended:
            return False
        if not self.viewer.is_authenticated or now - self._checked_at < SESSION_SECONDS:
            return True
        self._checked_at = now
        user = await reading(partial(still_logged_in, self.scope["session"].session_key, self.viewer.pk))
        if user is not None:
            self.viewer = user
            if not user.is_suspended:
                return True
            await self._end_suspended()
            return False
        await self._end_logged_out()
        return False

    def _localised(self, job: Any) -> Any:
        zone = zone_of(self.viewer, self.scope["cookies"])
        with translation.override(self.language), timezone.override(zone):
            return job()

    async def _refusal(self) -> int | None:
        """Return the code to close with where the viewer may not see this page."""
        return None

    def group(self) -> str:
        """The group whose messages concern this page."""
        raise TypeError("a live page has a group")

    def render(self, whole: bool) -> str:
        """Return what to send; runs in a thread, in the viewer's language."""
        raise TypeError("a live page renders")

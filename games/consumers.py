"""Sockets: they relay what players do to the services, and what changed to the pages.

Each socket renders for its own viewer, in that viewer's language. A message from the
channel layer only says that something changed; however many arrive while a page is
being rendered, the next rendering shows the latest state.
"""

import asyncio
import json
import logging
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from channels.consumer import get_handler_name
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import QueryDict
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.html import format_html
from django.utils.http import urlencode

from accounts.localising import language_of, zone_of
from accounts.models import User
from games import actions, broadcast, client, selectors
from games.chat import chat
from games.models import Pace, Status
from games.notices import inbox
from games.services import presence
from games.services.errors import MatchError
from games.threads import in_database, reading
from games.watching import Watch
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

#: The longest message that a page sends, in bytes.
MAX_MESSAGE = 4096
#: How many messages a socket may send at once, and a second in the long run.
BURST = 120
MESSAGES_A_SECOND = 30.0

#: How long a socket trusts its session before it looks again.
SESSION_SECONDS = 4.0


def _language(scope: dict[str, Any], user: User | AnonymousUser) -> str:
    """Return the viewer's language, as that of a request for the page."""
    accepted = dict(scope["headers"]).get(b"accept-language", b"").decode("latin-1")
    return language_of(user, scope["cookies"], QueryDict(scope["query_string"]), accepted)


def _go_to(address: str) -> str:
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

    async def _end(self, code: int) -> None:
        self._ended = True
        await self.close(code)

    async def _end_failed(self) -> None:
        """Log the error that is being handled, and close."""
        logger.exception("socket page %s", self.scope["path"])
        await self._end(CLOSE_FAILED)

    async def _end_suspended(self) -> None:
        """Send the page to where it says why, and close."""
        await self.send(text_data=_go_to(reverse("games:standing")))
        await self._end(CLOSE_SUSPENDED)

    async def account_changed(self, event: dict[str, Any]) -> None:
        """Something was decided about the viewer's account: look it up now."""
        self._checked_at = 0.0
        await self._still_allowed()

    async def ping(self, fields: dict[str, Any]) -> None:
        """Answer a heart-beat, so that the page knows that the line is alive."""
        await self.send(text_data='<i id="pong" hx-swap-oob="true" hidden></i>')

    async def act(self, fields: dict[str, Any]) -> None:
        """Do what the page asks for; a page that only looks can ask for nothing."""
        await self.refuse(actions.BadActionError())

    async def refuse(self, error: MatchError) -> None:
        """Tell this page alone why something was refused, with the present state."""
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
        await self._end(CLOSE_SESSION_ENDED)
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


class OfMatch(LiveConsumer):
    """A page about one match."""

    @property
    def code(self) -> str:
        """The code of the match."""
        return str(self.scope["url_route"]["kwargs"]["code"])

    def group(self) -> str:
        """The match's group."""
        return broadcast.match_group(self.code)

    async def _refusal(self) -> int | None:
        match = await in_database(selectors.find_match, self.code)
        return CLOSE_NO_MATCH if match is None else None

    async def match_changed(self, event: dict[str, Any]) -> None:
        """The match is at a new turn, or was offered, taken or ended."""
        self.look_again()


class InvitationConsumer(OfMatch):
    """An open match: its page goes to the table as soon as somebody sits down."""

    def render(self, whole: bool) -> str:
        """Return nothing while the seat is open, then the way to what became of it."""
        match = selectors.find_match(self.code)
        if match is None or match.status == Status.OPEN:
            return ""
        return _go_to(match.get_absolute_url())


class MatchConsumer(OfMatch):
    """A table: players' turns come in, everyone's view of it goes out."""

    #: Whether the viewer plays a correspondence match here, so that being here matters.
    over_days = False
    _chat_is_new = False
    #: Whether the page offers to say something; None before it has been sent.
    _can_write: bool | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.watch = Watch()

    async def match_changed(self, event: dict[str, Any]) -> None:
        """The match is at a new turn, or was offered, taken or ended."""
        self.watch.tell(event["turn"])
        self.look_again()

    async def ping(self, fields: dict[str, Any]) -> None:
        """Answer a heart-beat; a page that does not show the match's turn gets the table.

        So a page catches up within a heart-beat even where the channel layer, which may
        drop messages past its capacity, said nothing.
        """
        await super().ping(fields)
        if fields.get("turn") != await in_database(selectors.turn_of, self.code):
            self.look_again(whole=True)
        if self.over_days:
            await in_database(presence.be_here, self.code, self.viewer)

    async def act(self, fields: dict[str, Any]) -> None:
        """Do what a player asks for, or say why not."""
        if not self.viewer.is_authenticated:
            await self.send_to_login()
            return
        if fields.get("action") == "present":
            await in_database(self._localised, lambda: self.look(fields.get("turn")))
            return
        try:
            await in_database(self._perform, fields)
        except MatchError as error:
            await self.refuse(error)

    def _perform(self, fields: dict[str, Any]) -> None:
        self._localised(lambda: actions.perform(fields.get("action"), self.code, self.viewer, fields, self._client))

    async def account_changed(self, event: dict[str, Any]) -> None:
        """Something was decided about the viewer's account, such as that it may not chat."""
        await super().account_changed(event)
        self._chat_is_new = True
        self.look_again()

    async def chat_changed(self, event: dict[str, Any]) -> None:
        """Something was said at the table, or hidden."""
        self._chat_is_new = True
        self.look_again()

    def look(self, turn: object) -> None:
        """Note that the viewer looks at the table that this page shows; runs in a thread."""
        match = selectors.find_match(self.code)
        if match is not None and isinstance(turn, int):
            presence.look(match, self.viewer, min(turn, match.turn))

    async def send_to_login(self) -> None:
        """Send the whole page to the log-in, and from there back to this table."""
        path = reverse("games:match", args=[self.code])
        await self.send(text_data=_go_to(f"{reverse(settings.LOGIN_URL)}?{urlencode({'next': path})}"))

    def render(self, whole: bool) -> str:
        """Return the table's regions that have changed, all if ``whole``; the turn list grows by what is new."""
        seen = self.watch.look(self.code, self.viewer, whole)
        if seen is None:
            return ""
        match, table = seen
        self.over_days = table.is_seated and table.is_running and match.pace == Pace.CORRESPONDENCE
        context: dict[str, object] = {"table": table, "oob": True, "whole": whole, "new_turns": table.turns}
        context["unchanged"] = self.watch.unchanged(table, whole)
        if whole or self._chat_is_new:
            self._chat_is_new = False
            context["chat"] = talk = chat(match, self.viewer)
            can_write = talk is not None and talk.can_write
            # What is half typed is left alone as long as it can be said.
            context["chat_opened_or_closed"] = self._can_write not in (None, can_write)
            self._can_write = can_write
        return render_to_string("games/push.html", context)


class AnalysisConsumer(OfMatch):
    """The page of a finished match's analysis: its place in the queue, how far it is, and that it is done."""

    def _groups(self) -> list[str]:
        return [*super()._groups(), broadcast.ANALYSES_GROUP]

    def group(self) -> str:
        """The group of this match's analysis."""
        return broadcast.analysis_group(self.code)

    async def analysis_changed(self, event: dict[str, Any]) -> None:
        """The queue moved, or another turn was looked at."""
        self.look_again()

    def render(self, whole: bool) -> str:
        """Return how far the analysis is; when it is done, the way to the page that shows it."""
        match = selectors.find_match(self.code)
        if match is None or not match.is_over:
            return ""
        queue = selectors.analysis_state(match)
        if queue.state == "done":
            return _go_to(reverse("games:analysis", args=[self.code]))
        context = {"queue": queue, "code": self.code, "oob": True}
        return render_to_string("games/partials/analysis_state.html", context)


class LobbyConsumer(LiveConsumer):
    """The lobby: open seats appear and vanish."""

    def group(self) -> str:
        """The lobby's group."""
        return broadcast.LOBBY_GROUP

    async def lobby_changed(self, event: dict[str, Any]) -> None:
        """A seat was offered, taken or withdrawn."""
        self.look_again()

    def render(self, whole: bool) -> str:
        """Return the list of open seats."""
        context = {"seats": selectors.lobby_seats(self.viewer), "oob": True}
        return render_to_string("games/partials/lobby_seats.html", context)


class MineConsumer(LiveConsumer):
    """A player's own matches, each of which it follows."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._followed: set[str] = set()

    async def _refusal(self) -> int | None:
        return None if self.viewer.is_authenticated else CLOSE_NO_ACCOUNT

    async def connect(self) -> None:
        """Accept the socket, send the whole page and follow the matches that run."""
        await super().connect()
        if self._telling is not None:
            await self._follow()

    async def _follow(self) -> None:
        """Join the groups of the matches that run now and show the page anew; called after its own group is joined."""
        codes = await reading(partial(selectors.running_codes, self.viewer))
        running = {broadcast.match_group(code) for code in codes}
        for group in running - self._followed:
            await self.channel_layer.group_add(group, self.channel_name)
        for group in self._followed - running:
            await self.channel_layer.group_discard(group, self.channel_name)
        self._followed = running
        self.look_again()

    def _groups(self) -> list[str]:
        return [*super()._groups(), *self._followed]

    def group(self) -> str:
        """The player's group."""
        return broadcast.player_group(self.viewer.pk or 0)

    async def player_changed(self, event: dict[str, Any]) -> None:
        """The player has other offers or matches than before."""
        await self._follow()

    async def match_changed(self, event: dict[str, Any]) -> None:
        """One of the player's matches is at a new turn or has ended."""
        self.look_again()

    def render(self, whole: bool) -> str:
        """Return the player's matches and the number that wait for a turn."""
        context = {"mine": selectors.my_page(self.viewer), "oob": True}
        return render_to_string("games/partials/mine.html", context)

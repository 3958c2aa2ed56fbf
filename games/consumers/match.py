"""The pages of one match: its invitation, its table, its analysis."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.http import urlencode

from accounts.models import User
from games import actions, broadcast, selectors
from games.consumers.live import CLOSE_NO_MATCH, COST_OF_A_NOTE, COST_OF_A_PAGE, LiveConsumer, go_to
from games.models import Match, Status
from games.present.chat import chat
from games.services import presence
from games.services.errors import MatchError
from games.threads import in_database
from games.watching import Watch


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
        return go_to(match.get_absolute_url())


class MatchConsumer(OfMatch):
    """A table: players' turns come in, everyone's view of it goes out."""

    #: The seats shown as away; None where the table does not show it.
    _away: set[int] | None = None
    _chat_is_new = False
    #: Whether the page offers to say something.
    _can_write = False

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
        turn, away = await in_database(presence.hear, self.code, self.viewer.pk)
        if self._away not in (None, away):
            self.look_again()
        if fields.get("turn") != turn:
            self.charge(COST_OF_A_PAGE)
            self.look_again(whole=True)

    async def act(self, fields: dict[str, Any]) -> None:
        """Do what a player asks for, or say why not."""
        if not self.viewer.is_authenticated:
            await self.send_to_login()
            return
        if fields.get("action") in ("present", "seen"):
            self.charge(COST_OF_A_NOTE)
            note = presence.look if fields["action"] == "present" else presence.see
            await in_database(self._localised, lambda: self.look(fields.get("turn"), note))
            return
        try:
            await in_database(self._perform, fields)
        except MatchError as error:
            await self.refuse(error)

    def _perform(self, fields: dict[str, Any]) -> None:
        self._localised(lambda: actions.perform(fields.get("action"), self.code, self.viewer, fields, self._client))

    async def _end_logged_out(self) -> None:
        """Send the page to where one logs in, rather than show the player the table as a stranger sees it."""
        await self.send_to_login()
        await super()._end_logged_out()

    async def account_changed(self, event: dict[str, Any]) -> None:
        """Something was decided about the viewer's account, such as that it may not chat."""
        await super().account_changed(event)
        self._chat_is_new = True
        self.look_again()

    async def chat_changed(self, event: dict[str, Any]) -> None:
        """Something was said at the table, or hidden."""
        self._chat_is_new = True
        self.look_again()

    def look(self, turn: object, note: Callable[[Match, User, int], None]) -> None:
        """Note what this page shows to the viewer, as looked at or only as seen; runs in a thread."""
        match = selectors.find_match(self.code)
        if match is not None and isinstance(turn, int):
            note(match, self.viewer, min(turn, match.turn))

    async def send_to_login(self) -> None:
        """Send the whole page to the log-in, and from there back to this table."""
        path = reverse("games:match", args=[self.code])
        await self.send(text_data=go_to(f"{reverse(settings.LOGIN_URL)}?{urlencode({'next': path})}"))

    def render(self, whole: bool) -> str:
        """Return the table's regions that have changed, all if ``whole``; the turn list grows by what is new."""
        seen = self.watch.look(self.code, self.viewer, whole)
        if seen is None:
            return ""
        match, table = seen
        self._away = {side.seat for side in (table.near, table.far) if side.away} if match.shows_away else None
        context: dict[str, object] = {"table": table, "oob": True, "whole": whole, "new_turns": table.turns}
        context["unchanged"] = self.watch.unchanged(table, whole)
        if whole or self._chat_is_new:
            self._chat_is_new = False
            context["chat"] = talk = chat(match, self.viewer)
            can_write = talk is not None and talk.can_write
            offered = talk is not None and self.viewer.is_authenticated
            context["say_is_new"] = offered and (whole or can_write != self._can_write)
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
            return go_to(reverse("games:analysis", args=[self.code]))
        context = {"queue": queue, "code": self.code, "oob": True}
        return render_to_string("games/partials/analysis_state.html", context)

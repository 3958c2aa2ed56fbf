"""The pages of many matches: the lobby, and a player's own."""

from functools import partial
from typing import Any

from django.template.loader import render_to_string

from games import broadcast, selectors
from games.consumers.live import CLOSE_NO_ACCOUNT, LiveConsumer
from games.threads import reading


class LobbyConsumer(LiveConsumer):
    """The lobby: open seats and the matches that came of them appear and vanish."""

    def group(self) -> str:
        """The lobby's group."""
        return broadcast.LOBBY_GROUP

    async def lobby_changed(self, event: dict[str, Any]) -> None:
        """A seat was offered, taken or withdrawn, or a match out of the lobby is over."""
        self.look_again()

    def render(self, whole: bool) -> str:
        """Return the list of open seats and that of what is played now."""
        context = selectors.lobby(self.viewer) | {"oob": True}
        parts = ("games/partials/lobby_seats.html", "games/partials/played_now.html")
        return "".join(render_to_string(part, context) for part in parts)


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

"""Sockets: they relay what players do to the services, and what changed to the pages.

Each socket renders for its own viewer, in that viewer's language. A message from the
channel layer only says that something changed; however many arrive while a page is
being rendered, the next rendering shows the latest state.
"""

from games.consumers.lists import LobbyConsumer, MineConsumer
from games.consumers.match import AnalysisConsumer, InvitationConsumer, MatchConsumer

__all__ = ["AnalysisConsumer", "InvitationConsumer", "LobbyConsumer", "MatchConsumer", "MineConsumer"]

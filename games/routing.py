"""The addresses of the sockets."""

from channels.security.websocket import WebsocketDenier
from django.urls import path, re_path

from games.consumers import AnalysisConsumer, InvitationConsumer, LobbyConsumer, MatchConsumer, MineConsumer

websocket_urlpatterns = [
    path("ws/match/<slug:code>/", MatchConsumer.as_asgi()),
    path("ws/invitation/<slug:code>/", InvitationConsumer.as_asgi()),
    path("ws/analysis/<slug:code>/", AnalysisConsumer.as_asgi()),
    path("ws/lobby/", LobbyConsumer.as_asgi()),
    path("ws/mine/", MineConsumer.as_asgi()),
    # Without this an address that is not there would be a fault of the server, with a traceback in the log.
    re_path("", WebsocketDenier.as_asgi()),
]

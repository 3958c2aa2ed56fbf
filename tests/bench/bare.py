"""The bare consumer that the relay is measured against: one row update in a transaction and a group send."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "yourtrumps.settings")
pages = get_asgi_application()

from channels.db import database_sync_to_async  # noqa: E402
from channels.generic.websocket import AsyncWebsocketConsumer  # noqa: E402
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from django.db import transaction  # noqa: E402
from django.urls import path  # noqa: E402

from games.models import Match  # noqa: E402


@database_sync_to_async
def update(code: str, turn: int) -> None:
    with transaction.atomic():
        Match.objects.filter(code=code).update(turn=turn)


class Bare(AsyncWebsocketConsumer):
    async def connect(self) -> None:
        self.code = self.scope["url_route"]["kwargs"]["code"]
        await self.channel_layer.group_add(f"bare.{self.code}", self.channel_name)
        await self.accept()
        await self.send(text_data='data-turn="0"')

    async def disconnect(self, code: int) -> None:
        await self.channel_layer.group_discard(f"bare.{self.code}", self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        turn = int(text_data or 0)
        await update(self.code, turn)
        await self.channel_layer.group_send(f"bare.{self.code}", {"type": "turn.made", "turn": turn})

    async def turn_made(self, event: dict) -> None:
        await self.send(text_data=f'data-turn="{event["turn"]}"')


application = ProtocolTypeRouter({"http": pages, "websocket": URLRouter([path("bare/<slug:code>/", Bare.as_asgi())])})

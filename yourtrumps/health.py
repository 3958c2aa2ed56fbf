"""Tells whatever watches the server whether it runs and whether it is ready to play."""

import asyncio
import logging
from datetime import timedelta
from typing import Any

from channels.layers import get_channel_layer
from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games import selectors
from games.notices import outbox
from games.threads import reading

logger = logging.getLogger(__name__)

# The worker says that it is there every few seconds; a missing minute means that clocks run out unseen.
WORKER_SILENCE = timedelta(minutes=1)
# Longer than this and the part counts as down: whoever asks gives up soon after.
PATIENCE_SECONDS = 3


@never_cache
@require_safe
async def healthz(request: HttpRequest) -> HttpResponse:
    """Answer 200 as long as the process answers at all."""
    return HttpResponse("ok\n", content_type="text/plain")


@never_cache
@require_safe
async def readyz(request: HttpRequest) -> HttpResponse:
    """Answer 200 where database, channel layer, worker and outbox do their part, else 503; the JSON says which do."""
    # In threads that nobody waits for longer than a part may take: a database that is away answers after many seconds.
    parts = {
        "database": reading(_database),
        "channel_layer": _channel_layer(),
        "worker": reading(_worker),
        "notices": reading(_notices),
    }
    answers = await asyncio.gather(*(_ready(name, part) for name, part in parts.items()))
    ready = dict(zip(parts, answers, strict=True))
    return JsonResponse(ready, status=200 if all(answers) else 503)


async def _ready(name: str, part: Any) -> bool:
    try:
        return bool(await asyncio.wait_for(part, PATIENCE_SECONDS))
    except Exception:
        logger.exception("Not ready: %s", name)
        return False


def _database() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        return bool(cursor.fetchone() == (1,))


async def _channel_layer() -> bool:
    layer = get_channel_layer()
    channel = await layer.new_channel()
    await layer.send(channel, {"type": "ready"})
    arrived = await layer.receive(channel)
    await _leave(layer, channel)
    return bool(arrived["type"] == "ready")


async def _leave(layer: Any, channel: str) -> None:
    """Give a channel up: layers clean up after one whose wait is cancelled, as a consumer's is at its end."""
    waiting = asyncio.create_task(layer.receive(channel))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.wait([waiting])


def _worker() -> bool:
    seen_at = selectors.worker_seen_at()
    return seen_at is not None and timezone.now() - seen_at < WORKER_SILENCE


def _notices() -> bool:
    return not outbox.is_behind(timezone.now())

"""The health pages tell a running process from one that is ready to play."""

import asyncio
import threading
from datetime import timedelta
from typing import Any

import pytest
from channels.layers import get_channel_layer
from django.db import DatabaseError, connections
from django.test import AsyncClient
from django.utils import timezone

from games.models import Heartbeat
from yourtrumps import health


async def test_the_process_is_healthy_without_a_database(async_client: AsyncClient) -> None:
    answer = await async_client.get("/healthz")
    assert (answer.status_code, answer.content) == (200, b"ok\n")


async def beat(**ago: int) -> None:
    await Heartbeat.objects.acreate(worker="one", seen_at=timezone.now() - timedelta(**ago))


@pytest.mark.django_db(transaction=True)
async def test_the_site_is_ready_when_a_worker_was_seen(async_client: AsyncClient) -> None:
    await beat(seconds=5)
    answer = await async_client.get("/readyz")
    assert answer.status_code == 200, answer.json()
    assert answer.json().keys() >= {"database", "channel_layer", "worker"}
    assert all(answer.json().values())


@pytest.mark.django_db(transaction=True)
async def test_the_site_is_not_ready_when_the_worker_is_silent(async_client: AsyncClient) -> None:
    answer = await async_client.get("/readyz")
    assert (answer.status_code, answer.json()["worker"]) == (503, False)
    await beat(minutes=2)
    answer = await async_client.get("/readyz")
    assert (answer.status_code, answer.json()["worker"]) == (503, False)


@pytest.mark.django_db(transaction=True)
async def test_the_site_is_not_ready_without_its_database(
    async_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*args: Any, **kwargs: Any) -> None:
        raise DatabaseError("the server closed the connection")

    monkeypatch.setattr(type(connections["default"]), "cursor", gone)
    answer = await async_client.get("/readyz")
    assert answer.status_code == 503
    assert (answer.json()["database"], answer.json()["channel_layer"]) == (False, True)


@pytest.mark.django_db(transaction=True)
async def test_a_database_that_hangs_keeps_nobody_waiting(
    async_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    back, ended = threading.Event(), threading.Event()

    def hang(*args: object) -> None:
        back.wait(20)
        ended.set()
        raise DatabaseError

    monkeypatch.setattr(health, "PATIENCE_SECONDS", 0.2)
    monkeypatch.setattr(type(connections["default"]), "cursor", hang)
    response = await async_client.get("/readyz")
    waited = ended.is_set()
    back.set()
    assert (response.status_code, response.json()["database"], waited) == (503, False, False)


@pytest.mark.django_db(transaction=True)
async def test_a_channel_layer_that_hangs_counts_as_down(
    async_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def hang(*args: Any) -> None:
        await asyncio.sleep(60)

    monkeypatch.setattr(health, "PATIENCE_SECONDS", 0.2)
    monkeypatch.setattr(health, "get_channel_layer", lambda: type("Layer", (), {"new_channel": hang})())
    await beat(seconds=1)
    answer = await async_client.get("/readyz")
    assert (answer.status_code, answer.json()["channel_layer"]) == (503, False)


def channels() -> set[str]:
    """Return the channels that the layer keeps; one on Redis keeps those of each event loop apart."""
    layer = get_channel_layer()
    return set((layer._get_layer() if hasattr(layer, "_get_layer") else layer).channels)


@pytest.mark.django_db(transaction=True)
async def test_asking_leaves_no_channel_in_the_layer(async_client: AsyncClient) -> None:
    before = channels()
    for _ in range(3):
        answer = await async_client.get("/readyz")
        assert answer.json()["channel_layer"] is True
    assert channels() <= before


async def test_health_is_never_kept_by_a_cache(async_client: AsyncClient) -> None:
    assert "no-store" in (await async_client.get("/healthz"))["Cache-Control"]

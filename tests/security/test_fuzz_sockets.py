"""Whatever a socket is sent: no error leaks, nothing changes without a legal move, it stays open or says why."""

import json
from typing import Any

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.models import User
from games.actions import ACTIONS
from games.consumers import live
from games.models import ChatLine, Match
from tests.games import cast
from tests.security.sockets import opened

STATED = {live.CLOSE_TOO_BIG, live.CLOSE_TOO_FAST}

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
FIELDS = st.fixed_dictionaries(
    {"action": st.sampled_from([*ACTIONS, "ping", "look", "sudo", "", None, 7])},
    optional={
        "turn": ANYTHING | st.sampled_from([1, "1", "٣", -1, 10**30]),
        "move": ANYTHING | st.sampled_from(["take", "6C", "2S+3S"]),
        "answer": ANYTHING,
        "text": ANYTHING | st.text(max_size=300),
        "preset": ANYTHING | st.just("hello"),
        "switch": ANYTHING | st.sampled_from(["on", "off"]),
        "code": st.text(max_size=12),
        "HEADERS": ANYTHING,
    },
).filter(lambda fields: fields["action"] not in ("resign", "abort"))
RAW = st.one_of(
    FIELDS.map(lambda fields: {"text": json.dumps(fields)}),
    ANYTHING.map(lambda value: {"text": json.dumps(value)}),
    st.text(max_size=60).map(lambda text: {"text": text}),
    st.binary(max_size=60).map(lambda data: {"bytes": data}),
    st.sampled_from(
        [
            {"text": "[" * 3000},
            {"text": "{" * 4097},
            {"text": "x" * 70_000},
            {"bytes": b"\x00" * 70_000},
            {"text": '{"action": "play", "action": "chat"}'},
            {"text": "NaN"},
        ]
    ),
)


async def _send(path: str, user: User | None, messages: list[dict[str, Any]]) -> tuple[int | None, str]:
    async with opened(path, user) as socket:
        await socket.answered()
        for message in messages:
            await socket.send(**message)
        said = await socket.answered()
        return socket.code, said + await socket.answered()


@pytest.mark.django_db(transaction=True)
@pytest.mark.slow
@pytest.mark.parametrize("who", ["waiter", "spectator", "nobody"])
def test_whatever_a_socket_is_sent(who: str, ana: User, boris: User, cara: User, caplog: Any) -> None:
    match = cast.start_match(ana, boris)
    other = cast.start_match(ana, boris)
    user = {"waiter": cast.waiter(match), "spectator": cara, "nobody": None}[who]
    watched = ("status", "turn", "position", "winner", "start")
    before = {row.pk: [getattr(row, name) for name in watched] for row in Match.objects.all()}

    @settings(
        max_examples=12,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    )
    @given(st.lists(RAW, min_size=1, max_size=6))
    def send(messages: list[dict[str, Any]]) -> None:
        code, said = async_to_sync(_send)(f"/ws/match/{match.code}/", user, messages)
        assert code is None or code in STATED
        assert "Traceback" not in said
        after = {row.pk: [getattr(row, name) for name in watched] for row in Match.objects.all()}
        assert after == before

    send()
    assert not [record for record in caplog.records if record.levelname == "ERROR"]
    assert not ChatLine.objects.filter(match=other).exists()
    if user is None:
        assert not ChatLine.objects.exists()


@pytest.mark.django_db(transaction=True)
async def test_the_action_of_one_table_does_not_reach_another(ana: User, boris: User) -> None:
    match, other = await sync_to_async(lambda: (cast.start_match(ana, boris), cast.start_match(ana, boris)))()
    mover = await sync_to_async(cast.mover)(other)
    move = await sync_to_async(cast.any_move)(other)
    fields = {"action": "play", "turn": 1, "move": move, "code": other.code, "match": other.code}
    await _send(f"/ws/match/{match.code}/", mover, [{"text": json.dumps(fields)}])
    assert (await Match.objects.aget(pk=other.pk)).turn == 1


@pytest.mark.django_db(transaction=True)
async def test_a_table_that_is_not_there_closes_with_its_code(ana: User) -> None:
    async with opened("/ws/match/nowhere/", ana) as socket:
        await socket.heard()
        assert socket.code == live.CLOSE_NO_MATCH

"""Sockets through the real ASGI application: what goes in, what comes out, and to whom."""

import asyncio
import json
import threading
from typing import Any

import pytest
from channels.layers import get_channel_layer

from accounts.models import User
from games import broadcast
from games.consumers import MatchConsumer, live
from games.models import Match, OpenTo, Seat
from games.rules import card_name, cards_of, parse_move
from games.services import ending, lines, seating
from games.services.errors import IllegalTurnError, StaleTurnError
from tests.games.cast import (
    DAYS,
    LIVE,
    ROUND,
    ROUND_TRIP,
    any_move,
    check,
    log,
    mover,
    open_match,
    play,
    play_randomly,
    start_match,
    waiter,
)
from tests.games.secrets_of import given_away
from tests.games.sockets import Socket, in_database, table_of, turn_lines

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(
    ("origin", "let_in"),
    [
        ("http://testserver", True),
        ("https://testserver", False),
        ("http://testserver:8000", False),
        ("http://elsewhere.example", False),
        ("http://testserver.evil.example", False),
        ("null", False),
        ("", False),
        (None, False),
    ],
)
async def test_only_the_own_origin_opens_a_socket(match: Match, ana: User, origin: str | None, let_in: bool) -> None:
    socket = Socket(table_of(match), ana, origin=origin)
    assert await socket.open() == let_in
    if let_in:
        await socket.line.disconnect()


async def test_a_new_socket_gets_the_whole_table(match: Match, ana: User) -> None:
    await in_database(lambda: play_randomly(match, 3))
    async with Socket(table_of(match), ana) as socket:
        frame = await socket.next()
        assert 'data-turn="4"' in frame
        assert turn_lines([frame]) == [1, 2, 3]
        for region in ("far", "pile", "status", "near", "hand", "result", "offers", "turns", "state"):
            assert f'id="{region}"' in frame


async def test_a_turn_reaches_everyone_each_in_their_own_rendering(
    match: Match, ana: User, boris: User, cara: User
) -> None:
    player, other = await in_database(lambda: (mover(match), waiter(match)))
    move = await in_database(lambda: any_move(match))
    own = match.rules_position.hands[match.to_move or 0] & ~(1 << parse_move(move).card)
    async with (
        Socket(table_of(match), player) as here,
        Socket(table_of(match), other) as there,
        Socket(table_of(match), cara) as beside,
        Socket(table_of(match)) as nobody,
    ):
        sockets = (here, there, beside, nobody)
        for socket in sockets:
            await socket.until_turn(1)
        await here.send("play", turn=1, move=move)
        frames = [await socket.until_turn(2) for socket in sockets]
    assert await in_database(lambda: log(match)) == [move]
    assert all(f'id="card-{card_name(card)}"' in frames[0] for card in cards_of(own))
    assert "You lead" in frames[0]
    for frame in frames[1:]:
        assert f"{player.username} leads" in frame
        assert given_away(own, frame, set()) == []
    assert [turn_lines(socket.frames) for socket in sockets] == [[1]] * 4


async def test_no_frame_gives_a_closed_hand_away(match: Match, ana: User, boris: User, cara: User) -> None:
    sockets = [Socket(table_of(match), viewer) for viewer in (ana, boris, cara, None)]
    for socket in sockets:
        assert await socket.open()
        await socket.until_turn(1)
    public: set[str] = set()
    for turn in range(1, 11):
        now = await in_database(lambda: Match.objects.get(pk=match.pk))
        move = await in_database(lambda now=now: any_move(now))
        public |= {card_name(card) for card in parse_move(move).cards}
        await sockets[now.to_move].send("play", turn=turn, move=move)
        hands = now.rules_position.play(parse_move(move)).hands
        for socket, hidden in zip(sockets, ([1], [0], [0, 1], [0, 1]), strict=True):
            frame = await socket.until_turn(turn + 1)
            for seat in hidden:
                assert given_away(hands[seat], frame, public) == []
    await sockets[0].send("resign")
    for socket in sockets:
        over = await socket.until(lambda frame: "data-outcome" in frame)
        if socket is not sockets[1]:
            assert given_away(hands[1], over, set()) != []
        await socket.line.disconnect()


async def test_every_change_is_pushed(match: Match, ana: User, boris: User) -> None:
    async with Socket(table_of(match), ana) as here, Socket(table_of(match), boris) as there:
        await here.until_turn(1)
        await there.until_turn(1)
        await in_database(lambda: play_randomly(match, 2))
        await there.until_turn(3)
        await here.send("draw", turn=3, answer="offer")
        await there.until(lambda frame: "Ana offers a draw." in frame)
        await there.send("draw", answer="decline")
        await here.until(lambda frame: "Boris declined the draw." in frame)
        await there.send("resign")
        await here.until(lambda frame: "You have won" in frame)
        await here.send("rematch")
        await there.until(lambda frame: "Accept the rematch" in frame)
        await there.send("rematch")
        await here.until(lambda frame: "Go to the rematch" in frame)
    assert (await in_database(lambda: check(match.rematches.get()))).is_running


async def test_a_planned_line_shows_at_the_own_tables_and_makes_no_sound_at_the_opponents(
    ana: User, boris: User
) -> None:
    match = await in_database(lambda: start_match(ana, boris, DAYS, position=ROUND))
    async with Socket(table_of(match), boris) as own, Socket(table_of(match), ana) as opponent:
        await own.next()
        await opponent.next()
        await in_database(lambda: lines.lay(match.code, boris, 1, list(ROUND_TRIP[:2])))
        await own.until(lambda frame: "1 planned line" in frame)
        assert await opponent.until_pong() == []


async def test_a_page_that_was_away_stands_as_the_database_does(match: Match, ana: User) -> None:
    async with Socket(table_of(match), ana) as socket:
        await socket.until_turn(1)
    await in_database(lambda: play_randomly(match, 3))
    async with Socket(table_of(match), ana) as socket:
        frame = await socket.next()
        assert 'data-turn="4"' in frame
        assert turn_lines([frame]) == [1, 2, 3]


async def test_a_page_whose_line_was_silent_has_each_turn_once(match: Match, ana: User) -> None:
    async with Socket(table_of(match), ana) as socket:
        await socket.until_turn(1)
        for _ in range(3):
            await in_database(lambda: play_randomly(match, 1))
        await socket.until_turn(4)
        await in_database(lambda: play_randomly(match, 1))
        await socket.until_turn(5)
        assert turn_lines(socket.frames) == [1, 2, 3, 4]


async def test_a_heart_beat_is_answered_and_a_page_that_lags_gets_the_table(match: Match, ana: User) -> None:
    async with Socket(table_of(match), ana) as socket:
        await socket.until_turn(1)
        await socket.send("ping", turn=1)
        assert 'id="pong"' in await socket.next()
        assert await socket.line.receive_nothing(timeout=0.1)
        await socket.send("ping", turn=7)
        assert 'id="pong"' in await socket.next()
        assert 'id="turns"' in await socket.until_turn(1)


class TestRefusals:
    """What is refused is told to the asker alone, with the table as it is."""

    async def refused(self, match: Match, user: User, message: object, **fields: Any) -> None:
        async with Socket(table_of(match), user) as socket:
            await socket.until(lambda frame: 'id="state"' in frame)
            await socket.send("play", **fields)
            notice = await socket.next()
            assert 'id="notice"' in notice
            assert str(message) in notice
            assert 'id="turns"' in await socket.next()

    async def test_a_stale_turn(self, match: Match) -> None:
        first = await in_database(lambda: mover(match))
        await in_database(lambda: play(match, any_move(match)))
        await self.refused(match, first, StaleTurnError.message, turn=1, move="take")

    @pytest.mark.parametrize("move", ["take", "nonsense", "\x00", "\ud800"])
    async def test_an_illegal_turn(self, match: Match, move: str) -> None:
        user = await in_database(lambda: mover(match))
        await self.refused(match, user, IllegalTurnError.message, turn=1, move=move)
        assert await in_database(lambda: log(match)) == []

    async def test_an_outsider(self, match: Match, cara: User) -> None:
        await self.refused(match, cara, "You are not a player of this match.", turn=1, move="take")

    async def test_the_others_hear_nothing_of_it(self, match: Match, ana: User, cara: User) -> None:
        async with Socket(table_of(match), ana) as here, Socket(table_of(match), cara) as beside:
            await beside.until_turn(1)
            await here.until_turn(1)
            await here.send("play", turn=9, move="take")
            await here.until(lambda frame: 'id="notice"' in frame)
            await here.next()
            assert await beside.line.receive_nothing(timeout=0.1)

    async def test_who_is_not_logged_in_is_sent_to_the_log_in(self, match: Match) -> None:
        async with Socket(table_of(match)) as socket:
            await socket.until_turn(1)
            await socket.send("play", turn=1, move="take")
            assert f"/account/login/?next=%2Fm%2F{match.code}%2F" in await socket.next()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        "7",
        '"play"',
        "[" * 4000,
        '{"action": ' + "9" * 4000 + "}",
        "{}",
        '{"action": null}',
        '{"action": ["play"]}',
        '{"action": {"play": 1}}',
        '{"action": "cheat"}',
        '{"action": "play"}',
        '{"action": "play", "turn": 1}',
        '{"action": "play", "turn": true, "move": "take"}',
        '{"action": "play", "turn": 1.0, "move": "take"}',
        '{"action": "play", "turn": -1, "move": "take"}',
        '{"action": "play", "turn": Infinity, "move": "take"}',
        '{"action": "play", "turn": 1, "move": ["take"]}',
        '{"action": "draw", "turn": 1, "answer": {}}',
        '{"action": "present", "turn": -1e999}',
        '{"action": "present", "turn": -' + "9" * 60 + "}",
    ],
    ids=range(23),
)
async def test_nonsense_harms_no_socket(match: Match, ana: User, text: str) -> None:
    async with Socket(table_of(match), ana) as socket:
        await socket.until_turn(1)
        await socket.line.send_input({"type": "websocket.receive", "text": text})
        await socket.until_pong()
    assert (await in_database(lambda: check(match))).turn == 1


async def test_a_binary_frame_harms_no_socket(match: Match, ana: User) -> None:
    async with Socket(table_of(match), ana) as socket:
        await socket.until_turn(1)
        await socket.line.send_to(bytes_data=b"\xff\x00")
        await socket.until(lambda frame: 'id="notice"' in frame)
        await socket.until_pong()


async def test_a_message_beyond_measure_closes_the_socket(match: Match, ana: User) -> None:
    async with Socket(table_of(match), ana) as socket:
        await socket.line.send_to(text_data=json.dumps({"action": "ping", "turn": "9" * 70_000}))
        assert await socket.close_code() == live.CLOSE_TOO_BIG


async def test_a_flood_closes_the_socket(match: Match, ana: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "MESSAGES_A_SECOND", 0.0)
    async with Socket(table_of(match), ana) as socket:
        for _ in range(live.BURST + 1):
            await socket.send("ping", turn=1)
        assert await socket.close_code() == live.CLOSE_TOO_FAST


@pytest.mark.parametrize(
    ("action", "cost"),
    [
        ("nothing of the kind", live.COST_OF_A_PAGE),
        ("ping", live.COST_OF_A_PAGE),
        ("present", live.COST_OF_A_NOTE),
        ("seen", live.COST_OF_A_NOTE),
    ],
)
async def test_what_makes_work_costs_more(
    match: Match, ana: User, monkeypatch: pytest.MonkeyPatch, action: str, cost: int
) -> None:
    monkeypatch.setattr(live, "MESSAGES_A_SECOND", 0.0)
    async with Socket(table_of(match), ana) as socket:
        for _ in range(live.BURST // cost + 1):
            await socket.send(action, turn=match.turn + 1)
        assert await socket.close_code() == live.CLOSE_TOO_FAST


async def test_there_is_no_socket_for_a_match_that_does_not_exist(db: None) -> None:
    socket = Socket("/ws/match/nowhere/")
    assert await socket.open()
    assert await socket.close_code() == live.CLOSE_NO_MATCH


async def test_own_matches_need_an_account(db: None) -> None:
    socket = Socket("/ws/mine/")
    assert await socket.open()
    assert await socket.close_code() == live.CLOSE_NO_ACCOUNT


async def test_many_changes_while_a_page_is_rendered_are_shown_in_one(
    match: Match, ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    renderings: list[bool] = []
    began, goes_on = threading.Event(), threading.Event()
    render = MatchConsumer.render

    def slowly(self: MatchConsumer, whole: bool) -> str:
        renderings.append(whole)
        if len(renderings) == 2:
            began.set()
            goes_on.wait(20)
        return render(self, whole)

    arrived = 0
    all_arrived = asyncio.Event()
    match_changed = MatchConsumer.match_changed

    async def note(self: MatchConsumer, event: dict[str, Any]) -> None:
        nonlocal arrived
        await match_changed(self, event)
        arrived += 1
        if arrived == 151:
            all_arrived.set()

    monkeypatch.setattr(MatchConsumer, "render", slowly)
    monkeypatch.setattr(MatchConsumer, "match_changed", note)
    layer = get_channel_layer()
    message = {"type": "match.changed", "code": match.code, "turn": 1}
    async with Socket(table_of(match), ana) as socket:
        await socket.until_turn(1)
        await layer.group_send(broadcast.match_group(match.code), message)
        assert await asyncio.to_thread(began.wait, 20)
        for _ in range(150):
            await layer.group_send(broadcast.match_group(match.code), message)
        await asyncio.wait_for(all_arrived.wait(), 20)
        await socket.send("ping", turn=1)
        assert 'id="pong"' in await socket.next()
        goes_on.set()
        await socket.until_turn(1)
        await socket.until_turn(1)
        assert await socket.line.receive_nothing(timeout=0.2)
    assert len(renderings) == 3


async def test_seats_appear_in_the_lobby_and_vanish(ana: User, boris: User) -> None:
    async with Socket("/ws/lobby/", boris) as socket, Socket("/ws/lobby/") as nobody:
        for each in (socket, nobody):
            assert "Nobody is waiting" in await each.next()
        match = await in_database(lambda: open_match(ana, LIVE, open_to=OpenTo.LOBBY))
        for each in (socket, nobody):
            assert f'id="seat-{match.code}"' in await each.until(lambda frame: "Ana" in frame)
        await in_database(lambda: seating.accept(match.code, boris))
        for each in (socket, nobody):
            await each.until(lambda frame: "Nobody is waiting" in frame and f'id="played-{match.code}"' in frame)
        await in_database(lambda: ending.resign(match.code, ana))
        for each in (socket, nobody):
            await each.until(lambda frame: "Nobody is waiting" in frame and "played-heading" not in frame)


async def test_an_invitation_goes_to_the_table_when_somebody_sits_down(ana: User, boris: User) -> None:
    match = await in_database(lambda: open_match(ana))
    async with Socket(f"/ws/invitation/{match.code}/", ana) as socket:
        # A page that heard nothing would give its link up.
        assert 'id="pong"' in await socket.next()
        await in_database(lambda: seating.accept(match.code, boris))
        frame = await socket.until(lambda frame: 'id="goto"' in frame)
        assert f'data-href="/m/{match.code}/"' in frame


async def test_own_matches_are_kept_up_to_date(match: Match, ana: User, boris: User) -> None:
    first, second = await in_database(lambda: (mover(match), waiter(match)))
    async with Socket("/ws/mine/", first) as mine, Socket("/ws/mine/", second) as theirs:
        await mine.until(lambda frame: 'id="mine-turn"' in frame)
        await theirs.until(lambda frame: 'id="mine-waiting"' in frame)
        await in_database(lambda: play(match, any_move(match)))
        await mine.until(lambda frame: 'id="mine-waiting"' in frame)
        await theirs.until(lambda frame: 'id="mine-turn"' in frame)
        await in_database(lambda: open_match(ana, open_to=OpenTo.PLAYER, invited=boris))
        for socket in (mine, theirs):
            await socket.until(lambda frame: 'id="mine-offers"' in frame)


async def test_a_match_that_begins_is_followed_from_then_on(ana: User, boris: User) -> None:
    offered = await in_database(lambda: open_match(ana, open_to=OpenTo.PLAYER, invited=boris))
    async with Socket("/ws/mine/", ana) as hers, Socket("/ws/mine/", boris) as his:
        for socket in (hers, his):
            await socket.until(lambda frame: 'id="mine-offers"' in frame)
        await in_database(lambda: seating.accept(offered.code, boris))
        first = await in_database(lambda: mover(offered))
        mine, theirs = (hers, his) if first == ana else (his, hers)
        await mine.until(lambda frame: 'id="mine-turn"' in frame)
        await theirs.until(lambda frame: 'id="mine-waiting"' in frame)
        await in_database(lambda: play(offered, any_move(offered)))
        await mine.until(lambda frame: 'id="mine-waiting"' in frame)
        await theirs.until(lambda frame: 'id="mine-turn"' in frame)


@pytest.mark.parametrize("page", ["/ws/lobby/", "/ws/mine/"])
async def test_a_page_that_only_looks_takes_no_actions(match: Match, ana: User, page: str) -> None:
    async with Socket(page, ana) as socket:
        await socket.next()
        await socket.send("play", turn=1, move="take")
        # What tells of the match's beginning may still be on its way.
        await socket.until(lambda frame: 'id="notice"' in frame)


async def test_a_turn_that_a_page_in_front_has_shown_is_no_news_though_notices_still_go_out(
    match: Match, ana: User
) -> None:
    def seat() -> Seat:
        return Seat.objects.get(match=match, user=ana)

    before = await in_database(seat)
    async with Socket(table_of(match), ana) as socket:
        await socket.send("seen", turn=1)
        await socket.until_pong()
    after = await in_database(seat)
    assert (after.seen_turn, after.looked_at) == (1, before.looked_at)

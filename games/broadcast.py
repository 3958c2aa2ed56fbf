"""Telling watchers that something changed: the only sender to the channel layer.

Messages carry no state, only what changed; each socket looks again for its own viewer.
"""

import asyncio
from collections.abc import Iterable
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction

from games.models import Match, OpenTo

LOBBY_GROUP = "lobby"


def match_group(code: str) -> str:
    """The group of everyone at a table, and of the players' lists that show its match."""
    return f"match.{code}"


def player_group(user_id: int) -> str:
    """The group of a player's pages that list their matches: offers that are made, taken or withdrawn."""
    return f"player.{user_id}"


async def _send(messages: list[tuple[str, dict[str, Any]]]) -> None:
    layer = get_channel_layer()
    await asyncio.gather(*(layer.group_send(group, message) for group, message in messages))


def _tell(messages: list[tuple[str, dict[str, Any]]]) -> None:
    transaction.on_commit(lambda: async_to_sync(_send)(messages), robust=True)


def match_changed(match: Match) -> None:
    """After commit, tell the table, and the lists that show the match, that it has changed.

    The lobby, which shows what is played there, hears of an end or a standstill, not of each turn.
    """
    messages = [(match_group(match.code), {"type": "match.changed", "code": match.code, "turn": match.turn})]
    if match.open_to == OpenTo.LOBBY and (match.is_over or match.paused_at):
        messages.append((LOBBY_GROUP, {"type": "lobby.changed"}))
    _tell(messages)


def seat_changed(match: Match, player_ids: Iterable[int]) -> None:
    """After commit, tell that an open seat was offered, taken or withdrawn; of a rematch also at the earlier table."""
    tables = [match, match.rematch_of] if match.rematch_of else [match]
    messages = [
        (match_group(table.code), {"type": "match.changed", "code": table.code, "turn": table.turn}) for table in tables
    ]
    messages += [(player_group(user_id), {"type": "player.changed"}) for user_id in player_ids]
    if match.open_to == OpenTo.LOBBY:
        messages.append((LOBBY_GROUP, {"type": "lobby.changed"}))
    _tell(messages)


def account_group(user_id: int) -> str:
    """The group of all sockets that an account has open."""
    return f"account.{user_id}"


def chat_changed(match: Match) -> None:
    """After commit, tell the table that something was said, or hidden."""
    _tell([(match_group(match.code), {"type": "chat.changed"})])


def account_changed(user_id: int) -> None:
    """After commit, let all sockets of an account look again whether they may stay open."""
    _tell([(account_group(user_id), {"type": "account.changed"})])


def own_view_changed(user_id: int) -> None:
    """After commit, let the tables that an account has open show what changed for nobody else, be it nothing.

    A page that asks for something waits for an answer.
    """
    # The same to a table: it looks whether it may stay open, and at the match.
    account_changed(user_id)


def notices_changed(user_ids: Iterable[int]) -> None:
    """After commit, let the bell on all pages of these accounts count anew."""
    _tell([(account_group(user_id), {"type": "notices.changed"}) for user_id in user_ids])


#: The group of all pages that show a place in the queue of analyses.
ANALYSES_GROUP = "analyses"


def analysis_group(code: str) -> str:
    """The group of the pages that show a match's analysis."""
    return f"analysis.{code}"


def analysis_changed(code: str, *, queue: bool = False) -> None:
    """After commit, tell that an analysis went on; with ``queue`` also those who wait that the queue changed."""
    groups = (analysis_group(code), ANALYSES_GROUP) if queue else (analysis_group(code),)
    _tell([(group, {"type": "analysis.changed", "code": code}) for group in groups])

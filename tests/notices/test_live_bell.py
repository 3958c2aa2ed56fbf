"""The bell of an open page rings when there is something new to read, and falls silent when it is read."""

import re

import pytest

from accounts.models import User
from games.models import Match, Notice, OpenTo
from games.notices import inbox
from games.services import seating
from tests.games.cast import DAYS, LIVE, ROUND
from tests.games.sockets import Socket, in_database
from tests.notices.tools import begin

pytestmark = pytest.mark.django_db(transaction=True)


def shown(frame: str) -> str:
    """Return what a frame makes of the bell's count."""
    found = re.search(r'<span id="unread-notices"[^>]*hx-swap-oob="morph"[^>]*>([^<]*)</span>', frame)
    assert found is not None
    return found[1]


def challenge(challenger: User, challenged: User) -> Match:
    return seating.create(challenger, DAYS, open_to=OpenTo.PLAYER, invited=challenged)


@pytest.fixture
def match(ana: User, boris: User) -> Match:
    return begin(ana, boris, LIVE, position=ROUND)


@pytest.mark.parametrize("path", ["/ws/mine/", "/ws/lobby/"])
async def test_an_open_page_counts_what_is_new_and_what_is_read(path: str, ana: User, boris: User) -> None:
    async with Socket(path, ana) as socket:
        assert shown(await socket.next()) == ""
        match = await in_database(lambda: challenge(boris, ana))
        assert shown(await socket.until(lambda frame: "unread-notices" in frame)) == "1"
        await in_database(lambda: seating.withdraw(match.code))
        assert shown(await socket.until(lambda frame: "unread-notices" in frame)) == ""


async def test_a_bell_alone_is_sent_without_the_page(match: Match, ana: User, boris: User) -> None:
    async with Socket(f"/ws/match/{match.code}/", ana) as table, Socket(f"/ws/match/{match.code}/", boris) as other:
        await table.next()
        await other.next()
        await in_database(lambda: challenge(boris, ana))
        frame = await table.until(lambda frame: "unread-notices" in frame)
        assert (shown(frame), 'id="hand"' in frame) == ("1", False)
        await in_database(lambda: inbox.mark_read(ana))
        assert shown(await table.until(lambda frame: "unread-notices" in frame)) == ""
        assert await other.line.receive_nothing()
    assert not await in_database(lambda: Notice.objects.filter(user=boris).exists())


async def test_a_watcher_without_an_account_has_no_bell(match: Match) -> None:
    async with Socket(f"/ws/match/{match.code}/") as socket:
        assert "unread-notices" not in await socket.next()

"""A socket writes in the language and the time zone in which its page was written."""

import pytest
from bs4 import BeautifulSoup
from django.test import Client

from accounts.models import User
from games.models import Match, Reader
from tests.games.cast import DAYS, mover, start_match
from tests.games.sockets import Socket, in_database

pytestmark = pytest.mark.django_db(transaction=True)

#: Django's own catalogue knows how a date is written there.
LANGUAGE = "ka"
ZONE = {"timezone": "Asia/Vientiane"}


@pytest.fixture
def days(ana: User, boris: User) -> Match:
    return start_match(ana, boris, DAYS)


def due(html: str) -> str:
    return " ".join(BeautifulSoup(html, "lxml").select_one("#days .deadline").text.split())


@pytest.mark.parametrize(
    ("query", "cookies"),
    [
        (f"?lang={LANGUAGE}", {}),
        ("", ZONE),
        (f"?lang={LANGUAGE}", ZONE),
        (f"?lang={LANGUAGE}", {"django_language": "en"}),
        ("?lang=xx&other=1", {"timezone": "Nowhere/At_All"}),
    ],
)
@pytest.mark.parametrize("logged_in", [False, True])
async def test_the_first_push_reads_as_the_page_did(
    days: Match, query: str, cookies: dict[str, str], logged_in: bool
) -> None:
    client = Client()
    client.cookies.load(cookies)
    player = await in_database(lambda: mover(days)) if logged_in else None
    if player is not None:
        await in_database(lambda: client.force_login(player))
    page = await in_database(lambda: client.get(days.get_absolute_url() + query).content.decode())
    plain = await in_database(lambda: Client().get(days.get_absolute_url()).content.decode())
    path = BeautifulSoup(page, "lxml").select_one("[ws-connect]")["ws-connect"]
    async with Socket(path, player, cookies=cookies) as socket:
        pushed = due(await socket.until_turn(1))
    assert pushed == due(page)
    if not logged_in:
        differs = (LANGUAGE in query and "django_language" not in cookies) or cookies == ZONE
        assert (pushed != due(plain)) == differs


async def test_looking_over_a_socket_keeps_the_zone_and_the_language_of_the_visit(days: Match) -> None:
    player = await in_database(lambda: mover(days))
    cookies = ZONE | {"django_language": LANGUAGE}
    async with Socket(f"/ws/match/{days.code}/", player, cookies=cookies) as socket:
        await socket.until_turn(1)
        await socket.send("present", turn=1)
        await socket.until_pong()
    reader = await Reader.objects.aget(user=player)
    assert (reader.time_zone, reader.language) == (ZONE["timezone"], LANGUAGE)


async def test_the_accounts_zone_comes_before_the_browsers(days: Match) -> None:
    player = await in_database(lambda: mover(days))
    path = f"/ws/match/{days.code}/"
    async with Socket(path, cookies=ZONE) as socket:
        theirs = due(await socket.until_turn(1))
    await User.objects.filter(pk=player.pk).aupdate(time_zone="America/Lima")
    async with Socket(path, player, cookies=ZONE) as socket:
        first = due(await socket.until_turn(1))
    async with Socket(path, player) as socket:
        assert due(await socket.until_turn(1)) == first != theirs

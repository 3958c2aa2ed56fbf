"""What an account is shown stays in no cache: not on a shared computer after logging out, not in a proxy."""

import datetime

import pytest
from django.test import AsyncClient, Client
from django.utils import timezone

from accounts.models import User
from games.models import Match
from games.services import privacy
from games.services.moderation import measures
from games.services.moderation.desk import Order
from tests.games import cast

pytestmark = pytest.mark.django_db

PRIVATE = (
    "/mine/", "/mine/seen.json", "/next/", "/time-off/", "/standing/", "/blocks/", "/rename/", "/@/Boris/report/",
    "/data/", "/close/", "/notices/", "/notices/choices/", "/account/", "/account/preferences/", "/account/email/",
    "/account/password/change/", "/account/2fa/", "/account/sessions/", "/new/", "/lobby/", "/@/Ana/", "/nowhere/",
)  # fmt: skip


@pytest.fixture
def as_ana(ana: User) -> Client:
    client = Client()
    client.force_login(ana)
    return client


@pytest.mark.parametrize("address", PRIVATE)
def test_no_page_of_an_account_is_kept(as_ana: Client, boris: User, address: str) -> None:
    answer = as_ana.get(address)
    assert {"no-store", "private"} <= set(answer["Cache-Control"].split(", "))


def test_no_page_is_kept_on_which_an_account_is_barred(as_ana: Client, ana: User, mira: User) -> None:
    measures.suspend(Order(mira, ana, "chat"), timezone.now() + datetime.timedelta(days=3))
    assert "no-store" in as_ana.get("/standing/")["Cache-Control"]
    measures.rename(Order(mira, ana, "name"))
    assert "no-store" in as_ana.get("/rename/")["Cache-Control"]
    privacy.close_account(ana)
    assert "no-store" in as_ana.get("/reopen/")["Cache-Control"]


def test_no_file_with_ones_data_is_kept(as_ana: Client, ana: User) -> None:
    export = privacy.request_export(ana)
    privacy.make_exports()
    assert "no-store" in as_ana.get(f"/data/{export.pk}/")["Cache-Control"]


@pytest.mark.django_db(transaction=True)
async def test_nor_is_one_that_is_answered_in_the_event_loop(async_client: AsyncClient, ana: User) -> None:
    await async_client.aforce_login(ana)
    assert "no-store" in (await async_client.get("/account/"))["Cache-Control"]


@pytest.mark.parametrize("address", ["/", "/rules/", "/privacy/"])
def test_what_nobody_in_particular_is_shown_may_be_kept(client: Client, address: str) -> None:
    assert "Cache-Control" not in client.get(address)


def test_an_answer_that_says_how_it_is_kept_is_left_as_it_is(as_ana: Client, ana: User, boris: User) -> None:
    match: Match = cast.start_match(ana, boris)
    for address in ("/manifest.webmanifest", "/sw.js", f"/m/{match.code}/preview.png"):
        assert "no-store" not in as_ana.get(address)["Cache-Control"], address

"""A null character, which PostgreSQL keeps in no text, is a fault of whoever sends it and not of the server."""

import datetime

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.services.moderation import appeals, measures
from games.services.moderation.desk import Order

NULL = "a\0b"

pytestmark = pytest.mark.django_db


@pytest.fixture
def browser(ana: User) -> Client:
    client = Client()
    client.force_login(ana)
    return client


@pytest.mark.parametrize(
    "address", ["/calendar/a%00b.ics", "/@/a%00b/", "/play/a%00b/", "/records/a%00b/", "/m/a%00b/"]
)
def test_in_an_address(browser: Client, address: str) -> None:
    assert browser.get(address).status_code == 404


@pytest.mark.parametrize("address", ["/", "/healthz", "/account/login/"])
def test_in_the_cookie_of_a_session(address: str) -> None:
    # Quoted, a cookie may write any character by its number.
    browser = Client(headers={"cookie": f'{settings.SESSION_COOKIE_NAME}="abcdefgh\\000ijkl"'})
    assert browser.get(address).status_code == 200


def test_in_a_query(browser: Client) -> None:
    assert browser.get("/next/", {"after": NULL}).status_code == 302
    assert browser.get("/notices/", {"page": NULL}).status_code == 200
    assert browser.get("/@/Ana/", {"opponent": NULL, "page": NULL}).status_code == 200


def test_in_a_form(browser: Client) -> None:
    assert browser.post("/notices/push/off/", {"endpoint": NULL}).status_code == 204
    assert browser.post("/new/", {"opponent": "player", "username": NULL}).status_code == 422


def test_in_an_appeal(browser: Client, ana: User, mira: User) -> None:
    action = measures.suspend(Order(mira, ana, "chat"), timezone.now() + datetime.timedelta(days=3))
    assert browser.post(reverse("games:appeal", args=[action.pk]), {"text": NULL}).status_code == 422
    assert appeals.appeal(ana, action.pk, "It was\0 not me.").text == "It was not me."

"""The cast of the account tests."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client

from accounts.models import User
from tests.accounts.pages import PASSWORD


@pytest.fixture(autouse=True)
def fresh_limits() -> Iterator[None]:
    """Start every test with no request counted against a limit."""
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def alice(db: None) -> User:
    return User.objects.create_user("Alice", email="alice@example.org", password=PASSWORD)


@pytest.fixture
def bob(db: None) -> User:
    return User.objects.create_user("Bob", password=PASSWORD)


@pytest.fixture
def as_alice(client: Client, alice: User) -> Client:
    client.force_login(alice)
    return client


@pytest.fixture
def guest_client(client: Client, db: None) -> Client:
    client.post("/account/guest/")
    return client


@pytest.fixture
def sign_up(client: Client, db: None) -> Callable[..., HttpResponse]:
    """Fill in the sign-up form in this browser or another."""

    def post(name: str, *, email: str = "", browser: Client = client, **headers: str) -> HttpResponse:
        data = {"username": name, "password1": PASSWORD, "password2": PASSWORD, "email": email}
        return browser.post("/account/signup/", data, headers=headers)

    return post


@pytest.fixture
def log_in(client: Client, db: None) -> Callable[..., HttpResponse]:
    """Fill in the log-in form in this browser or another."""

    def post(login: str, password: str = PASSWORD, *, browser: Client = client, **more: Any) -> HttpResponse:
        return browser.post("/account/login/", {"login": login, "password": password}, **more)

    return post

"""Playing without registering, and registering later."""

import datetime
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import pytest
import time_machine
from asgiref.sync import async_to_sync
from django.contrib.sessions.models import Session
from django.db import connection
from django.http import HttpResponse
from django.test import AsyncClient, Client
from django.urls import reverse
from django.utils import timezone

from accounts import adapter
from accounts.models import Kind, User
from tests.accounts.pages import PASSWORD, current_user, page

Post = Callable[..., HttpResponse]


@pytest.mark.parametrize("in_event_loop", [False, True])
def test_a_guest_who_keeps_coming_stays_logged_in(guest_client: Client, in_event_loop: bool) -> None:
    guest = current_user(guest_client)
    began = timezone.now()
    kind = AsyncClient if in_event_loop else Client
    browser = kind()
    browser.cookies["sessionid"] = guest_client.session.session_key
    get = async_to_sync(browser.get) if in_event_loop else browser.get
    for day, renewed in ((40, False), (80, True), (120, False), (160, True)):
        with time_machine.travel(began + datetime.timedelta(days=day)):
            answer = get("/rules/")
            assert ("sessionid" in answer.cookies) is renewed
            assert Session.objects.get().expire_date > timezone.now() + datetime.timedelta(days=45)
            assert current_user(browser) == guest
    assert answer.cookies["sessionid"]["max-age"] == 90 * 24 * 60 * 60


def test_a_newcomer_becomes_a_guest_and_stays_the_same(guest_client: Client) -> None:
    user = current_user(guest_client)
    assert user is not None
    assert user.is_guest
    assert not user.has_usable_password()
    assert user.display_name == f"Guest {user.username.removeprefix('Guest-')}"
    guest_client.post("/account/guest/")
    assert current_user(guest_client) == user


def test_guests_are_not_made_without_end(settings: Any, db: None) -> None:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"guest": "2/m/ip"}
    statuses = [Client().post("/account/guest/").status_code for _browser in range(3)]
    assert statuses == [302, 302, 429]
    assert User.objects.filter(kind=Kind.GUEST).count() == 2


def test_a_guest_who_registers_keeps_the_account_and_the_session(guest_client: Client, sign_up: Post) -> None:
    guest = current_user(guest_client)
    assert guest is not None
    session = guest_client.session
    session["table"] = "abc"
    session.save()
    assert guest_client.get("/account/signup/").status_code == 200
    old_key = guest_client.session.session_key
    assert sign_up("Nino").status_code == 302
    person = current_user(guest_client)
    assert person is not None
    assert (person.pk, person.username, person.kind) == (guest.pk, "Nino", Kind.PERSON)
    assert person.check_password(PASSWORD)
    assert guest_client.session["table"] == "abc"
    assert guest_client.session.session_key != old_key


def test_a_guest_whose_name_is_refused_stays_a_guest(guest_client: Client, sign_up: Post, alice: User) -> None:
    guest = current_user(guest_client)
    assert sign_up("alice").status_code == 200
    assert guest is not None
    guest.refresh_from_db()
    assert guest.is_guest


def test_a_guest_may_log_in_to_an_account_made_before(guest_client: Client, alice: User, log_in: Post) -> None:
    assert "left behind" in page(guest_client.get("/account/login/")).get_text()
    assert log_in("Alice").status_code == 302
    assert current_user(guest_client) == alice


def test_a_guest_is_warned_before_logging_out_and_offered_to_register(guest_client: Client) -> None:
    parsed = page(guest_client.get("/account/logout/"))
    assert "cannot come back" in parsed.get_text()
    assert parsed.select_one("a[href='/account/signup/']")


def test_pages_that_need_a_password_send_a_guest_to_register(guest_client: Client) -> None:
    names = ("account_email", "account_change_password", "account_set_password", "mfa_index", "mfa_activate_totp")
    more = ("mfa_deactivate_totp", "mfa_view_recovery_codes", "mfa_generate_recovery_codes")
    keys = ("mfa_download_recovery_codes", "mfa_list_webauthn", "mfa_add_webauthn")
    paths = [reverse(name) for name in (*names, *more, *keys)]
    paths += [reverse(name, args=[1]) for name in ("mfa_edit_webauthn", "mfa_remove_webauthn")]
    for path in paths:
        response = guest_client.get(path)
        assert response.status_code == 302
        assert response["Location"] == f"/account/signup/?{urlencode({'next': path})}"


def test_the_account_page_of_a_guest_offers_to_register(guest_client: Client) -> None:
    parsed = page(guest_client.get("/account/"))
    assert parsed.select_one("a[href='/account/signup/']")
    assert not parsed.select_one("a[href='/account/email/']")


def test_a_guest_who_registers_from_two_pages_at_once_has_the_name_of_one(
    guest_client: Client, sign_up: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest = current_user(guest_client)
    assert guest is not None

    def registered_meanwhile(pk: int) -> User:
        return User(pk=pk, username="Nino", kind=Kind.PERSON)

    monkeypatch.setattr(adapter, "hold", registered_meanwhile)
    assert sign_up("Keti").status_code == 302
    stored = User.objects.get(pk=guest.pk)
    assert (stored.username, stored.check_password(PASSWORD)) == (guest.username, False)


def test_a_decision_about_a_guest_that_is_made_meanwhile_outlasts_registering(
    guest_client: Client, sign_up: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest = current_user(guest_client)
    assert guest is not None
    until = timezone.now() + datetime.timedelta(days=3)
    hold = adapter.hold

    def held_after_a_moderator(pk: int) -> User:
        User.objects.filter(pk=pk).update(suspended_until=until, muted_until=until, must_rename=True)
        return hold(pk)

    monkeypatch.setattr(adapter, "hold", held_after_a_moderator)
    assert sign_up("Nino", email="nino@example.org").status_code == 302
    stored = User.objects.get(pk=guest.pk)
    assert (stored.username, stored.username_key, stored.email) == ("Nino", "nino", "nino@example.org")
    assert (stored.suspended_until, stored.muted_until, stored.must_rename) == (until, until, True)


@pytest.mark.parametrize("as_guest", [False, True])
def test_a_password_is_hashed_while_no_transaction_runs(
    client: Client, sign_up: Post, monkeypatch: pytest.MonkeyPatch, as_guest: bool
) -> None:
    if as_guest:
        client.post("/account/guest/")
    outside = len(connection.savepoint_ids)
    depths: list[int] = []
    set_password = User.set_password

    def noted(user: User, password: str | None) -> None:
        depths.append(len(connection.savepoint_ids))
        set_password(user, password)

    monkeypatch.setattr(User, "set_password", noted)
    assert sign_up("Nino").status_code == 302
    assert depths == [outside]

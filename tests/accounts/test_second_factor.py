"""A second step when logging in, for those who want one."""

from collections.abc import Callable

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth as totp
from django.http import HttpResponse
from django.test import Client

from accounts.models import User
from tests.accounts.pages import PASSWORD, current_user, page

Post = Callable[..., HttpResponse]


def code_for(secret: str) -> str:
    """Return the number that an authenticator app shows now."""
    return totp.format_hotp_value(totp.hotp_value(secret, next(iter(totp.yield_hotp_counters_from_time()))))


@pytest.fixture
def secret(as_alice: Client) -> str:
    """Set an authenticator app up for Alice, and return its key."""
    as_alice.post("/account/reauthenticate/", {"password": PASSWORD})
    parsed = page(as_alice.get("/account/2fa/totp/activate/"))
    shown = parsed.select_one("main code")
    assert shown is not None
    key = shown.get_text()
    assert as_alice.post("/account/2fa/totp/activate/", {"code": code_for(key)}).status_code == 302
    return key


def test_an_app_is_set_up_and_asked_for_when_logging_in(alice: User, secret: str, log_in: Post) -> None:
    browser = Client()
    assert log_in("Alice", browser=browser)["Location"] == "/account/2fa/authenticate/"
    assert current_user(browser) is None
    assert page(browser.get("/account/2fa/authenticate/")).select_one("input[name=code]")
    assert browser.post("/account/2fa/authenticate/", {"code": "000000"}).status_code == 200
    assert current_user(browser) is None


def test_a_recovery_code_lets_in_once(as_alice: Client, alice: User, secret: str, log_in: Post) -> None:
    codes = [item.get_text() for item in page(as_alice.get("/account/2fa/recovery-codes/")).select("main li code")]
    assert len(codes) == 10
    browser = Client()
    log_in("Alice", browser=browser)
    browser.post("/account/2fa/authenticate/", {"code": codes[0]})
    assert current_user(browser) == alice
    another = Client()
    log_in("Alice", browser=another)
    another.post("/account/2fa/authenticate/", {"code": codes[0]})
    assert current_user(another) is None


def test_the_app_is_removed(as_alice: Client, alice: User, secret: str) -> None:
    assert as_alice.get("/account/2fa/totp/deactivate/").status_code == 200
    as_alice.post("/account/2fa/totp/deactivate/")
    assert not Authenticator.objects.filter(user=alice, type=Authenticator.Type.TOTP).exists()


def test_a_second_factor_takes_the_password_first(as_alice: Client) -> None:
    for path in ("totp/activate/", "webauthn/add/"):
        response = as_alice.get(f"/account/2fa/{path}")
        assert response["Location"].startswith("/account/reauthenticate/")


def test_an_address_that_is_not_verified_is_named_before_a_second_step_is_refused(
    as_alice: Client, alice: User
) -> None:
    ways = ["/account/2fa/totp/activate/", "/account/2fa/webauthn/add/"]
    address = EmailAddress.objects.create(user=alice, email="alice@example.org")
    shown = page(as_alice.get("/account/2fa/"))
    assert not any(shown.select(f"a[href='{way}']") for way in ways)
    assert shown.select_one("main .panel a[href='/account/email/']")
    EmailAddress.objects.filter(pk=address.pk).update(verified=True)
    shown = page(as_alice.get("/account/2fa/"))
    assert all(shown.select(f"a[href='{way}']") for way in ways)
    assert not shown.select("main .panel a[href='/account/email/']")

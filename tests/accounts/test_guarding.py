"""What the account pages do not tell, and how often they answer."""

from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.http import HttpResponse
from django.test import Client

from accounts.models import User
from tests.accounts.pages import PASSWORD, current_user, errors, page

Post = Callable[..., HttpResponse]


@pytest.fixture
def known(alice: User) -> str:
    """An address that is verified for Alice."""
    EmailAddress.objects.create(user=alice, email=alice.email, verified=True, primary=True)
    return alice.email


@pytest.fixture
def hashings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The passwords hashed during the test: what takes time in production."""
    from django.contrib.auth.hashers import MD5PasswordHasher

    done: list[str] = []
    encode = MD5PasswordHasher.encode

    def counted(hasher: Any, password: str, salt: str) -> str:
        done.append(password)
        return encode(hasher, password, salt)

    monkeypatch.setattr(MD5PasswordHasher, "encode", counted)
    return done


def test_signing_up_tells_nothing_about_an_address(sign_up: Post, known: str, hashings: list[str]) -> None:
    seen = []
    for name, email in (("Nino", known), ("Nana", "unknown@example.org")):
        hashings.clear()
        mail.outbox.clear()
        browser = Client()
        response = sign_up(name, email=email, browser=browser)
        after = page(browser.get("/account/email/")).get_text().replace(email, "").replace(name, "")
        seen.append((response.status_code, response["Location"], after, len(hashings), len(mail.outbox)))
    assert seen[0] == seen[1]
    assert seen[0][0] == 302


def test_asking_for_a_reset_tells_nothing_about_an_address(client: Client, known: str, hashings: list[str]) -> None:
    seen = []
    for email in (known, "unknown@example.org"):
        mail.outbox.clear()
        response = client.post("/account/password/reset/", {"email": email})
        after = page(client.get(response["Location"])).get_text()
        seen.append((response.status_code, response["Location"], after, len(hashings), len(mail.outbox)))
    assert seen[0] == seen[1]
    assert seen[0][4] == 1


@pytest.mark.parametrize(("present", "absent"), [("Alice", "Nobody"), ("alice@example.org", "nobody@example.org")])
def test_failing_to_log_in_takes_as_long_for_nobody(
    log_in: Post, known: str, hashings: list[str], present: str, absent: str
) -> None:
    seen = []
    for login in (present, absent):
        hashings.clear()
        response = log_in(login, "wrong")
        seen.append((response.status_code, errors(response), len(hashings)))
    assert seen[0] == seen[1]


def test_adding_an_address_tells_nothing_about_it(as_alice: Client, bob: User) -> None:
    EmailAddress.objects.create(user=bob, email="bob@example.org", verified=True, primary=True)
    as_alice.post("/account/reauthenticate/", {"password": PASSWORD})
    seen = []
    for email in ("bob@example.org", "unknown@example.org"):
        response = as_alice.post("/account/email/", {"action_add": "", "email": email})
        seen.append((response.status_code, response.get("Location")))
    assert seen[0] == seen[1]
    assert seen[0][0] == 302


@pytest.fixture
def behind_proxy(settings: Any) -> None:
    """One trusted proxy in front, so that every request comes from the same machine."""
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1


def test_failures_of_one_client_behind_a_proxy_do_not_lock_out_another(
    behind_proxy: None, alice: User, log_in: Post
) -> None:
    for _attempt in range(10):
        log_in("Alice", "wrong", headers={"x-forwarded-for": "203.0.113.1"})
    locked = log_in("Alice", headers={"x-forwarded-for": "203.0.113.1"})
    assert "Too many failed attempts" in errors(locked)[0]
    other = Client()
    assert log_in("Alice", browser=other, headers={"x-forwarded-for": "203.0.113.2"}).status_code == 302
    assert current_user(other) == alice


def test_a_forged_forwarding_header_does_not_evade_the_lock(behind_proxy: None, alice: User, log_in: Post) -> None:
    for attempt in range(10):
        log_in("Alice", "wrong", headers={"x-forwarded-for": f"198.51.100.{attempt}, 203.0.113.1"})
    locked = log_in("Alice", headers={"x-forwarded-for": "198.51.100.99, 203.0.113.1"})
    assert "Too many failed attempts" in errors(locked)[0]


def test_without_a_trusted_proxy_the_forwarding_header_is_ignored(alice: User, log_in: Post) -> None:
    for attempt in range(10):
        log_in("Alice", "wrong", headers={"x-forwarded-for": f"198.51.100.{attempt}"})
    assert "Too many failed attempts" in errors(log_in("Alice", headers={"x-forwarded-for": "198.51.100.99"}))[0]


def test_fewer_forwarded_entries_than_proxies_are_a_bad_request(settings: Any, alice: User, log_in: Post) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 2
    assert log_in("Alice", headers={"x-forwarded-for": "203.0.113.1"}).status_code == 400


def test_an_account_is_not_tried_from_everywhere_without_end(
    behind_proxy: None, settings: Any, alice: User, log_in: Post
) -> None:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"login_failed_account": "8/h/key"}
    for attempt in range(8):
        log_in("Alice", "wrong", headers={"x-forwarded-for": f"203.0.113.{attempt}"})
    assert "Too many" in errors(log_in("Alice", headers={"x-forwarded-for": "203.0.113.99"}))[0]


def test_an_address_in_other_letters_is_the_same_account(
    behind_proxy: None, settings: Any, known: str, log_in: Post
) -> None:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"login_failed_account": "8/h/key"}
    for attempt in range(8):
        spelt = known[:attempt] + known[attempt:].upper()
        log_in(spelt, "wrong", headers={"x-forwarded-for": f"203.0.113.{attempt}"})
    assert "Too many" in errors(log_in(known, headers={"x-forwarded-for": "203.0.113.99"}))[0]


def test_signing_up_has_a_limit(settings: Any, sign_up: Post) -> None:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"signup": "2/m/ip"}
    statuses = [sign_up(name, browser=Client()).status_code for name in ("Nino", "Nana", "Keti")]
    assert statuses == [302, 302, 429]

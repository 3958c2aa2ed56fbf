"""Logging in and out, passwords, addresses and sessions."""

import re
import unicodedata
from collections.abc import Callable

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.http import HttpResponse
from django.test import Client

from accounts.models import Kind, User
from tests.accounts.pages import PASSWORD, current_user, errors, page

LogIn = Callable[..., HttpResponse]


@pytest.mark.parametrize("login", ["Alice", "alice", "ALICE", " Alice ", "alice@example.org", "Alice@Example.org"])
def test_either_name_or_address_logs_in(client: Client, alice: User, log_in: LogIn, login: str) -> None:
    assert log_in(login).status_code == 302
    assert current_user(client) == alice


def test_a_name_logs_in_in_whatever_form_it_is_typed(client: Client, log_in: LogIn) -> None:
    user = User.objects.create_user("Зоя-é", password=PASSWORD)
    assert log_in(unicodedata.normalize("NFD", "ЗОЯ-É")).status_code == 302
    assert current_user(client) == user


def test_a_wrong_password_is_told(client: Client, alice: User, log_in: LogIn) -> None:
    assert errors(log_in("Alice", "wrong")) == ["The name and the password do not match."]
    assert errors(log_in("Nobody", "wrong")) == ["The name and the password do not match."]
    assert current_user(client) is None


def test_logging_in_leads_back_to_the_table(client: Client, alice: User) -> None:
    parsed = page(client.get("/account/login/?next=/m/abc/"))
    hidden = parsed.select_one("form[action='/account/login/'] input[name=next]")
    assert hidden is not None
    data = {"login": "Alice", "password": PASSWORD, "next": hidden["value"]}
    assert client.post("/account/login/", data)["Location"] == "/m/abc/"


def test_logging_out_takes_a_post(as_alice: Client, alice: User) -> None:
    as_alice.get("/account/logout/")
    assert current_user(as_alice) == alice
    as_alice.post("/account/logout/")
    assert current_user(as_alice) is None


def log_outs(browser: Client, path: str) -> list[bool]:
    """Return of every form on a page that logs out whether it is marked for the script that ends the notices."""
    forms = page(browser.get(path)).select("form[action='/account/logout/']")
    return [form.has_attr("data-logs-out") for form in forms]


def test_every_form_that_logs_out_ends_the_notices_on_the_device(as_alice: Client) -> None:
    assert log_outs(as_alice, "/") == [True]
    assert log_outs(as_alice, "/account/logout/") == [True, True]


def test_so_does_the_form_of_a_guest(guest_client: Client) -> None:
    assert log_outs(guest_client, "/account/logout/") == [True]


def test_nobody_logs_in_as_the_computer(client: Client, log_in: LogIn) -> None:
    computer = User.objects.create_user("Baba", kind=Kind.COMPUTER)
    assert not computer.has_usable_password()
    for password in ("", "!", computer.password):
        log_in("Baba", password)
        assert current_user(client) is None


def test_changing_the_password_ends_other_sessions_and_keeps_this_one(as_alice: Client, alice: User) -> None:
    elsewhere = Client()
    elsewhere.force_login(alice)
    new = "eight green herrings"
    data = {"oldpassword": PASSWORD, "password1": new, "password2": new}
    assert as_alice.post("/account/password/change/", data).status_code == 302
    assert as_alice.get("/account/").status_code == 200
    assert elsewhere.get("/account/").status_code == 302


def test_a_forgotten_password_is_replaced_through_a_mail(client: Client, alice: User, log_in: LogIn) -> None:
    EmailAddress.objects.create(user=alice, email=alice.email, verified=True, primary=True)
    client.post("/account/password/reset/", {"email": alice.email})
    found = re.search(r"http://testserver(/account/password/reset/key/\S+/)", str(mail.outbox[-1].body))
    assert found
    path = client.get(found[1])["Location"]
    new = "eight green herrings"
    assert client.post(path, {"password1": new, "password2": new}).status_code == 302
    assert log_in("Alice", new).status_code == 302
    assert "link" in page(Client().get(found[1])).get_text()


def test_a_reset_mail_is_in_the_language_of_its_reader(
    client: Client, alice: User, settings: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    languages: list[str | None] = []

    def note(*args: object, **kwargs: object) -> None:
        from django.utils.translation import get_language

        languages.append(get_language())

    monkeypatch.setattr("allauth.account.adapter.DefaultAccountAdapter.send_mail", note)
    User.objects.filter(pk=alice.pk).update(language="ka")
    client.post("/account/password/reset/", {"email": alice.email}, headers={"accept-language": "en"})
    assert languages == ["ka"]


def test_a_mail_server_that_is_down_undoes_nothing(client: Client, monkeypatch: pytest.MonkeyPatch, db: None) -> None:
    def fail(*args: object, **kwargs: object) -> None:
        raise ConnectionRefusedError

    monkeypatch.setattr("django.core.mail.EmailMessage.send", fail)
    data = {"username": "Nino", "password1": PASSWORD, "password2": PASSWORD, "email": "nino@example.org"}
    assert client.post("/account/signup/", data).status_code == 302
    assert current_user(client) is not None


def confirm_again(browser: Client) -> None:
    """Type the password once more, as delicate changes ask for."""
    browser.post("/account/reauthenticate/", {"password": PASSWORD})


def test_an_address_is_changed_after_the_password_and_counts_once_verified(as_alice: Client, alice: User) -> None:
    EmailAddress.objects.create(user=alice, email=alice.email, verified=True, primary=True)
    asked = as_alice.post("/account/email/", {"action_add": "", "email": "new@example.org"})
    assert asked["Location"].startswith("/account/reauthenticate/")
    confirm_again(as_alice)
    as_alice.post("/account/email/", {"action_add": "", "email": "new@example.org"})
    assert "new@example.org is not verified yet" in page(as_alice.get("/account/email/")).get_text()
    alice.refresh_from_db()
    assert alice.email == "alice@example.org"
    link = re.search(r"http://testserver(/account/confirm-email/\S+/)", str(mail.outbox[-1].body))
    assert link
    as_alice.post(link[1])
    alice.refresh_from_db()
    assert alice.email == "new@example.org"


def test_other_sessions_are_listed_and_ended(client: Client, alice: User, log_in: LogIn) -> None:
    elsewhere = Client(headers={"user-agent": "Kitchen radio"})
    log_in("Alice", browser=elsewhere)
    log_in("Alice")
    parsed = page(client.get("/account/sessions/"))
    assert len(parsed.select("table.list tbody tr")) == 2
    assert "Kitchen radio" in parsed.get_text()
    client.post("/account/sessions/")
    assert elsewhere.get("/account/").status_code == 302
    assert client.get("/account/").status_code == 200

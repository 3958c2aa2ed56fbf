"""Registering, and verifying an address."""

import re
import smtplib
from collections.abc import Callable

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.http import HttpResponse
from django.test import Client

from accounts.models import Kind, User
from tests.accounts.pages import PASSWORD, current_user, errors, page

SignUp = Callable[..., HttpResponse]


def test_a_name_and_a_password_are_enough(client: Client, sign_up: SignUp) -> None:
    response = sign_up("Nino")
    assert response.status_code == 302
    user = current_user(client)
    assert user is not None
    assert (user.username, user.kind, user.email) == ("Nino", Kind.PERSON, "")
    assert not mail.outbox


def test_the_page_says_what_the_address_is_good_for(client: Client, db: None) -> None:
    parsed = page(client.get("/account/signup/"))
    field = parsed.select_one("input[name=email]")
    assert field is not None
    assert not field.has_attr("required")
    help_text = parsed.select_one(f"#{field['aria-describedby']}")
    assert help_text is not None
    assert "forget your password" in help_text.get_text()


@pytest.mark.parametrize("name", ["கிருஷ்ணன்", "क्षत्रिय", "ກິດ", "ნინო"])
def test_names_of_many_scripts_register_and_log_in(client: Client, sign_up: SignUp, log_in: SignUp, name: str) -> None:
    assert sign_up(name).status_code == 302
    client.post("/account/logout/")
    assert current_user(client) is None
    assert log_in(name).status_code == 302
    user = current_user(client)
    assert user is not None
    assert user.username == name


@pytest.mark.parametrize(
    ("taken", "wanted"),
    [("Alice", "alice"), ("Alice", "AIice"), ("ape", "аре"), ("Иван", "ИВАН"), ("moon", "rnoon"), ("Zoë", "Zoe\u0308")],
)
def test_a_name_like_that_of_another_is_refused(sign_up: SignUp, taken: str, wanted: str) -> None:
    User.objects.create_user(taken, password=PASSWORD)
    response = sign_up(wanted)
    assert response.status_code == 200
    assert errors(response, "username") == [
        "This user name is taken, or looks like one that is. Please choose another."
    ]
    assert User.objects.filter(kind=Kind.PERSON).count() == 1


def test_a_name_with_a_direction_override_is_refused(sign_up: SignUp) -> None:
    assert "invisible" in errors(sign_up("ali\u202ece"), "username")[0]


@pytest.mark.parametrize("name", ["Moderator", "Daisy"])
def test_a_reserved_name_is_refused(sign_up: SignUp, name: str) -> None:
    assert "reserved" in errors(sign_up(name), "username")[0]


def test_an_error_is_tied_to_its_field(sign_up: SignUp) -> None:
    parsed = page(sign_up("a"))
    field = parsed.select_one("input[name=username]")
    assert field is not None
    assert field["aria-invalid"] == "true"
    described = [parsed.select_one(f"#{ref}") for ref in str(field["aria-describedby"]).split()]
    assert all(described)
    assert any("at least 2" in part.get_text() for part in described if part)


def test_a_common_password_is_refused(client: Client, db: None) -> None:
    data = {"username": "Nino", "password1": "password123", "password2": "password123"}
    assert errors(client.post("/account/signup/", data), "password1")


def test_a_name_taken_meanwhile_is_refused_without_an_error_page(
    client: Client, sign_up: SignUp, monkeypatch: pytest.MonkeyPatch
) -> None:
    User.objects.create_user("Nino", password=PASSWORD)
    monkeypatch.setattr("accounts.models.Users.with_name_like", lambda manager, name: User.objects.none())
    response = sign_up("NINO")
    assert (response.status_code, response["Location"]) == (302, "/account/signup/")
    assert "taken" in page(client.get("/account/signup/")).get_text()
    assert User.objects.filter(kind=Kind.PERSON).count() == 1


def confirmation_path() -> str:
    """Return the path of the link in the last mail."""
    found = re.search(r"http://testserver(/account/confirm-email/\S+/)", str(mail.outbox[-1].body))
    assert found
    return found[1]


def test_an_address_is_verified_by_a_link_that_acts_on_post_only(client: Client, sign_up: SignUp) -> None:
    sign_up("Nino", email="nino@example.org")
    path = confirmation_path()
    # The form carries a key of its own, which tells the second in which the page was made.
    form = page(client.get(path)).select_one("form[method=post][action^='/account/confirm-email/']")
    assert form is not None
    assert not EmailAddress.objects.get().verified
    client.post(str(form["action"]))
    assert EmailAddress.objects.get().verified


def test_mails_are_text_and_html_with_the_same_words(sign_up: SignUp) -> None:
    sign_up("Nino", email="nino@example.org")
    message = mail.outbox[0]
    html, kind = message.alternatives[0]
    assert kind == "text/html"
    assert message.subject == "Your trumps: Verify your e-mail address"
    for sentence in ("Nino gave this address", confirmation_path(), "do nothing"):
        assert sentence in message.body
        assert sentence in html


def test_a_mail_that_is_refused_undoes_nothing_and_leaves_no_address_in_the_log(
    client: Client, sign_up: SignUp, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(message: mail.EmailMessage) -> None:
        raise smtplib.SMTPRecipientsRefused({"nino@example.org": (550, b"<nino@example.org> is unknown")})

    monkeypatch.setattr(mail.EmailMessage, "send", refuse)
    assert sign_up("Nino", email="nino@example.org").status_code == 302
    assert current_user(client) == User.objects.get(username="Nino")
    assert "SMTPRecipientsRefused 550" in caplog.text
    assert "nino@" not in caplog.text


def test_registered_players_are_sent_on_from_the_sign_up_page(as_alice: Client) -> None:
    assert as_alice.get("/account/signup/")["Location"] == "/mine/"
    assert as_alice.get("/account/signup/?next=/lobby/")["Location"] == "/lobby/"


def test_sign_up_leads_back_to_where_one_came_from(client: Client, db: None) -> None:
    data = {"username": "Nino", "password1": PASSWORD, "password2": PASSWORD, "next": "/m/abc/"}
    assert client.post("/account/signup/", data)["Location"] == "/m/abc/"


def test_sign_up_never_leads_to_another_site(client: Client, db: None) -> None:
    data = {"username": "Nino", "password1": PASSWORD, "password2": PASSWORD, "next": "https://evil.example/"}
    assert client.post("/account/signup/", data)["Location"] == "/mine/"


def test_the_password_stands_beside_the_name_as_password_managers_expect(client: Client, db: None) -> None:
    fields = page(client.get("/account/signup/")).select("main form[method=post] input:not([type=hidden])")
    assert [field["name"] for field in fields] == ["username", "password1", "password2", "email"]
    assert [field.get("autocomplete") for field in fields] == ["username", "new-password", "new-password", "email"]

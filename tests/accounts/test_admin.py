"""Accounts in the administration."""

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from accounts.models import User
from tests.accounts.pages import PASSWORD, page


@pytest.fixture
def admin_path(settings: Any) -> str:
    return f"/{settings.ADMIN_PATH}accounts/user/"


@pytest.fixture(autouse=True)
def without_second_factor(settings: Any) -> None:
    """Let staff in with a password alone; what the second factor guards is tested for itself."""
    settings.ADMIN_SECOND_FACTOR = False


@pytest.fixture
def as_admin(client: Client, db: None) -> Client:
    client.force_login(User.objects.create_superuser("Root-Anna", password=PASSWORD))
    return client


def test_the_pages_name_their_icon(as_admin: Client, admin_path: str) -> None:
    for path in (admin_path, f"{admin_path}add/"):
        assert page(as_admin.get(path)).select_one('link[rel="icon"]') is not None


@pytest.fixture
def as_moderator(client: Client, bob: User) -> Client:
    bob.is_staff = True
    bob.save()
    bob.user_permissions.set(Permission.objects.filter(codename__in=["view_user", "change_user"]))
    client.force_login(bob)
    return client


def fields_of(parsed: Any) -> dict[str, str]:
    """Return what a browser would post from the page's form as it stands."""
    data = {}
    for field in parsed.select("#user_form input[name], #user_form select[name]"):
        if field.name == "select":
            chosen = field.select_one("option[selected]")
            data[field["name"]] = chosen["value"] if chosen else ""
        elif field.get("type") not in ("checkbox", "submit") or field.has_attr("checked"):
            data[field["name"]] = field.get("value", "on" if field.get("type") == "checkbox" else "")
    return data


@pytest.mark.parametrize("term", ["ив", "ИВАН", "иван"])
def test_accounts_are_found_by_name_however_typed(as_admin: Client, admin_path: str, term: str) -> None:
    User.objects.create_user("Иван", password=PASSWORD)
    rows = page(as_admin.get(admin_path, {"q": term})).select("#result_list tbody tr")
    assert [row.select_one("th a").get_text() for row in rows] == ["Иван"]


def test_accounts_are_found_by_address(as_admin: Client, admin_path: str, alice: User) -> None:
    rows = page(as_admin.get(admin_path, {"q": "alice@example.org"})).select("#result_list tbody tr")
    assert len(rows) == 1


def test_an_account_is_made_in_the_administration(as_admin: Client, admin_path: str) -> None:
    data = {"username": "ნინო", "usable_password": "true", "password1": PASSWORD, "password2": PASSWORD}
    assert as_admin.post(f"{admin_path}add/", data).status_code == 302
    assert User.objects.get_by_natural_key("ნინო").check_password(PASSWORD)


def test_a_name_like_that_of_another_is_refused_there_too(as_admin: Client, admin_path: str, alice: User) -> None:
    data = {"username": "AIice", "usable_password": "true", "password1": PASSWORD, "password2": PASSWORD}
    response = as_admin.post(f"{admin_path}add/", data)
    assert response.status_code == 200
    assert "looks like one that is" in page(response).get_text()


def test_a_moderator_sees_no_password_hash_and_cannot_rise(as_moderator: Client, admin_path: str, alice: User) -> None:
    parsed = page(as_moderator.get(f"{admin_path}{alice.pk}/change/"))
    assert alice.password.split("$")[2] not in parsed.get_text()
    assert not parsed.select_one("input[name=is_superuser]")
    data = fields_of(parsed) | {"is_superuser": "on", "is_staff": "on", "email": "mine@example.org", "sounds": "on"}
    assert as_moderator.post(f"{admin_path}{alice.pk}/change/", data).status_code == 302
    alice.refresh_from_db()
    assert alice.sounds
    assert not alice.is_superuser
    assert not alice.is_staff
    assert alice.email == "alice@example.org"


def test_a_moderator_sets_nobodys_password(as_moderator: Client, admin_path: str, alice: User) -> None:
    assert as_moderator.get(f"{admin_path}{alice.pk}/password/").status_code == 403


def test_a_moderator_does_not_change_a_superuser(as_moderator: Client, admin_path: str) -> None:
    root = User.objects.create_superuser("Root-Anna", password=PASSWORD)
    data = fields_of(page(as_moderator.get(f"{admin_path}{root.pk}/change/"))) | {"username": "Changed"}
    assert as_moderator.post(f"{admin_path}{root.pk}/change/", data).status_code == 403


def test_staff_who_delete_accounts_delete_no_superuser(
    as_moderator: Client, bob: User, admin_path: str, alice: User
) -> None:
    bob.user_permissions.add(Permission.objects.get(codename="delete_user"))
    root = User.objects.create_superuser("Root-Anna", password=PASSWORD)
    assert as_moderator.get(f"{admin_path}{alice.pk}/delete/").status_code == 200
    assert as_moderator.get(f"{admin_path}{root.pk}/delete/").status_code == 403
    assert as_moderator.post(f"{admin_path}{root.pk}/delete/", {"post": "yes"}).status_code == 403
    assert User.objects.filter(pk=root.pk).exists()


def test_nobody_reads_the_secret_of_a_second_step(as_admin: Client, alice: User) -> None:
    secret = Authenticator.objects.create(user=alice, type=Authenticator.Type.TOTP, data={"secret": "of-hers-alone"})
    page_of_it = reverse("admin:mfa_authenticator_change", args=[secret.pk])
    shown = as_admin.get(page_of_it)
    assert shown.status_code == 200
    assert "of-hers-alone" not in shown.content.decode()
    assert as_admin.post(page_of_it, {"data": "{}"}).status_code == 403
    assert as_admin.get(reverse("admin:mfa_authenticator_add")).status_code == 403


def test_a_second_step_is_taken_away_from_who_lost_the_phone(as_admin: Client, alice: User) -> None:
    lost = Authenticator.objects.create(user=alice, type=Authenticator.Type.TOTP, data={"secret": "of-hers-alone"})
    as_admin.post(reverse("admin:mfa_authenticator_delete", args=[lost.pk]), {"post": "yes"})
    assert not Authenticator.objects.exists()


def test_sessions_are_not_shown_and_addresses_not_changed(as_admin: Client, alice: User) -> None:
    assert UserSession not in admin.site._registry
    address = EmailAddress.objects.create(user=alice, email="alice@example.org", verified=False)
    form = {"email": "mine@example.org", "user": alice.pk, "verified": "on"}
    answer = as_admin.post(reverse("admin:account_emailaddress_change", args=[address.pk]), form)
    assert answer.status_code == 403
    address.refresh_from_db()
    assert (address.email, address.verified) == ("alice@example.org", False)


def test_staff_log_in_where_everybody_does(client: Client, bob: User, admin_path: str) -> None:
    login = client.get(admin_path, follow=True).redirect_chain[-1][0]
    assert login.startswith("/account/login/?next=")
    client.force_login(bob)
    assert client.get(admin_path, follow=True).status_code == 403


@pytest.mark.parametrize(
    ("page_of", "field"),
    [
        ("mfa_authenticator", "data__contains"),
        ("games_pushsubscription", "auth__startswith"),
        ("games_pushsubscription", "p256dh__startswith"),
        ("games_pushsubscription", "endpoint__contains"),
        ("games_match", "secret__startswith"),
    ],
)
def test_no_secret_can_be_read_letter_by_letter(as_admin: Client, page_of: str, field: str) -> None:
    address = reverse(f"admin:{page_of}_changelist")
    assert as_admin.get(address).status_code == 200
    assert as_admin.get(address, {field: "J"}).status_code == 400


def test_a_null_character_in_the_address_of_a_list_is_no_fault_of_the_server(as_admin: Client) -> None:
    answer = as_admin.get(reverse("admin:accounts_user_changelist"), {"kind__exact": "\0"}, follow=True)
    assert answer.status_code == 200


@pytest.mark.parametrize(
    ("page_of", "field", "value"),
    [
        ("games_case", "opened_at__year", "9" * 20),
        ("games_case", "pk__in", "x"),
        ("accounts_user", "date_joined__year", "99999"),
        ("accounts_user", "date_joined__year", "9" * 20),
    ],
)
def test_a_list_is_shown_whole_where_an_address_looks_for_what_cannot_be(
    as_admin: Client, page_of: str, field: str, value: str
) -> None:
    address = reverse(f"admin:{page_of}_changelist")
    answer = as_admin.get(address, {field: value})
    assert (answer.status_code, answer["Location"]) == (302, f"{address}?e=1")
    assert as_admin.get(answer["Location"]).status_code == 200


@pytest.mark.parametrize("key", ["x", "9" * 20])
def test_an_action_on_what_can_be_no_row_is_refused(as_admin: Client, admin_path: str, key: str) -> None:
    answer = as_admin.post(admin_path, {"action": "delete_selected", "_selected_action": key})
    assert answer.status_code == 400


def test_an_error_of_a_page_is_not_taken_for_a_bad_address(
    as_admin: Client, admin_path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(user: User) -> str:
        raise ValueError("a fault of the site")

    monkeypatch.setattr(User, "__str__", broken)
    as_admin.raise_request_exception = False
    assert as_admin.get(admin_path, {"q": "Root-Anna"}).status_code == 500

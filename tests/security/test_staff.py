"""Who gets into the administration, and how."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from tests.games import cast
from tests.moderation import staff

pytestmark = pytest.mark.django_db


@pytest.fixture
def root(db: None) -> User:
    return User.objects.create_superuser("Root-Rita", password=cast.PASSWORD)


def test_strangers_are_sent_to_the_sites_own_log_in(client: Client) -> None:
    first = client.get("/admin/")
    assert first.url == "/admin/login/?next=/admin/"
    assert client.get(first.url).url == "/account/login/?next=%2Fadmin%2F"


def test_a_password_alone_does_not_open_it(client: Client, root: User) -> None:
    client.post("/account/login/", {"login": "Root-Rita", "password": cast.PASSWORD})
    page = client.get("/admin/", follow=True)
    assert page.status_code == 403
    assert "/account/2fa/" in page.content.decode()


def test_having_a_second_factor_without_using_it_does_not_open_it(client: Client, root: User) -> None:
    client.force_login(root)
    staff.enrol(root)
    page = client.get("/admin/", follow=True)
    assert page.status_code == 403
    assert "/account/2fa/reauthenticate/" in page.content.decode()


def test_the_second_factor_opens_it(root: User) -> None:
    assert staff.staff_client(root).get("/admin/").status_code == 200


def test_who_has_set_up_the_second_factor_finds_the_way_back(client: Client, root: User, ana: User) -> None:
    staff.enrol(root)
    client.force_login(root)
    assert 'href="/admin/"' in client.get("/account/2fa/").content.decode()
    staff.enrol(ana)
    client.force_login(ana)
    assert 'href="/admin/"' not in client.get("/account/2fa/").content.decode()


def test_another_accounts_second_factor_does_not_count(root: User, mira: User) -> None:
    client = staff.staff_client(mira)
    records = client.session["account_authentication_methods"]
    staff.enrol(root)
    client.force_login(root)
    fresh = client.session
    fresh["account_authentication_methods"] = records
    fresh["account_authentication_methods_user"] = str(mira.pk)
    fresh.save()
    assert client.get("/admin/").status_code == 302


def test_players_are_refused_and_so_are_suspended_moderators(client: Client, ana: User, mira: User) -> None:
    client.force_login(ana)
    assert client.get("/admin/", follow=True).status_code == 403
    desk = staff.staff_client(mira)
    assert desk.get("/admin/").status_code == 200
    from accounts.restrictions import FOR_GOOD

    User.objects.filter(pk=mira.pk).update(suspended_until=FOR_GOOD)
    assert desk.get("/admin/", follow=True).status_code == 403


def test_only_development_can_do_without(settings: Any, client: Client, root: User) -> None:
    settings.ADMIN_SECOND_FACTOR = False
    client.force_login(root)
    assert client.get("/admin/").status_code == 200

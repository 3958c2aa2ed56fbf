"""Playing without registering, and registering later."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from accounts import selectors, services
from accounts.models import Kind, User
from tests.accounts.pages import PASSWORD, current_user, page

Post = Callable[..., HttpResponse]


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
    for path in ("/account/email/", "/account/password/change/", "/account/password/set/", "/account/2fa/"):
        response = guest_client.get(path)
        assert response.status_code == 302
        assert response["Location"].startswith("/account/signup/?next=")


def test_the_account_page_of_a_guest_offers_to_register(guest_client: Client) -> None:
    parsed = page(guest_client.get("/account/"))
    assert parsed.select_one("a[href='/account/signup/']")
    assert not parsed.select_one("a[href='/account/email/']")


def test_stale_guests_are_those_idle_or_never_seated(alice: User) -> None:
    now = timezone.now()

    def guest(name: str, idle: timedelta) -> User:
        return User.objects.create(username=name, kind=Kind.GUEST, last_active_at=now - idle)

    idle = guest("Guest-1", timedelta(days=31))
    playing = guest("Guest-2", timedelta(days=29))
    never_played = guest("Guest-3", timedelta(days=2))
    just_arrived = guest("Guest-4", timedelta(hours=1))
    User.objects.filter(pk=alice.pk).update(last_active_at=now - timedelta(days=400))
    played = User.objects.filter(pk__in=[idle.pk, playing.pk])
    stale = selectors.stale_guests(now, played)
    assert set(stale) == {idle, never_played}
    assert services.delete_guests(stale) == 2
    assert set(User.objects.exclude(kind=Kind.COMPUTER)) == {alice, playing, just_arrived}


def test_only_guests_are_ever_cleaned_up(alice: User) -> None:
    everyone = set(User.objects.all())
    assert services.delete_guests(User.objects.all()) == 0
    assert set(User.objects.all()) == everyone

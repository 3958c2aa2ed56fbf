"""Whether a session still logs somebody in: as a request would be answered, in one statement; and forgetting it."""

import datetime
from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from accounts.models import User
from tests.games.cast import PASSWORD, person
from yourtrumps.sessions import forget_ended, still_logged_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def ana() -> User:
    return person("Ana")


@pytest.fixture
def key(ana: User) -> str:
    """The key of a session of Ana's."""
    client = Client()
    client.force_login(ana)
    return client.session.session_key or ""


def test_a_session_logs_its_own_user_in(ana: User, key: str, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(1):
        assert still_logged_in(key, ana.pk) == ana
    assert still_logged_in(key, person("Boris").pk) is None
    assert still_logged_in("nothing", ana.pk) is None


def test_what_is_told_of_the_account_is_new(ana: User, key: str) -> None:
    User.objects.filter(pk=ana.pk).update(suspended_until=timezone.now() + datetime.timedelta(days=1))
    user = still_logged_in(key, ana.pk)
    assert user is not None
    assert user.is_suspended


def test_a_session_that_was_ended_or_has_expired_logs_nobody_in(ana: User, key: str) -> None:
    Session.objects.filter(pk=key).update(expire_date=timezone.now())
    assert still_logged_in(key, ana.pk) is None
    Session.objects.all().delete()
    assert still_logged_in(key, ana.pk) is None


def test_another_password_ends_a_session(ana: User, key: str) -> None:
    assert ana.check_password(PASSWORD)
    ana.set_password("another red herring")
    ana.save()
    assert still_logged_in(key, ana.pk) is None


def test_an_account_that_is_not_active_is_not_logged_in(ana: User, key: str) -> None:
    User.objects.filter(pk=ana.pk).update(is_active=False)
    assert still_logged_in(key, ana.pk) is None


def test_a_session_that_was_tampered_with_logs_nobody_in(ana: User, key: str) -> None:
    Session.objects.filter(pk=key).update(session_data="forged")
    assert still_logged_in(key, ana.pk) is None


def test_sessions_that_have_ended_are_forgotten_with_where_they_were_used(ana: User, key: str) -> None:
    now, hour = timezone.now(), datetime.timedelta(hours=1)
    Session.objects.create(session_key="expired", session_data="", expire_date=now - hour)
    for session_key, age in ((key, 2), ("expired", 2), ("ended", 2), ("beginning", 0.5)):
        UserSession.objects.update_or_create(
            session_key=session_key, defaults={"user": ana, "ip": "192.0.2.1", "created_at": now - age * hour}
        )
    assert forget_ended() == 1
    assert Session.objects.get().session_key == key
    assert set(UserSession.objects.values_list("session_key", flat=True)) == {key, "beginning"}
    assert still_logged_in(key, ana.pk) == ana

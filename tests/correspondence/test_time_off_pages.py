"""Time off by forms, and what the preferences say about it."""

import datetime

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.forms.matches import NewMatchForm
from games.models import Match, TimeOff
from games.services.errors import TooOftenError
from tests.correspondence.conftest import BEGIN


@pytest.fixture
def client(ana: User, clock: time_machine.Traveller) -> Client:
    client = Client()
    client.force_login(ana)
    return client


def test_time_off_is_taken_now_and_ended(client: Client, ana: User) -> None:
    page = client.post(reverse("games:time_off"), {"days": 3}, follow=True).content.decode()
    assert "Your time off has begun" in page
    assert "27 of 30 days left in 2027" in page
    off = TimeOff.objects.get(user=ana)
    assert (off.begins_at, off.ends_at) == (BEGIN, BEGIN + datetime.timedelta(days=3))
    client.post(reverse("games:end_time_off", args=[off.pk]))
    assert not TimeOff.objects.exists()


def test_time_off_is_planned_and_given_back(client: Client, ana: User) -> None:
    page = client.post(reverse("games:time_off"), {"days": 3, "first_day": "2027-03-20"}, follow=True).content.decode()
    assert "Your time off is planned" in page
    assert "Give it back" in page
    client.post(reverse("games:end_time_off", args=[TimeOff.objects.get().pk]))
    assert not TimeOff.objects.exists()


@pytest.mark.parametrize("fields", [{"days": 0}, {"days": 31}, {}, {"days": 3, "first_day": "2027-02-01"}])
def test_what_cannot_be_taken_is_answered_with_the_reason(client: Client, fields: dict[str, object]) -> None:
    response = client.post(reverse("games:time_off"), fields)
    assert response.status_code == 422
    assert b"errorlist" in response.content
    assert not TimeOff.objects.exists()


def test_who_asks_too_often_is_told_so(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def too_often(*args: object) -> None:
        raise TooOftenError

    monkeypatch.setattr("games.limits.spend", too_often)
    response = client.post(reverse("games:time_off"), {"days": 3})
    assert response.status_code == 429
    assert str(TooOftenError.message) in response.content.decode()
    assert not TimeOff.objects.exists()


def test_nobody_ends_the_time_off_of_another(client: Client, bela: User) -> None:
    other = Client()
    other.force_login(bela)
    client.post(reverse("games:time_off"), {"days": 3})
    other.post(reverse("games:end_time_off", args=[TimeOff.objects.get().pk]))
    assert TimeOff.objects.count() == 1


def test_the_page_needs_an_account() -> None:
    assert Client().get(reverse("games:time_off")).status_code == 302


def test_automatic_time_off_and_forced_turns_are_preferences_and_off_at_first(client: Client, ana: User) -> None:
    assert (ana.automatic_time_off, ana.forced_turns) == (False, False)
    form = client.get(reverse("accounts:preferences")).context["form"]
    fields = {name: value for name, value in form.initial.items() if value not in (None, False)}
    client.post(reverse("accounts:preferences"), {**fields, "automatic_time_off": "on", "forced_turns": "on"})
    ana.refresh_from_db()
    assert (ana.automatic_time_off, ana.forced_turns) == (True, True)


@pytest.mark.parametrize(("chosen", "allowed"), [({}, True), ({"time_off": "excluded"}, False)])
def test_a_new_match_may_exclude_time_off(client: Client, ana: User, chosen: dict[str, str], allowed: bool) -> None:
    client.post(reverse("games:new"), {"opponent": "link", "time": "days-3", **chosen})
    match = Match.objects.get()
    assert match.time_off_allowed is allowed
    assert ("Time off allowed" if allowed else "No time off") in client.get(match.get_absolute_url()).content.decode()
    assert NewMatchForm.base_fields["time_off"].initial == "allowed"

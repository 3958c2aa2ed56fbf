"""The administration shows every model, changes no match, and tells no secret of one in play."""

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib import admin
from django.contrib.auth.models import Group
from django.db import connection, models
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from games.models import Match
from games.services import ending
from tests.games.cast import LIVE, play_randomly, start_match

pytestmark = pytest.mark.django_db

OURS = [model for app in ("accounts", "games") for model in apps.get_app_config(app).get_models()]
REGISTERED = [model for model in OURS if model in admin.site._registry]


@pytest.fixture
def chief(monkeypatch: pytest.MonkeyPatch) -> Client:
    """A superuser's browser; whether a second factor is asked for is not the question here."""
    user = User.objects.create_superuser("Chief", password="seven red herrings")
    monkeypatch.setattr(admin.site.__class__, "has_permission", lambda site, request: request.user.is_superuser)
    client = Client()
    client.force_login(user)
    return client


def address(model: type[models.Model], page: str, *args: object) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=args)


def test_the_models_of_a_match_are_there() -> None:
    names = {model.__name__ for model in REGISTERED}
    assert {"User", "Match", "Seat", "Move", "ComputerPlayer", "Heartbeat"} <= names


@pytest.mark.parametrize("model", REGISTERED, ids=lambda model: model.__name__)
def test_every_list_and_every_row_can_be_looked_at(
    model: type[models.Model], chief: Client, match: Match, computer: User
) -> None:
    play_randomly(match, 3)
    assert chief.get(address(model, "changelist")).status_code == 200
    if admin.site._registry[model].search_fields:
        assert chief.get(address(model, "changelist"), {"q": "a"}).status_code == 200
    row = model._default_manager.first()
    if row is not None:
        assert chief.get(address(model, "change", row.pk)).status_code == 200


@pytest.mark.parametrize("model", [model for model in admin.site._registry if model is not Group], ids=str)
def test_no_list_counts_all_that_there_is(model: type[models.Model], chief: Client) -> None:
    with CaptureQueriesContext(connection) as queries:
        assert chief.get(address(model, "changelist")).status_code == 200
    asked = [query["sql"] for query in queries if model._meta.db_table in query["sql"]]
    counts = [sql for sql in asked if sql.startswith("SELECT COUNT(")]
    assert counts
    assert [sql for sql in counts if "LIMIT" not in sql] == []


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_every_list_and_every_form_answers_in_every_language(language: str, chief: Client) -> None:
    User.objects.filter(username="Chief").update(language=language)
    assert f'<html lang="{language}"' in chief.get(reverse("admin:index")).content.decode()
    request = RequestFactory().get("/")
    request.user = User.objects.get(username="Chief")
    for model, page in admin.site._registry.items():
        assert chief.get(address(model, "changelist")).status_code == 200
        added = chief.get(address(model, "add")).status_code
        assert added == (200 if page.has_add_permission(request) else 403)


@pytest.mark.parametrize("name", ["Match", "Seat", "Move", "ComputerPlayer", "Heartbeat"])
def test_nothing_of_a_match_is_changed_by_hand(name: str, chief: Client, match: Match) -> None:
    model = apps.get_model("games", name)
    assert chief.get(address(model, "add")).status_code == 403
    row = model._default_manager.first()
    if row is not None:
        assert chief.post(address(model, "change", row.pk), {"status": "finished"}).status_code == 403
        assert chief.post(address(model, "delete", row.pk), {"post": "yes"}).status_code == 403
    assert Match.objects.get().is_running


def test_the_secret_of_a_deal_is_not_shown(chief: Client, ana: User, boris: User) -> None:
    match = start_match(ana, boris, LIVE)
    text = chief.get(address(Match, "change", match.pk)).content.decode()
    assert match.code in text
    assert bytes(match.secret).hex() not in text
    assert repr(bytes(match.secret))[2:20] not in text
    ending.resign(match.code, ana)


def test_the_administration_is_closed_to_players(ana: User, rf: RequestFactory) -> None:
    client = Client()
    client.force_login(ana)
    for model in REGISTERED:
        assert client.get(address(model, "changelist")).status_code in (302, 403)

"""Texts of several lines: as long as the page lets them be, and not lost when they are refused."""

from typing import Any

import pytest
from bs4 import Tag
from django import forms
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.admin.measures import MeasureForm
from games.admin.order import DecisionForm
from games.forms.order import AppealForm, ReportForm
from games.forms.records import RecordForm
from games.models import Action, Appeal, Report
from games.models.action import MAX_MESSAGE
from games.models.case import MAX_REPORT
from games.services.moderation import measures
from tests.games import cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def as_boris(boris: User) -> Client:
    client = Client()
    client.force_login(boris)
    return client


@pytest.fixture
def warnings(order: Any) -> list[Action]:
    """Two measures against Boris, each of which he can appeal against."""
    return [measures.warn(order()) for _ in range(2)]


def lines(count: int) -> str:
    """Return a text of so many characters as a browser counts them, its line ends sent in two."""
    return ("word\n" * count)[: count - 1].replace("\n", "\r\n") + "."


def field_of(page: Any, action: Action) -> Tag:
    return page.select_one(f"form[action='{reverse('games:appeal', args=[action.pk])}'] textarea")


def test_an_appeal_may_be_as_long_as_its_field_says(as_boris: Client, warnings: list[Action]) -> None:
    field = field_of(cast.page(as_boris.get("/standing/")), warnings[0])
    assert field["maxlength"] == str(MAX_MESSAGE)
    as_boris.post(reverse("games:appeal", args=[warnings[0].pk]), {"text": lines(MAX_MESSAGE)})
    assert len(Appeal.objects.get().text) == MAX_MESSAGE


@pytest.mark.parametrize("text", [lines(MAX_MESSAGE + 1), "It was\0 not me."])
def test_an_appeal_that_is_refused_is_not_lost(as_boris: Client, warnings: list[Action], text: str) -> None:
    answer = as_boris.post(reverse("games:appeal", args=[warnings[0].pk]), {"text": text})
    assert answer.status_code == 422
    refused, other = (field_of(cast.page(answer), action) for action in warnings)
    assert refused.text.split() == text.replace("\0", "\ufffd").split()
    assert refused["aria-invalid"] == "true"
    assert refused.find_parent("details").has_attr("open")
    assert not other.text.strip()
    assert not other.find_parent("details").has_attr("open")
    assert not Appeal.objects.exists()


def test_an_appeal_of_blanks_says_what_is_missing(as_boris: Client, warnings: list[Action]) -> None:
    answer = as_boris.post(reverse("games:appeal", args=[warnings[0].pk]), {"text": " \r\n"})
    assert answer.status_code == 422
    assert "This field is required." in cast.page(answer).select_one(".field .errorlist").text


def test_the_address_of_a_refused_appeal_leads_back(as_boris: Client, warnings: list[Action]) -> None:
    answer = as_boris.get(reverse("games:appeal", args=[warnings[0].pk]))
    assert (answer.status_code, answer["Location"]) == (302, "/standing/")


def test_a_report_may_be_as_long_as_its_field_says(as_boris: Client, ana: User) -> None:
    answer = as_boris.post(f"/@/{ana.username}/report/", {"reason": "chat", "text": lines(MAX_REPORT)})
    assert answer.status_code == 302
    assert len(Report.objects.get().text) == MAX_REPORT


@pytest.mark.parametrize("form", [AppealForm, DecisionForm, MeasureForm, RecordForm, ReportForm])
def test_every_field_of_several_lines_counts_their_ends_once(form: type[forms.Form]) -> None:
    found = [field for field in form.base_fields.values() if isinstance(field.widget, forms.Textarea)]
    assert found
    for field in found:
        assert len(field.clean(lines(field.max_length))) == field.max_length
        with pytest.raises(forms.ValidationError):
            field.clean(lines(field.max_length + 1))

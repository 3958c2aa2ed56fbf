"""Taking one's data along, leaving, coming back, and what is forgotten."""

import datetime
import json
import re
from typing import Any

import pytest
import time_machine
from allauth.account.models import EmailAddress
from bs4 import BeautifulSoup
from django.apps import apps
from django.db import connection
from django.db.models import ProtectedError
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts import closing
from accounts.holding import hold
from accounts.models import ClosedAccount, User
from accounts.restrictions import GRACE
from games.models import Channel, DataExport, Event, Match, Notice, OfficialWord, Status
from games.notices import choices
from games.personal_data import personal_data
from games.rules import Reason
from games.selectors import history, record
from games.services import chatting, playing, privacy
from games.services.errors import BarredError
from games.services.moderation import measures
from games.services.moderation.desk import Order
from tests.games import cast
from tests.moderation import staff

pytestmark = pytest.mark.django_db


@pytest.fixture
def as_ana(ana: User) -> Client:
    client = Client()
    client.force_login(ana)
    return client


def test_a_file_with_all_of_ones_own_is_made_by_the_worker(
    as_ana: Client, ana: User, boris: User, match: Match
) -> None:
    playing.play(match.code, cast.mover(match), 1, cast.any_move(match))
    chatting.say(match.code, ana, text="hello")
    chatting.say(match.code, boris, text="not hers")
    as_ana.post("/data/")
    assert privacy.make_exports() == 1
    assert privacy.make_exports() == 0
    export = DataExport.objects.get()
    response = as_ana.get(f"/data/{export.pk}/")
    data = json.loads(response.content)
    assert data["account"]["username"] == "Ana"
    assert [found["code"] for found in data["matches"]] == [match.code]
    assert len(data["matches"][0]["moves"]) == 1
    assert [line["text"] for line in data["chat"]] == ["hello"]
    assert "not hers" not in response.content.decode()
    assert bytes(match.secret).hex() not in response.content.decode()
    assert match.start not in response.content.decode()


#: What points to a player and is not the player's own: others' words and doings, moderators' notes, what is on its way.
NOT_THEIRS = {
    "admin.LogEntry.user",
    "games.Action.actor",
    "games.Appeal.decided_by",
    "games.Block.blocked",
    "games.Case.claimed_by",
    "games.Case.reported",
    "games.ComputerPlayer.user",
    "games.DataExport.user",
    "games.Delivery.user",
    "games.Flag.other",
    "games.Flag.user",
    "games.Leaving.user",
    "games.Match.invited",
    "games.Report.reported",
}
NOT_TOLD = {"id", "password", "is_superuser", "is_staff", "is_active", "username_key", "skeleton"}


def test_whatever_the_site_keeps_of_a_player_is_in_the_file(ana: User, match: Match) -> None:
    with CaptureQueriesContext(connection) as captured:
        data = personal_data(ana)
    asked = "\n".join(query["sql"] for query in captured)
    missing = {
        f"{model._meta.label}.{field.name}"
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if field.related_model is User and f'"{model._meta.db_table}"."{field.column}" = {ana.pk}' not in asked
    }
    assert missing == NOT_THEIRS
    assert {field.name for field in User._meta.concrete_fields} - set(data["account"]) == NOT_TOLD


def test_the_choices_in_the_file_say_what_was_chosen(ana: User) -> None:
    choices.choose(ana, {(Event.TURN, Channel.MAIL): False})
    choices.choose_digest(ana, 8)
    data = personal_data(ana)
    assert data["notice_choices"] == [{"event": "turn", "channel": "mail", "wanted": False}]
    assert data["notice_reading"]["digest_hour"] == 8


def test_nobody_gets_anothers_file(as_ana: Client, boris: User) -> None:
    export = privacy.request_export(boris)
    privacy.make_exports()
    assert as_ana.get(f"/data/{export.pk}/").status_code == 404


def test_one_file_a_day_and_each_is_kept_a_week(as_ana: Client, ana: User) -> None:
    privacy.request_export(ana)
    with pytest.raises(privacy.ExportTooSoonError):
        privacy.request_export(ana)
    privacy.make_exports()
    DataExport.objects.update(made_at=timezone.now() - datetime.timedelta(days=8))
    privacy.forget()
    assert not DataExport.objects.exists()


def test_a_word_of_the_moderators_is_forgotten_some_time_after_it_was_read_or_written(
    ana: User, boris: User, mira: User
) -> None:
    now, day = timezone.now(), datetime.timedelta(days=1)
    for age, read in ((91, 91), (400, 89), (366, None), (364, None)):
        measures.warn(Order(mira, boris, "chat"))
        word = OfficialWord.objects.latest("pk")
        read_at = None if read is None else now - read * day
        OfficialWord.objects.filter(pk=word.pk).update(created_at=now - age * day, read_at=read_at)
    privacy.forget()
    kept = [round((now - word.created_at) / day) for word in OfficialWord.objects.order_by("created_at")]
    assert kept == [400, 364]


def test_a_file_that_cannot_be_made_holds_up_no_other_and_can_be_asked_for_again(
    ana: User, boris: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail_for_ana(user: User) -> dict[str, object]:
        if user == ana:
            raise RuntimeError("a row that cannot be written out")
        return personal_data(user)

    monkeypatch.setattr(privacy, "personal_data", fail_for_ana)
    began = timezone.now()
    privacy.request_export(ana)
    privacy.request_export(boris)
    assert privacy.make_exports() == 1
    assert DataExport.objects.get(made_at=None).user == ana
    with time_machine.travel(began + datetime.timedelta(hours=23)):
        assert privacy.make_exports() == 0
        privacy.forget()
        assert DataExport.objects.filter(user=ana, claimed_at__gt=began + datetime.timedelta(hours=1)).exists()
    with time_machine.travel(began + datetime.timedelta(hours=24, minutes=1)):
        privacy.forget()
        assert privacy.request_export(ana).made_at is None


def test_a_file_that_nobody_has_tried_to_make_is_not_given_up(ana: User) -> None:
    export = privacy.request_export(ana)
    with time_machine.travel(timezone.now() + datetime.timedelta(days=3)):
        privacy.forget()
        assert privacy.make_exports() == 1
    assert DataExport.objects.get() == export


def test_leaving_resolves_running_matches_and_leaves_the_opponent_the_history(ana: User, boris: User) -> None:
    match = cast.start_match(ana, boris, cast.DAYS)
    playing.play(match.code, cast.mover(match), 1, cast.any_move(match))
    offered = cast.open_match(ana, cast.LIVE, open_to="lobby")
    invited = cast.open_match(boris, cast.LIVE, open_to="player", invited=ana)
    privacy.close_account(ana)
    match.refresh_from_db()
    assert (match.status, match.reason, cast.player(match, match.winner)) == (
        Status.FINISHED,
        Reason.RESIGNATION,
        boris,
    )
    for open_match in (offered, invited):
        open_match.refresh_from_db()
        assert open_match.status == Status.CANCELLED
    assert list(history(boris)) == [match]
    assert record(boris).won == 1
    page = Client().get(match.get_absolute_url()).content.decode()
    assert not re.search(r"\bAna\b", page)


def test_an_account_with_a_seat_is_not_deleted_from_under_its_opponent(ana: User, match: Match) -> None:
    with pytest.raises(ProtectedError):
        ana.delete()


def test_closing_takes_the_password_and_a_tick(as_ana: Client, ana: User) -> None:
    for data in ({"password": "wrong", "sure": "on"}, {"password": cast.PASSWORD}, {"password": ""}):
        assert as_ana.post("/close/", data).status_code == 422
    ana.refresh_from_db()
    assert not ana.is_closed


def test_a_closed_account_is_nameless_at_once_and_comes_back_within_fourteen_days(as_ana: Client, ana: User) -> None:
    EmailAddress.objects.create(user=ana, email="ana@example.org", verified=True)
    User.objects.filter(pk=ana.pk).update(email="ana@example.org")
    Notice.objects.create(user=ana, event="turn", key="turn:x", created_at=timezone.now())
    assert as_ana.post("/close/", {"password": cast.PASSWORD, "sure": "on"}).status_code == 302
    ana.refresh_from_db()
    assert ana.username.startswith("Closed-")
    assert ana.email == ""
    assert not EmailAddress.objects.exists()
    assert not Notice.objects.exists()
    assert Client().get("/@/Ana/").status_code == 404
    assert Client().get(f"/@/{ana.username}/").status_code == 404
    with pytest.raises(BarredError):
        cast.open_match(ana)

    back = Client()
    back.post("/account/login/", {"login": "ana", "password": cast.PASSWORD})
    assert "/reopen/" in back.get("/mine/").content.decode()
    back.post("/reopen/")
    ana.refresh_from_db()
    assert (ana.username, ana.is_closed) == ("Ana", False)
    cast.open_match(ana)


@pytest.mark.parametrize(
    "address",
    [
        "email/",
        "password/change/",
        "password/set/",
        "2fa/",
        "2fa/totp/activate/",
        "2fa/recovery-codes/",
        "2fa/webauthn/add/",
    ],
)
def test_nothing_of_a_closed_account_is_changed_before_it_is_taken_back(
    as_ana: Client, ana: User, address: str
) -> None:
    privacy.close_account(ana)
    for ask in (as_ana.get, as_ana.post):
        answer = ask(f"/account/{address}", {"action_add": "", "email": "ana@example.org"})
        assert (answer.status_code, answer["Location"]) == (302, "/reopen/")
    assert not EmailAddress.objects.exists()
    privacy.reopen_account(ana)
    assert as_ana.get(f"/account/{address}").get("Location") != "/reopen/"


def test_an_address_that_a_closed_account_has_all_the_same_goes_with_it(ana: User) -> None:
    privacy.close_account(ana)
    EmailAddress.objects.create(user=ana, email="ana@example.org", verified=True)
    User.objects.filter(pk=ana.pk).update(email="ana@example.org")
    ClosedAccount.objects.update(closed_at=timezone.now() - GRACE)
    privacy.forget()
    ana.refresh_from_db()
    assert (ana.is_active, ana.email) == (False, "")
    assert not EmailAddress.objects.exists()


def test_nobody_else_takes_the_name_meanwhile(ana: User) -> None:
    privacy.close_account(ana)
    for name in ("Ana", "ANA"):
        Client().post("/account/signup/", {"username": name, "password1": "x-Red-77-x", "password2": "x-Red-77-x"})
    assert not User.objects.filter(username_key="ana").exists()


def test_taking_it_back_does_not_bring_back_a_name_that_a_moderator_took_away(ana: User, mira: User) -> None:
    privacy.close_account(ana)
    measures.rename(Order(mira, ana, "name"))
    back = privacy.reopen_account(ana)
    assert back.username.startswith("Player-")
    assert back.must_rename
    assert not back.is_closed


def test_after_fourteen_days_it_cannot_be_taken_back(ana: User) -> None:
    privacy.close_account(ana)
    ClosedAccount.objects.update(closed_at=timezone.now() - datetime.timedelta(days=14, minutes=1))
    privacy.forget()
    ana.refresh_from_db()
    assert not ana.is_active
    assert not ana.has_usable_password()
    client = Client()
    client.post("/account/login/", {"login": "Ana", "password": cast.PASSWORD})
    assert "_auth_user_id" not in client.session
    assert closing.reopen(ana).is_closed


def test_after_fourteen_days_it_is_not_handed_back_only_to_be_ended_by_the_next_sweep(
    as_ana: Client, ana: User
) -> None:
    privacy.close_account(ana)
    over = timezone.now() - GRACE - datetime.timedelta(minutes=1)
    ClosedAccount.objects.update(closed_at=over)
    User.objects.filter(pk=ana.pk).update(closed_at=over)
    answer = as_ana.post("/reopen/")
    assert answer.status_code == 409
    assert not BeautifulSoup(answer.content, "html.parser").select("main form[method=post] button.primary")
    ana.refresh_from_db()
    assert ana.is_closed


def test_an_account_that_is_taken_back_during_the_sweep_stays(ana: User, monkeypatch: pytest.MonkeyPatch) -> None:
    privacy.close_account(ana)

    def reopened(pk: int) -> User:
        monkeypatch.setattr(closing, "hold", hold)
        return closing.reopen(hold(pk))

    monkeypatch.setattr(closing, "hold", reopened)
    # A sweep that reads by its own clock and comes to this account when its owner has it back.
    assert closing.finish_closing(timezone.now() + GRACE) == 0
    ana.refresh_from_db()
    assert (ana.username, ana.is_active, ana.is_closed) == ("Ana", True, False)
    assert ana.has_usable_password()


def test_the_privacy_page_and_the_terms_say_what_the_operator_filled_in(
    settings: Any, client: Client, db: None
) -> None:
    settings.OPERATOR_NAME = "Cards & Co."
    settings.OPERATOR_COUNTRY = "Georgia"
    assert "Cards &amp; Co." in client.get("/privacy/").content.decode()
    assert "Georgia" in client.get("/terms/").content.decode()


def test_the_administration_leaves_no_opponent_alone_at_a_table(db: None, ana: User, match: Match) -> None:
    desk = staff.staff_client(User.objects.create_superuser("Root-Rita"))
    address = reverse("admin:accounts_user_change", args=[ana.pk])
    form = BeautifulSoup(desk.get(address).content, "html.parser")
    assert form.select_one("#id_username") is not None
    assert form.select_one("#id_is_active") is None
    desk.post(reverse("admin:accounts_user_delete", args=[ana.pk]), {"post": "yes"})
    assert User.objects.filter(pk=ana.pk).exists()

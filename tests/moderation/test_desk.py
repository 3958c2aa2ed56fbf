"""The desk in the administration: whole cases, by moderators without superuser rights."""

import re
from typing import Any

import pytest
from bs4 import BeautifulSoup
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.models import Action, Appeal, Case, ChatLine, Flag, FlagKind, Match, Status
from games.services import chatting, ending, fairplay, playing, reporting
from games.services.moderation.desk import ClaimedError, claim, release, settle
from tests.games import cast
from tests.moderation import staff

pytestmark = pytest.mark.django_db


def measure(client: Client, case: Case, **fields: Any) -> Any:
    data = {"reason": "chat", "why": "seen", "running": "stand"} | fields
    return client.post(reverse("admin:games_case_measure", args=[case.pk]), data)


def test_a_whole_case_from_report_to_appeal(
    ana: User, boris: User, match: Match, mira: User, nino: User, desk: Client
) -> None:
    line = chatting.say(match.code, boris, text="You play like a potato")
    reader = Client()
    reader.force_login(ana)
    table = BeautifulSoup(reader.get(match.get_absolute_url()).content, "html.parser")
    link = table.select_one("#chat-lines a.chat-report")["href"]
    form = BeautifulSoup(reader.get(link).content, "html.parser")
    assert "potato" in form.get_text()
    reader.post(link, {"reason": "chat", "text": "Rude.", "line": str(line.pk), "match": match.code})

    queue = desk.get(reverse("admin:games_case_changelist")).content.decode()
    assert "Boris" in queue
    case = Case.objects.get()
    desk.post(reverse("admin:games_case_claim", args=[case.pk]))
    page = desk.get(reverse("admin:games_case_change", args=[case.pk])).content.decode()
    assert "Claimed by Mira" in page
    assert "potato" in page
    assert match.get_absolute_url() in page

    assert measure(desk, case, verb="hide", line=line.pk, keep_open="on").status_code == 302
    assert measure(desk, case, verb="suspend", hours="24", message="Будьте вежливы.").status_code == 302
    assert "potato" not in reader.get(match.get_absolute_url()).content.decode()
    assert ChatLine.objects.get().text == "You play like a potato"

    suspended = Client()
    suspended.post("/account/login/", {"login": "Boris", "password": cast.PASSWORD})
    standing = suspended.get("/standing/").content.decode()
    assert "Будьте вежливы." in standing
    appeal_at = re.search(r"/standing/\d+/appeal/", standing).group()
    suspended.post(appeal_at, {"text": "It was a joke."})
    assert "have acted" in reader.get("/standing/").content.decode()

    second = staff.staff_client(nino)
    appeal = Appeal.objects.get()
    assert "Boris" in second.get(reverse("admin:games_appeal_changelist")).content.decode()
    assert "It was a joke." in second.get(reverse("admin:games_appeal_change", args=[appeal.pk])).content.decode()
    decided = second.post(
        reverse("admin:games_appeal_decide", args=[appeal.pk]), {"decision": "lift", "answer": "So be it."}
    )
    assert decided.status_code == 302
    boris.refresh_from_db()
    assert not boris.is_suspended
    assert "So be it." in suspended.get("/standing/").content.decode()
    assert list(Action.objects.order_by("pk").values_list("verb", flat=True)) == ["hide", "suspend", "lift"]


def test_a_measure_whose_case_cannot_be_closed_is_not_taken(
    desk: Client, case: Case, boris: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: object, **kwargs: object) -> None:
        raise ClaimedError

    monkeypatch.setattr("games.services.moderation.desk.settle", refuse)
    assert measure(desk, case, verb="mute", hours="24").status_code == 409
    boris.refresh_from_db()
    assert not boris.is_muted
    assert not Action.objects.exists()


def test_a_report_made_while_the_case_is_closed_opens_another(
    ana: User, cara: User, boris: User, mira: User, case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_case = fairplay.open_case

    def settled_meanwhile(user: User) -> Case:
        monkeypatch.setattr(fairplay, "open_case", open_case)
        found = open_case(user)
        settle(found, mira, acted_on=False)
        return found

    monkeypatch.setattr(fairplay, "open_case", settled_meanwhile)
    made = reporting.report(cara, boris, "chat")
    assert made.case != case
    assert made.case.closed_at is None
    with pytest.raises(reporting.ReportedAlreadyError):
        reporting.report(cara, boris, "chat")
    settle(made.case, mira, acted_on=True)
    assert reporting.report(cara, boris, "chat").case.closed_at is None


def test_a_stale_form_never_overwrites_a_match_in_play(desk: Client, case: Case, match: Match) -> None:
    page = BeautifulSoup(desk.get(reverse("admin:games_case_change", args=[case.pk])).content, "html.parser")
    seen = next(o["value"] for o in page.select("select[name=match] option") if o["value"])
    playing.play(match.code, cast.mover(match), 1, cast.any_move(match))
    refused = measure(desk, case, verb="end", match=seen, outcome="draw")
    assert refused.status_code == 409
    match.refresh_from_db()
    assert (match.status, match.turn) == (Status.RUNNING, 2)


@pytest.mark.parametrize(
    "missing", [{"verb": "suspend"}, {"verb": "end"}, {"verb": "hide"}, {"verb": "fly"}, {"why": ""}, {"reason": ""}]
)
def test_a_measure_that_lacks_something_is_asked_for_again(desk: Client, case: Case, missing: dict[str, str]) -> None:
    assert measure(desk, case, **({"verb": "warn"} | missing)).status_code == 422
    assert not Action.objects.exists()


def test_the_form_leads_to_no_reason_by_itself(desk: Client, case: Case) -> None:
    form = BeautifulSoup(desk.get(reverse("admin:games_case_change", args=[case.pk])).content, "html.parser")
    first = form.select_one("select[name=reason] option")
    assert first is not None
    assert first["value"] == ""


def test_a_case_is_opened_from_the_page_of_an_account(desk: Client, boris: User) -> None:
    account = BeautifulSoup(desk.get(reverse("admin:accounts_user_change", args=[boris.pk])).content, "html.parser")
    form = account.select_one("#case-form")
    assert form is not None
    assert desk.get(form.select_one("a")["href"]).status_code == 200
    sent = {field["name"]: field["value"] for field in form.select("input[type=hidden]")}
    desk.post(form["action"], sent)
    assert Case.objects.get().reported == boris


def test_cases_are_dismissed_in_bulk(desk: Client, case: Case, boris: User) -> None:
    data = {"action": "dismiss_selected", "_selected_action": [case.pk]}
    assert desk.post(reverse("admin:games_case_changelist"), data).status_code == 302
    case.refresh_from_db()
    assert case.closed_at is not None
    assert Action.objects.get().verb == "dismiss"


def test_nobody_takes_the_case_against_themselves(desk: Client, ana: User, mira: User) -> None:
    case = reporting.report(ana, mira, "chat").case
    address = reverse("admin:games_case_claim", args=[case.pk])
    assert address not in desk.get(reverse("admin:games_case_change", args=[case.pk])).content.decode()
    desk.post(address)
    case.refresh_from_db()
    assert case.claimed_by is None


def test_a_superuser_releases_and_settles_what_another_has_claimed(
    db: None, case: Case, mira: User, nino: User
) -> None:
    claim(case.pk, mira)
    release(case.pk, nino)
    case.refresh_from_db()
    assert case.claimed_by == mira
    root = staff.staff_client(User.objects.create_superuser("Root-Rita"))
    address = reverse("admin:games_case_release", args=[case.pk])
    assert address in root.get(reverse("admin:games_case_change", args=[case.pk])).content.decode()
    root.post(address)
    case.refresh_from_db()
    assert case.claimed_by is None
    claim(case.pk, mira)
    assert measure(root, case, verb="warn").status_code == 302
    case.refresh_from_db()
    assert case.closed_at is not None


@pytest.mark.parametrize("verb", ["mute", "suspend"])
def test_no_measure_has_an_end_that_nobody_can_write_down(desk: Client, case: Case, verb: str) -> None:
    refused = measure(desk, case, verb=verb, until="9999-12-31T23:59")
    assert refused.status_code == 422
    assert "within the next year" in refused.content.decode()
    assert measure(desk, case, verb=verb, hours="8784").status_code == 302


def test_support_reads_and_decides_nothing(db: None, case: Case) -> None:
    reading = staff.staff_client(staff.in_group(cast.person("Sam"), "Support"))
    page = reading.get(reverse("admin:games_case_change", args=[case.pk]))
    assert page.status_code == 200
    assert "measure-form" not in page.content.decode()
    assert measure(reading, case, verb="warn").status_code == 403
    assert reading.post(reverse("admin:games_case_claim", args=[case.pk])).status_code == 403


def test_moderators_see_no_secrets_and_no_password_hashes(desk: Client, boris: User, match: Match) -> None:
    account = BeautifulSoup(desk.get(reverse("admin:accounts_user_change", args=[boris.pk])).content, "html.parser")
    assert boris.password not in str(account)
    assert "password" not in account.select_one("#content").get_text().lower()
    address = reverse("admin:games_match_change", args=[match.pk])
    shown = desk.get(address).content.decode()
    assert bytes(match.secret).hex() not in shown
    hands = match.position.split(" ")[0]
    assert hands not in shown
    ending.resign(match.code, boris)
    assert hands in desk.get(address).content.decode()


@pytest.mark.parametrize("field", ["secret", "nonce", "start", "position"])
@pytest.mark.parametrize("lookup", ["contains", "regex", "gt", "lt", "in", "exact", "isnull"])
def test_nobody_learns_a_hand_or_a_secret_by_asking_which_matches_have_it(
    desk: Client, match: Match, field: str, lookup: str
) -> None:
    listed = reverse("admin:games_match_changelist")
    assert desk.get(listed, {f"{field}__{lookup}": "1"}).status_code == 400
    assert desk.get(listed, {"status__exact": "running"}).status_code == 200


def test_nothing_in_the_log_can_be_edited_in_the_administration(desk: Client, case: Case) -> None:
    measure(desk, case, verb="warn")
    action = Action.objects.get()
    root = staff.staff_client(User.objects.create_superuser("Root-Rita"))
    for client in (desk, root):
        address = reverse("admin:games_action_change", args=[action.pk])
        assert client.get(address).status_code == 200
        assert client.post(address, {"why": "another"}).status_code == 403
        assert client.post(reverse("admin:games_action_delete", args=[action.pk]), {"post": "yes"}).status_code == 403
        assert client.post(reverse("admin:games_action_changelist"), {}).status_code in (200, 302, 403)
    assert Action.objects.get().why == "seen"


def test_the_queue_takes_a_fixed_number_of_queries(desk: Client, ana: User, django_assert_max_num_queries: Any) -> None:
    from games.services import reporting

    for number in range(12):
        reporting.report(ana, cast.person(f"Player{number}x"), "chat")
    with django_assert_max_num_queries(16):
        desk.get(reverse("admin:games_case_changelist"))


FIGURES = {
    FlagKind.ABORTS: (
        {"spoilt": 5},
        "5 matches aborted or left to the clock within a day.",
        "За сутки прервано или брошено до истечения времени 5 партий.",
    ),
    FlagKind.EVEN_TIMES: (
        {"turns": 21, "mean": 3.05, "spread": 0.071},
        "21 turns of 3.05 seconds on average, give or take 7%.",
        "21 ход, в среднем 3,05 с, разброс 7%.",
    ),
    FlagKind.SAME_DEVICE: ({}, "", ""),
}


@pytest.mark.parametrize(
    ("language", "at", "why"), [("en", 1, "The loser resigned."), ("ru", 2, "Проигравший сдался.")]
)
def test_flags_and_ends_of_matches_are_put_in_words(
    desk: Client, mira: User, case: Case, match: Match, boris: User, language: str, at: int, why: str
) -> None:
    User.objects.filter(pk=mira.pk).update(language=language)
    for kind, told in FIGURES.items():
        Flag.objects.create(case=case, user=boris, kind=kind, detail=told[0])
    playing.play(match.code, cast.mover(match), 1, cast.any_move(match))
    ending.resign(match.code, boris)
    page = BeautifulSoup(desk.get(reverse("admin:games_case_change", args=[case.pk])).content, "html.parser")
    words = [told[at] for told in FIGURES.values()]
    assert [row.select("td")[-1].get_text() for row in page.select("#case-flags tr")] == words
    assert why in next(found.get_text() for found in page.select("summary") if match.code in found.get_text())
    listed = BeautifulSoup(desk.get(reverse("admin:games_flag_changelist")).content, "html.parser")
    assert sorted(cell.get_text() for cell in listed.select("td.field-figures")) == sorted(
        word or "-" for word in words
    )

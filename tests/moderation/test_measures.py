"""Every measure: who may take it, what it does at once, what the log holds, who is told."""

import datetime
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.models import Action, Case, Match, OfficialWord, OpenTo, Report, Status, Verb, WordKind
from games.present.official import words_for
from games.rules import Reason
from games.services import chatting, ending, playing, renaming, reporting, seating
from games.services.errors import BarredError, MatchError, MatchPausedError, StaleTurnError
from games.services.moderation import appeals, desk, matches, measures
from games.services.moderation.matches import end_match, resume_due
from tests.games import cast
from yourtrumps.append_only import AppendOnlyError

pytestmark = pytest.mark.django_db
SOON = datetime.timedelta(hours=3)


def test_only_moderators_act_and_not_on_themselves_or_other_staff(
    ana: User, boris: User, mira: User, nino: User, order: Any
) -> None:
    for who, whom in ((ana, boris), (mira, mira), (mira, nino)):
        with pytest.raises(desk.NotModeratorError):
            measures.warn(order(moderator=who, subject=whom))
    assert not Action.objects.exists()


def test_a_warning_is_logged_and_told(order: Any, boris: User) -> None:
    action = measures.warn(order(message="Sei bitte freundlich."))
    assert (action.verb, action.subject, action.why) == (Verb.WARN, boris, "seen")
    assert [word.message for word in words_for(boris)] == ["Sei bitte freundlich."]


def test_a_muted_player_plays_and_does_not_chat(order: Any, boris: User, match: Match) -> None:
    measures.mute(order(), timezone.now() + SOON)
    boris.refresh_from_db()
    with pytest.raises(BarredError):
        chatting.say(match.code, boris, text="Hello")
    ending.resign(match.code, boris)


def test_a_mute_or_suspension_is_not_for_ever(order: Any, boris: User) -> None:
    for take in (measures.mute, measures.suspend):
        with pytest.raises(desk.OrderError):
            take(order(), timezone.now() + measures.LONGEST + SOON)
    assert not Action.objects.exists()


def test_a_suspended_player_can_do_nothing_and_the_match_stands_still(
    order: Any, ana: User, boris: User, mira: User
) -> None:
    match = cast.start_match(ana, boris, cast.DAYS)
    cast.open_match(boris, cast.LIVE)
    measures.suspend(order(), timezone.now() + SOON)
    boris.refresh_from_db()
    for deed in (lambda: seating.create(boris, cast.LIVE, open_to="lobby"), lambda: seating.accept("x", boris)):
        with pytest.raises(BarredError):
            deed()
    with pytest.raises(MatchPausedError):
        playing.play(match.code, cast.mover(match), 1, cast.any_move(match))
    match.refresh_from_db()
    assert match.paused_at is not None
    assert match.deadline is None
    assert Match.objects.filter(seats__user=boris, status=Status.OPEN).count() == 0
    assert OfficialWord.objects.filter(user=ana, kind=WordKind.MATCH, match=match).count() == 1
    client = Client()
    client.force_login(ana)
    for address in (match.get_absolute_url(), f"{match.get_absolute_url()}text/"):
        page = cast.page(client.get(address))
        assert "stands still" in page.select_one("#announce").get_text()
        # Nothing is offered that would be refused.
        assert not page.select("#offers button, button[name=do], #hand button:not([aria-disabled], [hidden])")


def test_a_match_goes_on_with_the_time_that_was_left_when_the_suspension_ends(
    order: Any, ana: User, boris: User
) -> None:
    match = cast.start_match(ana, boris, cast.DAYS)
    cast_move = cast.any_move(match)
    playing.play(match.code, cast.mover(match), 1, cast_move)
    match.refresh_from_db()
    left = match.deadline - timezone.now()
    measures.suspend(order(), timezone.now() + SOON)
    assert resume_due() == 0
    User.objects.filter(pk=boris.pk).update(suspended_until=timezone.now())
    assert resume_due() == 1
    match.refresh_from_db()
    assert match.paused_at is None
    assert abs((match.deadline - timezone.now()) - left) < datetime.timedelta(seconds=2)
    playing.play(match.code, cast.mover(match), 2, cast.any_move(match))


def test_a_match_does_not_go_on_where_somebody_is_suspended_again_meanwhile(
    order: Any, ana: User, boris: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    cast.start_match(ana, boris, cast.DAYS)
    measures.suspend(order(), timezone.now() + SOON)
    User.objects.filter(pk=boris.pk).update(suspended_until=timezone.now())
    held = matches.held

    def suspended_again(code: str) -> Any:
        User.objects.filter(pk=boris.pk).update(suspended_until=timezone.now() + SOON)
        return held(code)

    monkeypatch.setattr(matches, "held", suspended_again)
    assert resume_due() == 0
    assert not Match.objects.filter(paused_at=None).exists()


def test_a_match_that_cannot_go_on_keeps_no_other_waiting(
    order: Any, ana: User, boris: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, sound = (cast.start_match(ana, boris, cast.DAYS) for _ in range(2))
    measures.suspend(order(), timezone.now() + SOON)
    User.objects.filter(pk=boris.pk).update(suspended_until=timezone.now())
    held = matches.held

    def fail_once(code: str) -> Any:
        if code == broken.code:
            raise RuntimeError("a row that nobody can read")
        return held(code)

    monkeypatch.setattr(matches, "held", fail_once)
    assert resume_due() == 1
    assert list(Match.objects.filter(paused_at=None)) == [sound]


def test_a_suspension_can_give_the_running_matches_to_the_opponents(
    order: Any, ana: User, boris: User, match: Match
) -> None:
    playing.play(match.code, cast.mover(match), 1, cast.any_move(match))
    measures.suspend(order(), timezone.now() + SOON, measures.ADJUDICATE)
    match.refresh_from_db()
    assert (match.status, match.reason) == (Status.FINISHED, Reason.MODERATOR)
    assert cast.player(match, match.winner) == ana


def test_a_closed_account_is_out_for_good_and_can_log_in_to_read_why(order: Any, boris: User, client: Any) -> None:
    measures.close(order(message="Two accounts."))
    boris.refresh_from_db()
    assert boris.is_suspended_for_good
    client.post("/account/login/", {"login": "Boris", "password": cast.PASSWORD})
    page = client.get("/standing/").content.decode()
    assert "Two accounts." in page
    assert client.get("/@/Boris/").status_code == 404
    assert client.get("/data/").status_code == 200


def test_a_name_goes_at_once_and_no_new_match_begins_without_another(order: Any, boris: User, client: Any) -> None:
    measures.rename(order(reason="name"))
    boris.refresh_from_db()
    assert boris.username.startswith("Player-")
    with pytest.raises(BarredError):
        seating.create(boris, cast.LIVE, open_to="lobby")
    client.force_login(boris)
    assert client.post("/rename/", {"username": "Ana Ana"}).status_code == 422
    assert client.post("/rename/", {"username": "boris"}).status_code == 409
    assert client.post("/rename/", {"username": "Boromir"}).status_code == 302
    boris.refresh_from_db()
    assert (boris.username, boris.must_rename) == ("Boromir", False)


def test_with_a_name_go_the_seats_and_challenges_that_show_it(order: Any, ana: User, boris: User, cara: User) -> None:
    seat = cast.open_match(boris, cast.LIVE, open_to="lobby")
    sent = cast.open_match(boris, cast.LIVE, open_to="player", invited=ana)
    received = cast.open_match(cara, cast.LIVE, open_to="player", invited=boris)
    of_others = cast.open_match(ana, cast.LIVE, open_to="player", invited=cara)
    measures.rename(order(reason="name"))
    assert {cast.check(match).status for match in (seat, sent, received)} == {Status.CANCELLED}
    assert cast.check(of_others).status == Status.OPEN


@pytest.mark.parametrize(
    ("outcome", "reason", "winner"),
    [
        ("0", Reason.MODERATOR, 0),
        ("1", Reason.MODERATOR, 1),
        ("draw", Reason.MODERATOR, None),
        ("void", "aborted", None),
    ],
)
def test_a_moderator_decides_a_match(
    order: Any, match: Match, outcome: str, reason: str, winner: int | None, ana: User
) -> None:
    end_match(order(), match.code, match.turn, outcome)
    match.refresh_from_db()
    assert (match.status, match.reason, match.winner) == (Status.FINISHED, reason, winner)
    assert OfficialWord.objects.filter(user=ana, kind=WordKind.MATCH).exists()


def test_a_decision_about_a_match_that_has_gone_on_is_refused(order: Any, match: Match) -> None:
    seen = match.turn
    playing.play(match.code, cast.mover(match), 1, cast.any_move(match))
    with pytest.raises(StaleTurnError):
        end_match(order(), match.code, seen, "draw")
    match.refresh_from_db()
    assert match.status == Status.RUNNING
    assert not Action.objects.exists()


def test_a_match_is_not_ended_before_it_has_begun(order: Any, boris: User) -> None:
    offer = seating.create(boris, cast.LIVE, open_to=OpenTo.LOBBY)
    with pytest.raises(MatchError, match="has not begun"):
        end_match(order(), offer.code, offer.turn, "draw")
    assert Match.objects.get(pk=offer.pk).status == Status.OPEN


def test_the_log_can_be_neither_changed_nor_deleted(order: Any) -> None:
    action = measures.warn(order())
    action.why = "another"
    deeds = (action.save, action.delete, Action.objects.all().delete, lambda: Action.objects.update(why="another"))
    for deed in deeds:
        with pytest.raises(AppendOnlyError):
            deed()
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE games_action SET why = 'another'")
    assert Action.objects.get().why == "seen"


def test_before_and_after_are_in_the_log(order: Any) -> None:
    until = timezone.now() + SOON
    action = measures.suspend(order(), until)
    assert action.before == {"suspended_until": None}
    assert action.after["suspended_until"] == until.isoformat()


def test_two_moderators_do_not_work_on_one_case(case: Case, mira: User, nino: User, boris: User) -> None:
    desk.claim(case.pk, mira)
    with pytest.raises(desk.ClaimedError):
        desk.claim(case.pk, nino)
    with pytest.raises(desk.ClaimedError):
        measures.warn(desk.Order(nino, boris, "chat", case=case))
    desk.release(case.pk, mira)
    desk.claim(case.pk, nino)


def test_every_reporter_hears_how_it_ended(case: Case, mira: User, ana: User, cara: User, boris: User) -> None:
    reporting.report(cara, boris, "name")
    assert Case.objects.count() == 1
    desk.settle(case, mira, acted_on=True)
    for reporter in (ana, cara):
        assert "have acted" in words_for(reporter)[0].sentence
    assert not Report.objects.filter(closed_at=None).exists()
    desk.settle(case, mira, acted_on=False)
    assert OfficialWord.objects.count() == 2


def test_one_report_a_pair_and_reason_is_open(case: Case, mira: User, ana: User, boris: User) -> None:
    with pytest.raises(reporting.ReportedAlreadyError):
        reporting.report(ana, boris, "chat")
    reporting.report(ana, boris, "leaving")
    desk.settle(case, mira, acted_on=False)
    reporting.report(ana, boris, "chat")
    assert Case.objects.count() == 2


def test_an_appeal_is_made_once_and_decided_by_another(order: Any, boris: User, mira: User, nino: User) -> None:
    action = measures.suspend(order(), timezone.now() + SOON)
    made = appeals.appeal(boris, action.pk, "It was not me.")
    with pytest.raises(appeals.AppealedAlreadyError):
        appeals.appeal(boris, action.pk, "Again.")
    with pytest.raises(desk.OrderError):
        appeals.decide(mira, made.pk, True, "")
    appeals.decide(nino, made.pk, True, "You are right.")
    boris.refresh_from_db()
    assert not boris.is_suspended
    assert words_for(boris)[0].message == "You are right."
    with pytest.raises(desk.OrderError):
        appeals.decide(nino, made.pk, False, "")


def test_an_appeal_against_an_earlier_closing_leaves_the_later_one_in_force(
    order: Any, boris: User, nino: User
) -> None:
    first = appeals.appeal(boris, measures.close(order()).pk, "Why?")
    measures.lift(order(), Verb.CLOSE)
    later = appeals.appeal(boris, measures.close(order()).pk, "Why again?")
    appeals.decide(nino, first.pk, True, "")
    boris.refresh_from_db()
    assert boris.is_suspended_for_good
    appeals.decide(nino, later.pk, True, "")
    boris.refresh_from_db()
    assert not boris.is_suspended


def test_an_appeal_against_an_earlier_name_leaves_the_later_demand_in_force(
    order: Any, boris: User, nino: User
) -> None:
    first = appeals.appeal(boris, measures.rename(order(reason="name")).pk, "Why?")
    renaming.rename(boris, "Worse")
    measures.rename(order(reason="name"))
    appeals.decide(nino, first.pk, True, "")
    boris.refresh_from_db()
    assert boris.must_rename


def test_nobody_appeals_for_another(order: Any, ana: User) -> None:
    action = measures.warn(order())
    with pytest.raises(desk.OrderError):
        appeals.appeal(ana, action.pk, "Let him.")

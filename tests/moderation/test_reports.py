"""Reports of chat lines: of what the reporter reads at the table, and of nothing else."""

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.models import ChatLine, Match, Report
from games.services import chatting, reporting
from tests.games import cast

pytestmark = pytest.mark.django_db


def report_page(reader: User, author: User, line: ChatLine, code: str) -> str:
    client = Client()
    client.force_login(reader)
    answer = client.get(f"/@/{author.username}/report/", {"line": line.pk, "match": code})
    assert answer.status_code == 200
    return cast.page(answer).select_one("main").get_text()


def report_line(reporter: User, line: ChatLine, code: str) -> Report:
    return reporting.report(reporter, line.author, "chat", match_code=code, line_id=line.pk)


def test_nobody_reads_or_reports_a_line_of_the_other_room(match: Match, ana: User, boris: User, cara: User) -> None:
    to_the_opponent = chatting.say(match.code, ana, text="my number is 555")
    to_all_who_look_on = chatting.say(match.code, cara, text="what a turn")
    for reader, line in ((cara, to_the_opponent), (boris, to_all_who_look_on)):
        assert line.text not in report_page(reader, line.author, line, match.code)
        with pytest.raises(reporting.ReportError):
            report_line(reader, line, match.code)
    assert not Report.objects.exists()


def test_nobody_reads_a_line_by_its_number_without_knowing_the_match(match: Match, ana: User, boris: User) -> None:
    line = chatting.say(match.code, ana, text="my number is 555")
    of_theirs = cast.start_match(ana, boris)
    for code in ("", of_theirs.code, "\0"):
        assert line.text not in report_page(boris, ana, line, code)


def test_a_line_is_reported_from_its_own_room(match: Match, ana: User, boris: User, cara: User, guest: User) -> None:
    for reader, line in (
        (boris, chatting.say(match.code, ana, text="to you")),
        (guest, chatting.say(match.code, cara, text="to all who look on")),
    ):
        assert line.text in report_page(reader, line.author, line, match.code)
        assert report_line(reader, line, match.code).line == line


def test_a_line_that_was_hidden_meanwhile_is_not_shown_and_can_still_be_reported(
    match: Match, ana: User, boris: User
) -> None:
    line = chatting.say(match.code, ana, text="to you")
    ChatLine.objects.update(hidden_at=timezone.now())
    assert line.text not in report_page(boris, ana, line, match.code)
    assert report_line(boris, line, match.code).match == match

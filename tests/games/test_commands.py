"""``manage.py verifydeal`` and ``manage.py worker``."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from accounts.models import User
from games.models import Match
from games.services import ending
from games.services.seating import MatchTerms
from tests.games.cast import LIVE, check, open_match, play_randomly, start_match

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.mark.django_db
class TestVerifyDeal:
    @pytest.mark.parametrize("deal", ["shuffled", "mirrored"])
    def test_it_confirms_an_honest_deal(
        self, ana: User, boris: User, deal: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        match = play_randomly(start_match(ana, boris, MatchTerms(deal=deal, deck_size=52)), 5)
        ending.resign(match.code, ana)
        call_command("verifydeal", match.code)
        out = capsys.readouterr().out
        for fact in (match.commitment, bytes(match.secret).hex(), bytes(match.nonce or b"").hex(), match.start):
            assert fact in out

    def test_it_keeps_the_secret_of_a_match_that_is_not_over(self, match: Match, ana: User) -> None:
        for code in (match.code, open_match(ana).code):
            with pytest.raises(CommandError, match="when it is over"):
                call_command("verifydeal", code)
        with pytest.raises(CommandError, match="no such match"):
            call_command("verifydeal", "nowhere")

    @pytest.mark.parametrize("what", ["secret", "nonce", "start"])
    def test_it_finds_what_was_tampered_with(self, match: Match, ana: User, what: str) -> None:
        ending.resign(match.code, ana)
        forged = {"secret": bytes(32), "nonce": bytes(32), "start": "6C/7C - CD 0 strict"}[what]
        Match.objects.filter(pk=match.pk).update(**{what: forged})
        with pytest.raises(CommandError):
            call_command("verifydeal", match.code)
        Match.objects.filter(pk=match.pk).delete()


def environment() -> dict[str, str]:
    """The environment of a process that works on the tests' own database."""
    name = str(connection.settings_dict["NAME"])
    if connection.vendor == "sqlite":
        url = f"sqlite:///{name}"
    else:
        url = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}").geturl()
    return {**os.environ, "DATABASE_URL": url, "LOG_LEVEL": "INFO", "DJANGO_SETTINGS_MODULE": "yourtrumps.settings"}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_worker_ends_what_is_overdue_and_then_itself_on_a_signal(
    ana: User, boris: User, number: signal.Signals, tmp_path: Path
) -> None:
    match = play_randomly(start_match(ana, boris, LIVE), 3)
    Match.objects.filter(pk=match.pk).update(deadline=match.started_at)
    with (tmp_path / "log").open("wb") as log:
        worker = subprocess.Popen([sys.executable, "manage.py", "worker"], cwd=ROOT, env=environment(), stderr=log)
        try:
            gives_up = time.monotonic() + 60
            while Match.objects.get(pk=match.pk).is_running and time.monotonic() < gives_up:
                time.sleep(0.05)
            worker.send_signal(number)
            assert worker.wait(30) == 0
        finally:
            worker.kill()
    assert check(match).reason == "time", (tmp_path / "log").read_text()

"""The outbox under trouble: servers that refuse, workers that race or die."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import time_machine
from django.db import OperationalError, connection, connections
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games import worker
from games.models import Channel, Delivery, DeliveryState, Event, Match, Reader
from games.notices import mail, outbox
from games.notices.errors import UnsentError
from tests.games.cast import DAYS, ROUND, check, play
from tests.notices.conftest import Postbox
from tests.notices.tools import DAY, HOUR, MINUTE, begin

Post = Callable[[], list[tuple[str, str]]]


@pytest.fixture
def turn(clock: time_machine.Traveller, ana: User, boris: User) -> Delivery:
    """The mail to Boris about a turn, due now."""
    match = play(begin(ana, boris, DAYS, position=ROUND), "3H")
    clock.shift(10 * MINUTE)
    return Delivery.objects.get(match=match, user=boris, channel=Channel.MAIL, event=Event.TURN)


@pytest.mark.django_db
class TestTrouble:
    def test_a_server_that_is_busy_is_tried_again_later_and_later(
        self, turn: Delivery, postbox: Postbox, post: Post, clock: time_machine.Traveller
    ) -> None:
        postbox.answer = "451 try again later"
        for attempt, pause in enumerate(outbox.PAUSES[:3], start=1):
            assert post() == []
            turn.refresh_from_db()
            assert (turn.state, turn.attempts) == (DeliveryState.WAITING, attempt)
            assert turn.due_at == timezone.now() + pause
            clock.shift(pause - MINUTE / 60)
            assert post() == []
            turn.refresh_from_db()
            assert turn.attempts == attempt
            clock.shift(MINUTE / 60)
        postbox.answer = "250 OK"
        assert post() == [("boris", "Your turn against Ana")]

    def test_it_is_given_up_in_the_end_and_can_be_tried_again_by_hand(
        self, turn: Delivery, postbox: Postbox, post: Post, clock: time_machine.Traveller, boris: User
    ) -> None:
        postbox.answer = "451 try again later"
        for pause in [*outbox.PAUSES, DAY]:
            assert post() == []
            clock.shift(pause)
        turn.refresh_from_db()
        assert (turn.state, turn.attempts) == (DeliveryState.DEAD, len(outbox.PAUSES) + 1)
        assert "451" in turn.note
        assert Reader.objects.get(user=boris).turn_mailed_at is None
        postbox.answer = "250 OK"
        assert post() == []
        assert outbox.retry(Delivery.objects.all()) == 1
        assert post() == [("boris", "Your turn against Ana")]

    def test_an_address_that_is_refused_for_good_is_given_up_at_once(
        self, turn: Delivery, postbox: Postbox, post: Post
    ) -> None:
        postbox.answer = "550 no such mailbox"
        assert post() == []
        turn.refresh_from_db()
        assert (turn.state, turn.attempts) == (DeliveryState.DEAD, 1)

    @pytest.mark.parametrize("answer", ["550 5.1.1 <boris@example.org> is unknown", "451 <boris@example.org>: later"])
    def test_no_address_is_logged_or_kept_with_what_was_not_sent(
        self, turn: Delivery, postbox: Postbox, post: Post, answer: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        postbox.answer = answer
        assert post() == []
        turn.refresh_from_db()
        assert turn.note == f"SMTPRecipientsRefused {answer[:3]}"
        assert "boris@" not in caplog.text

    def test_a_server_that_is_down_is_tried_again(
        self, turn: Delivery, settings: object, clock: time_machine.Traveller
    ) -> None:
        settings.MAILERS = {  # type: ignore[attr-defined]
            "default": {
                "BACKEND": "django.core.mail.backends.smtp.EmailBackend",
                "OPTIONS": {"host": "127.0.0.1", "port": 1, "timeout": 2},
            }
        }
        outbox.send_due()
        turn.refresh_from_db()
        assert (turn.state, turn.attempts) == (DeliveryState.WAITING, 1)
        assert "refused" in turn.note.lower()

    def test_one_that_cannot_be_written_does_not_hold_the_others_up(
        self, turn: Delivery, post: Post, monkeypatch: pytest.MonkeyPatch, ana: User, cara: User
    ) -> None:
        compose = mail.compose

        def break_for_boris(delivery: Delivery, now: object) -> object:
            if delivery.user.username == "Boris":
                raise RuntimeError("a template is broken")
            return compose(delivery, now)  # type: ignore[arg-type]

        monkeypatch.setattr(mail, "compose", break_for_boris)
        second = Delivery.objects.create(
            user=cara,
            channel=Channel.MAIL,
            event=Event.MODERATION,
            key="moderation:1",
            data={"verb": "warn", "message": "Be kind."},
            created_at=timezone.now(),
            wanted_at=timezone.now(),
            due_at=timezone.now(),
        )
        assert post() == [("cara", "A moderator has warned you")]
        second.refresh_from_db()
        assert second.state == DeliveryState.SENT

    # It is asked in threads of its own, which see what is committed.
    @pytest.mark.django_db(transaction=True)
    def test_the_health_page_is_red_when_a_notice_is_due_and_unsent_for_a_quarter_of_an_hour(
        self, turn: Delivery, client: Client, post: Post, clock: time_machine.Traveller
    ) -> None:
        clock.shift(14 * MINUTE)
        assert client.get("/readyz").json()["notices"] is True
        clock.shift(MINUTE)
        answer = client.get("/readyz")
        assert (answer.status_code, answer.json()["notices"]) == (503, False)
        post()
        assert client.get("/readyz").json()["notices"] is True

    def test_the_outbox_is_behind_with_what_is_overdue_and_not_with_what_is_tried_again_later(
        self, turn: Delivery, postbox: Postbox, post: Post, clock: time_machine.Traveller
    ) -> None:
        postbox.answer = "451 try again later"
        for pause in outbox.PAUSES[:5]:
            assert post() == []
            assert not outbox.is_behind(timezone.now())
            clock.shift(pause)
        assert timezone.now() - turn.wanted_at > outbox.TOO_LATE
        assert not outbox.is_behind(timezone.now())
        clock.shift(16 * MINUTE)
        assert outbox.is_behind(timezone.now())

    def test_what_is_done_is_forgotten_after_a_month(
        self, turn: Delivery, post: Post, clock: time_machine.Traveller
    ) -> None:
        post()
        clock.shift(29 * DAY)
        assert outbox.forget_old() == 0
        clock.shift(2 * DAY)
        assert outbox.forget_old() > 0
        assert not Delivery.objects.filter(pk=turn.pk).exists()

    def test_what_was_given_up_is_forgotten_a_month_after_that(
        self, turn: Delivery, clock: time_machine.Traveller
    ) -> None:
        clock.shift(20 * DAY)
        claimed = outbox.claim()
        assert claimed is not None
        outbox._give_up(claimed, "no such user")
        clock.shift(20 * DAY)
        assert outbox.forget_old() == 0
        clock.shift(11 * DAY)
        assert outbox.forget_old() > 0
        assert not Delivery.objects.filter(pk=turn.pk).exists()

    def test_a_claim_that_ran_out_changes_nothing_any_more(self, turn: Delivery, clock: time_machine.Traveller) -> None:
        slow = outbox.claim()
        assert slow is not None
        assert outbox.claim() is None
        clock.shift(outbox.LEASE)
        quick = outbox.claim()
        assert quick is not None
        assert (quick.pk, quick.attempts) == (turn.pk, 2)
        outbox._finish(slow, DeliveryState.DEAD, "too slow")
        turn.refresh_from_db()
        assert turn.state == DeliveryState.WAITING
        outbox._finish(quick, DeliveryState.SENT)
        turn.refresh_from_db()
        assert turn.state == DeliveryState.SENT

    def test_what_another_worker_claimed_meanwhile_is_not_sent_here(
        self, turn: Delivery, postbox: Postbox, clock: time_machine.Traveller
    ) -> None:
        slow = outbox.claim()
        assert slow is not None
        clock.shift(outbox.LEASE)
        quick = outbox.claim()
        assert quick is not None
        outbox.deliver(slow)
        assert postbox.subjects() == []
        outbox.deliver(quick)
        assert postbox.subjects() == [("boris", "Your turn against Ana")]

    def test_what_is_void_when_it_is_handed_over_is_not_sent(self, turn: Delivery, postbox: Postbox) -> None:
        claimed = outbox.claim()
        assert claimed is not None
        Delivery.objects.filter(pk=turn.pk).delete()
        outbox.deliver(claimed)
        assert postbox.subjects() == []

    def test_nobody_else_sends_what_a_slow_server_is_still_thinking_about(
        self, turn: Delivery, post: Post, monkeypatch: pytest.MonkeyPatch, clock: time_machine.Traveller
    ) -> None:
        send, others = mail.send, []

        def send_slowly(message: mail.Letter) -> None:
            clock.shift(9 * MINUTE)
            others.append(outbox.claim())
            send(message)

        monkeypatch.setattr(mail, "send", send_slowly)
        assert post() == [("boris", "Your turn against Ana")]
        assert others == [None]
        turn.refresh_from_db()
        assert (turn.state, turn.attempts) == (DeliveryState.SENT, 1)

    # Its connection is looked at, and what is not committed would be lost with it.
    @pytest.mark.django_db(transaction=True)
    def test_a_database_that_is_away_after_a_mail_was_sent_is_asked_again(
        self, turn: Delivery, post: Post, postbox: Postbox, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        claimed, pauses = outbox._claimed, []

        def away_for_a_moment(delivery: Delivery) -> object:
            if postbox.letters and len(pauses) < len(outbox.NOTE_PAUSES):
                raise OperationalError("the database is starting up")
            return claimed(delivery)

        monkeypatch.setattr(outbox, "_claimed", away_for_a_moment)
        monkeypatch.setattr("time.sleep", pauses.append)
        assert post() == [("boris", "Your turn against Ana")]
        assert tuple(pauses) == outbox.NOTE_PAUSES
        turn.refresh_from_db()
        assert turn.state == DeliveryState.SENT


def at_once(*jobs: Callable[[], object]) -> None:
    """Run jobs in threads that start together, and raise what any of them raised."""
    barrier = threading.Barrier(len(jobs))
    failures: list[BaseException] = []

    def run(job: Callable[[], object]) -> None:
        try:
            barrier.wait()
            job()
        except BaseException as error:
            failures.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(job,)) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


@pytest.mark.django_db(transaction=True)
class TestRaces:
    def test_workers_that_race_send_each_mail_once(self, turn: Delivery, postbox: Postbox, cara: User) -> None:
        now = timezone.now()
        for number in range(20):
            Delivery.objects.create(
                user=cara,
                channel=Channel.MAIL,
                event=Event.MODERATION,
                key=f"moderation:{number}",
                data={"verb": "warn", "message": f"Number {number}"},
                created_at=now,
                wanted_at=now,
                due_at=now,
            )
        at_once(*[outbox.send_due] * 4)
        ids = [letter.message["Message-ID"] for letter in postbox.letters]
        assert len(ids) == len(set(ids)) == 21

    def test_two_sweeps_of_an_overdue_match_end_it_once_and_mail_once(
        self, clock: time_machine.Traveller, ana: User, boris: User, postbox: Postbox
    ) -> None:
        """Fault 7."""
        match = play(begin(ana, boris, DAYS, position=ROUND), "3H")
        Delivery.objects.all().delete()
        clock.shift(3 * DAY)
        ended: list[int] = []
        at_once(*[lambda: ended.append(worker.sweep())] * 2)
        assert sorted(ended) == [0, 1]
        assert check(match).reason == "time"
        clock.shift(10 * MINUTE)
        at_once(*[outbox.send_due] * 2)
        assert sorted(postbox.subjects()) == [
            ("ana", "You have won against Boris"),
            ("boris", "You have lost against Ana"),
        ]

    def test_two_matches_of_one_player_at_once_bring_one_mail(
        self, clock: time_machine.Traveller, ana: User, boris: User, cara: User, postbox: Postbox
    ) -> None:
        for opponent in (ana, cara):
            play(begin(opponent, boris, DAYS, position=ROUND), "3H")
        clock.shift(10 * MINUTE)
        at_once(*[outbox.send_due] * 2)
        assert [to for to, _subject in postbox.subjects()] == ["boris"]


DYING = """
import json, os
import django
django.setup()
from django.conf import settings
settings.MAILERS = json.loads(os.environ["MAILERS"])
settings.SITE_URL, settings.SITE_HOST = "https://cards.example.org", "cards.example.org"
import time_machine
from games.notices import mail, outbox
if os.environ["DIES"] == "claimed":
    mail.send = lambda message: os.kill(os.getpid(), 9)
with time_machine.travel(float(os.environ["NOW"]), tick=False):
    outbox.send_due()
"""


class DyingWorker:
    """A worker process on the database of the test."""

    def __init__(self, settings: object, dies: str) -> None:
        name = str(connection.settings_dict["NAME"])
        if connection.vendor == "sqlite":
            url = f"sqlite:///{name}"
        else:
            url = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}").geturl()
        environment = {
            **os.environ,
            "DATABASE_URL": url,
            "DJANGO_SETTINGS_MODULE": "tests.settings",
            "MAILERS": json.dumps(settings.MAILERS),  # type: ignore[attr-defined]
            "DIES": dies,
            "NOW": str(timezone.now().timestamp()),
        }
        root = Path(__file__).resolve().parent.parent.parent
        self.process = subprocess.Popen([sys.executable, "-c", DYING], cwd=root, env=environment)

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def wait(self) -> int:
        return self.process.wait(timeout=60)


@pytest.mark.django_db(transaction=True)
class TestDeath:
    """A worker that is killed with a mail in hand: see docs/decisions/outbox.md."""

    def test_between_claim_and_sending_there_is_one_mail(
        self, turn: Delivery, postbox: Postbox, post: Post, settings: object, clock: time_machine.Traveller
    ) -> None:
        worker_process = DyingWorker(settings, "claimed")
        assert worker_process.wait() == -signal.SIGKILL
        turn.refresh_from_db()
        assert (turn.state, turn.attempts, postbox.letters) == (DeliveryState.WAITING, 1, [])
        assert post() == []
        clock.shift(outbox.MAIL_LEASE)
        assert post() == [("boris", "Your turn against Ana")]
        clock.shift(HOUR)
        assert post() == []

    def test_while_the_server_listens_there_is_one_mail(
        self, turn: Delivery, postbox: Postbox, post: Post, settings: object, clock: time_machine.Traveller
    ) -> None:
        worker_process = DyingWorker(settings, "sending")
        postbox.before_data = worker_process.kill
        assert worker_process.wait() == -signal.SIGKILL
        postbox.before_data = None
        assert postbox.take() == []
        clock.shift(outbox.MAIL_LEASE)
        assert post() == [("boris", "Your turn against Ana")]

    def test_after_the_server_has_taken_it_the_second_copy_is_told_by_its_number(
        self, turn: Delivery, postbox: Postbox, settings: object, clock: time_machine.Traveller
    ) -> None:
        worker_process = DyingWorker(settings, "taken")
        postbox.after_data = worker_process.kill
        assert worker_process.wait() == -signal.SIGKILL
        postbox.after_data = None
        clock.shift(outbox.MAIL_LEASE)
        outbox.send_due()
        assert [letter.message["Message-ID"] for letter in postbox.letters] == [mail.message_id(turn)] * 2


@pytest.mark.django_db
def test_an_error_of_the_server_is_one_that_may_pass(turn: Delivery, postbox: Postbox) -> None:
    message = mail.compose(turn, timezone.now())
    assert message is not None
    postbox.answer = "421 going down"
    with pytest.raises(UnsentError):
        mail.send(message)
    assert Match.objects.get(pk=turn.match_id).is_running

"""Players with verified addresses, and a mail server that keeps what it is sent."""

import datetime
from collections.abc import Callable, Iterator
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from io import StringIO

import pytest
import time_machine
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from allauth.account.models import EmailAddress
from django.core.cache import cache
from django.core.management import call_command
from pytest_django.fixtures import Settings

from accounts.models import User
from games.notices import outbox
from tests.games import cast
from tests.notices.pushing import PushService
from tests.notices.tools import NOON, Letter, free_port


class Postbox:
    """What a mail server does with what it is handed: keeps it, or answers as it is told to."""

    def __init__(self) -> None:
        self.letters: list[Letter] = []
        self.answer = "250 OK"
        self.before_data: Callable[[], None] | None = None
        self.after_data: Callable[[], None] | None = None

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self.before_data is not None:
            self.before_data()
        if not self.answer.startswith("250"):
            return self.answer
        envelope.rcpt_tos.append(address)
        return self.answer

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        content = envelope.content
        assert isinstance(content, bytes)
        message = BytesParser(EmailMessage, policy=policy.default).parsebytes(content)
        self.letters.append(Letter(message, envelope.rcpt_tos, content))
        if self.after_data is not None:
            self.after_data()
        return "250 OK"

    def take(self) -> list[Letter]:
        """Return the letters since the last call."""
        taken, self.letters = self.letters, []
        return taken

    def subjects(self) -> list[tuple[str, str]]:
        """Return the address and subject of every letter, in order."""
        return [(letter.to, letter.subject) for letter in self.letters]


@pytest.fixture
def postbox(settings: Settings) -> Iterator[Postbox]:
    """A real SMTP server to which the site's mail goes."""
    box = Postbox()
    controller = Controller(box, hostname="127.0.0.1", port=free_port())
    controller.start()
    settings.MAILERS = {
        "default": {
            "BACKEND": "django.core.mail.backends.smtp.EmailBackend",
            "OPTIONS": {"host": "127.0.0.1", "port": controller.port, "timeout": 5},
        }
    }
    yield box
    controller.stop()


@pytest.fixture(autouse=True)
def site_address(settings: Settings) -> None:
    settings.SITE_URL, settings.SITE_HOST = "https://cards.example.org", "cards.example.org"


@pytest.fixture(autouse=True)
def fresh_limits() -> Iterator[None]:
    """Start every test with no request counted against a limit."""
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    """Time that stands at noon on a Monday and moves when it is told to."""
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


def with_address(user: User, *, verified: bool = True) -> User:
    """Give a player an e-mail address."""
    EmailAddress.objects.create(
        user=user, email=f"{user.username.lower()}@example.org", verified=verified, primary=True
    )
    return user


@pytest.fixture
def ana(db: None) -> User:
    return with_address(cast.person("Ana", last_active_at=NOON - datetime.timedelta(days=1)))


@pytest.fixture
def boris(db: None) -> User:
    return with_address(cast.person("Boris", last_active_at=NOON - datetime.timedelta(days=1)))


@pytest.fixture
def cara(db: None) -> User:
    return with_address(cast.person("Cara", last_active_at=NOON - datetime.timedelta(days=1)))


@pytest.fixture
def post(postbox: Postbox) -> Callable[[], list[tuple[str, str]]]:
    """Send what is due now, and return the address and subject of each letter that arrived."""

    def send() -> list[tuple[str, str]]:
        outbox.send_due()
        return [(letter.to, letter.subject) for letter in postbox.take()]

    return send


@pytest.fixture
def service() -> Iterator[PushService]:
    """A push service that takes what it is sent."""
    running = PushService()
    yield running
    running.close()


@pytest.fixture
def push_key(settings: Settings) -> str:
    """A key as the command makes it."""
    out = StringIO()
    call_command("makevapidkeys", stdout=out)
    lines = dict(line.split("=", 1) for line in out.getvalue().splitlines() if not line.startswith("#"))
    settings.VAPID_PRIVATE_KEY = lines["VAPID_PRIVATE_KEY"]
    settings.VAPID_SUBJECT = lines["VAPID_SUBJECT"]
    settings.PUSH_HOSTS = ["127.0.0.1", "push.example.net"]
    return lines["VAPID_PRIVATE_KEY"]

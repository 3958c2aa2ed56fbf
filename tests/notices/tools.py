"""Letters, times and ports."""

import datetime
import json
import re
import socket
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path
from urllib.parse import urlsplit

from django.utils import timezone

from accounts.models import User
from games import notices
from games.models import Delivery, Match, Notice
from games.services.seating import MatchTerms
from tests.games.cast import UNTIMED, start_match

NOON = datetime.datetime(2026, 3, 2, 12, tzinfo=datetime.UTC)
MINUTE = datetime.timedelta(minutes=1)
HOUR = datetime.timedelta(hours=1)
DAY = datetime.timedelta(days=1)


VECTORS = Path(__file__).resolve().parent.parent / "vectors" / "games.jsonl"


def long_game(turns: int) -> tuple[str, list[str]]:
    """Return where a known game with 36 cards starts, and its first turns; it is longer than so many."""
    with VECTORS.open() as lines:
        for line in lines:
            game = json.loads(line)
            if len(game["moves"]) > turns and len(game["start"]) > 80:
                return game["start"], game["moves"][:turns]
    raise AssertionError("there is no such game")


def begin(first: User, second: User, terms: MatchTerms = UNTIMED, *, position: str) -> Match:
    """Make a match that begins at a position, and tell the player who leads there, as at the beginning of any."""
    match = start_match(first, second, terms, position=position)
    Delivery.objects.filter(match=match).delete()
    Notice.objects.filter(match=match).delete()
    notices.turn_began(match, list(match.seats.select_related("user").order_by("number")), timezone.now())
    return match


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class Letter:
    """One mail as it arrived."""

    message: EmailMessage
    recipients: list[str]
    raw: bytes

    @property
    def to(self) -> str:
        """Who it went to: the name before the @."""
        assert len(self.recipients) == 1
        return self.recipients[0].partition("@")[0]

    @property
    def subject(self) -> str:
        """The decoded subject."""
        return str(self.message["Subject"])

    @property
    def text(self) -> str:
        """The text part."""
        return self._part("plain")

    @property
    def html(self) -> str:
        """The HTML part."""
        return self._part("html")

    def _part(self, kind: str) -> str:
        part = self.message.get_body((kind,))
        assert part is not None
        return str(part.get_content())

    def path(self, prefix: str) -> str:
        """Return the path of the one address of the site in the text that begins with a prefix."""
        found = [urlsplit(url).path for url in re.findall(r"https://cards\.example\.org\S*", self.text)]
        paths = {path for path in found if path.startswith(prefix)}
        assert len(paths) == 1, (prefix, found)
        return paths.pop()

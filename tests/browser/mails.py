"""What the browser tests do about days and mails: let days pass, read what the site has sent."""

import datetime
import time
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from pathlib import Path

from django.conf import settings
from django.db.models import F

from accounts.models import User
from games.models import Delivery, Match, Reader, Seat

DAY = datetime.timedelta(days=1)


def a_day_passes() -> None:
    """Put all that has happened a day back."""
    Match.objects.running().update(turn_started_at=F("turn_started_at") - DAY, deadline=F("deadline") - DAY)
    Seat.objects.update(looked_at=F("looked_at") - DAY, here_at=F("here_at") - DAY)
    Reader.objects.update(turn_mailed_at=F("turn_mailed_at") - DAY)
    User.objects.update(last_active_at=F("last_active_at") - DAY)
    Delivery.objects.update(due_at=F("due_at") - DAY, wanted_at=F("wanted_at") - DAY)


def letters_to(address: str) -> list[EmailMessage]:
    """Return the mails to an address that the site kept, the oldest first."""
    kept = sorted((Path(settings.VAR_DIR) / "mail").glob("*.eml"), key=lambda path: path.stat().st_mtime_ns)
    letters = [BytesParser(EmailMessage, policy=policy.default).parsebytes(path.read_bytes()) for path in kept]
    return [letter for letter in letters if letter["To"] == address]


def next_letter(address: str, number: int) -> EmailMessage:
    """Wait for the mail with this number to an address."""
    end = time.monotonic() + 30
    while len(letters := letters_to(address)) < number:
        assert time.monotonic() < end, list(Delivery.objects.values_list("key", "state", "due_at", "note"))
        time.sleep(0.1)
    assert len(letters) == number
    return letters[-1]


def link_in(letter: EmailMessage) -> str:
    """Return the path of the link that plays the turn."""
    part = letter.get_body(("plain",))
    assert part is not None
    (link,) = (word for word in part.get_content().split() if "/play/" in word)
    return f"/play/{link.partition('/play/')[2]}"

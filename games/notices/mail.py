"""Mails: composed in their reader's language and time, with a way to stop them in every one."""

import datetime
import smtplib
from email.message import EmailMessage
from email.policy import EmailPolicy, default
from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext, ngettext

from accounts.mailing import nameless
from games import selectors
from games.models import Channel, Delivery, Event, Reader
from games.notices import choices, digest, links, wording
from games.notices.errors import RefusedError, UnsentError


class WholeAddresses(EmailPolicy):
    """Writes the headers that hold an address of the web in one line each.

    Python writes a header that it cannot break as encoded words, which mail programs do not look for in these.
    """

    _WHOLE = frozenset({"list-unsubscribe", "message-id"})

    def fold(self, name: str, value: str) -> str:
        """Return a header as it is sent."""
        return f"{name}: {value}{self.linesep}" if name.lower() in self._WHOLE else super().fold(name, value)

    def fold_binary(self, name: str, value: str) -> bytes:
        """Return a header as it is sent, in bytes."""
        if name.lower() in self._WHOLE:
            return self.fold(name, value).encode("ascii")
        return super().fold_binary(name, value)


class Letter(EmailMultiAlternatives):
    """A mail in text and HTML."""

    def message(self, *, policy: Any = default) -> EmailMessage:
        """Return the mail in its parts."""
        return super().message(policy=WholeAddresses(linesep=policy.linesep))


def compose(delivery: Delivery, now: datetime.datetime) -> Letter | None:
    """Return the mail of a delivery, or None where its player has no verified address."""
    user = delivery.user
    address = choices.mail_address(user)
    if address is None:
        return None
    reader = Reader.objects.filter(user=user).first()
    with (
        translation.override(choices.language_of(user, reader)),
        timezone.override(choices.zone_of(user, reader)),
    ):
        event = delivery.event or choices.DIGEST
        off_url = links.off_url(user, event, Channel.MAIL)
        context = {
            "user": user,
            "site": links.absolute("/"),
            "off_url": off_url,
            "choices_url": links.absolute(reverse("games:notice_choices")),
        }
        if delivery.event:
            template, subject = "notice", _add_notice(delivery, now, context)
        else:
            template, subject = "digest", _add_digest(delivery, now, context)
        context["subject"] = subject
        message = Letter(
            subject=" ".join(subject.split()),
            body=render_to_string(f"notices/mail/{template}.txt", context),
            to=[address],
            headers={
                "Message-ID": message_id(delivery),
                "Auto-Submitted": "auto-generated",
                "Content-Language": translation.get_language() or settings.LANGUAGE_CODE,
                "List-Unsubscribe": f"<{off_url}>",
                "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            },
        )
        message.attach_alternative(render_to_string(f"notices/mail/{template}.html", context), "text/html")
    return message


def message_id(delivery: Delivery) -> str:
    """Return the Message-ID of a delivery, the same in every attempt: a mail that comes twice can be told as one."""
    return f"<{delivery.number}@{settings.SITE_HOST}>"


def send(message: Letter) -> None:
    """Hand a mail to the mail server and wait until it has taken it.

    Raises :class:`RefusedError` where the server refuses this mail for good, and
    :class:`UnsentError` for all else that another attempt may mend.
    """
    try:
        message.send()
    except smtplib.SMTPRecipientsRefused as error:
        codes = [code for code, _text in error.recipients.values()]
        raise (RefusedError if all(code >= 500 for code in codes) else UnsentError)(nameless(error)) from error
    except smtplib.SMTPDataError as error:
        raise (RefusedError if error.smtp_code >= 500 else UnsentError)(nameless(error)) from error
    except (smtplib.SMTPException, OSError) as error:
        raise UnsentError(nameless(error)) from error


def _add_notice(delivery: Delivery, now: datetime.datetime, context: dict[str, object]) -> str:
    """Add to the context what an event's mail needs, and return its subject."""
    match = delivery.match
    told = wording.tell(delivery.event, delivery.user_id, match, delivery.data, now)
    plays = delivery.event in (Event.TURN, Event.LOW_TIME) and match is not None
    context |= {"told": told, "plays": plays}
    context["url"] = links.play_url(match) if plays and match is not None else links.absolute(told.path or "/")
    if delivery.event == Event.TURN:
        others = selectors.my_turn_count(delivery.user) - 1
        if others > 0:
            context["others"] = ngettext(
                "It is your turn in %(count)d other match too.",
                "It is your turn in %(count)d other matches too.",
                others,
            ) % {"count": others}
            context["mine_url"] = links.absolute(reverse("games:mine"))
    return told.title


def _add_digest(delivery: Delivery, now: datetime.datetime, context: dict[str, object]) -> str:
    """Add to the context what the daily mail needs, and return its subject."""
    page = digest.contents(delivery, now)
    context |= {"page": page, "mine_url": links.absolute(reverse("games:mine"))}
    if page.turn_count:
        return ngettext(
            "Your turn in %(count)d match", "Your turn in %(count)d matches", page.turn_count
        ) % {"count": page.turn_count}  # fmt: skip
    return gettext("Your matches today")

"""Addresses in mails and pushes: signed, so that they work without a log-in and for one thing only."""

import datetime
from dataclasses import dataclass

from django.conf import settings
from django.core import signing
from django.urls import reverse

from accounts.models import User
from games.models import Match

#: How long a link to play one turn works.
PLAY_FOR = datetime.timedelta(days=7)

_PLAY_SALT = "games.play-one-turn"
_OFF_SALT = "games.notices-off"


class BadLinkError(ValueError):
    """A link that this site did not sign, or that is cut off."""


@dataclass(frozen=True, slots=True)
class PlayLink:
    """What a link lets its holder do: play this turn of this match from this seat, until it is old."""

    code: str
    turn: int
    seat: int
    expired: bool = False


def absolute(path: str) -> str:
    """Return a path of this site as a whole address."""
    return f"{settings.SITE_URL}{path}"


def play_token(match: Match) -> str:
    """Return what lets its holder play the present turn of a match, and nothing else."""
    return signing.TimestampSigner(sep=".", salt=_PLAY_SALT).sign(f"{match.code}.{match.turn}.{match.to_move}")


def read_play_token(token: str) -> PlayLink:
    """Return what a token lets its holder do; raises :class:`BadLinkError` for one that was not signed here."""
    signer = signing.TimestampSigner(sep=".", salt=_PLAY_SALT)
    try:
        code, turn, seat = signer.unsign(token).split(".")
        link = PlayLink(code, int(turn), int(seat))
    except (signing.BadSignature, ValueError) as error:
        raise BadLinkError from error
    try:
        signer.unsign(token, max_age=PLAY_FOR)
    except signing.SignatureExpired:
        return PlayLink(link.code, link.turn, link.seat, expired=True)
    return link


def play_url(match: Match) -> str:
    """Return the whole address at which the present turn of a match can be played."""
    return absolute(reverse("games:play_link", args=[play_token(match)]))


def off_token(user: User, event: str, channel: str) -> str:
    """Return what stops telling a player of an event by a channel; it does not grow old."""
    return signing.dumps([user.pk, event, channel], salt=_OFF_SALT)


def read_off_token(token: str) -> tuple[int, str, str]:
    """Return the player's number, the event and the channel; raises :class:`BadLinkError`."""
    try:
        user_id, event, channel = signing.loads(token, salt=_OFF_SALT)
    except (signing.BadSignature, ValueError) as error:
        raise BadLinkError from error
    return int(user_id), str(event), str(channel)


def off_url(user: User, event: str, channel: str) -> str:
    """Return the whole address that stops telling a player of an event by a channel."""
    return absolute(reverse("games:notices_off", args=[off_token(user, event, channel)]))

"""Measures against an account, from a warning to closing it, and taking them back."""

import datetime

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.closing import give_neutral_name
from accounts.names import RENAMED
from accounts.restrictions import FOR_GOOD
from games import broadcast
from games.models import Action, ChatLine, Departure, Verb, WordKind
from games.services import leaving
from games.services.moderation import matches
from games.services.moderation.desk import Order, OrderError, change, doing, settle

#: What becomes of the running matches of an account that is suspended.
STAND = Departure.STAND
ADJUDICATE = Departure.ADJUDICATE

#: No mute or suspension is longer; what is to last is closing the account.
LONGEST = datetime.timedelta(days=366)
TOO_LONG = _("Give a time within the next year.")


def warn(order: Order) -> Action:
    """Tell a player that something is not done here."""
    with doing(order, Verb.WARN, word=WordKind.MEASURE) as deed:
        pass
    return deed.action


def mute(order: Order, until: datetime.datetime) -> Action:
    """Take the chat away from a player until a time. Raises ``OrderError`` for one that has passed or is far off."""
    _require_soon(until)
    with doing(order, Verb.MUTE, until=until, word=WordKind.MEASURE) as deed:
        change(deed, muted_until=until)
    return deed.action


def suspend(order: Order, until: datetime.datetime, running: str = STAND) -> Action:
    """Let a player not play until a time.

    Open sockets close, open matches are withdrawn; running ones stand still until then (``STAND``), or go to the
    opponents now (``ADJUDICATE``), and the opponents are told. One that nobody led in has no result, nor has a live one
    that would stand still. Raises ``OrderError``.
    """
    _require_soon(until)
    return _bar(order, Verb.SUSPEND, until, running)


def close(order: Order) -> Action:
    """Close a player's account for good; running matches go to the opponents."""
    return _bar(order, Verb.CLOSE, FOR_GOOD, ADJUDICATE)


def _bar(order: Order, verb: str, until: datetime.datetime, running: str) -> Action:
    if running not in (STAND, ADJUDICATE):
        raise OrderError
    with doing(order, verb, until=until, word=WordKind.MEASURE) as deed:
        change(deed, suspended_until=until)
        deed.after["matches"] = leaving.put_down(deed.subject, Departure(running))
    leaving.carry_out(deed.subject)
    return deed.action


def rename(order: Order) -> Action:
    """Take a player's name away at once; no new match begins until the player has chosen another."""
    with doing(order, Verb.RENAME, word=WordKind.MEASURE) as deed:
        deed.before["username"] = deed.subject.username
        give_neutral_name(deed.subject, RENAMED)
        deed.after["username"] = deed.subject.username
        change(deed, must_rename=True)
        leaving.put_down(deed.subject, Departure.PLAY_ON)
    leaving.carry_out(deed.subject)
    return deed.action


def hide_line(order: Order, line_id: int) -> Action:
    """Hide a chat line from everybody but the moderators; it stays in the record."""
    line = ChatLine.objects.select_related("match").filter(pk=line_id, author=order.subject).first()
    if line is None:
        raise OrderError
    with doing(order, Verb.HIDE_LINE, match_code=line.match.code) as deed:
        deed.before = {"line": line.pk, "hidden_at": line.hidden_at and line.hidden_at.isoformat()}
        ChatLine.objects.filter(pk=line.pk, hidden_at=None).update(hidden_at=deed.now)
        deed.after = {"line": line.pk, "hidden_at": deed.now.isoformat()}
        broadcast.chat_changed(line.match)
    return deed.action


def dismiss(order: Order) -> Action:
    """Find nothing wrong: the case is closed, and the reporters are told."""
    if order.case is None:
        raise OrderError
    with doing(order, Verb.DISMISS) as deed:
        deed.before = {"reports": order.case.reports.filter(closed_at=None).count()}
        settle(order.case, order.moderator, acted_on=False)
        deed.after = {"reports": 0}
    return deed.action


def lift(order: Order, measure: str) -> Action:
    """Take back what is in force: a mute, a suspension, a closing or a demand for another name.

    Matches that stood still go on. Raises ``OrderError`` where there is nothing to take back.
    """
    with doing(order, Verb.LIFT, word=WordKind.MEASURE) as deed:
        subject = deed.subject
        if measure == Verb.MUTE and subject.is_muted:
            change(deed, muted_until=None)
        elif measure in (Verb.SUSPEND, Verb.CLOSE) and subject.is_suspended:
            change(deed, suspended_until=None)
        elif measure == Verb.RENAME and subject.must_rename:
            change(deed, must_rename=False)
        else:
            raise OrderError(_("There is nothing to take back."))
    matches.resume_due()
    return deed.action


def _require_soon(until: datetime.datetime) -> None:
    now = timezone.now()
    if until <= now:
        raise OrderError(_("Give a time that is still to come."))
    if until > now + LONGEST:
        raise OrderError(TOO_LONG)

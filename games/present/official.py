"""What the moderators' words say, in the reader's language; and what is in force against an account."""

import datetime
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext

from accounts.models import User
from accounts.restrictions import FOR_GOOD
from games.models import APPEALABLE, Action, OfficialWord, Verb, WordKind


@dataclass(slots=True)
class WordView:
    """A word as its reader reads it; ``message`` is what the moderator wrote, in the reader's own language."""

    id: int
    sentence: str
    message: str
    url: str
    at: datetime.datetime


@dataclass(slots=True)
class MeasureView:
    """A measure against the reader; ``appeal`` is the state of the appeal, empty where none was made."""

    id: int
    sentence: str
    reason: str
    message: str
    at: datetime.datetime
    can_appeal: bool
    appeal: str
    answer: str


def unread(user: User) -> QuerySet[OfficialWord]:
    """Return what the moderators told a player and the player has not put away."""
    return (
        OfficialWord.objects.filter(user=user, read_at=None)
        .select_related("action", "action__appeal", "report__reported", "match")
        .order_by("-pk")[:20]
    )


def words_for(user: User) -> list[WordView]:
    """Return what the moderators told a player that has not been put away yet, the latest first."""
    return [_word(word) for word in unread(user)]


def _word(word: OfficialWord) -> WordView:
    message, url = "", ""
    if word.kind == WordKind.REPORT and word.report is not None:
        sentence = report_sentence(word.report.reported.display_name, bool(word.report.acted_on))
    elif word.kind == WordKind.MATCH and word.match is not None:
        url = word.match.get_absolute_url()
        sentence = (
            gettext("A moderator ended one of your matches.")
            if word.match.is_over
            else gettext("One of your matches stands still: a moderator suspended your opponent.")
        )
    elif word.kind == WordKind.APPEAL and word.action is not None:
        message = word.action.message
        sentence = (
            gettext("The moderators lifted the measure against which you appealed.")
            if word.action.verb == Verb.LIFT
            else gettext("The moderators looked at your appeal. The measure stands.")
        )
    else:
        message = word.action.message if word.action else ""
        sentence = measure_sentence(word.action) if word.action else ""
    return WordView(word.pk, sentence, message, url, word.created_at)


def report_sentence(name: str, acted_on: bool) -> str:
    """Return how a report ended; what exactly was done stays between the moderators and the reported."""
    if acted_on:
        return gettext("You reported %(player)s. The moderators looked into it and have acted. Thank you.") % {
            "player": name
        }
    return gettext("You reported %(player)s. The moderators looked into it and found nothing to act upon.") % {
        "player": name
    }


def measure_sentence(action: Action) -> str:
    """Return what a measure means for the one it is against."""
    until = ""
    if action.until is not None and action.until < FOR_GOOD:
        until = date_format(timezone.localtime(action.until), "DATETIME_FORMAT")
    sentences = {
        Verb.WARN: gettext("The moderators have warned you."),
        Verb.MUTE: gettext("Until %(time)s you may not chat.") % {"time": until},
        Verb.SUSPEND: gettext("Until %(time)s your account is suspended.") % {"time": until},
        Verb.CLOSE: gettext("The moderators have closed your account."),
        Verb.RENAME: gettext("Your user name was taken away. Please choose another."),
        Verb.END_MATCH: gettext("A moderator ended one of your matches."),
        Verb.HIDE_LINE: gettext("A moderator hid one of your lines in the chat."),
        Verb.LIFT: gettext("A measure against you was lifted."),
        Verb.UPHOLD: gettext("A measure against you stands after your appeal."),
    }
    return sentences.get(Verb(action.verb), "")


def measures_against(user: User) -> list[MeasureView]:
    """Return the measures against a player, the latest first, as the player may read them."""
    shown = (*APPEALABLE, Verb.END_MATCH, Verb.HIDE_LINE, Verb.LIFT)
    actions = Action.objects.filter(subject=user, verb__in=shown).select_related("appeal")[:50]
    return [_measure(action) for action in actions]


def _measure(action: Action) -> MeasureView:
    appeal = getattr(action, "appeal", None)
    return MeasureView(
        id=action.pk,
        sentence=measure_sentence(action),
        reason=action.get_reason_display(),
        message=action.message,
        at=action.created_at,
        can_appeal=appeal is None and action.verb in APPEALABLE,
        appeal=appeal.get_state_display() if appeal else "",
        answer=appeal.answer if appeal else "",
    )

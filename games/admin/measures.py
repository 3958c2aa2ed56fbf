"""The form with which a moderator takes a measure, and what it does."""

import datetime
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.forms.fields import TextField
from games.models import Case, ReportReason, Verb
from games.models.action import MAX_MESSAGE
from games.services.moderation import measures
from games.services.moderation.desk import Order, OrderError
from games.services.moderation.matches import end_match

LIFT_MUTE, LIFT_SUSPENSION, LIFT_RENAME = "lift-mute", "lift-suspend", "lift-rename"
_LIFTED = {LIFT_MUTE: Verb.MUTE, LIFT_SUSPENSION: Verb.SUSPEND, LIFT_RENAME: Verb.RENAME}

VERBS = [
    (Verb.WARN, _("Warn")),
    (Verb.MUTE, _("Mute, for the hours or until the time below")),
    (Verb.SUSPEND, _("Suspend, for the hours or until the time below")),
    (Verb.CLOSE, _("Close the account; running matches go to the opponents")),
    (Verb.RENAME, _("Force a new name; the old one goes at once")),
    (Verb.END_MATCH, _("End the match that is chosen below")),
    (Verb.HIDE_LINE, _("Hide the chat line that is chosen below")),
    (LIFT_MUTE, _("Lift a mute")),
    (LIFT_SUSPENSION, _("Lift a suspension or a closing")),
    (LIFT_RENAME, _("Lift the demand for a new name")),
    (Verb.DISMISS, _("Dismiss: nothing to act upon")),
]


class MeasureForm(forms.Form):
    """One measure against the account of a case."""

    verb = forms.ChoiceField(label=_("Measure"), choices=VERBS, widget=forms.RadioSelect)
    # The player is told the reason, so that none is taken unasked.
    reason = forms.ChoiceField(label=_("Reason"), choices=[("", "—"), *ReportReason.choices])
    why = TextField(
        label=_("Note for moderators"),
        max_length=MAX_MESSAGE,
        widget=forms.Textarea(attrs={"rows": 2, "cols": 60}),
    )
    message = TextField(
        label=_("Message to the player"),
        required=False,
        max_length=MAX_MESSAGE,
        widget=forms.Textarea(attrs={"rows": 3, "cols": 60}),
        help_text=_("Optional, in the player’s own language, which stands above."),
    )
    hours = forms.IntegerField(label=_("For how many hours"), required=False, min_value=1, max_value=24 * 366)
    until = forms.DateTimeField(
        label=_("Or until"), required=False, widget=forms.DateTimeInput(attrs={"type": "datetime-local"})
    )
    running = forms.ChoiceField(
        label=_("Running matches of a suspended player"),
        required=False,
        initial=measures.STAND,
        choices=[
            (measures.STAND, _("stand still until then")),
            (measures.ADJUDICATE, _("go to the opponents now")),
        ],
    )
    match = forms.RegexField(r"^\w+:\d{1,6}$", label=_("Match to end"), required=False, widget=forms.Select)
    outcome = forms.ChoiceField(
        label=_("Its outcome"),
        required=False,
        choices=[
            ("", "—"),
            ("0", _("the first player wins")),
            ("1", _("the second player wins")),
            ("draw", _("a draw")),
            ("void", _("no result")),
        ],
    )
    line = forms.IntegerField(label=_("Chat line to hide"), required=False, widget=forms.Select)
    keep_open = forms.BooleanField(label=_("Keep the case open, for more to come"), required=False)

    def __init__(self, *args: Any, matches: list[tuple[str, str]], lines: list[tuple[str, str]], **kwargs: Any) -> None:
        """``matches`` are choices of the form ``code:turn``: a match that has gone on since is left alone."""
        super().__init__(*args, **kwargs)
        self.fields["match"].widget.choices = [("", "—"), *matches]
        self.fields["line"].widget.choices = [("", "—"), *lines]

    def clean(self) -> dict[str, Any]:
        """Ask for what the chosen measure needs."""
        cleaned = super().clean() or self.cleaned_data
        verb = cleaned.get("verb")
        if verb in (Verb.MUTE, Verb.SUSPEND):
            if cleaned.get("hours"):
                cleaned["until"] = timezone.now() + datetime.timedelta(hours=cleaned["hours"])
            if not cleaned.get("until"):
                self.add_error("hours", _("Say for how long."))
            elif cleaned["until"] > timezone.now() + measures.LONGEST:
                self.add_error("until", measures.TOO_LONG)
        if verb == Verb.END_MATCH and not (cleaned.get("match") and cleaned.get("outcome")):
            self.add_error("match", _("Choose a match and its outcome."))
        if verb == Verb.HIDE_LINE and not cleaned.get("line"):
            self.add_error("line", _("Choose a line."))
        return cleaned


def take(case: Case, moderator: User, chosen: dict[str, Any]) -> None:
    """Take the measure that a form says, and close the case unless more is to come. Raises ``MatchError``."""
    texts = (chosen["reason"], chosen["why"], chosen["message"])
    order = Order(moderator, case.reported, *texts, case, closes_case=not chosen["keep_open"])
    verb = chosen["verb"]
    if verb == Verb.DISMISS:
        measures.dismiss(order)
    elif verb == Verb.WARN:
        measures.warn(order)
    elif verb == Verb.MUTE:
        measures.mute(order, chosen["until"])
    elif verb == Verb.SUSPEND:
        measures.suspend(order, chosen["until"], chosen["running"] or measures.STAND)
    elif verb == Verb.CLOSE:
        measures.close(order)
    elif verb == Verb.RENAME:
        measures.rename(order)
    elif verb == Verb.END_MATCH:
        code, _colon, turn = chosen["match"].partition(":")
        end_match(order, code, int(turn), chosen["outcome"])
    elif verb == Verb.HIDE_LINE:
        measures.hide_line(order, chosen["line"])
    elif verb in _LIFTED:
        measures.lift(order, _LIFTED[verb])
    else:
        raise OrderError

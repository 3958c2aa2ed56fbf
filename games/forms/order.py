"""Forms for keeping order: reports, appeals, another name, one's own data."""

from typing import Any

from allauth.account.adapter import get_adapter
from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.forms.fields import TextField
from games.models import ReportReason
from games.models.action import MAX_MESSAGE
from games.models.case import MAX_REPORT


class ReportForm(forms.Form):
    """Why one player reports another."""

    reason = forms.ChoiceField(label=_("Reason"), choices=ReportReason.choices, widget=forms.RadioSelect)
    text = TextField(
        label=_("What happened"),
        required=False,
        max_length=MAX_REPORT,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("A sentence or two, in any language. The moderators see the match and the chat."),
    )
    match = forms.SlugField(required=False, max_length=16, widget=forms.HiddenInput)
    line = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)
    also_block = forms.BooleanField(label=_("Block this player too"), required=False)


class AppealForm(forms.Form):
    """What one says against a measure, of which there may be several on a page."""

    text = TextField(label=_("Why is it wrong?"), max_length=MAX_MESSAGE, widget=forms.Textarea(attrs={"rows": 5}))

    def __init__(self, action_id: int, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, auto_id=f"appeal-{action_id}-%s", **kwargs)
        self.action_id = action_id


class RenameForm(forms.Form):
    """Another user name, in place of one that had to go."""

    username = forms.CharField(label=_("New user name"), max_length=80)

    def clean_username(self) -> str:
        """Return the name as it is to be stored, or say what is wrong with it."""
        return get_adapter().clean_username(self.cleaned_data["username"])


class CloseForm(forms.Form):
    """Closing one's account: the password once more, where there is one, and a tick."""

    password = forms.CharField(
        label=_("Password"),
        strip=False,
        required=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
    sure = forms.BooleanField(label=_("I want to close my account."))

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        if not user.has_usable_password():
            del self.fields["password"]

    def clean_password(self) -> str:
        """Refuse a wrong password, within the limits of failed log-ins."""
        password = self.cleaned_data["password"]
        if not get_adapter().reauthenticate(self.user, password):
            raise forms.ValidationError(_("This is not your password."), code="password")
        return password

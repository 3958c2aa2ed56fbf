"""Forms of the account pages, with this site's words."""

from typing import Any

from allauth.account import forms as allauth_forms
from django import forms
from django.conf import settings
from django.conf.locale import LANG_INFO
from django.contrib.auth.password_validation import get_default_password_validators
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.models import User
from accounts.zones import zones_by_region

EMAIL_USES = _("So that you can get back in when you forget your password, and be told when it is your turn.")


def password_rules() -> str:
    """Return in one sentence what ``AUTH_PASSWORD_VALIDATORS`` ask of a password; Django says it in a list of four."""
    length = next(rule.min_length for rule in get_default_password_validators() if hasattr(rule, "min_length"))
    return ngettext(
        "At least %(count)d character; not digits alone, not a common password, nothing like your name.",
        "At least %(count)d characters; not digits alone, not a common password, nothing like your name.",
        length,
    ) % {"count": length}


class _Plain:
    """Takes allauth's placeholders away: they repeat the label."""

    fields: dict[str, forms.Field]

    def relabel(self, labels: dict[str, Any]) -> None:
        """Set the fields' labels, drop their placeholders and say shortly what a new password has to be."""
        for name, field in self.fields.items():
            field.widget.attrs.pop("placeholder", None)
            if name in labels:
                field.label = labels[name]
            if name == "password1":
                field.help_text = password_rules()


class SignupForm(_Plain, allauth_forms.SignupForm):
    """A name and a password; an e-mail address for those who want."""

    field_order = ("username", "password1", "password2", "email")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.relabel(
            {
                "username": _("User name"),
                "password1": _("Password"),
                "password2": _("Password again"),
                "email": _("E-mail address (optional)"),
            }
        )
        self.fields["username"].help_text = _("2 to 20 characters, in the letters of your language.")
        self.fields["email"].help_text = EMAIL_USES
        for name in ("username", "password1"):
            self.fields[name].widget.attrs["autocapitalize"] = "none"
        self.fields["username"].widget.attrs["spellcheck"] = "false"


class LoginForm(_Plain, allauth_forms.LoginForm):
    """A name or an e-mail address, and a password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.relabel({"login": _("User name or e-mail address"), "password": _("Password")})
        self.fields["login"].widget.attrs |= {
            "autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"
        }  # fmt: skip
        self.fields["password"].help_text = ""


class EmailForm(_Plain, allauth_forms.AddEmailForm):
    """A new e-mail address, which counts once it is verified."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.relabel({"email": _("New e-mail address")})
        self.fields["email"].help_text = EMAIL_USES


class ChangePasswordForm(_Plain, allauth_forms.ChangePasswordForm):
    """The old password, and the new one twice."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.relabel(
            {
                "oldpassword": _("Present password"),
                "password1": _("New password"),
                "password2": _("New password again"),
            }
        )
        self.fields["oldpassword"].help_text = ""


class ResetPasswordForm(_Plain, allauth_forms.ResetPasswordForm):
    """The address to which a link for a new password is sent."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.relabel({"email": _("E-mail address")})


class NewPasswordForm(_Plain, allauth_forms.ResetPasswordKeyForm):
    """A new password, twice, after following the link of a mail."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.relabel({"password1": _("New password"), "password2": _("New password again")})


class ReauthenticateForm(_Plain, allauth_forms.ReauthenticateForm):
    """The password once more, before something delicate."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.relabel({"password": _("Password")})
        self.fields["password"].help_text = ""


class PreferencesForm(forms.ModelForm):
    """How the site looks and behaves for one player."""

    class Meta:
        model = User
        fields = (
            "language", "time_zone", "colour_scheme", "four_colours", "card_back", "hand_order", "confirm_turns",
            "forced_turns", "single_keys", "automatic_time_off", "sounds", "sound_volume", "chat_from",
        )  # fmt: skip
        help_texts = {
            "time_zone": _("Times and deadlines are shown in it."),
            "four_colours": _("Clubs and diamonds get colours of their own."),
            "confirm_turns": _("Cards are only played after one more press."),
            "forced_turns": _("A turn without a choice is made for you at once, mostly picking up."),
            "single_keys": _(
                "At the table they choose cards, T picks up, N goes on. Arrows, Enter and Esc always work."
            ),
            "automatic_time_off": _("An hour before a deadline one day off begins by itself, and you are told."),
            "sounds": _("Cards, your turn, the end of a match, and time that runs low."),
        }
        widgets = {"sound_volume": forms.NumberInput(attrs={"type": "range", "min": 0, "max": 100, "step": 10})}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["language"] = forms.ChoiceField(
            label=_("Language"), required=False, choices=[("", _("As the browser is set")), *language_choices()]
        )
        zones = zones_by_region(self.instance.time_zone)
        self.fields["time_zone"] = forms.ChoiceField(
            label=_("Time zone"),
            required=False,
            choices=[("", _("As the browser is set")), ("UTC", "UTC"), *zones.items()],
        )
        self.fields["sound_volume"].required = False

    def clean_sound_volume(self) -> int:
        """Keep the volume where none was sent."""
        volume: int | None = self.cleaned_data["sound_volume"]
        return int(self.instance.sound_volume) if volume is None else volume


def language_choices() -> list[tuple[str, str]]:
    """Return the site's languages by code, each named in itself."""
    return [
        (code, LANG_INFO[code]["name_local"] if code in LANG_INFO else str(name)) for code, name in settings.LANGUAGES
    ]

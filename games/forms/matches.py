"""Forms for making a match, taking a seat, filtering a history and checking a deal."""

from typing import Any

from django import forms
from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from accounts.models import Kind, User
from games import selectors
from games.models import Deal, OpenTo, Pace, Pickup, Trump
from games.present import words
from games.rules import DECK_SIZES, SUITS
from games.rules.dealing import SECRET_BYTES
from games.services.seating import DAYS_A_TURN, MatchTerms

#: Live times that are offered by name: minutes on the clock and seconds added a turn.
LIVE_PRESETS = ((3, 2), (5, 5), (10, 10), (15, 15))
OWN_TIME = "own"
UNTIMED = "untimed"


def _time_choices() -> list[tuple[object, object]]:
    live: list[tuple[str, object]] = [(f"live-{m}-{s}", f"{m} + {s}") for m, s in LIVE_PRESETS]
    live.append((OWN_TIME, _("own minutes and seconds")))
    days = [(f"days-{count}", str(count)) for count in DAYS_A_TURN]
    return [
        ("", pgettext_lazy("time of a match", "standard")),
        (_("Live, minutes + seconds a turn"), live),
        (_("Correspondence, days a turn"), days),
        (_("Without a clock"), [(UNTIMED, _("no clock"))]),
    ]


class WithDefaults(forms.Form):
    """A form whose missing fields have their initial values: a match is made in two clicks."""

    def clean(self) -> dict[str, Any]:
        """Fill in what was not sent, and what was not chosen."""
        cleaned = super().clean() or self.cleaned_data
        for name, field in self.fields.items():
            left_out = self.add_prefix(name) not in self.data
            unchosen = isinstance(field, forms.ChoiceField) and cleaned.get(name) in field.empty_values
            if name not in self.errors and (left_out or unchosen) and field.initial is not None:
                cleaned[name] = field.initial
        return cleaned


class CharacterSelect(forms.RadioSelect):
    """Radio buttons that know the computer's characters: each has its level."""

    def create_option(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Return a radio button with its level, the name and the line in the active language."""
        option = super().create_option(*args, **kwargs)
        level = next(level for level in words.levels() if level.number == int(str(option["value"])))
        return option | {"label": gettext(level.name), "line": gettext(level.line)}


class NewMatchForm(WithDefaults):
    """All that can be chosen for a new match; whatever is left out is the standard."""

    opponent = forms.ChoiceField(
        label=pgettext_lazy("card table", "Opponent"),
        choices=[
            (OpenTo.COMPUTER, _("the computer")),
            (OpenTo.LINK, _("a friend, by a link")),
            (OpenTo.PLAYER, _("a player, by name")),
            (OpenTo.LOBBY, _("anyone, an open seat in the lobby")),
        ],
        required=False,
        initial=OpenTo.COMPUTER,
        widget=forms.RadioSelect,
    )
    level = forms.TypedChoiceField(
        label=_("Level of the computer"),
        choices=[(level.number, level.name) for level in words.levels()],
        coerce=int,
        required=False,
        initial=1,
        widget=CharacterSelect,
    )
    username = forms.CharField(label=_("Name of the player"), max_length=80, required=False)
    trump = forms.ChoiceField(
        label=_("Your trump suit"), choices=Trump.choices, required=False, initial=Trump.ANY, widget=forms.RadioSelect
    )
    time = forms.ChoiceField(
        label=_("Time"), choices=_time_choices, required=False, initial=None, widget=forms.RadioSelect
    )
    minutes = forms.IntegerField(label=_("Minutes on the clock"), min_value=1, max_value=60, required=False, initial=10)
    increment = forms.IntegerField(
        label=_("Seconds added a turn"), min_value=0, max_value=60, required=False, initial=10
    )
    deck_size = forms.TypedChoiceField(
        label=_("Deck"),
        choices=[(size, str(size)) for size in sorted(DECK_SIZES)],
        coerce=int,
        required=False,
        initial=36,
        widget=forms.RadioSelect,
    )
    deal = forms.ChoiceField(
        label=_("Deal"), choices=Deal.choices, required=False, initial=Deal.SHUFFLED, widget=forms.RadioSelect
    )
    pickup = forms.ChoiceField(
        label=_("Pick-up"), choices=Pickup.choices, required=False, initial=Pickup.STRICT, widget=forms.RadioSelect
    )
    hands = forms.ChoiceField(
        label=_("Hands"),
        choices=[("closed", _("closed: the opponent's cards lie face down")), ("open", _("open: both see all cards"))],
        required=False,
        initial="closed",
        widget=forms.RadioSelect,
    )

    time_off = forms.ChoiceField(
        label=_("Time off"),
        choices=[
            ("allowed", _("allowed: clocks stand still while a player has time off")),
            ("excluded", _("excluded: the deadlines hold whatever happens")),
        ],
        required=False,
        initial="allowed",
        widget=forms.RadioSelect,
    )

    def __init__(self, *args: Any, maker: User | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.maker = maker
        self.invited: User | None = None

    def clean(self) -> dict[str, Any]:
        """Find the invited player and settle on a time that suits the opponent."""
        cleaned = super().clean()
        opponent = cleaned.get("opponent")
        if not cleaned.get("time") and "time" not in self.errors:
            cleaned["time"] = UNTIMED if opponent == OpenTo.COMPUTER else "live-10-10"
        if opponent == OpenTo.LOBBY and cleaned.get("time") == UNTIMED:
            self.add_error("time", _("A match with anyone from the lobby needs a clock."))
        if opponent == OpenTo.PLAYER and "username" not in self.errors:
            self._find_invited(cleaned.get("username", ""))
        if cleaned.get("time") == OWN_TIME:
            for name in ("minutes", "increment"):
                if cleaned.get(name) is None and name not in self.errors:
                    self.add_error(name, _("Give a number."))
        return cleaned

    def _find_invited(self, username: str) -> None:
        player = selectors.find_player(username) if username else None
        if not username:
            self.add_error("username", forms.Field.default_error_messages["required"])
        elif player is None or player.kind == Kind.COMPUTER:
            self.add_error("username", _("There is no player of this name."))
        elif self.maker is not None and player.pk == self.maker.pk:
            self.add_error("username", _("You cannot invite yourself."))
        else:
            self.invited = player

    def is_special(self) -> bool:
        """Whether anything of what is folded away was chosen differently from the standard, or wrongly."""
        folded = [self[name] for name in ("deck_size", "deal", "pickup", "hands")]
        return any(
            field.errors or str(field.value() or field.field.initial) != str(field.field.initial) for field in folded
        )

    def terms(self) -> MatchTerms:
        """Return the terms that were chosen; the form must be valid."""
        chosen = self.cleaned_data
        pace, base, increment, days = Pace.UNTIMED, 0, 0, 0
        kind, *numbers = chosen["time"].split("-")
        if kind == OWN_TIME:
            pace, base, increment = Pace.LIVE, chosen["minutes"] * 60, chosen["increment"]
        elif kind == "live":
            pace, base, increment = Pace.LIVE, int(numbers[0]) * 60, int(numbers[1])
        elif kind == "days":
            pace, days = Pace.CORRESPONDENCE, int(numbers[0])
        return MatchTerms(
            deck_size=chosen["deck_size"],
            deal=chosen["deal"],
            pickup=chosen["pickup"],
            open_hands=chosen["hands"] == "open",
            pace=pace,
            base_seconds=base,
            increment_seconds=increment,
            days_per_turn=days,
            time_off_allowed=chosen["time_off"] != "excluded",
        )


class HexField(forms.CharField):
    """Bytes written as hexadecimal digits; ``length`` is their number of bytes."""

    def __init__(self, *, length: int, **kwargs: Any) -> None:
        self.length = length
        super().__init__(max_length=2 * length, **kwargs)

    def to_python(self, value: Any) -> Any:
        """Return the bytes, None for an empty optional value; raises ``ValidationError``."""
        text = super().to_python(value)
        if text in self.empty_values:
            return None
        try:
            data = bytes.fromhex(text)
        except ValueError:
            data = b""
        if len(data) != self.length:
            digits = 2 * self.length
            message = ngettext("Give %(digits)d hexadecimal digit.", "Give %(digits)d hexadecimal digits.", digits)
            raise forms.ValidationError(message, code="hex", params={"digits": digits})
        return data


class AcceptForm(forms.Form):
    """Taking a seat: the trump, and the accepting side's part of the deal."""

    trump = forms.ChoiceField(choices=Trump.choices, required=False)
    nonce = HexField(length=SECRET_BYTES, required=False)


class TimeOffForm(forms.Form):
    """Taking time off."""

    days = forms.IntegerField(label=_("Days"), min_value=1, max_value=30, initial=7)
    first_day = forms.DateField(
        label=_("First day"),
        required=False,
        help_text=_("Leave it empty to begin now."),
        widget=forms.DateInput(attrs={"type": "date"}),
    )


class HistoryForm(forms.Form):
    """Filters of a player's history."""

    result = forms.ChoiceField(
        label=_("Result"),
        choices=[("", _("all")), ("won", _("won")), ("lost", _("lost")), ("drawn", _("drawn"))],
        required=False,
    )
    pace = forms.ChoiceField(label=_("Time"), choices=[("", _("all")), *Pace.choices], required=False)
    opponent = forms.CharField(label=pgettext_lazy("card table", "Opponent"), max_length=80, required=False)


class VerifyForm(forms.Form):
    """What is needed to deal a match again."""

    secret = HexField(label=_("Secret of the deal"), length=SECRET_BYTES)
    nonce = HexField(label=_("Nonce of the accepting side"), length=SECRET_BYTES)
    deck_size = forms.TypedChoiceField(
        label=_("Deck"), choices=[(size, str(size)) for size in sorted(DECK_SIZES)], coerce=int, initial=36
    )
    deal = forms.ChoiceField(label=_("Deal"), choices=Deal.choices)
    first_trump = forms.ChoiceField(
        label=_("Trump chosen by who made the match"), choices=Trump.choices, required=False
    )
    second_trump = forms.ChoiceField(label=_("Trump chosen by who accepted it"), choices=Trump.choices, required=False)

    def clean(self) -> dict[str, Any]:
        """Refuse two equal trumps."""
        cleaned = super().clean() or self.cleaned_data
        first, second = cleaned.get("first_trump"), cleaned.get("second_trump")
        if first and first == second:
            self.add_error("second_trump", _("The two trump suits differ."))
        return cleaned

    def trumps(self) -> tuple[int | None, int | None]:
        """Return the chosen suits as the rules number them, None where one was left open."""
        first, second = self.cleaned_data["first_trump"], self.cleaned_data["second_trump"]
        return (SUITS.index(first) if first else None, SUITS.index(second) if second else None)

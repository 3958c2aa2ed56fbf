"""The form in which a player chooses how to be told of what."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import Kind, User
from games.models import Channel, Event
from games.notices import choices


class ChoicesForm(forms.Form):
    """One box for each event and channel, and the daily mail."""

    digest = forms.BooleanField(label=_("One mail a day instead of a mail at once"), required=False)
    hour = forms.TypedChoiceField(
        label=_("Hour of the daily mail, in your time zone"),
        choices=[(hour, f"{hour:02d}:00") for hour in range(24)],
        coerce=int,
        required=False,
        empty_value=8,
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        reader = choices.reader_of(user)
        self.fields["digest"].initial = reader.digest_hour is not None
        self.fields["hour"].initial = reader.digest_hour if reader.digest_hour is not None else 8
        self.channels = [
            channel for channel in choices.channels() if channel != Channel.MAIL or user.kind != Kind.GUEST
        ]
        wanted = choices.chosen(user.pk)
        for event in Event:
            for channel in self.channels:
                self.fields[self._name(event, channel)] = forms.BooleanField(
                    label=_("%(event)s, %(channel)s") % {"event": event.label, "channel": channel.label},
                    required=False,
                    initial=wanted[event, channel],
                )

    @staticmethod
    def _name(event: str, channel: str) -> str:
        return f"{event}_{channel}"

    def rows(self) -> list[tuple[Event, list[forms.BoundField]]]:
        """Return the boxes by event, in the order of the channels."""
        return [(event, [self[self._name(event, channel)] for channel in self.channels]) for event in Event]

    def digest_events(self) -> list[str]:
        """Return the names of the events that the daily mail tells of."""
        return [str(event.label) for event in Event if event in choices.IN_DIGEST]

    def save(self) -> None:
        """Keep what was chosen; the form must be valid."""
        chosen = self.cleaned_data
        wanted = {
            (event.value, channel.value): chosen[self._name(event, channel)]
            for event in Event
            for channel in self.channels
        }
        choices.choose(self.user, wanted)
        if Channel.MAIL in self.channels:
            choices.choose_digest(self.user, chosen["hour"] if chosen["digest"] else None)


class SubscriptionForm(forms.Form):
    """What a browser says of its push subscription."""

    endpoint = forms.CharField(max_length=500)
    p256dh = forms.CharField(max_length=100)
    auth = forms.CharField(max_length=40)

"""The form by which a record comes in."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games import records
from games.forms.fields import TextField
from games.records import Record


class RecordForm(forms.Form):
    """A record as text or as a file; ``record`` is the game in it once the form is valid."""

    record: Record

    text = TextField(
        label=_("Record"),
        required=False,
        max_length=records.MAX_CHARACTERS,
        widget=forms.Textarea(attrs={"rows": 10, "spellcheck": "false", "autocapitalize": "none", "dir": "ltr"}),
        help_text=_("Text or JSON, as a replay here lets you download it."),
    )
    file = forms.FileField(
        label=_("Or a file"),
        required=False,
        widget=forms.FileInput(attrs={"accept": ".txt,.json,text/plain,application/json"}),
    )

    def clean(self) -> dict[str, Any]:
        """Read the record; what is wrong with it becomes the error of the field that it came from."""
        cleaned: dict[str, Any] = super().clean() or {}
        if self.errors:
            return cleaned
        upload = cleaned.get("file")
        field = "file" if upload else "text"
        try:
            self.record = records.read(self._text_of(upload) if upload else cleaned.get("text", ""))
        except records.RecordError as error:
            self.add_error(field, str(error))
        return cleaned

    def _text_of(self, upload: Any) -> str:
        # A character takes at most four bytes; a longer file cannot hold a record.
        if upload.size > records.MAX_CHARACTERS * 4:
            raise records.RecordError(_("This file is too large to be the record of a game."))
        try:
            return str(upload.read().decode("utf-8"))
        except UnicodeDecodeError:
            raise records.RecordError(_("This file is not text.")) from None

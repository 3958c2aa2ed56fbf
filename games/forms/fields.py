"""Fields that more than one form has."""

from typing import Any

from django import forms


class TextField(forms.CharField):
    """Text of several lines, whose ends count as one character each: browsers count so, and then send two."""

    widget = forms.Textarea

    def to_python(self, value: Any) -> Any:
        """Return the text with its lines ended as everywhere on this site."""
        if isinstance(value, str):
            value = value.replace("\r\n", "\n").replace("\r", "\n")
        return super().to_python(value)

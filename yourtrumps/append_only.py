"""Rows of a log: added and read, never changed or deleted."""

from typing import Any, Never

from django.db import models


class AppendOnlyError(TypeError):
    """A row of a log cannot be changed or deleted."""


class AppendOnlyQuerySet(models.QuerySet[Any]):
    """Rows that refuse to be changed or deleted all at once."""

    def update(self, **kwargs: Any) -> Never:
        """Refuse."""
        raise AppendOnlyError

    def bulk_update(self, *args: Any, **kwargs: Any) -> Never:
        """Refuse."""
        raise AppendOnlyError

    def delete(self) -> Never:
        """Refuse."""
        raise AppendOnlyError


class AppendOnly(models.Model):
    """A row that can be saved once."""

    objects = AppendOnlyQuerySet.as_manager()

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Add the row; raise :class:`AppendOnlyError` where it is in the log already."""
        if not self._state.adding:
            raise AppendOnlyError
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> Never:
        """Refuse."""
        raise AppendOnlyError

"""Rows in the administration: shown and not changed, in lists that stay fast however long they grow."""

from functools import cached_property

from django.contrib import admin
from django.core.paginator import Paginator
from django.http import HttpRequest


class BoundedPaginator(Paginator):
    """Counts no further than :attr:`LIMIT` rows: what lies beyond is found by searching, not by paging."""

    LIMIT = 10_000

    @cached_property
    def count(self) -> int:
        """The number of rows, or the limit where there are more."""
        return self.object_list[: self.LIMIT].count()


class ReadOnly:
    """An admin that shows rows and changes none."""

    #: Fields that nobody may read here, nor learn by looking rows up by them.
    hidden: tuple[str, ...] = ()

    def get_exclude(self, request: HttpRequest, obj: object = None) -> tuple[str, ...]:
        """Leave the hidden fields out."""
        return (*(super().get_exclude(request, obj) or ()), *self.hidden)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Refuse addresses that ask for rows by a hidden field: which rows come would tell what it holds."""
        return lookup.partition("__")[0] not in self.hidden and super().lookup_allowed(lookup, value, request)

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Rows are made elsewhere."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Rows are changed elsewhere."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Nothing is deleted by hand."""
        return False


class Shown(ReadOnly, admin.ModelAdmin):
    """A page of rows, however many there are, to be looked at."""

    paginator = BoundedPaginator
    show_full_result_count = False
    list_per_page = 50

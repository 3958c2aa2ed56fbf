"""What all pages of the administration share: rows that are only shown, and pages that stay fast."""

from functools import cached_property

from django.contrib import admin
from django.core.paginator import Paginator
from django.http import HttpRequest

from accounts.admin import ReadOnly


class BoundedPaginator(Paginator):
    """Counts no further than :attr:`LIMIT` rows: what lies beyond is found by searching, not by paging."""

    LIMIT = 10_000

    @cached_property
    def count(self) -> int:
        """The number of rows, or the limit where there are more."""
        return self.object_list[: self.LIMIT].count()


class Shown(ReadOnly, admin.ModelAdmin):
    """A page of rows, however many there are, to be looked at."""

    paginator = BoundedPaginator
    show_full_result_count = False
    list_per_page = 50
    #: Fields that nobody may read here, nor learn by looking rows up by them.
    hidden: tuple[str, ...] = ()

    def get_exclude(self, request: HttpRequest, obj: object = None) -> tuple[str, ...]:
        """Leave the hidden fields out."""
        return (*(super().get_exclude(request, obj) or ()), *self.hidden)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Refuse addresses that ask for rows by a hidden field: which rows come would tell what it holds."""
        return lookup.partition("__")[0] not in self.hidden and super().lookup_allowed(lookup, value, request)

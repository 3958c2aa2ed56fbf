"""What all pages of the administration share: rows that are only shown, and pages that stay fast."""

from functools import cached_property

from django.contrib import admin
from django.core.paginator import Paginator

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

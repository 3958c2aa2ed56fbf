"""Rows in the administration: shown and not changed, in lists that stay fast however long they grow."""

from functools import cached_property
from typing import Any

from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import BadRequest, ValidationError
from django.core.paginator import Paginator
from django.db import DataError
from django.db.models import QuerySet
from django.http import HttpRequest
from django.http.response import HttpResponseBase


class BoundedPaginator(Paginator):
    """Counts no further than :attr:`LIMIT` rows: what lies beyond is found by searching, not by paging."""

    LIMIT = 10_000

    @cached_property
    def count(self) -> int:
        """The number of rows, or the limit where there are more."""
        return self.object_list[: self.LIMIT].count()


class Rows(ChangeList):
    """The rows that an address looks up; one with a value that none can have, as a year of twenty digits, is wrong.

    Django answers so itself where it reads such a value, and not where it or the database reckons with it.
    """

    def get_filters(self, request: HttpRequest) -> Any:
        """Read the address."""
        try:
            return super().get_filters(request)
        except OverflowError as error:
            raise IncorrectLookupParameters(error) from error

    def get_results(self, request: HttpRequest) -> None:
        """Look the rows up."""
        try:
            super().get_results(request)
        except (ValueError, OverflowError, DataError) as error:
            raise IncorrectLookupParameters(error) from error


class Listed(admin.ModelAdmin):
    """Rows in a list that stays fast, and in which only what can be a row is chosen."""

    paginator = BoundedPaginator
    show_full_result_count = False
    list_per_page = 50

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        """Return what looks the rows up."""
        return Rows

    def response_action(
        self, request: HttpRequest, queryset: QuerySet[Any], *args: Any, **kwargs: Any
    ) -> HttpResponseBase | None:
        """Do what was chosen with the rows that were ticked; a key that can be none of a row is a bad request."""
        try:
            for key in request.POST.getlist(ACTION_CHECKBOX_NAME):
                self.opts.pk.clean(key, None)
        except ValidationError as error:
            raise BadRequest(str(error)) from error
        return super().response_action(request, queryset, *args, **kwargs)


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


class Shown(ReadOnly, Listed):
    """Rows, however many there are, to be looked at."""

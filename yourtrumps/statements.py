"""Statements whose text is composed once.

Django composes the text of a query anew each time, and for a single row that takes it many times as long as the
database takes to answer. Where it counts, as in the turn of a live match, the text is made once here and run with other
values. The models' fields convert what goes in and what comes out, as they do for a queryset. Signals are not sent.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection
from django.db.models import Field, Model

type AnyField = Field[Any, Any]
type Converter = Callable[[Any, Any, Any], Any]


class Rows:
    """Whole rows of one or more tables, selected by a statement that takes values.

    ``source`` is what follows ``FROM``. The rows of the tables named by ``lock`` are locked where the database has such
    locks.
    """

    def __init__(self, *tables: type[Model], source: str, lock: Sequence[type[Model]] = ()) -> None:
        self.tables = tables
        self.source = source
        self.lock = lock
        self._text = ""
        self._converters: list[tuple[int, Any, list[Converter]]] = []

    def __call__(self, *values: int | str) -> list[tuple[Any, ...]]:
        """Return for each row of the result one instance of each table's model."""
        if not self._text:
            self._compose()
        with connection.cursor() as cursor:
            cursor.execute(self._text, values)
            rows = cursor.fetchall()
        return [self._instances(list(row)) for row in rows]

    def _compose(self) -> None:
        converters_of = connection.ops.get_db_converters
        fields = ((table._meta.db_table, field) for table in self.tables for field in table._meta.concrete_fields)
        columns = [field.get_col(table) for table, field in fields]
        converters = [converters_of(column) + column.get_db_converters(connection) for column in columns]
        found = enumerate(zip(columns, converters, strict=True))
        self._converters = [(place, column, how) for place, (column, how) in found if how]
        names = ", ".join(f"{_quote(column.alias)}.{_quote(column.target.column)}" for column in columns)
        text = f"SELECT {names} FROM {self.source}"  # noqa: S608 - written in the code, without values
        if self.lock and connection.features.has_select_for_update:
            # Rows that refer to these can be written meanwhile, such as a line of chat or a report.
            tables = [_quote(table._meta.db_table) for table in self.lock]
            text += " " + connection.ops.for_update_sql(of=tables, no_key=True)
        self._text = text

    def _instances(self, row: list[Any]) -> tuple[Model, ...]:
        for place, column, converters in self._converters:
            for convert in converters:
                row[place] = convert(row[place], column, connection)
        made, start = [], 0
        for table in self.tables:
            fields = table._meta.concrete_fields
            values = row[start : start + len(fields)]
            made.append(table.from_db(DEFAULT_DB_ALIAS, [field.attname for field in fields], values))
            start += len(fields)
        return tuple(made)


def _quote(name: str | None) -> str:
    return connection.ops.quote_name(name or "")


def update(row: Model, names: Sequence[str]) -> None:
    """Save some fields of a row, as ``row.save(update_fields=names)`` does; raises ``DatabaseError`` if it is gone."""
    text, fields = _update_text(type(row), tuple(names))
    with connection.cursor() as cursor:
        cursor.execute(text, [*_values(row, fields, add=False), row.pk])
        if cursor.rowcount != 1:
            raise DatabaseError(f"no {type(row).__name__} has the key {row.pk}")


def insert(row: Model) -> None:
    """Add a row that has no key yet; the key that the database gives it is not read back."""
    text, fields = _insert_text(type(row))
    with connection.cursor() as cursor:
        cursor.execute(text, _values(row, fields, add=True))


def _values(row: Model, fields: Sequence[AnyField], add: bool) -> list[Any]:
    return [field.get_db_prep_save(field.pre_save(row, add), connection) for field in fields]


@cache
def _update_text(model: type[Model], names: tuple[str, ...]) -> tuple[str, list[AnyField]]:
    by_name: dict[str, AnyField] = {field.name: field for field in model._meta.concrete_fields}
    fields = [by_name[name] for name in names]
    changes = ", ".join(f"{_quote(field.column)} = %s" for field in fields)
    key = _quote(model._meta.pk.column)
    return f"UPDATE {_quote(model._meta.db_table)} SET {changes} WHERE {key} = %s", fields  # noqa: S608 - names of the schema


@cache
def _insert_text(model: type[Model]) -> tuple[str, list[AnyField]]:
    fields: list[AnyField] = [field for field in model._meta.concrete_fields if not field.primary_key]
    columns = ", ".join(_quote(field.column) for field in fields)
    places = ", ".join(["%s"] * len(fields))
    return f"INSERT INTO {_quote(model._meta.db_table)} ({columns}) VALUES ({places})", fields  # noqa: S608 - names of the schema

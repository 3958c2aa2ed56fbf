"""Clocks that stand still: where a deadline falls when some stretches of time do not count."""

import datetime
from collections.abc import Iterable
from typing import Protocol


class Span(Protocol):
    """A stretch of time; a :class:`games.models.TimeOff` is one."""

    begins_at: datetime.datetime
    ends_at: datetime.datetime


def deadline(since: datetime.datetime, allowed: datetime.timedelta, spans: Iterable[Span]) -> datetime.datetime:
    """Return when a clock that starts at ``since`` and has ``allowed`` on it runs out.

    It stands still during ``spans``, which do not overlap, so that it never runs out in one.
    """
    at, left = since, allowed
    for span in sorted(spans, key=lambda span: span.begins_at):
        if span.ends_at <= at:
            continue
        runs = span.begins_at - at
        if left <= runs:
            break
        left -= max(runs, datetime.timedelta(0))
        at = span.ends_at
    return at + left


def time_left(now: datetime.datetime, until: datetime.datetime, spans: Iterable[Span]) -> datetime.timedelta:
    """Return what a clock that runs out at ``until`` shows now, without the ``spans`` in between; never negative."""
    left = until - now
    for span in spans:
        overlap = min(span.ends_at, until) - max(span.begins_at, now)
        left -= max(overlap, datetime.timedelta(0))
    return max(left, datetime.timedelta(0))


def under_way[S: Span](now: datetime.datetime, spans: Iterable[S]) -> S | None:
    """Return the stretch that a moment lies in, or None."""
    return next((span for span in spans if span.begins_at <= now < span.ends_at), None)

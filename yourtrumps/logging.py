"""Logs with the id of the request that caused each line: JSON for machines, plain lines for a developer."""

import json
import logging
import re
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, TextIO

# The id of the request or socket that the current task or thread works for; empty outside of any.
request_id_of_context: ContextVar[str] = ContextVar("request_id", default="")

# What every record has; whatever else a caller passed as `extra` goes into the line as it is.
OWN_FIELDS = set(vars(logging.makeLogRecord({}))) | {"message", "asctime", "request_id", "taskName"}
# Objects that Django attaches to its records: they hold addresses and form fields, and have no place in a log.
UNLOGGED = {"request", "exc_info", "exc_text", "stack_info", "server_time", "socket"}
# Addresses in which a part of the path is the key: whoever reads the log must not be able to use them.
KEYS_IN_PATHS = re.compile(
    r"/(play|notices/off|calendar|account/confirm-email|account/password/reset/key)/[^/\s\"'\\]{8,}",
    re.IGNORECASE,
)
# What ends a line or steers a terminal.
CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def without_keys(text: str) -> str:
    """Return a text as it may be logged: the addresses in it without the keys of links in mails and calendars."""
    return KEYS_IN_PATHS.sub(r"/\1/***", text)


class KeylessHandler(logging.StreamHandler[TextIO]):
    """Writes records to standard error without the keys in addresses, whoever logs them: Django and tracebacks too."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the formatted record without keys."""
        return without_keys(super().format(record))


class RequestIdFilter(logging.Filter):
    """Puts ``request_id`` on every record."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Keep the record, with the id of the current context on it."""
        record.request_id = request_id_of_context.get()
        return True


class JsonFormatter(logging.Formatter):
    """Formats a record as one line of JSON: time, level, logger, request_id, message, extras, traceback."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, without a newline in it."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if request_id := getattr(record, "request_id", ""):
            line["request_id"] = request_id
        for name, value in vars(record).items():
            if name not in OWN_FIELDS and name not in UNLOGGED:
                line[name] = value
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


class PlainFormatter(logging.Formatter):
    """Formats a record as one line of text, and its traceback as indented lines below.

    What a client sent is part of many messages: control characters in it are written out, so that none can begin a
    line that looks like a record's own, or steer the terminal.
    """

    def formatMessage(self, record: logging.LogRecord) -> str:
        """Return the line."""
        return _written_out(super().formatMessage(record))

    def formatException(self, ei: Any) -> str:
        """Return the traceback."""
        return "\n".join(f"  {_written_out(line)}" for line in super().formatException(ei).split("\n"))


def _written_out(text: str) -> str:
    return CONTROLS.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)


def config(level: str, structured: bool) -> dict[str, Any]:
    """Return the ``LOGGING`` setting: one handler to standard error, at ``level`` and above."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"request_id": {"()": "yourtrumps.logging.RequestIdFilter"}},
        "formatters": {
            "json": {"()": "yourtrumps.logging.JsonFormatter"},
            "plain": {
                "()": "yourtrumps.logging.PlainFormatter",
                "format": "%(asctime)s %(levelname)-7s %(name)s %(message)s",
                "datefmt": "%H:%M:%S",
            },
        },
        "handlers": {
            "stderr": {
                "class": "yourtrumps.logging.KeylessHandler",
                "formatter": "json" if structured else "plain",
                "filters": ["request_id"],
            },
            "none": {"class": "logging.NullHandler"},
        },
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            # Django's own set-up gives these handlers of their own, which would print each line a second time.
            "django": {"handlers": [], "level": level, "propagate": True},
            "django.server": {"handlers": [], "level": level, "propagate": True},
            # Whoever scans the internet sends these by the thousand; the line of the request tells of the 400.
            "django.security.DisallowedHost": {"handlers": ["none"], "propagate": False},
            # Daphne tells of every endpoint and connection at INFO.
            "daphne": {"level": "WARNING"},
            "asyncio": {"level": "WARNING"},
        },
    }

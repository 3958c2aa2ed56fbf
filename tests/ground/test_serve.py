"""`manage.py serve` is the whole site in one process, and ends when it is told to."""

import asyncio
import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from daphne.http_protocol import HTTPFactory, WebRequest
from twisted.internet.error import ConnectionDone
from twisted.internet.testing import StringTransport
from twisted.python.failure import Failure
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from games.management.commands.serve import PromptServer

ROOT = Path(__file__).resolve().parent.parent.parent


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a server with a migrated database of its own, of development's kind."""
    directory = tmp_path_factory.mktemp("serve")
    kept = {name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "REDIS_URL"}}
    made = {
        **kept,
        "LOCAL": "1",
        "VAR_DIR": str(directory),
        "DATABASE_URL": f"sqlite:///{directory}/served.sqlite3",
        "DJANGO_SETTINGS_MODULE": "yourtrumps.settings",
    }
    subprocess.run([sys.executable, "manage.py", "migrate", "--verbosity", "0"], cwd=ROOT, env=made, check=True)
    return made


@dataclass
class Running:
    """A server under way; what it prints goes to a file, since a pipe that nobody reads stops it when it is full."""

    process: subprocess.Popen[bytes]
    port: int
    output: Path

    def end(self, how: signal.Signals) -> str:
        """Send the signal, wait for the end and return all that was printed."""
        self.process.send_signal(how)
        self.process.wait(timeout=10)
        return self.output.read_text()


@pytest.fixture
def server(environment: dict[str, str], tmp_path: Path) -> Iterator[Running]:
    """A running server."""
    port = free_port()
    output = tmp_path / "output"
    with output.open("wb") as file:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--port", str(port)],
            cwd=ROOT,
            env=environment,
            stdout=file,
            stderr=subprocess.STDOUT,
        )
    try:
        until(lambda: status(port, "/healthz") == 200 or process.poll() is not None)
        assert process.poll() is None, output.read_text()
        yield Running(process, port, output)
    finally:
        process.kill()
        process.wait()


def status(port: int, path: str) -> int:
    """Return the status of the answer, or 0 where nothing listens."""
    try:
        with urlopen(f"http://127.0.0.1:{port}{path}", timeout=5) as answer:
            return int(answer.status)
    except HTTPError as error:
        return error.code
    except OSError:
        return 0


def until(condition: object, seconds: float = 30) -> None:
    """Wait for the condition, or fail."""
    end = time.monotonic() + seconds
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.1)


def test_one_command_serves_pages_static_files_and_the_worker(server: Running) -> None:
    assert status(server.port, "/") == 200
    assert status(server.port, "/static/css/base.css") == 200
    until(lambda: status(server.port, "/readyz") == 200)
    output = server.end(signal.SIGINT)
    assert f"http://127.0.0.1:{server.port}/" in output
    assert "createsuperuser" in output


def test_the_command_that_it_tells_makes_an_admin(server: Running, environment: dict[str, str]) -> None:
    until(lambda: status(server.port, "/readyz") == 200)
    told = re.search(r"`(.* createsuperuser)`", server.end(signal.SIGINT))
    assert told
    given = {"DJANGO_SUPERUSER_USERNAME": "Root-Anna", "DJANGO_SUPERUSER_PASSWORD": "seven red herrings"}
    # In a shell where nothing says that this is a machine of one's own.
    plain = {name: value for name, value in environment.items() if name != "LOCAL"}
    made = subprocess.run(
        f"{told[1]} --no-input", shell=True, cwd=ROOT, env=plain | given, capture_output=True, text=True, timeout=60
    )
    assert made.returncode == 0, made.stderr
    assert "created" in made.stdout


async def test_a_socket_opens_to_the_own_origin_alone(server: Running) -> None:
    address = f"ws://127.0.0.1:{server.port}/ws/lobby/"
    async with connect(address, origin=f"http://127.0.0.1:{server.port}"):  # type: ignore[arg-type]
        pass
    for origin in ["http://evil.example", "null", None, f"http://127.0.0.1:{server.port + 1}"]:
        with pytest.raises(InvalidStatus):
            await connect(address, origin=origin)  # type: ignore[arg-type]


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
async def test_it_ends_cleanly_with_sockets_open(server: Running, how: signal.Signals) -> None:
    address, origin = f"ws://127.0.0.1:{server.port}/ws/lobby/", f"http://127.0.0.1:{server.port}"
    async with contextlib.AsyncExitStack() as sockets:
        for _ in range(20):
            await sockets.enter_async_context(connect(address, origin=origin))  # type: ignore[arg-type]
        output = await asyncio.to_thread(server.end, how)
    assert server.process.returncode == 0, output
    assert "Traceback" not in output


def test_a_port_in_use_is_told_plainly(server: Running, environment: dict[str, str]) -> None:
    second = subprocess.run(
        [sys.executable, "manage.py", "serve", "--port", str(server.port)],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert second.returncode == 1
    assert f"Cannot listen on 127.0.0.1 port {server.port}" in second.stderr


def test_the_bodies_of_forms_are_left_to_django(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twisted would parse them in the event loop, where a large one holds up everybody."""

    def refuse(*_body: object) -> None:
        raise AssertionError("Twisted has parsed a form")

    processed: list[bytes] = []
    monkeypatch.setattr("twisted.web.http.parse_qs", refuse)
    monkeypatch.setattr("twisted.web.http._getMultiPartArgs", refuse)
    monkeypatch.setattr(WebRequest, "process", lambda request: processed.append(request.content.read()))
    server = PromptServer(application=None, endpoints=["tcp:port=0"])
    server.connections = {}
    factory = HTTPFactory(server)
    for kind in ("application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        protocol = factory.buildProtocol(None)
        protocol.makeConnection(StringTransport())
        head = f"POST / HTTP/1.1\r\nHost: x\r\nContent-Type: {kind}\r\nContent-Length: 3\r\n\r\n"
        protocol.dataReceived(head.encode() + b"a=1")
        protocol.connectionLost(Failure(ConnectionDone()))
    assert processed == [b"a=1", b"a=1"]

"""`manage.py serve` is the whole site in one process, and ends when it is told to."""

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

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
        "DEBUG": "1",
        "VAR_DIR": str(directory),
        "DATABASE_URL": f"sqlite:///{directory}/served.sqlite3",
        "DJANGO_SETTINGS_MODULE": "yourtrumps.settings",
    }
    subprocess.run([sys.executable, "manage.py", "migrate", "--verbosity", "0"], cwd=ROOT, env=made, check=True)
    return made


@pytest.fixture
def server(environment: dict[str, str]) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A running server and its port."""
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "manage.py", "serve", "--port", str(port)],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        until(lambda: status(port, "/healthz") == 200 or process.poll() is not None)
        assert process.poll() is None, process.communicate()[0]
        yield process, port
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


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


def test_one_command_serves_pages_static_files_and_the_worker(server: tuple[subprocess.Popen[str], int]) -> None:
    process, port = server
    assert status(port, "/") == 200
    assert status(port, "/static/css/base.css") == 200
    until(lambda: status(port, "/readyz") == 200)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=10)
    assert f"http://127.0.0.1:{port}/" in output
    assert "createsuperuser" in output


async def test_a_socket_opens_to_the_own_origin_alone(server: tuple[subprocess.Popen[str], int]) -> None:
    _process, port = server
    address = f"ws://127.0.0.1:{port}/ws/lobby/"
    async with connect(address, origin=f"http://127.0.0.1:{port}"):  # type: ignore[arg-type]
        pass
    for origin in ["http://evil.example", "null", None, f"http://127.0.0.1:{port + 1}"]:
        with pytest.raises(InvalidStatus):
            await connect(address, origin=origin)  # type: ignore[arg-type]


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
async def test_it_ends_promptly_with_sockets_open(
    server: tuple[subprocess.Popen[str], int], how: signal.Signals
) -> None:
    process, port = server
    async with contextlib.AsyncExitStack() as sockets:
        for _ in range(20):
            await sockets.enter_async_context(
                connect(f"ws://127.0.0.1:{port}/ws/lobby/", origin=f"http://127.0.0.1:{port}")  # type: ignore[arg-type]
            )
        process.send_signal(how)
        output, _ = await asyncio.to_thread(process.communicate, timeout=10)
    assert process.returncode == 0, output
    assert "Traceback" not in output


def test_a_port_in_use_is_told_plainly(server: tuple[subprocess.Popen[str], int], environment: dict[str, str]) -> None:
    _process, port = server
    second = subprocess.run(
        [sys.executable, "manage.py", "serve", "--port", str(port)],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert second.returncode == 1
    assert f"Cannot listen on 127.0.0.1 port {port}" in second.stderr

"""Serves the site: pages, sockets and, in the same process, the worker."""

import asyncio
import contextlib
import logging
import sys
from pathlib import Path
from typing import Any

from daphne.server import Server, twisted_loop
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse
from django.utils.module_loading import import_string
from twisted.internet import reactor
from twisted.internet.defer import Deferred

from games.worker import Worker
from yourtrumps import env

logger = logging.getLogger(__name__)

# After a restart all pages come back at once, and each is asked who it is.
HANDSHAKE_SECONDS = 20
# Both ways: a page that opens is sent its whole table, with up to 400 turns in words. What comes in is a move of some
# dozens of bytes; a socket closes on what is longer than it takes.
LONGEST_SOCKET_MESSAGE = 1024 * 1024
# What is still running this long after the signal to stop is left: the worker holds nothing due in memory.
SECONDS_TO_STOP = 1.5


class PromptServer(Server):
    """A Daphne server that stops within ``SECONDS_TO_STOP``, however many requests and sockets are open.

    The bodies of requests are left to Django: Twisted would parse forms too, in the event loop, and a large one would
    hold up everybody.
    """

    def protocol_connected(self, protocol: Any) -> None:
        """Take note of a request or socket that begins."""
        protocol._parsePOSTFormSubmission = False
        super().protocol_connected(protocol)

    def kill_all_applications(self) -> Deferred[Any]:
        """Cancel every request and socket; the answer fires when they ended, or when the time is over."""
        running = [
            details["application_instance"]
            for details in self.connections.values()
            # Missing between two requests of a connection that is kept alive.
            if "application_instance" in details and not details["application_instance"].done()
        ]
        for application in running:
            application.cancel()
        return Deferred.fromFuture(asyncio.ensure_future(_ended(running), loop=twisted_loop))


def _command(name: str) -> str:
    """Return how a command of the site is typed here, in the environment that the server runs in."""
    python = Path(sys.executable)
    here = python.relative_to(Path.cwd()) if python.is_relative_to(Path.cwd()) else python
    return f"{'LOCAL=1 ' if settings.LOCAL else ''}{here} manage.py {name}"


async def _ended(tasks: list[asyncio.Future[Any]]) -> None:
    if tasks:
        await asyncio.wait(tasks, timeout=SECONDS_TO_STOP)


class Command(BaseCommand):
    """``manage.py serve``: the server for development, and for production behind a proxy that ends TLS."""

    help = "Serve the site over HTTP and WebSocket, together with the worker unless REDIS_URL is set."
    requires_system_checks = "__all__"

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the address to listen on, and whether the worker lives here."""
        parser.add_argument("--host", default=env.text("HOST", "127.0.0.1"), help="address to listen on (HOST)")
        parser.add_argument("--port", type=int, default=env.number("PORT", 8000), help="port to listen on (PORT)")
        parser.add_argument(
            "--no-worker",
            action="store_true",
            help="leave clocks and the computer's moves to `manage.py worker`; so it is when REDIS_URL is set",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Serve until SIGINT or SIGTERM; raise ``CommandError`` where the address cannot be listened on."""
        self.host, self.port = options["host"], options["port"]
        self.worker_failed = False
        self.server = PromptServer(
            import_string(settings.ASGI_APPLICATION),
            # A colon divides the parts of an endpoint, and is part of an IPv6 address.
            endpoints=[f"tcp:port={self.port}:interface={self.host.replace(':', chr(92) + ':')}"],
            websocket_handshake_timeout=HANDSHAKE_SECONDS,
            websocket_max_message_size=LONGEST_SOCKET_MESSAGE,
            websocket_max_frame_size=LONGEST_SOCKET_MESSAGE,
            server_name="",
        )
        reactor.callWhenRunning(self._greet)
        if not (options["no_worker"] or env.text("REDIS_URL")):
            reactor.callWhenRunning(self._start_worker)
        self.server.run()
        if self.worker_failed:
            raise CommandError("The worker failed, and the server with it; the log says why.")
        if not self.server.listening_addresses:
            raise CommandError(f"Cannot listen on {self.host} port {self.port}: is a server running there already?")

    def _greet(self) -> None:
        if not self.server.listening_addresses:
            return
        host = f"[{self.host}]" if ":" in self.host else self.host
        address = f"http://{host}:{self.port}"
        self.stdout.write(f"\nYour trumps is served at {address}/ (stop it with Ctrl-C).")
        self.stdout.write(
            f"The administration is at {address}{reverse('admin:index')}; make an admin with `make admin`, or with\n"
            f"`{_command('createsuperuser')}`.\n"
        )
        self.stdout.flush()

    def _start_worker(self) -> None:
        worker = Worker()
        running = asyncio.ensure_future(worker.run(), loop=twisted_loop)
        running.add_done_callback(self._worker_ended)
        reactor.addSystemEventTrigger("before", "shutdown", self._stop_worker, worker, running)

    def _stop_worker(self, worker: Worker, running: asyncio.Future[None]) -> Deferred[Any]:
        async def stop() -> None:
            worker.stop()
            _done, still_running = await asyncio.wait([running], timeout=SECONDS_TO_STOP)
            for task in still_running:
                task.cancel()

        return Deferred.fromFuture(asyncio.ensure_future(stop(), loop=twisted_loop))

    def _worker_ended(self, running: asyncio.Future[None]) -> None:
        with contextlib.suppress(asyncio.CancelledError):
            if error := running.exception():
                logger.critical("The worker failed", exc_info=error)
                self.worker_failed = True
                self.server.stop()

"""``manage.py worker``: clocks, the computer's turns and tidying up, in a process of its own."""

import asyncio
import signal
from typing import Any

from django.core.management.base import BaseCommand

from games.worker import Worker


class Command(BaseCommand):
    """Any number of workers may run; each match is ended or answered by one of them."""

    help = "Sweep deadlines and let the computer move, until SIGTERM or SIGINT."

    def handle(self, *args: Any, **options: Any) -> None:
        """Work until a signal ends it."""
        asyncio.run(self._run())

    async def _run(self) -> None:
        worker = Worker()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, worker.stop)
        await worker.run()

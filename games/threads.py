"""Threads beside the event loop: for the database, and for thinking."""

import asyncio
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from asgiref.sync import sync_to_async
from channels.db import database_sync_to_async
from django.db import Error, close_old_connections, connections


async def in_database[**P, T](job: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a job that uses the database in one of several threads, so that one job's wait delays no other."""
    result: T = await database_sync_to_async(job, thread_sensitive=False)(*args, **kwargs)
    return result


async def reading[T](job: Callable[[], T]) -> T:
    """Run a job that only reads, and so has nobody to tell, in one of several threads.

    It cannot reach back into the event loop, as sending to the channel layer does. Handing it over costs
    a third of what :func:`in_database` costs, which counts for pages that are rendered with each turn.
    """
    return await asyncio.to_thread(_tidily, job)


def _tidily[T](job: Callable[[], T]) -> T:
    close_old_connections()
    try:
        return job()
    finally:
        close_old_connections()


class DatabaseThread:
    """One thread whose connection to the database stays open, for what looks there many times a second.

    On SQLite opening a connection costs several times as much as such a look. One that failed is not used again.
    """

    def __init__(self, name: str) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name)

    async def run[**P, T](self, job: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a job that uses the database, after those that were given before it."""
        return await sync_to_async(_keeping, thread_sensitive=False, executor=self._thread)(job, *args, **kwargs)

    async def close(self) -> None:
        """Close the connection and end the thread, after what it was given."""
        await asyncio.get_running_loop().run_in_executor(self._thread, connections.close_all)
        self._thread.shutdown(wait=False)


def _keeping[**P, T](job: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    try:
        return job(*args, **kwargs)
    except Error:
        connections.close_all()
        raise


#: How far a thinking thread stands back: what is left over on the machine is enough for it.
_STANDS_BACK = 19


def thinking_threads(count: int, name: str) -> ThreadPoolExecutor:
    """Return threads for the engine, which run where nobody waits for a page or a turn.

    Only Linux has priorities for single threads; elsewhere they compete with the rest.
    """
    return ThreadPoolExecutor(count, thread_name_prefix=name, initializer=_stand_back)


def _stand_back() -> None:
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _STANDS_BACK)

"""Threads beside the event loop: for the database, and for thinking."""

import asyncio
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from channels.db import database_sync_to_async
from django.db import close_old_connections


async def in_database[**P, T](job: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a job that uses the database in one of several threads, so that one job's wait delays no other."""
    return await database_sync_to_async(job, thread_sensitive=False)(*args, **kwargs)


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

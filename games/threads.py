"""Using the database from the event loop."""

from collections.abc import Callable

from channels.db import database_sync_to_async


async def in_database[**P, T](job: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a job that uses the database in one of several threads, so that one job's wait delays no other."""
    return await database_sync_to_async(job, thread_sensitive=False)(*args, **kwargs)

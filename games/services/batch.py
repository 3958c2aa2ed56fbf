"""Work on many rows of which each stands for itself."""

import logging
from collections.abc import Callable, Iterable, Iterator

logger = logging.getLogger(__name__)


def each[T, R](items: Iterable[T], job: Callable[[T], R]) -> Iterator[R]:
    """Do a job for each item and yield its answers; one that fails is logged and keeps none of the others waiting."""
    for item in items:
        try:
            yield job(item)
        except Exception:
            logger.exception("%s of %s failed", job.__qualname__, item)

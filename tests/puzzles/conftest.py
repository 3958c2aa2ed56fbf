"""Players who solve puzzles, and limits that start afresh."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache

from accounts.models import User
from tests.games import cast


@pytest.fixture(autouse=True)
def fresh_limits() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def ana(db: None) -> User:
    return cast.person("Ana")


@pytest.fixture
def boris(db: None) -> User:
    return cast.person("Boris")

"""What every test needs, whatever it tests and whichever engines it runs on."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import close_old_connections, connection
from pytest_django.plugin import DjangoDbBlocker

TESTS = Path(__file__).resolve().parent
#: Rules, looks and words; whatever brings databases of its own: the second engine would say nothing new of them.
ONE_ENGINE = (
    "browser/test_access.py",
    "browser/test_days_in_two_languages.py",
    "browser/test_languages.py",
    "browser/test_looking.py",
    "browser/test_pushed_notices.py",
    "engine",
    "games/test_queries.py",
    "games/test_secrecy.py",
    "games/test_statuses.py",
    "ground/test_env.py",
    "ground/test_layers.py",
    "ground/test_serve.py",
    "ground/test_static.py",
    "install",
    "languages",
    "notices/test_journey.py",
    "notices/test_languages.py",
    "puzzles/test_truth.py",
    "replay/test_pages.py",
    "rules",
    "security/test_permissions.py",
    "text",
    "tutorial",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what need not run on every engine, and begin with what takes long on a site of its own."""
    for item in items:
        if any(item.path.is_relative_to(TESTS / place) for place in ONE_ENGINE):
            item.add_marker(pytest.mark.one_engine)
    items.sort(key=lambda item: not ("site" in item.fixturenames and item.get_closest_marker("slow")))


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Make the test database, and end every session before it is dropped.

    Threads that answered a socket or an asynchronous view have connections of their own, and PostgreSQL drops no
    database that is in use.
    """
    yield
    if connection.vendor == "postgresql":
        with django_db_blocker.unblock(), connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )


@pytest.fixture(autouse=True)
def closing_connections(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let sockets close their threads' connections, which Channels' test tools keep open otherwise.

    A test that may not use the database has none to close, and closing asks the database.
    """
    fixtures = {"db", "transactional_db"} & set(request.fixturenames)
    if fixtures or request.node.get_closest_marker("django_db"):
        monkeypatch.setattr("channels.testing.application.no_op", close_old_connections)

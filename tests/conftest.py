"""What every test needs, whatever it tests and whichever engines it runs on."""

from collections.abc import Iterator

import pytest
from django.db import close_old_connections, connection
from pytest_django.plugin import DjangoDbBlocker


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

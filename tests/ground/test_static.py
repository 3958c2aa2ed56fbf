"""Static files never reach Django, and carry the headers that its middleware would give them."""

from pathlib import Path
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.management import call_command
from pytest_django.fixtures import Settings

from yourtrumps.static import with_static_files

BASE_CSS = Path(__file__).resolve().parent.parent.parent / "static" / "css" / "base.css"


async def pages(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Stand for Django: answer 299 to everything."""
    await send({"type": "http.response.start", "status": 299, "headers": []})
    await send({"type": "http.response.body", "body": b""})


async def get(application: Any, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    """Return status, headers and body of the answer."""
    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "query_string": b"",
        "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()],
    }
    client = ApplicationCommunicator(application, scope)
    await client.send_input({"type": "http.request", "body": b""})
    start = await client.receive_output(5)
    body = b""
    while True:
        part = await client.receive_output(5)
        body += part.get("body", b"")
        if not part.get("more_body"):
            break
    await client.wait()
    return start["status"], {name.decode(): value.decode() for name, value in start["headers"]}, body


@pytest.fixture
def in_place(settings: Settings) -> Any:
    settings.STATIC_IN_PLACE = True
    return with_static_files(pages)


@pytest.mark.parametrize(("debug", "age"), [(False, 60), (True, 0)])
async def test_in_development_a_file_is_served_from_where_it_lies(settings: Settings, debug: bool, age: int) -> None:
    settings.STATIC_IN_PLACE, settings.DEBUG = True, debug
    status, headers, body = await get(with_static_files(pages), "/static/css/base.css")
    assert (status, body) == (200, BASE_CSS.read_bytes())
    assert headers["cache-control"] == f"max-age={age}, public"
    assert headers["x-content-type-options"] == "nosniff"


async def test_the_files_of_apps_are_found_too(in_place: Any) -> None:
    assert (await get(in_place, "/static/admin/css/base.css"))[0] == 200


@pytest.mark.parametrize("path", ["/", "/static/no-such-file.css", "/static/../manage.py", "/static/css/"])
async def test_all_else_goes_to_the_pages(in_place: Any, path: str) -> None:
    assert (await get(in_place, path))[0] == 299


@pytest.fixture
def collected(settings: Settings, tmp_path: Path) -> Any:
    """The application in production, after ``collectstatic``."""
    settings.STATIC_IN_PLACE = False
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "yourtrumps.storage.HashedStaticFilesStorage"},
    }
    call_command("collectstatic", interactive=False, verbosity=0)
    return with_static_files(pages)


async def test_in_production_files_are_hashed_compressed_and_kept_for_good(collected: Any) -> None:
    path = staticfiles_storage.url("css/base.css")
    assert path != "/static/css/base.css"
    status, headers, body = await get(collected, path, accept_encoding="gzip, br")
    assert (status, headers["content-encoding"]) == (200, "br")
    assert "immutable" in headers["cache-control"]
    assert headers["x-content-type-options"] == "nosniff"
    assert "access-control-allow-origin" not in headers
    plain = await get(collected, path)
    assert len(plain[2]) > len(body)

"""Serves the static files, before a request reaches Django."""

from collections.abc import Awaitable, Callable
from typing import Any
from wsgiref.headers import Headers

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from servestatic import ServeStaticASGI

MINUTE = 60


def _forbid_sniffing(headers: Headers, path: str, url: str) -> None:
    # Django's own security middleware never sees these answers.
    headers["X-Content-Type-Options"] = "nosniff"


def with_static_files(application: Callable[..., Awaitable[None]]) -> Any:
    """Return an ASGI application that answers for the files under ``STATIC_URL`` and passes on all else.

    Files with a hash in their names may be kept by browsers for good and others for a minute; with ``DEBUG``, those
    that are served in place (``STATIC_IN_PLACE``) are asked for each time.
    """
    options: dict[str, Any] = {"allow_all_origins": False, "add_headers_function": _forbid_sniffing}
    if not settings.STATIC_IN_PLACE:
        return ServeStaticASGI(
            application, root=settings.STATIC_ROOT, prefix=settings.STATIC_URL, max_age=MINUTE, **options
        )
    # A page that lays cards asks for their pictures again and again.
    max_age = 0 if settings.DEBUG else MINUTE
    served = ServeStaticASGI(application, autorefresh=True, max_age=max_age, **options)
    for finder in get_finders():
        for storage in getattr(finder, "storages", {}).values():
            served.add_files(storage.location, prefix=settings.STATIC_URL + getattr(storage, "prefix", ""))
    return served

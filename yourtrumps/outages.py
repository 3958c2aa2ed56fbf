"""What is raised where a server that the site needs is away or busy for a moment, and the answer to it."""

import logging

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from redis import exceptions

logger = logging.getLogger(__name__)

DATABASE = (OperationalError, InterfaceError)
REDIS = (exceptions.ConnectionError, exceptions.TimeoutError)

#: Seconds after which it is worth trying again.
RETRY_AFTER = 5


def answer(request: HttpRequest, exception: Exception) -> HttpResponse | None:
    """Answer 503 where a server was away; the answer touches none. Anything else is left to others."""
    if not isinstance(exception, (*DATABASE, *REDIS)):
        return None
    logger.error("%s %s: %s: %s", request.method, request.path, type(exception).__name__, exception)
    page = render_to_string("503.html")
    return HttpResponse(page, status=503, headers={"Retry-After": str(RETRY_AFTER)})

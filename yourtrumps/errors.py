"""Answers for requests that fail, in the site's own look."""

import sys

from django.conf import settings
from django.core.exceptions import BadRequest, SuspiciousOperation
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, HttpResponseServerError
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _
from django.views import defaults
from django.views.decorators.csrf import requires_csrf_token

from accounts.localising import language_of
from yourtrumps import outages


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 400. Rendered without the request: its host, its cookies or its form may be what is wrong with it."""
    return HttpResponseBadRequest(render_to_string("400.html"))


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 403, or 400 where the request has a host or a form that the page cannot be made for."""
    try:
        return defaults.permission_denied(request, exception)
    except (SuspiciousOperation, BadRequest) as error:
        return bad_request(request, error)


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 404, or 400 where the request has a host or a form that the page cannot be made for."""
    try:
        return defaults.page_not_found(request, exception)
    except (SuspiciousOperation, BadRequest) as error:
        return bad_request(request, error)


@requires_csrf_token
def too_many_requests(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Answer 429, for a client that asked too often."""
    return render(request, "429.html", status=429)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer 503 where the database or Redis is away or busy, else 500 with the request's id, which is in the log.

    Neither the database nor the session is touched, and a template that fails itself gives way to a bare sentence.
    Middleware asks the database too, and Django answers what fails there before any middleware further out could:
    this is the one place that sees it all. Where the account is not known yet, the browser says the language.
    """
    request_id = getattr(request, "request_id", "")
    with translation.override(_language(request)):
        try:
            if isinstance(sys.exception(), (*outages.DATABASE, *outages.REDIS)):
                busy = render_to_string("503.html")
                return HttpResponse(busy, status=503, headers={"Retry-After": str(outages.RETRY_AFTER)})
            page: str = render_to_string("500.html", {"request_id": request_id})
        except Exception:
            sentence = _("Something went wrong")
            page = f"<!doctype html><title>500</title><p>{sentence}</p><p>{request_id}</p>"
    return HttpResponseServerError(page)


def _language(request: HttpRequest) -> str:
    """Return the reader's language: as the account has it if it was looked up, else as the browser does."""
    known: str | None = getattr(request, "LANGUAGE_CODE", None)
    try:
        return known or language_of(None, request.COOKIES, request.GET, request.headers.get("Accept-Language", ""))
    except SuspiciousOperation:
        # An address with too many fields is not read.
        return settings.LANGUAGE_CODE

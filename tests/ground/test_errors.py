"""Requests that fail are answered in the site's own look, in the visitor's language, by a whole page."""

from http import HTTPStatus

import pytest
from bs4 import BeautifulSoup
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse
from django.template import loader
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import include, path
from pytest_django.fixtures import Settings

from accounts.models import User
from yourtrumps import errors
from yourtrumps.urls import handler400, handler403, handler404, handler429, handler500  # noqa: F401


def fail(error: Exception) -> HttpResponse:
    raise error


def too_often(request: HttpRequest) -> HttpResponse:
    return errors.too_many_requests(request)


# This module is the URL configuration of its own tests: the site, and an address for each way to fail.
urlpatterns = [
    path("fail/400", lambda request: fail(SuspiciousOperation())),
    path("fail/403", lambda request: fail(PermissionDenied())),
    path("fail/404", lambda request: fail(Http404())),
    path("fail/429", too_often),
    path("fail/500", lambda request: fail(RuntimeError("of this test"))),
    path("", include("yourtrumps.urls")),
]


@pytest.fixture
def browser(settings: Settings) -> Client:
    settings.ROOT_URLCONF = __name__
    return Client(raise_request_exception=False)


@pytest.mark.django_db
@pytest.mark.parametrize("status", [400, 403, 404, 429, 500])
def test_a_failed_request_is_answered_by_a_page_of_the_site(browser: Client, status: int) -> None:
    answer = browser.get(f"/fail/{status}")
    page = BeautifulSoup(answer.content, "html.parser")
    assert answer.status_code == status
    assert page.h1
    assert page.title
    assert page.find("link", rel="stylesheet")
    assert page.find("a", href="/")
    assert answer["Content-Security-Policy"]
    assert HTTPStatus(status).phrase not in page.get_text()


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["multipart/form-data; boundary=X", "application/x-www-form-urlencoded"])
@pytest.mark.parametrize("charset", ["rot13", "base64", "unicode_escape", "utf-16", "no-such"])
def test_a_form_in_another_character_set_is_refused(browser: Client, kind: str, charset: str) -> None:
    form = b'--X\r\nContent-Disposition: form-data; name="login"\r\n\r\na\\ud800b\r\n--X--\r\n'
    answer = browser.generic("POST", "/account/login/", form, f"{kind}; charset={charset}")
    assert answer.status_code == 400
    assert BeautifulSoup(answer.content, "html.parser").h1


@pytest.mark.django_db
def test_a_reader_is_refused_in_the_readers_language(client: Client) -> None:
    client.force_login(User.objects.create_user("Иван", language="ru"))
    answer = client.post("/new/", b"level=1", content_type="application/x-www-form-urlencoded; charset=utf-7")
    assert answer.status_code == 400
    assert 'lang="ru"' in answer.content.decode()


@pytest.mark.django_db
def test_a_forged_form_is_refused_by_a_page_of_the_site(settings: Settings) -> None:
    answer = Client(enforce_csrf_checks=True).post("/account/language/", {"language": "en"})
    assert answer.status_code == 403
    assert BeautifulSoup(answer.content, "html.parser").h1


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/", "/fail/403", "/fail/404", "/no/such/page"])
@pytest.mark.parametrize("host", ["evil.example", "localhost:x", ""])
def test_a_host_that_is_not_the_sites_is_a_bad_request_wherever_it_leads(browser: Client, path: str, host: str) -> None:
    answer = browser.get(path, headers={"host": host})
    assert answer.status_code == 400
    assert host == "" or host not in answer.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/account/language/", "/fail/403", "/no/such/page"])
def test_a_form_that_cannot_be_read_is_a_bad_request(settings: Settings, path: str) -> None:
    settings.ROOT_URLCONF = __name__
    browser = Client(raise_request_exception=False, enforce_csrf_checks=True)
    # Without a token there is nothing to compare the form's with, and the form is not read.
    browser.cookies["csrftoken"] = "x" * 32
    answer = browser.post(path, b"language=en", content_type="application/x-www-form-urlencoded; charset=utf-7")
    assert answer.status_code == 400
    assert BeautifulSoup(answer.content, "html.parser").h1


@pytest.mark.django_db
def test_a_page_that_does_not_exist_is_answered_by_404(client: Client) -> None:
    assert client.get("/no/such/page/").status_code == 404


@pytest.mark.parametrize("answer", [errors.server_error, lambda request: errors.bad_request(request, ValueError())])
@pytest.mark.django_db
def test_the_answer_to_a_fault_asks_neither_database_nor_session(answer: object) -> None:
    with CaptureQueriesContext(connection) as queries:
        answer(RequestFactory().get("/"))  # type: ignore[operator]
    assert len(queries) == 0


@pytest.mark.parametrize("template", ["500.html", "503.html"])
def test_the_answer_to_a_fault_offers_one_way_home(template: str) -> None:
    page = BeautifulSoup(loader.render_to_string(template), "html.parser")
    assert len(page.select("main a[href='/']")) == 1


def test_the_answer_to_a_fault_names_the_request() -> None:
    request = RequestFactory().get("/")
    request.request_id = "0123456789abcdef"  # type: ignore[attr-defined]
    assert "0123456789abcdef" in errors.server_error(request).content.decode()


def test_a_fault_is_answered_even_where_its_page_cannot_be_rendered(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: object, **kwargs: object) -> str:
        raise RuntimeError("the templates are broken too")

    monkeypatch.setattr(loader, "render_to_string", broken)
    monkeypatch.setattr(errors, "render_to_string", broken)
    answer = errors.server_error(RequestFactory().get("/"))
    assert answer.status_code == 500
    assert b"<p>" in answer.content

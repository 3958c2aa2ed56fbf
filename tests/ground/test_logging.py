"""Each request has an id, which its answer and its log lines carry."""

import io
import json
import logging
import sys
from collections.abc import Iterator

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import AsyncRequestFactory, Client, RequestFactory
from django.urls import reverse

from games.notices.links import play_token
from tests.games.cast import person, start_match
from yourtrumps.logging import JsonFormatter, KeylessHandler, RequestIdFilter, request_id_of_context
from yourtrumps.middleware import SocketRequestId, request_id


def record(message: str, *args: object, **extra: object) -> logging.LogRecord:
    made = logging.getLogger("games").makeRecord(
        "games", logging.WARNING, __file__, 1, message, args, None, extra=extra
    )
    RequestIdFilter().filter(made)
    return made


def test_a_line_is_json_with_the_requests_id_and_the_extras() -> None:
    token = request_id_of_context.set("an-id-of-a-request")
    try:
        line = json.loads(JsonFormatter().format(record("%s ended\nwith a draw", "கா", match="abc", turn=7)))
    finally:
        request_id_of_context.reset(token)
    assert line["message"] == "கா ended\nwith a draw"
    assert (line["level"], line["logger"], line["request_id"]) == ("WARNING", "games", "an-id-of-a-request")
    assert (line["match"], line["turn"]) == ("abc", 7)


def test_a_traceback_stays_on_the_line() -> None:
    try:
        raise ValueError("no such card")
    except ValueError:
        made = record("failed")
        made.exc_info = sys.exc_info()
    text = JsonFormatter().format(made)
    assert "\n" not in text
    assert "no such card" in json.loads(text)["traceback"]


def test_a_request_with_its_form_is_not_logged() -> None:
    made = record("Internal Server Error", request=RequestFactory().post("/", {"password": "secret"}))
    assert "request" not in json.loads(JsonFormatter().format(made))


def test_the_answer_carries_a_new_id() -> None:
    seen: list[str] = []

    def view(request: HttpRequest) -> HttpResponse:
        seen.append(request_id_of_context.get())
        return HttpResponse()

    middleware = request_id(view)
    answers = [middleware(RequestFactory().get("/")) for _ in range(2)]
    ids = [answer["X-Request-ID"] for answer in answers]  # type: ignore[index]
    assert ids == seen
    assert len(set(ids)) == 2


@pytest.mark.parametrize(
    ("passed_on", "kept"), [("0123456789abcdef", True), ("short", False), ("a\nforged line", False)]
)
def test_a_well_formed_id_of_a_proxy_is_kept(passed_on: str, kept: bool) -> None:
    answer = request_id(lambda request: HttpResponse())(RequestFactory().get("/", headers={"X-Request-ID": passed_on}))
    assert (answer["X-Request-ID"] == passed_on) is kept  # type: ignore[index]


class Kept(logging.Handler):
    """Keeps what reaches it."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record)


@pytest.mark.django_db
def test_a_request_for_a_host_that_is_not_the_sites_is_no_error_in_the_log(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    # Where the site's own handler is: caplog listens to loggers that pass nothing on, too.
    kept = Kept()
    logging.getLogger().addHandler(kept)
    try:
        with caplog.at_level(logging.INFO, "yourtrumps.request"):
            assert client.get("/rules/", headers={"host": "evil.example"}).status_code == 400
    finally:
        logging.getLogger().removeHandler(kept)
    assert [(line.levelname, line.getMessage()) for line in kept.lines] == [("INFO", "GET /rules/ 400")]


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    """What the site's own handler writes, set up as the site has it."""
    (handler,) = (found for found in logging.getLogger().handlers if type(found) is KeylessHandler)
    stream = io.StringIO()
    before = handler.setStream(stream)
    yield stream
    handler.setStream(before or sys.stderr)


@pytest.mark.django_db
def test_no_key_of_a_link_reaches_the_log_whoever_writes_the_line(client: Client, written: io.StringIO) -> None:
    match = start_match(person("Ana"), person("Boris"))
    link = reverse("games:play_link", args=[play_token(match)])
    logging.getLogger("yourtrumps.request").setLevel(logging.INFO)
    try:
        assert client.post(link, {"move": "no move"}).status_code == 422
        client.post(reverse("account_confirm_email", args=["Mw:1tXyz1:secret-key"]))
        client.get(reverse("account_reset_password_from_key", args=["1", "cx3k9d-secret-key"]))
    finally:
        logging.getLogger("yourtrumps.request").setLevel(logging.NOTSET)
    lines = written.getvalue()
    assert "/play/***/" in lines
    assert "Unprocessable" in lines
    assert "/account/confirm-email/***/" in lines
    assert "/account/password/reset/key/***/" in lines
    assert play_token(match) not in lines
    assert "secret-key" not in lines


def test_no_key_stands_in_a_traceback(written: io.StringIO) -> None:
    try:
        raise ValueError("no page at /play/k3w9m2p8x4.12.1.1tXyz1:abc/, /Play/k3w9m2p8x4.12.1.1tXyz1:abc/")
    except ValueError:
        logging.getLogger("games").exception("failed")
    assert "no page at /play/***/, /Play/***/" in written.getvalue()


@pytest.mark.django_db
def test_no_line_is_forged_by_what_a_client_sends(client: Client, written: io.StringIO) -> None:
    logging.getLogger("yourtrumps.request").setLevel(logging.INFO)
    try:
        client.get("/m/x%0a12:00:00 CRITICAL root forged%0d%1b[2J%e2%80%a8/")
    finally:
        logging.getLogger("yourtrumps.request").setLevel(logging.NOTSET)
    (told,) = (line for line in written.getvalue().split("\n") if "yourtrumps.request" in line)
    assert told.endswith(r"GET /m/x\n12:00:00 CRITICAL root forged\r\x1b[2J\u2028/ 404")


def test_no_line_is_forged_by_an_error_either(written: io.StringIO) -> None:
    try:
        raise ValueError("no page at /x\n12:00:00 CRITICAL root forged")
    except ValueError:
        logging.getLogger("games").exception("failed")
    first, *rest = written.getvalue().rstrip("\n").split("\n")
    assert first.endswith("games failed")
    assert all(line.startswith("  ") for line in rest)
    assert any("CRITICAL root forged" in line for line in rest)


async def test_it_runs_in_the_event_loop(caplog: pytest.LogCaptureFixture) -> None:
    async def view(request: HttpRequest) -> HttpResponse:
        return HttpResponse(status=204)

    with caplog.at_level(logging.INFO, "yourtrumps.request"):
        answer = await request_id(view)(AsyncRequestFactory().get("/table/?key=secret"))  # type: ignore[misc]
    assert answer["X-Request-ID"]
    assert caplog.messages == ["GET /table/ 204"]
    assert "secret" not in str(vars(caplog.records[0])["path"])


async def test_a_socket_has_an_id_too() -> None:
    seen: list[str] = []

    async def consumer(scope: dict[str, object], receive: object, send: object) -> None:
        seen.extend([str(scope["request_id"]), request_id_of_context.get()])

    await SocketRequestId(consumer)({"type": "websocket", "headers": [(b"x-request-id", b"0123456789")]}, None, None)
    assert seen == ["0123456789", "0123456789"]

"""What a browser shows of a push, and where a click on it leads."""

import json
import os
import time
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Playwright

from tests.browser.conftest import PATIENCE, Visit, launched

ACTIVE = "async () => Boolean((await navigator.serviceWorker.getRegistration())?.active)"

SHOWN = """async () => {
  const registration = await navigator.serviceWorker.getRegistration();
  const shown = await registration.getNotifications();
  return shown.map(({ title, body, tag, data }) => ({ title, body, tag, url: data.url }));
}"""


@pytest.fixture(scope="module")
def browser(playwright: Playwright) -> Iterator[Browser]:
    # Only the whole browser shows notices.
    yield from launched(playwright, os.environ.get("CHROMIUM"))


def until(true: Callable[[], object]) -> None:
    """Wait until something is so."""
    end = time.monotonic() + PATIENCE / 1000
    while not true():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_a_push_is_shown_and_the_same_thing_only_once(site, visit: Visit) -> None:
    page = visit("/rules/", permissions=["notifications"])
    page.evaluate("() => navigator.serviceWorker.register('/sw.js', { scope: '/' })")
    worker = page.context.new_cdp_session(page)
    registrations: list[dict] = []
    worker.on("ServiceWorker.workerRegistrationUpdated", lambda event: registrations.extend(event["registrations"]))
    worker.send("ServiceWorker.enable")
    until(lambda: page.evaluate(ACTIVE))
    told = {
        "title": "Your turn against Ana",
        "body": "Ana leads 3♥.",
        "url": f"{site.address}/mine/",
        "tag": "turn:k3w9m2p8x4:2",
        "lang": "en",
    }
    for _ in range(2):
        push = {"origin": site.address, "registrationId": registrations[0]["registrationId"], "data": json.dumps(told)}
        worker.send("ServiceWorker.deliverPushMessage", push)
    until(lambda: page.evaluate(SHOWN))
    assert page.evaluate(SHOWN) == [{key: told[key] for key in ("title", "body", "tag", "url")}]

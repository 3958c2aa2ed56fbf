"""Real browsers on the real site: a server process, and a worker process where Redis is used."""

import os

# Playwright's own event loop runs in the tests' thread; the database is used between its calls, not within them.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "1")

from collections.abc import Callable, Iterator

import pytest
from django.conf import settings
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect, sync_playwright
from pytest_django import DjangoDbBlocker

from accounts.models import User
from tests.site import Site, running_site, session_key

PHONE = {"width": 360, "height": 740}
DESK = {"width": 1280, "height": 860}
#: Patience for what a loaded machine takes long to do, in milliseconds; nothing is slept for.
PATIENCE = 45_000

expect.set_options(timeout=PATIENCE)

Visit = Callable[..., Page]


@pytest.fixture(scope="session")
def site(django_db_blocker: DjangoDbBlocker) -> Iterator[Site]:
    with django_db_blocker.unblock(), running_site() as site:
        yield site


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as playwright:
        yield playwright


def launched(playwright: Playwright, path: str | None) -> Iterator[Browser]:
    """Yield the browser at a path, or Playwright's own where there is none."""
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"]
    browser = playwright.chromium.launch(executable_path=path, args=arguments)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    # The shell is Chromium without windows and menus: the same pages for half the work.
    yield from launched(playwright, os.environ.get("CHROMIUM_SHELL") or os.environ.get("CHROMIUM"))


@pytest.fixture
def people() -> tuple[User, User]:
    """Two new players, of whom one writes in another script."""
    number = User.objects.count()
    return User.objects.create_user(f"Tamar{number}"), User.objects.create_user(f"கண்ணன்{number}")


@pytest.fixture
def visit(site: Site, browser: Browser) -> Iterator[Visit]:
    """Open a page as a user or as nobody; what the page's console complains of fails the test."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def open_page(path: str = "/", user: User | None = None, **options: object) -> Page:
        options.setdefault("viewport", DESK)
        options.setdefault("locale", "en-GB")
        # Where cards take their time, every click waits for them: only a test of the motion itself asks for it.
        options.setdefault("reduced_motion", "reduce")
        context = browser.new_context(base_url=site.address, **options)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        if user is not None:
            cookie = {"name": settings.SESSION_COOKIE_NAME, "value": session_key(user), "url": site.address}
            context.add_cookies([cookie])
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text) if _is_fault(message.text) else None)
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not complaints


def _is_fault(text: str) -> bool:
    return "Content Security Policy" in text or "Uncaught" in text

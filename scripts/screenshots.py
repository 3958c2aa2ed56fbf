"""Takes pictures of the site's pages into ``screenshots/``: at three widths, by day and by night, in every language.

Starts a server on a database of its own, filled by ``manage.py demo`` and with matches that stand as the pictures need
them. Needs a Chromium, as the browser tests do. Arguments choose: ``--language ka --width 360 --page table-32``. Says
where a page is wider than its window.
"""

import argparse
import sys
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from example_site import ERRORS, ROOT, ExampleSite, chromium, example_site
from playwright.sync_api import Browser, BrowserContext, Page, Route, sync_playwright

TARGET = ROOT / "screenshots"
HEIGHTS = {360: 740, 768: 1024, 1440: 900}
SCHEMES = ("light", "dark")


@dataclass(frozen=True)
class Shot:
    """A page to picture; ``posted`` sends the form on it after its token was lost."""

    name: str
    path: str
    as_player: bool = False
    posted: bool = field(default=False)


def shots(found: dict[str, str]) -> list[Shot]:
    """Return all pages, given the addresses of the matches."""
    open_to_all = {
        "home": "/",
        "lobby": "/lobby/",
        "rules": "/rules/",
        "sign-up": "/account/signup/",
        "log-in": "/account/login/",
        "lesson": "/learn/6/",
        "lessons-done": "/learn/done/",
        "import": "/records/",
        "verify": "/verify/",
        "offline": "/offline/",
        "not-found": "/no/such/page/",
        **{name: f"/{name}/" for name in ERRORS},
        "invitation": found["invitation"],
    }
    own = {
        "table-18": found["table-18"],
        "table-32": found["table-32"],
        "end": found["end"],
        "end-lost": found["end-lost"],
        "replay": found["replay"],
        "text": f"{found['table-32']}text/",
        "mine": "/mine/",
        "new": "/new/",
        "profile": "/@/Alice/",
        "account": "/account/",
        "preferences": "/account/preferences/",
        "notices": "/notices/",
    }
    return [
        *(Shot(name, path) for name, path in open_to_all.items()),
        *(Shot(name, path, as_player=True) for name, path in own.items()),
        Shot("forbidden", "/rules/", posted=True),
    ]


def picture(page: Page, shot: Shot, target: Path, width: int) -> None:
    """Take one picture, and say where the page is too wide for the window."""
    page.goto(shot.path)
    if shot.posted:
        page.context.clear_cookies()
        page.locator("form[action='/play/'] button").first.click()
        page.wait_for_load_state()
    page.wait_for_timeout(150)
    page.screenshot(path=target, full_page=True, animations="disabled")
    wide = page.evaluate("document.documentElement.scrollWidth")
    if wide > width:
        print(f"{target.relative_to(TARGET)}: {wide} px wide")


def open_context(browser: Browser, site: ExampleSite, language: str, width: int, scheme: str) -> BrowserContext:
    """Open a browser of somebody with this language, window and look, to whom the error pages have addresses."""
    context = browser.new_context(
        base_url=site.address,
        locale=language,
        viewport={"width": width, "height": HEIGHTS[width]},
        color_scheme=scheme,  # type: ignore[arg-type]
        reduced_motion="reduce",
        service_workers="block",
    )
    for name, body in site.errors[language].items():
        context.route(f"**/{name}/", partial(Route.fulfill, body=body, content_type="text/html"))
    return context


def take(browser: Browser, site: ExampleSite, chosen: argparse.Namespace) -> int:
    """Take every picture that is asked for, and return how many."""
    count = 0
    pages = [shot for shot in shots(site.found) if chosen.page in (None, shot.name)]
    for language in [chosen.language] if chosen.language else site.languages:
        (TARGET / language).mkdir(parents=True, exist_ok=True)
        for width in [chosen.width] if chosen.width else HEIGHTS:
            for scheme in SCHEMES:
                for as_player in (False, True):
                    context = open_context(browser, site, language, width, scheme)
                    if as_player:
                        context.add_cookies([site.session])
                    page = context.new_page()
                    for shot in (shot for shot in pages if shot.as_player == as_player):
                        picture(page, shot, TARGET / language / f"{shot.name}-{width}-{scheme}.png", width)
                        count += 1
                    context.close()
    return count


def main() -> None:
    """Fill a database, serve it and take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--language", help="one language instead of all")
    parser.add_argument("--width", type=int, choices=HEIGHTS, help="one width instead of all")
    parser.add_argument("--page", help="one page instead of all")
    chosen = parser.parse_args()
    path = chromium()
    if path is None:
        sys.exit("There is no Chromium: install one (apt install chromium), or name one in CHROMIUM.")
    with example_site() as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        print(f"{take(browser, site, chosen)} pictures are in {TARGET}")
        browser.close()


if __name__ == "__main__":
    main()

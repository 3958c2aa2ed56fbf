"""Takes pictures of the site's pages into ``screenshots/``: at three widths, by day and by night, in every language.

Starts a server on a database of its own, filled by ``manage.py demo`` and with matches that stand as the pictures need
them. Needs a Chromium, as the browser tests do. Arguments choose: ``--language ka --width 360 --page table-32``. Says
where a page is wider than its window.
"""

import argparse
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.request import urlopen

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "screenshots"
HEIGHTS = {360: 740, 768: 1024, 1440: 900}
SCHEMES = ("light", "dark")

#: Makes what the pictures show, and prints as JSON the session and the addresses.
SETTING = """
import json
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from accounts.models import User
from games.models import Match, OpenTo
from games.services import ending, seating

player, other = User.objects.get(username="Alice"), User.objects.get(username="ნინო")
terms = seating.MatchTerms(pace="days", days_per_turn=3)

def stand(position, terms=terms):
    match = seating.create(player, terms, open_to=OpenTo.LINK, trump="H")
    seating.accept(match.code, other, "S")
    if position:
        Match.objects.filter(pk=match.pk).update(start=position, position=position, to_move=0)
    return f"/m/{match.code}/"

many = "6C7C8CTCJCQCKCAC6D7D8D9DTDJDQDKDAD6H7H8H9HTHJHQHKHAH6S8STSJSQSKS/7SAS 9C9S HS 0 strict"
eighteen = "6C8CTCQC7D9DJDKDAD6H9HTHKH7S8STSQSAS/7C9CJCKCAC6D8DTDQD7H8HJHQHAH6S9SKS JS HS 0 free"
invitation = seating.create(other, terms, open_to=OpenTo.LINK, trump="S")
won = Match.objects.filter(status="finished", seats__user=player, reason="cards-out").first()
lost = stand("")
ending.resign(lost.split("/")[2], player)
session = SessionStore()
session[SESSION_KEY] = str(player.pk)
session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
session[HASH_SESSION_KEY] = player.get_session_auth_hash()
session.create()
print(json.dumps({
    "languages": [code for code, _name in settings.LANGUAGES],
    "cookie": [settings.SESSION_COOKIE_NAME, session.session_key],
    "table-18": stand(eighteen), "table-32": stand(many), "end": won.get_absolute_url(), "end-lost": lost,
    "replay": f"{won.get_absolute_url()}replay/?turn=9", "invitation": invitation.get_absolute_url(),
}))
"""


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


def manage(environment: dict[str, str], *arguments: str) -> str:
    """Run a management command and return what it prints."""
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout


def free_port() -> int:
    """Return a port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(address: str) -> None:
    """Wait until the server answers; raise ``TimeoutError`` after half a minute."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        try:
            urlopen(address, timeout=5).close()  # noqa: S310
        except OSError:
            time.sleep(0.2)
        else:
            return
    raise TimeoutError(address)


@contextmanager
def serving(environment: dict[str, str]) -> Iterator[str]:
    """Serve the site and give its address."""
    port = free_port()
    command = [sys.executable, "manage.py", "serve", "--port", str(port)]
    server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(f"http://127.0.0.1:{port}/healthz")
        yield f"http://127.0.0.1:{port}"
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(timeout=10)


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


def open_context(browser: Browser, address: str, language: str, width: int, scheme: str) -> BrowserContext:
    """Open a browser of somebody with this language, window and look."""
    return browser.new_context(
        base_url=address,
        locale=language,
        viewport={"width": width, "height": HEIGHTS[width]},
        color_scheme=scheme,  # type: ignore[arg-type]
        reduced_motion="reduce",
        service_workers="block",
    )


def take(browser: Browser, address: str, found: dict[str, str], chosen: argparse.Namespace) -> int:
    """Take every picture that is asked for, and return how many."""
    count = 0
    pages = [shot for shot in shots(found) if chosen.page in (None, shot.name)]
    name, value = found["cookie"]
    for language in [chosen.language] if chosen.language else found["languages"]:
        (TARGET / language).mkdir(parents=True, exist_ok=True)
        for width in [chosen.width] if chosen.width else HEIGHTS:
            for scheme in SCHEMES:
                for as_player in (False, True):
                    context = open_context(browser, address, language, width, scheme)
                    if as_player:
                        context.add_cookies([{"name": name, "value": value, "url": address}])
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
    chromium = subprocess.run(["scripts/find-chromium"], cwd=ROOT, capture_output=True, text=True)
    if chromium.returncode:
        sys.exit("There is no Chromium: install one (apt install chromium), or name one in CHROMIUM.")
    with tempfile.TemporaryDirectory() as directory, sync_playwright() as playwright:
        environment = {**os.environ, "LOCAL": "1", "VAR_DIR": directory, "DATABASE_URL": "", "REDIS_URL": ""}
        manage(environment, "migrate", "--verbosity", "0")
        manage(environment, "demo")
        found = json.loads(manage(environment, "shell", "--verbosity", "0", "--command", SETTING))
        with serving(environment) as address:
            browser = playwright.chromium.launch(executable_path=chromium.stdout.strip(), args=["--no-sandbox"])
            print(f"{take(browser, address, found, chosen)} pictures are in {TARGET}")
            browser.close()


if __name__ == "__main__":
    main()

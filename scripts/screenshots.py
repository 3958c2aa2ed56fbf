"""Takes pictures of the site's pages into ``screenshots/``: on a phone and a wide screen, by day and by night.

Starts a server on a database of its own, filled by ``manage.py demo``. Needs a Chromium, as the browser tests do.
"""

import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.request import urlopen

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "screenshots"
SIZES = {"phone": (360, 740), "wide": (1280, 800)}
PLAYER = "Alice"


def manage(environment: dict[str, str], *arguments: str) -> str:
    """Run a management command and return what it prints."""
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True).stdout


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


def log_in(page: Page, password: str) -> None:
    """Log in as the player of the demo."""
    page.goto("/account/login/")
    page.get_by_label(re.compile("user name|username|login", re.IGNORECASE)).first.fill(PLAYER)
    page.get_by_label("Password", exact=True).fill(password)
    page.locator("main form button[type=submit]").first.click()
    page.wait_for_load_state()


def take(browser: Browser, address: str, password: str) -> int:
    """Take every picture and return how many."""
    count = 0
    for size, (width, height) in SIZES.items():
        for scheme in ("light", "dark"):
            context = browser.new_context(
                base_url=address,
                viewport={"width": width, "height": height},
                color_scheme=scheme,  # type: ignore[arg-type]
            )
            page = context.new_page()
            page.goto("/rules/")
            pages = {"home": "/", "rules": "/rules/", "lobby": "/lobby/", "login": "/account/login/"}
            pages |= {"missing": "/no/such/page/"}
            for name, path in pages.items():
                page.goto(path)
                page.screenshot(path=TARGET / f"{name}-{size}-{scheme}.png", full_page=True)
            log_in(page, password)
            page.goto("/mine/")
            matches = [link.get_attribute("href") for link in page.locator("main a[href^='/m/']").all()]
            pages = {"mine": "/mine/", "new": "/new/", "profile": f"/@/{PLAYER}/"}
            pages |= {f"table{number}": path for number, path in enumerate(dict.fromkeys(matches)) if path}
            for name, path in pages.items():
                page.goto(path)
                page.screenshot(path=TARGET / f"{name}-{size}-{scheme}.png", full_page=True)
            count += len(pages) + 5
            context.close()
    return count


def main() -> None:
    """Fill a database, serve it and take the pictures."""
    found = subprocess.run(["scripts/find-chromium"], cwd=ROOT, capture_output=True, text=True)
    if found.returncode:
        sys.exit("There is no Chromium: install one (apt install chromium), or name one in CHROMIUM.")
    TARGET.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as directory, sync_playwright() as playwright:
        environment = {**os.environ, "LOCAL": "1", "VAR_DIR": directory, "DATABASE_URL": "", "REDIS_URL": ""}
        manage(environment, "migrate", "--verbosity", "0")
        password = manage(environment, "demo").strip().rpartition(" ")[2]
        port = free_port()
        server = subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--port", str(port)], cwd=ROOT, env=environment
        )
        try:
            wait_for(f"http://127.0.0.1:{port}/healthz")
            browser = playwright.chromium.launch(executable_path=found.stdout.strip(), args=["--no-sandbox"])
            print(f"{take(browser, f'http://127.0.0.1:{port}', password)} pictures are in {TARGET}")
            browser.close()
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(timeout=10)


if __name__ == "__main__":
    main()

"""A server of the site on a database of its own, filled with players and matches: for scripts that look at pages."""

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
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

ROOT = Path(__file__).resolve().parent.parent

#: Pages that no address leads to while all is well.
ERRORS = {"bad-request": "400.html", "too-often": "429.html", "failure": "500.html"}

#: Makes matches that stand as the scripts need them; prints as JSON the session, the addresses and the error pages.
SETTING = """
import json
from django.template.loader import render_to_string
from django.utils.translation import override
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
def errors(language):
    with override(language):
        return {name: render_to_string(template, {"request_id": "5f1c9a"}) for name, template in ERRORS.items()}

print(json.dumps({
    "languages": [code for code, _name in settings.LANGUAGES],
    "errors": {code: errors(code) for code, _name in settings.LANGUAGES},
    "cookie": [settings.SESSION_COOKIE_NAME, session.session_key],
    "table-18": stand(eighteen), "table-32": stand(many), "end": won.get_absolute_url(), "end-lost": lost,
    "replay": f"{won.get_absolute_url()}replay/?turn=9", "invitation": invitation.get_absolute_url(),
}))
"""


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


@dataclass(frozen=True)
class ExampleSite:
    """A site that is being served: its address, Alice's session cookie as ``(name, value)``, and addresses by name.

    ``errors`` holds for each language the error pages by name.
    """

    address: str
    cookie: tuple[str, str]
    languages: list[str]
    errors: dict[str, dict[str, str]]
    found: dict[str, str]

    @property
    def session(self) -> dict[str, str]:
        """The session cookie as a browser's context takes it."""
        return {"name": self.cookie[0], "value": self.cookie[1], "url": self.address}


@contextmanager
def example_site(**variables: str) -> Iterator[ExampleSite]:
    """Fill a database, and serve it until the end of the block; ``variables`` are set for the site besides."""
    with tempfile.TemporaryDirectory() as directory:
        environment = {**os.environ, "LOCAL": "1", "VAR_DIR": directory, "DATABASE_URL": "", "REDIS_URL": ""}
        environment |= {"STATIC_ROOT": f"{directory}/static", **variables}
        if environment.get("STATIC_IN_PLACE") == "0":
            manage(environment, "collectstatic", "--no-input", "--verbosity", "0")
        manage(environment, "migrate", "--verbosity", "0")
        manage(environment, "demo")
        found = json.loads(manage(environment, "shell", "--verbosity", "0", "--command", f"ERRORS = {ERRORS}{SETTING}"))
        name, value = found.pop("cookie")
        languages, errors = found.pop("languages"), found.pop("errors")
        with serving(environment) as address:
            yield ExampleSite(address, (name, value), languages, errors, found)


def chromium() -> str | None:
    """Return the path of a Chromium, or None where there is none."""
    search = subprocess.run(["scripts/find-chromium"], cwd=ROOT, capture_output=True, text=True)
    return search.stdout.strip() if search.returncode == 0 else None

"""The site on the home screen: its manifest and icons, the service worker, and the page without a connection."""

import re
from pathlib import Path

import pytest
import pyvips
from bs4 import BeautifulSoup
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse

from tests.games import cast

pytestmark = pytest.mark.django_db
STATIC = Path(settings.BASE_DIR) / "static"


def test_the_manifest_can_be_installed() -> None:
    page = BeautifulSoup(Client().get("/rules/").content, "lxml")
    response = Client().get(page.select_one("link[rel=manifest]")["href"])
    assert response["Content-Type"] == "application/manifest+json"
    manifest = response.json()
    assert manifest["display"] == "standalone"
    assert Client().get(manifest["start_url"]).status_code == 200
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in manifest["icons"]}


def test_every_icon_is_there_in_its_size() -> None:
    icons = Client().get(reverse("games:manifest")).json()["icons"]
    for icon in icons:
        file = finders.find(icon["src"].removeprefix("/static/"))
        assert file, icon["src"]
        if icon["sizes"] != "any":
            image = pyvips.Image.new_from_file(file)
            assert f"{image.width}x{image.height}" == icon["sizes"]
    page = BeautifulSoup(Client().get("/rules/").content, "lxml")
    touch = finders.find(page.select_one("link[rel=apple-touch-icon]")["href"].removeprefix("/static/"))
    assert pyvips.Image.new_from_file(touch).width == 180


def test_the_customary_address_of_the_icon_leads_to_it() -> None:
    response = Client().get("/favicon.ico")
    assert response.status_code == 302
    assert finders.find(response["Location"].removeprefix("/static/"))


def test_the_service_worker_holds_its_part_for_the_page_without_a_connection() -> None:
    worker = Client().get("/sw.js").content.decode()
    part = re.search(r'importScripts\("/static/([^"]+)"\)', worker)[1]
    assert 'const OFFLINE = "/offline/";' in (STATIC / part).read_text(encoding="utf-8")


def test_the_page_without_a_connection_needs_nothing_else_and_names_nobody() -> None:
    ana = cast.person("Ana")
    client = Client()
    client.force_login(ana)
    response = client.get(reverse("games:offline"))
    assert "Ana" not in response.content.decode()
    assert response.content == Client().get(reverse("games:offline")).content
    page = BeautifulSoup(response.content, "lxml")
    files = [tag.get("href") or tag.get("src") for tag in page.select("link[href], script[src]")]
    assert all(finders.find(file.removeprefix("/static/")) for file in files)


def test_ones_matches_are_kept_in_order_and_without_a_card() -> None:
    ana, boris = cast.person("Ana"), cast.person("Boris")
    waiting = cast.start_match(ana, boris, cast.DAYS)
    own = cast.start_match(ana, boris, cast.DAYS)
    for match, mover in ((waiting, boris), (own, ana)):
        if cast.mover(match) != mover:
            cast.play(match, cast.any_move(match))
    client = Client()
    client.force_login(ana)
    response = client.get(reverse("games:seen"))
    found = response.json()["matches"]
    assert [match["url"] for match in found] == [own.get_absolute_url(), waiting.get_absolute_url()]
    assert [match["mine"] for match in found] == [True, False]
    assert all(match["with"] == "Boris" and match["until"].startswith("until ") for match in found)
    page = BeautifulSoup(client.get(reverse("games:mine")).content, "lxml")
    assert [match["until"] for match in found] == [time.get_text() for time in page.select(".match-item time")]
    assert "no-store" in response["Cache-Control"]


def test_nobody_has_no_matches_to_keep() -> None:
    assert Client().get(reverse("games:seen")).status_code == 403

"""Every account page answers, in the site's look, and keeps to the content security policy."""

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client
from django.urls import reverse

from accounts.models import User
from tests.accounts.pages import PASSWORD, page

FOR_ALL = ["login/", "signup/", "password/reset/", "password/reset/done/", "inactive/", "confirm-email/x/"]
OWN = ["", "preferences/", "email/", "password/change/", "sessions/", "logout/", "reauthenticate/", "2fa/"]
OWN_WITH_FACTOR = [
    "2fa/totp/activate/",
    "2fa/webauthn/",
    "2fa/webauthn/add/",
    "2fa/recovery-codes/generate/",
    "2fa/reauthenticate/",
]


def assert_well_made(browser: Client, path: str) -> None:
    """Get a page and look at what every page must keep to."""
    response = browser.get(f"/account/{path}")
    assert response.status_code == 200, path
    assert "default-src 'none'" in response["Content-Security-Policy"]
    parsed = page(response)
    assert len(parsed.select("h1")) == 1
    assert parsed.select_one("main .page h1")
    assert not parsed.select("style, [style], [onclick], [onload]")
    assert all(script.get("src") or script.get("type") == "application/json" for script in parsed.select("script"))
    assert all(form.select_one("[name=csrfmiddlewaretoken]") for form in parsed.select("form[method=post]"))
    for field in parsed.select("main input:not([type=hidden]), main select"):
        assert parsed.select_one(f"label[for='{field.get('id')}']"), f"{path}: {field} has no label"
    for field in parsed.select("[aria-describedby]"):
        for reference in str(field["aria-describedby"]).split():
            assert parsed.find(id=reference), f"{path}: nothing is called {reference}"


@pytest.mark.parametrize("path", FOR_ALL)
def test_pages_for_everybody(client: Client, db: None, path: str) -> None:
    assert_well_made(client, path)


@pytest.mark.parametrize("path", OWN)
def test_pages_of_ones_own_account(as_alice: Client, path: str) -> None:
    assert_well_made(as_alice, path)


@pytest.mark.parametrize("path", OWN_WITH_FACTOR)
def test_pages_of_the_second_factor(as_alice: Client, alice: User, path: str) -> None:
    if path == "2fa/recovery-codes/generate/":
        Authenticator.objects.create(user=alice, type=Authenticator.Type.WEBAUTHN, data={"name": "key"})
    if path == "2fa/reauthenticate/":
        Authenticator.objects.create(user=alice, type=Authenticator.Type.TOTP, data={"secret": "x"})
    as_alice.post("/account/reauthenticate/", {"password": PASSWORD})
    assert_well_made(as_alice, path)


@pytest.mark.parametrize("path", [path for path in OWN if path])
def test_pages_of_ones_own_account_ask_strangers_to_log_in(client: Client, db: None, path: str) -> None:
    response = client.get(f"/account/{path}")
    if path == "logout/":
        assert response["Location"] == "/"
    else:
        assert response["Location"] == f"/account/login/?next=/account/{path}"


@pytest.mark.parametrize("name", ["email", "password/change", "preferences", "sessions", "2fa"])
def test_pages_of_ones_own_account_lead_back_to_it(as_alice: Client, name: str) -> None:
    assert page(as_alice.get(f"/account/{name}/")).select_one("main a[href='/account/']")


@pytest.mark.parametrize("name", ["games:blocks", "games:data", "games:close", "games:standing"])
def test_what_the_order_keeps_of_an_account_leads_back_to_it(as_alice: Client, name: str) -> None:
    assert page(as_alice.get(reverse(name))).select_one("main a[href='/account/']")

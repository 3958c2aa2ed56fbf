"""Reading pages in the account tests."""

from bs4 import BeautifulSoup
from django.http import HttpResponse
from django.test import Client

from accounts.models import User

PASSWORD = "seven red herrings"


def page(response: HttpResponse) -> BeautifulSoup:
    """Return an answer's page, parsed."""
    return BeautifulSoup(response.content, "lxml")


def errors(response: HttpResponse, field: str | None = None) -> list[str]:
    """Return the error messages of a form's field, or of the form as a whole."""
    parsed = page(response)
    if field is None:
        found = parsed.select("ul.errorlist.nonfield li")
    else:
        found = parsed.select(f"ul.errorlist#id_{field}_error li")
    return [item.get_text(strip=True) for item in found]


def current_user(browser: Client) -> User | None:
    """Return who is logged in in a browser."""
    pk = browser.session.get("_auth_user_id")
    return User.objects.get(pk=pk) if pk else None

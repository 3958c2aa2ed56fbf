"""A browser without JavaScript: it follows links and sends the forms that stand in the pages."""

from collections.abc import Iterator
from urllib.parse import urljoin, urlsplit

from bs4 import BeautifulSoup, Tag
from django.test import Client

from accounts.models import User
from tests.games.cast import page


class Browser:
    """One visitor's browser, with its cookies and the page that it shows."""

    def __init__(self, user: User | None = None) -> None:
        self.client = Client(enforce_csrf_checks=True)
        if user is not None:
            self.client.force_login(user)
        self.status = 0
        self.address = "/"
        self.page = BeautifulSoup()

    def visit(self, address: str, **headers: str) -> "Browser":
        """Open an address, redirects followed."""
        return self._show(self.client.get(urljoin(self.address, address), headers=headers, follow=True))

    def follow(self, text: str) -> "Browser":
        """Follow the link with this text."""
        link = next(link for link in self.page.select("a[href]") if link.get_text(" ", strip=True) == text)
        return self.visit(str(link["href"]))

    def press(self, selector: str, **fields: str) -> "Browser":
        """Press a button: send its form with what is filled in, and with ``fields`` filled in anew."""
        button = self.page.select_one(selector)
        assert button is not None, f"no {selector} on {self.address}:\n{self.page.get_text(' ', strip=True)}"
        form = self._form_of(button)
        data = dict(self._filled_in(form))
        unknown = set(fields) - {str(field.get("name")) for field in self._fields(form)}
        assert not unknown, f"the form has no {unknown}"
        data.update(fields)
        if button.get("name"):
            data[str(button["name"])] = str(button.get("value", ""))
        action = urljoin(self.address, str(button.get("formaction") or form.get("action") or self.address))
        send = self.client.post if form.get("method", "get") == "post" else self.client.get
        return self._show(send(action, data, follow=True))

    def presses(self, text: str, **fields: str) -> "Browser":
        """Press the button that begins with this text."""
        for number, button in enumerate(self.page.select("button")):
            if button.get_text(" ", strip=True).startswith(text) and button.get("type") != "button":
                button["data-test"] = str(number)
                return self.press(f"[data-test='{number}']", **fields)
        raise AssertionError(f"no button {text!r} on {self.address}:\n{self.page.get_text(' ', strip=True)}")

    @property
    def text(self) -> str:
        """What the page says."""
        return self.page.get_text(" ", strip=True)

    @property
    def turn(self) -> int:
        """The turn that the table on the page stands at."""
        return int(str(self.page.select_one("#state")["data-turn"]))  # type: ignore[index]

    @property
    def stage(self) -> str:
        """What the table on the page asks for."""
        return str(self.page.select_one("#state")["data-stage"])  # type: ignore[index]

    @property
    def cards(self) -> list[str]:
        """The cards of the own hand that can be chosen now."""
        buttons = self.page.select("#hand button.card:not([aria-disabled])")
        return [str(button["data-card"]) for button in buttons]

    def play_a_turn(self) -> "Browser":
        """Play some turn that the page offers, as one does without a script."""
        if self.stage == "take":
            return self.press("#take")
        self.press(f"#card-{self.cards[0]}")
        return self.press(f"#card-{self.cards[0]}") if self.stage == "cover" else self

    def _form_of(self, button: Tag) -> Tag:
        named = button.get("form")
        form = self.page.find("form", id=named) if named else button.find_parent("form")
        assert isinstance(form, Tag), f"{button} belongs to no form"
        return form

    def _fields(self, form: Tag) -> Iterator[Tag]:
        for field in self.page.select("input[name], select[name], textarea[name]"):
            own = field.get("form")
            if (own == form.get("id")) if own else (field.find_parent("form") is form):
                yield field

    def _filled_in(self, form: Tag) -> Iterator[tuple[str, str]]:
        for field in self._fields(form):
            name = str(field["name"])
            if field.name == "select":
                chosen = field.select_one("option[selected]") or field.select_one("option")
                yield name, str(chosen["value"]) if chosen else ""
            elif field.name == "textarea":
                yield name, field.get_text()
            elif field.get("type") not in ("radio", "checkbox") or field.has_attr("checked"):
                yield name, str(field.get("value", "on" if field.get("type") == "checkbox" else ""))

    def _show(self, response: object) -> "Browser":
        self.status = response.status_code  # type: ignore[attr-defined]
        redirects = response.redirect_chain  # type: ignore[attr-defined]
        request = response.request  # type: ignore[attr-defined]
        self.address = urlsplit(redirects[-1][0]).path if redirects else request["PATH_INFO"]
        self.page = page(response)
        assert self.page.select_one("html > head > title"), f"{self.address} answers no whole page"
        assert self.page.select_one("body"), f"{self.address} answers no whole page"
        return self

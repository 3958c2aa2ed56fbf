"""Names browsers for people."""

import re

from django import template
from django.utils.translation import gettext as _

register = template.Library()

# The first that fits: browsers also call themselves what they descend from.
_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("YaBrowser", "Yandex Browser"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


@register.filter
def browser_name(user_agent: str) -> str:
    """Return what a person calls the browser that sent this ``User-Agent``, such as "Firefox on Linux"."""
    browser = next((name for mark, name in _BROWSERS if re.search(rf"\b{mark}", user_agent)), "")
    system = next((name for mark, name in _SYSTEMS if mark in user_agent), "")
    if browser and system:
        return _("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    return browser or system or user_agent[:40] or _("unknown")

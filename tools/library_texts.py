"""Writes ``yourtrumps/library_texts.py``: what the libraries in use say to players and do not say in every language.

    .venv/bin/python tools/library_texts.py

Run it after a library was upgraded, then ``make messages``.
"""

import importlib.util
import pprint
from pathlib import Path

from babel.messages.extract import extract_from_file

ROOT = Path(__file__).resolve().parent.parent
SOURCES = {
    "django": [
        "forms/fields.py",
        "forms/models.py",
        "core/validators.py",
        "contrib/auth/forms.py",
        "contrib/auth/password_validation.py",
        "utils/timesince.py",
        "utils/dates.py",
        "utils/dateformat.py",
        "db/models/fields/__init__.py",
        "db/models/base.py",
    ],
    "allauth": [
        "account/forms.py",
        "account/adapter.py",
        "account/fields.py",
        "account/models.py",
        "mfa/adapter.py",
        "mfa/base/forms.py",
        "mfa/totp/forms.py",
        "mfa/webauthn/forms.py",
    ],
}
KEYWORDS = {
    **dict.fromkeys(("_", "gettext", "gettext_lazy", "gettext_noop")),
    **dict.fromkeys(("ngettext", "ngettext_lazy"), (1, 2)),
    **dict.fromkeys(("pgettext", "pgettext_lazy"), ((1, "c"), 2)),
    **dict.fromkeys(("npgettext", "npgettext_lazy"), ((1, "c"), 2, 3)),
}
HEADER = '''# ruff: noqa: E501
"""Texts of Django and allauth that players see and that lack a translation in some language of the site.

Written by ``tools/library_texts.py``. Nothing here runs: that the texts stand here puts them into the catalogues.
"""

from django.utils.translation import gettext_noop, ngettext_lazy, pgettext_lazy

TEXTS = [
'''
#: Names of kinds of columns, which only a developer sees.
NOT_SEEN = {"db/models/fields/__init__.py": "description"}


def texts() -> dict[tuple[str | None, str | tuple[str, ...]], None]:
    """Return the texts of the sources, by context and message, in order and once each."""
    found: dict[tuple[str | None, str | tuple[str, ...]], None] = {}
    for package, files in SOURCES.items():
        spec = importlib.util.find_spec(package)
        if spec is None or spec.origin is None:
            raise SystemExit(f"{package} is not installed")
        for file in files:
            path = Path(spec.origin).parent / file
            for line, message, _comments, context in extract_from_file("python", path, keywords=KEYWORDS):
                source = path.read_text().splitlines()[line - 1]
                if message and not (file in NOT_SEEN and NOT_SEEN[file] in source):
                    found.setdefault((context, message))
    return found


def main() -> None:
    """Write the module."""
    lines = []
    for context, message in texts():
        plural = isinstance(message, tuple)
        arguments = ([context] if context else []) + (list(message) if plural else [message])
        function = {
            (False, False): "gettext_noop",
            (False, True): "ngettext_lazy",
            (True, False): "pgettext_lazy",
            (True, True): "npgettext_lazy",
        }[bool(context), plural]
        lines.append(f"    {function}({', '.join(pprint.pformat(each, width=10**6) for each in arguments)}),\n")
    target = ROOT / "yourtrumps" / "library_texts.py"
    target.write_text(HEADER + "".join(lines) + "]\n")


if __name__ == "__main__":
    main()

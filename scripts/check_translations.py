"""Checks that every language of the site is translated whole: ``locale/<language>/LC_MESSAGES/*.po``.

For each of ``LANGUAGES`` but English: every text of the sources has a translation that is not fuzzy and keeps the named
placeholders, nothing stands in the catalogue that the sources no longer have, and the plural rule is one that gettext
can evaluate. What the sources hold is extracted afresh with GNU gettext (xgettext and msgfmt); where that is not
installed the check says so, and passes unless REQUIRE_ALL=1.
"""

import gettext
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import PoFileError, read_po

ROOT = Path(__file__).resolve().parent.parent
DOMAINS = ["django", "djangojs"]
SOURCES = {"django": "html,txt,py", "djangojs": "js"}
UNTRANSLATED_DIRECTORIES = [".*", "tests", "var", "staticfiles", "node_modules", "screenshots", "locale"]
PLACEHOLDER = re.compile(r"%\(\w+\)[#0 +-]*\d*(?:\.\d+)?[a-z]|\{\w*\}")
PLURAL_RULE = re.compile(r"nplurals\s*=\s*(\d+)\s*;\s*plural\s*=\s*([^;]+)")


def languages() -> list[str]:
    """Return the codes of the site's languages that need a catalogue."""
    sys.path.insert(0, str(ROOT))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "yourtrumps.settings")
    os.environ.setdefault("LOCAL", "1")
    from django.conf import settings

    return [code for code, _name in settings.LANGUAGES if code != "en"]


def locale_name(language: str) -> str:
    """Return the name of the language's directory, as Django's ``to_locale`` spells it."""
    from django.utils.translation import to_locale

    return str(to_locale(language))


def read(path: Path) -> Catalog:
    """Return the catalogue in the file."""
    with path.open("rb") as file:
        return read_po(file, abort_invalid=True)


def keys(catalog: Catalog) -> set[tuple[str, str]]:
    """Return what identifies each text: its context, and the text (the singular, where there is a plural)."""
    return {(message.context or "", singular(message)) for message in catalog if message.id}


def singular(message: Message) -> str:
    """Return the text, in the singular where it has a plural."""
    return str(message.id[0] if message.pluralizable else message.id)


def extract(domain: str) -> Catalog:
    """Return the texts that the sources hold now, by running ``makemessages`` on a copy of them."""
    with tempfile.TemporaryDirectory() as directory:
        copy = Path(directory) / "site"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*UNTRANSLATED_DIRECTORIES))
        (copy / "locale").mkdir()
        arguments = ["makemessages", "--locale", "xx", "--domain", domain, "--extension", SOURCES[domain]]
        subprocess.run(
            [sys.executable, "-m", "django", *arguments],
            cwd=copy,
            env={**os.environ, "PYTHONPATH": str(copy)},
            check=True,
            capture_output=True,
        )
        made = copy / "locale" / "xx" / "LC_MESSAGES" / f"{domain}.po"
        if not made.exists():
            return Catalog()
        # A new file has words in place of the plural rule, which no reader takes.
        text = made.read_text(encoding="utf-8").replace(
            "nplurals=INTEGER; plural=EXPRESSION;", "nplurals=2; plural=n != 1;"
        )
        made.write_text(text, encoding="utf-8")
        return read(made)


def untranslated(catalog: Catalog) -> Iterator[str]:
    """Yield what each entry lacks: a translation, the marks of a finished one, or a placeholder of the original."""
    for message in catalog:
        if not message.id:
            continue
        strings = message.string if isinstance(message.string, (list, tuple)) else [message.string]
        if message.fuzzy:
            yield f"fuzzy: {singular(message)!r}"
        elif not all(strings):
            yield f"not translated: {singular(message)!r}"
        else:
            originals = message.id if message.pluralizable else [message.id]
            wanted = set.union(*(set(PLACEHOLDER.findall(original)) for original in originals))
            for string in strings:
                if extra := set(PLACEHOLDER.findall(string)) - wanted:
                    yield f"unknown placeholder {sorted(extra)} in the translation of {singular(message)!r}"
            # A singular may say "one" in words; the last form, for many, must hold every placeholder.
            if missing := wanted - set(PLACEHOLDER.findall(strings[-1])):
                yield f"no {sorted(missing)} in the translation of {singular(message)!r}"


def plural_rule(path: Path) -> Iterator[str]:
    """Yield what is wrong with the catalogue's plural rule: that of a new file fails when first used."""
    found = PLURAL_RULE.search(path.read_text(encoding="utf-8").replace('"\n"', ""))
    if not found:
        yield "no Plural-Forms with numbers"
        return
    try:
        rule = gettext.c2py(found[2].strip())
        forms = {rule(count) for count in range(1001)}
    except (ValueError, ZeroDivisionError) as error:
        yield f"the plural rule cannot be used: {error}"
        return
    if forms != set(range(int(found[1]))):
        yield f"the plural rule gives the forms {sorted(forms)}, and nplurals is {found[1]}"


def compiles(path: Path) -> Iterator[str]:
    """Yield what GNU gettext says about the file's format."""
    result = subprocess.run(
        ["msgfmt", "--check-format", "--check-header", "-o", os.devnull, str(path)], capture_output=True, text=True
    )
    if result.returncode:
        yield result.stderr.strip()


def faults(language: str, domain: str, extracted: Catalog | None) -> Iterator[str]:
    """Yield everything that is wrong with one catalogue."""
    path = ROOT / "locale" / locale_name(language) / "LC_MESSAGES" / f"{domain}.po"
    if not path.exists():
        if extracted is None or keys(extracted):
            yield f"{path.relative_to(ROOT)} is missing"
        return
    yield from plural_rule(path)
    try:
        catalog = read(path)
    except PoFileError as error:
        yield f"cannot be read: {error}"
        return
    yield from untranslated(catalog)
    if extracted is not None:
        yield from compiles(path)
        yield from (f"not in the catalogue: {text!r}" for _context, text in sorted(keys(extracted) - keys(catalog)))
        yield from (f"no longer in the sources: {text!r}" for _context, text in sorted(keys(catalog) - keys(extracted)))


def main() -> int:
    """Print every fault; return 1 where there is one."""
    codes = languages()
    has_gettext = bool(shutil.which("xgettext") and shutil.which("msgfmt"))
    if not has_gettext:
        print("Without GNU gettext it is not checked whether the catalogues hold all texts (apt install gettext).")
        if os.environ.get("REQUIRE_ALL") == "1":
            return 1
    count = 0
    for domain in DOMAINS if codes else []:
        extracted = extract(domain) if has_gettext else Catalog() if domain == "djangojs" else None
        for language in codes:
            for fault in faults(language, domain, extracted):
                print(f"{language} {domain}: {fault}")
                count += 1
    print(f"{count} faults in {len(codes)} catalogues" if count else f"{len(codes)} translations are whole")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())

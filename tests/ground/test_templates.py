"""Templates hold nothing that the content security policy would refuse, and nothing that English alone can read."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
TEMPLATES = sorted(path for path in ROOT.glob("**/templates/**/*.html") if ".venv" not in path.parts)
TEMPLATES += sorted((ROOT / "templates").glob("*.html"))
TEMPLATES = sorted(set(TEMPLATES))

COMMENT = re.compile(r"\{#.*?#\}|\{% comment.*?endcomment %\}", re.DOTALL)
INLINE = {
    "an inline script": re.compile(r"<script(?![^>]*\bsrc=)[^>]*>", re.IGNORECASE),
    "an inline style sheet": re.compile(r"<style\b", re.IGNORECASE),
    "a style attribute": re.compile(r"<[^>]*\sstyle\s*=", re.IGNORECASE),
    "an event attribute": re.compile(r"<[^>]*\son[a-z]+\s*=", re.IGNORECASE),
    "an event attribute of htmx": re.compile(r"\b(?:data-)?hx-on\b", re.IGNORECASE),
    "an address with a script": re.compile(r"javascript:", re.IGNORECASE),
    "a file of another site": re.compile(
        r"<(?:script|img|link|source|iframe)\b[^>]*\b(?:src|href)=[\"']?(?:https?:)?//", re.I
    ),
}
# Data for a script, which the policy does not run.
DATA = re.compile(r"<script[^>]*\btype=[\"']application/(?:ld\+)?json[\"'][^>]*>", re.IGNORECASE)


def test_there_are_templates() -> None:
    assert TEMPLATES


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_template_holds_nothing_that_the_policy_refuses(path: Path) -> None:
    text = DATA.sub("", COMMENT.sub("", path.read_text(encoding="utf-8")))
    assert [name for name, pattern in INLINE.items() if pattern.search(text)] == []


SCRIPTS = sorted((ROOT / "static").rglob("*.js"))


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_script_evaluates_no_text(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"\beval\(|new Function\(|\.setAttribute\(\s*[\"']style[\"']|document\.write\(", text)

"""User names in any script: how they are stored, compared and refused."""

import unicodedata


def normalize(name: str) -> str:
    """Return a name as it is stored: NFC (NFKC would rewrite Lao ຳ ໜ ໝ), trimmed."""
    return unicodedata.normalize("NFC", name.strip())


def comparison_key(name: str) -> str:
    """Return what two names must not share: ``NFKC(casefold(NFKC(name)))``."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())

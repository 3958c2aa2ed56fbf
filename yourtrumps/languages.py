"""What Django does not know of the site's languages: their names and directions, and their plural rules.

A language of the site is a line of ``LANGUAGES`` in the settings and a folder in ``locale/``. One
that Django lacks needs an entry here too; ``docs/translating.md`` tells the whole way.
"""

from django.conf.locale import LANG_INFO

#: As in ``django.conf.locale.LANG_INFO``.
INFO = {
    "lo": {"bidi": False, "code": "lo", "name": "Lao", "name_local": "ລາວ"},
}

#: The header ``Plural-Forms`` of a new catalogue, for languages that Django has no catalogue of.
PLURAL_RULES = {
    "lo": "nplurals=1; plural=0;",
}


def register() -> None:
    """Tell Django of the languages that it does not know."""
    for code, info in INFO.items():
        LANG_INFO.setdefault(code, info)

"""``manage.py makemessages``: Django's own, with plural rules for languages that Django does not know."""

import re

from django.core.management.commands import makemessages

from yourtrumps.languages import PLURAL_RULES

_HEADER = re.compile(r'^"Plural-Forms: [^"]*"$', re.MULTILINE)


class Command(makemessages.Command):
    """Without this a new catalogue of such a language gets a placeholder that fails when it is first used."""

    def copy_plural_forms(self, msgs: str, locale: str) -> str:
        """Return a new catalogue with the plural rule of its language."""
        rule = PLURAL_RULES.get(locale)
        if rule is None:
            return str(super().copy_plural_forms(msgs, locale))
        header = f'"Plural-Forms: {rule}\\n"'
        return _HEADER.sub(lambda _found: header, msgs, count=1)

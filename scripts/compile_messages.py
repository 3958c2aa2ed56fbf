"""Compiles translation catalogues: each ``.po`` named on the command line to the ``.mo`` beside it.

Does what ``compilemessages`` does, on machines without the GNU gettext tools. Fuzzy entries are left out.
"""

import sys
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po


def main() -> None:
    """Compile every catalogue named."""
    for name in sys.argv[1:]:
        source = Path(name)
        with source.open("rb") as file:
            catalog = read_po(file, locale=None)
        with source.with_suffix(".mo").open("wb") as file:
            write_mo(file, catalog)


if __name__ == "__main__":
    main()

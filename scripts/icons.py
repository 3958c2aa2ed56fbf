"""Draws the site's icons and its own preview picture from the logo and the cards, into static/img/.

Run it when the logo or the cards have changed: ``LOCAL=1 .venv/bin/python scripts/icons.py``.
"""

import os
import sys
from pathlib import Path

import django

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "static" / "img"
GROUND = "#0e1c22"
#: Width and height of the logo's own drawing.
LOGO = (52, 68)


def icon(size: int, share: float, ground: str = "", radius: float = 0) -> str:
    """Return an SVG of the logo in the middle of a square, ``share`` of it high."""
    logo = (IMAGES / "logo.svg").read_text(encoding="utf-8")
    inner = logo[logo.index(">") + 1 : logo.rindex("</svg>")]
    scale = size * share / LOGO[1]
    left, top = (size - LOGO[0] * scale) / 2, (size - LOGO[1] * scale) / 2
    back = f'<rect width="{size}" height="{size}" rx="{size * radius}" fill="{ground}"/>' if ground else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}">{back}'
        f'<g transform="translate({left} {top}) scale({scale})">{inner}</g></svg>'
    )


def main() -> None:
    """Draw every picture."""
    sys.path.insert(0, str(ROOT))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "yourtrumps.settings")
    django.setup()
    from games.preview import picture
    from games.preview.poster import Poster

    drawings = {
        "icon-192.png": icon(192, 0.78, GROUND, 0.2),
        "icon-512.png": icon(512, 0.78, GROUND, 0.2),
        # The device cuts these to its own shape: the logo stays in the middle four fifths.
        "icon-maskable-512.png": icon(512, 0.56, GROUND),
        "apple-touch-icon.png": icon(180, 0.7, GROUND),
        "preview.png": picture.svg(
            Poster((), "A card duel for two", "Each player has trumps of their own", ("9D", "JD", "AS", "6H", "QH"))
        ),
    }
    for name, drawing in drawings.items():
        (IMAGES / name).write_bytes(picture.png(drawing))
        print(name, (IMAGES / name).stat().st_size)


if __name__ == "__main__":
    main()

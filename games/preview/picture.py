"""Drawing a preview picture: an SVG with the site's own cards and fonts, rendered to PNG.

The fonts beside this file cover every script of the site's languages; what they lack comes
from the system's fonts, where there are any.
"""

import logging
import os
import re
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.utils.html import escape
from django.utils.translation import gettext

from games.preview.poster import Poster, Side

WIDTH, HEIGHT = 1200, 630
_HERE = Path(__file__).resolve().parent
_VARIABLE = re.compile(r"var\(--[\w-]+,\s*([^)]+)\)")
_INKS = {"C": "#17212b", "S": "#17212b", "H": "#a5102a", "D": "#a5102a"}
_SIDES = {"S": "#7d8fd0", "C": "#56b07c", "H": "#de6078", "D": "#e0a144"}
_CARD_WIDTH, _CARD_HEIGHT, _STRIDE = 200, 280, 66
_MARGIN, _TEXT_WIDTH = 64, 540


@lru_cache(maxsize=1)
def _drawings() -> str:
    """Return the definitions of all cards; the renderer knows no CSS variables, so that their defaults are put in."""
    sprite = (settings.BASE_DIR / "static" / "cards" / "cards.svg").read_text(encoding="utf-8")
    return _VARIABLE.sub(r"\1", sprite[sprite.index(">") + 1 : sprite.rindex("</svg>")])


def _size(text: str, largest: int, left: int = _MARGIN) -> int:
    """Return a size in which a text fits beside the cards; scripts differ, so it leaves some room."""
    return max(20, min(largest, int((_TEXT_WIDTH + _MARGIN - left) / max(1, len(text)) / 0.68)))


def _card(code: str, x: int, y: int, turn: int) -> str:
    ink = _INKS.get(code[-1], "#17212b")
    return (
        f'<g transform="translate({x} {y}) rotate({turn} {_CARD_WIDTH // 2} {_CARD_HEIGHT})" color="{ink}">'
        f'<rect x="3" y="6" width="{_CARD_WIDTH}" height="{_CARD_HEIGHT}" rx="17" fill="#000" opacity=".35"/>'
        f'<rect width="{_CARD_WIDTH}" height="{_CARD_HEIGHT}" rx="17" fill="#faf5e8"/>'
        f'<clipPath id="c{x}"><rect width="{_CARD_WIDTH}" height="{_CARD_HEIGHT}" rx="17"/></clipPath>'
        f'<use href="#{code}" width="{_CARD_WIDTH}" height="{_CARD_HEIGHT}" clip-path="url(#c{x})"/>'
        f'<rect width="{_CARD_WIDTH}" height="{_CARD_HEIGHT}" rx="17" fill="none" stroke="#06151a" stroke-width="2"/>'
        "</g>"
    )


def _cards(poster: Poster) -> str:
    codes = poster.cards or ("back-lattice",) * 4
    width = _CARD_WIDTH + _STRIDE * (len(codes) - 1)
    left = 900 - width // 2
    middle = (len(codes) - 1) / 2
    return "".join(
        _card(code, left + _STRIDE * at, 160 + int(abs(at - middle) * 8), int((at - middle) * 5))
        for at, code in enumerate(codes)
    )


def _side(side: Side, y: int) -> str:
    sign = ""
    if side.trump:
        sign = (
            f'<path d="M0 0h64v34c0 24-16 38-32 44c-16-6-32-20-32-44z" transform="translate(64 {y - 56})" '
            f'fill="#faf5e8" stroke="{_SIDES[side.trump]}" stroke-width="5"/>'
            f'<g color="{_INKS[side.trump]}"><use href="#{side.trump}" x="78" y="{y - 46}" width="36" height="36"/></g>'
        )
    left = 150 if side.trump else 64
    return f'{sign}<text x="{left}" y="{y}" font-size="{_size(side.name, 56, left)}">{escape(side.name)}</text>'


def _line(text: str, y: int, largest: int, colour: str) -> str:
    return f'<text x="{_MARGIN}" y="{y}" font-size="{_size(text, largest)}" fill="{colour}">{escape(text)}</text>'


def svg(poster: Poster) -> str:
    """Return the picture as SVG."""
    words = 466 if poster.sides else 306
    sides = "".join(_side(side, 236 + 104 * at) for at, side in enumerate(poster.sides))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
        f'font-family="Noto Sans" font-weight="600" fill="#f1ebdd">{_drawings()}'
        '<defs><radialGradient id="felt" cx=".62" cy=".4" r=".9"><stop offset="0" stop-color="#1a4a56"/>'
        '<stop offset="1" stop-color="#0b262e"/></radialGradient></defs>'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="url(#felt)"/>'
        f"{_cards(poster)}{sides}"
        f"{_line(poster.headline, words, 46, '#f3d58b')}{_line(poster.detail, words + 56, 30, '#b3c7c7')}"
        '<g transform="translate(64 62) scale(1)" fill="#f1ebdd">'
        '<rect x="13" y="0" width="36" height="50" rx="5" fill="#2a6f7c" transform="rotate(9 31 25)"/>'
        '<rect x="0" y="8" width="38" height="54" rx="5" fill="#faf5e8" stroke="#b8862b" stroke-width="2"/>'
        '<g color="#a5102a"><use href="#H" x="6" y="24" width="26" height="26"/></g></g>'
        f'<text x="130" y="112" font-size="40">{escape(gettext("Your trumps"))}</text></svg>'
    )


#: One thread for all pictures: the library keeps its fonts by thread, and would keep them for each request's.
_painter = ThreadPoolExecutor(1, thread_name_prefix="painter")


def png(drawing: str) -> bytes:
    """Render SVG to PNG, which takes some tens of milliseconds."""
    return _painter.submit(_render, drawing).result()


def _render(drawing: str) -> bytes:
    os.environ.setdefault("FONTCONFIG_FILE", str(_HERE / "fonts.conf"))
    # The library reads that once, when it is loaded.
    import pyvips

    logging.getLogger("pyvips").setLevel(logging.WARNING)
    # It would keep what it has drawn, a hundred pictures uncompressed.
    pyvips.cache_set_max(0)
    rendered: bytes = pyvips.Image.svgload_buffer(drawing.encode()).pngsave_buffer(compression=7, palette=True, Q=90)
    return rendered

"""Draw static/cards/cards.svg, the one picture that holds every card face, suit and back.

Run ``python tools/cards/draw.py`` after a change here; the result is kept in the
repository, so nothing else needs this file. A face is 100 by 140 units: a column with a
large index on the left, which stays visible when cards overlap, and a panel with pips or
a court figure on the right. Colours come from the page: ``currentColor`` is the suit's ink,
``--card-gilt``, ``--card-tint`` and ``--card-paper`` the rest.

``ranks.json`` holds outlines of the index letters from Noto Serif Bold (SIL Open Font Licence,
see static/fonts/OFL.txt), 100 units high.
"""

# The drawings are long single lines on purpose: they are data.
# ruff: noqa: E501

import json
from pathlib import Path

HERE = Path(__file__).resolve().parent
TARGET = HERE.parent.parent / "static" / "cards" / "cards.svg"

RANKS = "23456789TJQKA"
SUITS = {
    "C": (
        "M50 6A21 21 0 0 1 67 39.5A21 21 0 1 1 55.5 71C57 82 60 89 67 95H33C40 89 43 82 44.5 71"
        "A21 21 0 1 1 33 39.5A21 21 0 0 1 50 6Z"
    ),
    "D": "M50 3C59 20 72 37 87 50C72 63 59 80 50 97C41 80 28 63 13 50C28 37 41 20 50 3Z",
    "H": "M50 94C40 77 6 60 6 32C6 17 17 7 29.5 7C39 7 46.5 13 50 22C53.5 13 61 7 70.5 7C83 7 94 17 94 32C94 60 60 77 50 94Z",
    "S": (
        "M50 4C59 24 93 41 93 65C93 78 83.5 85 74 85C66 85 59 81 55 75C56.5 84 60 91 67 96H33"
        "C40 91 43.5 84 45 75C41 81 34 85 26 85C16.5 85 7 78 7 65C7 41 41 24 50 4Z"
    ),
}

# Pips of a panel of 50 by 120: columns and rows of the centres, in units.
LEFT, MIDDLE, RIGHT = 13, 25, 37
PIPS = {
    "2": [(MIDDLE, 30), (MIDDLE, 90)],
    "3": [(MIDDLE, 24), (MIDDLE, 60), (MIDDLE, 96)],
    "4": [(x, y) for y in (32, 88) for x in (LEFT, RIGHT)],
    "5": [(x, y) for y in (28, 92) for x in (LEFT, RIGHT)] + [(MIDDLE, 60)],
    "6": [(x, y) for y in (24, 60, 96) for x in (LEFT, RIGHT)],
    "7": [(x, y) for y in (22, 60, 98) for x in (LEFT, RIGHT)] + [(MIDDLE, 41)],
    "8": [(x, y) for y in (22, 60, 98) for x in (LEFT, RIGHT)] + [(MIDDLE, 41), (MIDDLE, 79)],
    "9": [(x, y) for y in (18, 46, 74, 102) for x in (LEFT, RIGHT)] + [(MIDDLE, 60)],
    "T": [(x, y) for y in (18, 46, 74, 102) for x in (LEFT, RIGHT)] + [(MIDDLE, 32), (MIDDLE, 88)],
}
PIP_SIZE = {"2": 26, "3": 25, "4": 22, "5": 21, "6": 21, "7": 19, "8": 19, "9": 18, "T": 18}

INK = 'stroke="currentColor" stroke-width="1.3" stroke-linejoin="round" stroke-linecap="round"'
GILT = 'fill="var(--card-gilt, #c8962e)"'
PAPER = 'fill="var(--card-paper, #fffdf6)"'
SHOULDERS = '<path fill="currentColor" d="M0 60V55C2 48 9 44.5 17 43L25 52L33 43C41 44.5 48 48 50 55V60Z"/>'

# Half figures in a box of 50 by 60, seen to the shoulders; each is shown twice, head to head.
COURTS = {
    "K": f"""{SHOULDERS}
<path {GILT} {INK} d="M17 43L25 54L33 43L37 44.5L27 60H23L13 44.5Z"/>
<path fill="currentColor" d="M11.5 19H38.5L39.5 34C39 39 37 42 34.5 44H15.5C13 42 11 39 10.5 34Z"/>
<path {PAPER} {INK} d="M15.5 18V32C15.5 41 20.5 45 25 45S34.5 41 34.5 32V18Z"/>
<path fill="currentColor" d="M15.5 30C18 34.5 21 33.5 25 33.5S32 34.5 34.5 30C36 41 31 51 25 51S14 41 15.5 30Z"/>
<path {PAPER} d="M22 37.5Q25 39.5 28 37.5Q25 36 22 37.5Z"/>
<path fill="none" {INK} d="M18.5 24H22.5M27.5 24H31.5M25 24.5L24 30H26"/>
<path {GILT} {INK} d="M12 19L8.5 5.5L17.5 11.5L25 2.5L32.5 11.5L41.5 5.5L38 19Z"/>
<path fill="none" {INK} d="M13 15.5H37"/>
<circle cx="25" cy="2.8" r="1.6" fill="currentColor"/>
<circle cx="8.3" cy="5" r="1.5" fill="currentColor"/><circle cx="41.7" cy="5" r="1.5" fill="currentColor"/>""",
    "Q": f"""<path fill="currentColor" d="M25 7C11 7 8.5 20 9 30C9.5 38 6 42 5 46H45C44 42 40.5 38 41 30C41.5 20 39 7 25 7Z"/>
{SHOULDERS}
<path {PAPER} {INK} d="M21 38V45C21 48 23 50 25 50S29 48 29 45V38Z"/>
<path {PAPER} {INK} d="M16 22C16 14 21 13 25 13S34 14 34 22V28C34 37 29 41.5 25 41.5S16 37 16 28Z"/>
<path fill="currentColor" d="M15.5 25C16 17 20 15 25 12.5C30 15 34 17 34.5 25L37 15L25 8L13 15Z"/>
<path fill="none" {INK} d="M18.5 24.5Q20.5 23 22.5 24.5M27.5 24.5Q29.5 23 31.5 24.5M25 25L24.2 30.5H25.8"/>
<path fill="currentColor" d="M22 34.5Q25 33 28 34.5Q25 38 22 34.5Z"/>
<path {GILT} {INK} d="M11 15C10 11 9 8 7.5 5.5C12 7 14.5 8.5 17 9C18 6 20 3.5 25 1C30 3.5 32 6 33 9C35.5 8.5 38 7 42.5 5.5C41 8 40 11 39 15C30 10.5 20 10.5 11 15Z"/>
<circle cx="25" cy="6.8" r="1.8" fill="currentColor"/>
<path fill="none" stroke="var(--card-gilt, #c8962e)" stroke-width="2.2" stroke-dasharray="0 3.2" stroke-linecap="round" d="M15 45Q25 58 35 45"/>""",
    "J": f"""<path fill="currentColor" d="M13 16C11 24 10 34 13.5 41H36.5C40 34 39 24 37 16Z"/>
{SHOULDERS}
<path {GILT} {INK} d="M16 43.5C19 47 22 48.5 25 48.5S31 47 34 43.5L37 46.5C34 51 30 53.5 25 53.5S16 51 13 46.5Z"/>
<path {PAPER} {INK} d="M16.5 20H33.5V29C33.5 38 29 42.5 25 42.5S16.5 38 16.5 29Z"/>
<path fill="none" {INK} d="M19 25.5H22.5M27.5 25.5H31M25 26L24 31.5H26M22 36.5Q25 38 28 36.5"/>
<path fill="currentColor" d="M15.5 20H34.5L33.5 24Q30 21.5 25 21.5T16.5 24Z"/>
<path {PAPER} {INK} d="M11 20C9 12 14 6 24 6C34 6 41 10 40.5 17C40.3 19 39.5 20 39 20Z"/>
<path {GILT} {INK} d="M10 20C10 17.5 11 16 12.5 16C21 13.5 31 13.5 38.5 16C40 16.5 40.5 18 40.5 20Z"/>
<path fill="currentColor" d="M33 14C39 13 46 8 47 1C41 1 34 5 31.5 12Z"/>
<path fill="none" stroke="var(--card-paper, #fffdf6)" stroke-width=".9" d="M33 13C37 10 42 6 45 3"/>""",
}

BACKS = {
    # Lattice, waves and grain: told apart by form, not only by hue.
    "lattice": '<path d="M0 10L10 0M0 20L20 0M10 20L20 10M0 0L20 20M10 0L20 10M0 10L10 20" stroke-width="1.2"/>',
    "waves": '<path d="M0 5Q5 0 10 5T20 5M0 12Q5 7 10 12T20 12M0 19Q5 14 10 19T20 19" stroke-width="1.4"/>',
    "grain": '<path d="M5 2L8 5L5 8L2 5ZM15 12L18 15L15 18L12 15ZM15 3.5V6.5M13.5 5H16.5M5 13.5V16.5M3.5 15H6.5" stroke-width="1.2"/>',
}


def place(name: str, x: float, y: float, size: float) -> str:
    """Return a suit of ``size`` units with its centre at x, y."""
    half = size / 2
    return f'<use href="#{name}" x="{x - half:g}" y="{y - half:g}" width="{size:g}" height="{size:g}"/>'


def index(rank: str, suit: str, glyphs: dict) -> str:
    """Return the column with the rank, 34 units high, over the suit."""
    width = glyphs[rank]["width"] * 0.34
    left = max(6, 24 - width / 2)
    return f'<use href="#r{rank}" transform="translate({left:.1f} 13) scale(.34)"/>{place(suit, 24, 72, 29)}'


def panel(rank: str, suit: str) -> str:
    """Return what the right of a face shows: pips, the ace's one large pip, or a court figure."""
    if rank == "A":
        inside = (
            '<path fill="none" stroke="var(--card-gilt, #c8962e)" stroke-width="1.5" '
            'd="M25 8L46 60L25 112L4 60ZM25 16L42.5 60L25 104L7.5 60Z"/>' + place(suit, 25, 60, 36)
        )
    elif rank in PIPS:
        inside = "".join(place(suit, x, y, PIP_SIZE[rank]) for x, y in PIPS[rank])
    else:
        inside = (
            f'<use href="#f{rank}"/><use href="#f{rank}" transform="rotate(180 25 60)"/>'
            '<path stroke="var(--card-gilt, #c8962e)" stroke-width="2.5" d="M0 60H50"/>'
        )
    frame = '<rect width="50" height="120" rx="5" fill="var(--card-tint, #f4ecd9)"/>'
    if rank in COURTS:
        frame += (
            '<rect x=".5" y=".5" width="49" height="119" rx="4.5" fill="none" stroke="currentColor" opacity=".35"/>'
        )
    return f'<g transform="translate(44 10)">{frame}{inside}</g>'


def sprite() -> str:
    """Return the whole picture."""
    glyphs = json.loads((HERE / "ranks.json").read_text())
    parts = ['<svg xmlns="http://www.w3.org/2000/svg">', "<defs>"]
    for rank in RANKS:
        parts.append(f'<path id="r{rank}" fill="currentColor" d="{glyphs[rank]["path"]}"/>')
    for rank, figure in COURTS.items():
        parts.append(f'<g id="f{rank}">{figure}</g>')
    for name, lines in BACKS.items():
        parts.append(
            f'<pattern id="p-{name}" width="20" height="20" patternUnits="userSpaceOnUse">'
            f'<g fill="none" stroke="var(--back-line, #e9dcc0)">{lines}</g></pattern>'
        )
    parts.append("</defs>")
    for suit, path in SUITS.items():
        parts.append(f'<symbol id="{suit}" viewBox="0 0 100 100"><path fill="currentColor" d="{path}"/></symbol>')
    for suit in SUITS:
        for rank in RANKS:
            parts.append(
                f'<symbol id="{rank}{suit}" viewBox="0 0 100 140">{index(rank, suit, glyphs)}{panel(rank, suit)}</symbol>'
            )
    for name in BACKS:
        parts.append(
            f'<symbol id="back-{name}" viewBox="0 0 100 140"><rect width="100" height="140" fill="var(--back-ground, #1f5560)"/>'
            f'<rect x="7" y="7" width="86" height="126" rx="5" fill="url(#p-{name})" stroke="var(--back-line, #e9dcc0)" '
            'stroke-width="1.5"/></symbol>'
        )
    parts.append("</svg>\n")
    return "\n".join(parts)


if __name__ == "__main__":
    TARGET.write_text(sprite())

"""Make static/fonts/suits.woff2: the four suit signs as the cards draw them, for use in running text.

Without it, systems choose a font of their own for the signs, some of them a picture font. Needs fonttools and
brotli; run ``python tools/cards/suit_font.py`` after changing a suit in draw.py.
"""

from draw import HERE, SUITS
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.cu2quPen import Cu2QuPen
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.svgLib.path import parse_path

TARGET = HERE.parent.parent / "static" / "fonts" / "suits.woff2"
CODEPOINTS = {"C": 0x2663, "D": 0x2666, "H": 0x2665, "S": 0x2660}
UNITS, SCALE, BEARING = 1000, 7.6, 40


def main() -> None:
    """Write the font."""
    glyphs = {".notdef": TTGlyphPen(None).glyph()}
    for suit, path in SUITS.items():
        pen = TTGlyphPen(None)
        # The picture's y grows downwards; its 100 units become capital height, a little below the base line.
        parse_path(path, TransformPen(Cu2QuPen(pen, 1.0, reverse_direction=True), (SCALE, 0, 0, -SCALE, 0, 720)))
        glyphs[suit] = pen.glyph()
    builder = FontBuilder(UNITS, isTTF=True)
    builder.setupGlyphOrder(list(glyphs))
    builder.setupCharacterMap({code: suit for suit, code in CODEPOINTS.items()})
    builder.setupGlyf(glyphs)
    metrics = {".notdef": (500, 0)}
    for suit in SUITS:
        glyph = glyphs[suit]
        glyph.coordinates.translate((BEARING - glyph.coordinates.calcBounds()[0], 0))
        metrics[suit] = (round(glyph.coordinates.calcBounds()[2]) + BEARING, BEARING)
    builder.setupHorizontalMetrics(metrics)
    builder.setupHorizontalHeader(ascent=900, descent=-200)
    builder.setupNameTable({"familyName": "Suits", "styleName": "Regular"})
    builder.setupOS2(sTypoAscender=900, sTypoDescender=-200, usWinAscent=900, usWinDescent=200)
    builder.setupPost()
    builder.font.flavor = "woff2"
    builder.save(TARGET)


if __name__ == "__main__":
    main()

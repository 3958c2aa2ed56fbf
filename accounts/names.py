"""User names in any script: how they are stored, compared and refused.

Three forms of a name matter. The *stored* form is what people see. The *comparison
key* is what two accounts may not share, so that case and width make no new name. The
*skeleton* (Unicode Technical Standard 39) is equal for names that look alike, so that
nobody passes for somebody else.
"""

import unicodedata
from functools import cache

import regex
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.module_loading import import_string
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from accounts.lookalikes import prototype

MIN_LENGTH = 2
MAX_LENGTH = 20
"""Lengths in grapheme clusters: characters as a person counts them."""

MAX_CODE_POINTS = 80
MAX_KEY_LENGTH = 255
MAX_MARKS_IN_A_ROW = 4
PUNCTUATION = "_.-"

# Scripts in modern use (Unicode Standard Annex 31, tables 5 and 7), by ISO 15924 code.
# The last three are the writing systems that use several scripts within a word.
_SCRIPTS = """
    Adlm Arab Armn Bali Batk Beng Bopo Cakm Cans Cham Cher Copt Cyrl Deva Ethi Geor Grek Gujr Guru Hang Hani Hebr
    Hira Java Kali Kana Khmr Knda Lana Laoo Latn Lepc Limb Lisu Mand Mlym Mong Mtei Mymr Newa Nkoo Olck Orya Osge
    Plrd Rohg Saur Sinh Sund Sylo Syrc Tale Talu Taml Tavt Telu Tfng Thaa Thai Tibt Vaii Wcho Yiii
""".split()  # noqa: SIM905
_SYSTEMS = (*((script,) for script in _SCRIPTS), ("Hira", "Kana", "Hani"), ("Bopo", "Hani"), ("Hang", "Hani"))
_ONE_SYSTEM = regex.compile(
    "|".join(
        "[" + "".join(rf"\p{{scx={script}}}" for script in (*system, "Zyyy", "Zinh")) + "]+" for system in _SYSTEMS
    )
)
_GRAPHEME = regex.compile(r"\X")
_INVISIBLE = regex.compile(r"\p{Default_Ignorable_Code_Point}|\p{C}")
_DIGITS = regex.compile(r"\p{Nd}")
_DIGITS_AS_LETTERS = str.maketrans("013457", "oieast")
#: A dot above that is put on a letter which has one takes its place, and nobody sees it.
_SECOND_DOT = regex.compile(r"(?<=[\p{Soft_Dotted}ıȷ])\u0307+")
_BETWEEN_WORDS = regex.compile(rf"[\s{regex.escape(PUNCTUATION)}]")

#: What names begin with that the house gives instead of one's own, before a dash and a number.
NEUTRAL_STEMS = CLOSED, RENAMED = ("Closed", "Player")

_RESERVED = """
    admin administrator anonymous bot computer deleted guest mod moderator moderators null official owner root server
    staff superuser support system undefined webmaster yourtrumps
    админ администратор модератор гость компьютер поддержка
    ადმინი ადმინისტრატორი მოდერატორი სტუმარი კომპიუტერი
    प्रशासक नियंत्रक अतिथी पाहुणा संगणक
    நிர்வாகி விருந்தினர் கணினி
    ແອດມິນ ຜູ້ດູແລ ແຂກ ຄອມພິວເຕີ
""".split()  # noqa: SIM905


def normalize(name: str) -> str:
    """Return a name as it is stored: NFC (NFKC would rewrite Lao ຳ ໜ ໝ), trimmed."""
    return unicodedata.normalize("NFC", name.strip())


def comparison_key(name: str) -> str:
    """Return what two names must not share: ``NFKC(casefold(NFKC(name)))``."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name.strip()).casefold())


def skeleton(name: str) -> str:
    """Return what names that look alike share, in whatever case.

    Letters are compared as they are drawn, so capital И is not like h, while capital I
    is like l; the result is case-folded so that "AIice" is like "alice".
    """
    drawn = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", name.strip()))
    drawn = _SECOND_DOT.sub("", drawn).replace("ເເ", "ແ")
    return unicodedata.normalize("NFD", "".join(prototype(char) for char in drawn)).casefold()


def length(name: str) -> int:
    """Return the number of characters as a person counts them."""
    return len(_GRAPHEME.findall(name))


def is_reserved(name: str) -> bool:
    """Return whether a name looks like one that nobody may have.

    Those kept for the house and for guests cannot be had with a number either, nor can those that the house
    gives; those that ``settings.RESERVED_NAMES`` adds are people's names, of which there may be a second with a number.
    """
    stem, _dash, number = name.rpartition("-")
    if number.isdecimal() and not _NEUTRAL_SKELETONS.isdisjoint({skeleton(stem), skeleton(stem.casefold())}):
        return True
    return not (
        all(_RESERVED_SKELETONS.isdisjoint({skeleton(bare), skeleton(bare.casefold())}) for bare in _bare(name))
        and _further_skeletons().isdisjoint({_joined(name), _joined(name.casefold())})
    )


def _bare(name: str) -> set[str]:
    """Return what a name says without signs between letters, its digits left out and as the letters they stand for."""
    joined = _BETWEEN_WORDS.sub("", name)
    return {_DIGITS.sub("", joined), _as_letters(joined), _as_letters(regex.sub(r"\p{Nd}+$", "", joined))}


def _as_letters(name: str) -> str:
    return name.translate(_DIGITS_AS_LETTERS)


def _joined(name: str) -> str:
    """Return the skeleton of a name without what may stand between its words."""
    return skeleton(_BETWEEN_WORDS.sub("", name))


@cache
def _further_skeletons() -> frozenset[str]:
    return frozenset(_joined(name) for name in import_string(settings.RESERVED_NAMES)())


def validate_name(name: str) -> None:
    """Raise ``ValidationError`` with what is wrong with a name that a person chose.

    Whether it is taken or reserved is not looked at here.
    """
    if _INVISIBLE.search(name):
        raise ValidationError(_("A user name cannot contain invisible characters."), code="invisible")
    if not all(_is_allowed(char) for char in name):
        raise ValidationError(
            _("A user name can contain letters of any language, digits, and the characters “_”, “.” and “-”."),
            code="characters",
        )
    if not any(unicodedata.category(char).startswith("L") for char in name):
        raise ValidationError(_("A user name needs at least one letter."), code="letter")
    if unicodedata.category(name[0]).startswith("M") or regex.search(rf"\p{{M}}{{{MAX_MARKS_IN_A_ROW + 1}}}", name):
        raise ValidationError(_("A user name cannot have signs that belong to no letter."), code="marks")
    _validate_length(name)
    if not _ONE_SYSTEM.fullmatch(name):
        raise ValidationError(
            _("A user name must be written in the letters of one script, so that it cannot be mistaken for another."),
            code="scripts",
        )


def _is_allowed(char: str) -> bool:
    category = unicodedata.category(char)
    if category[0] not in "LM" and category != "Nd":
        return char in PUNCTUATION
    # Styled letters (bold, circled, full width ...) are other letters in disguise. Those
    # marked <compat> are ordinary letters of Lao and Thai.
    decomposition = unicodedata.decomposition(char)
    return not decomposition.startswith("<") or decomposition.startswith("<compat>")


def _validate_length(name: str) -> None:
    count = length(name)
    if count < MIN_LENGTH:
        raise ValidationError(
            ngettext_lazy(
                "A user name has at least %(minimum)d character.",
                "A user name has at least %(minimum)d characters.",
                "minimum",
            )
            % {"minimum": MIN_LENGTH},
            code="min_length",
        )
    too_long = len(name) > MAX_CODE_POINTS or max(len(comparison_key(name)), len(skeleton(name))) > MAX_KEY_LENGTH
    if count > MAX_LENGTH or too_long:
        raise ValidationError(
            ngettext_lazy(
                "A user name has at most %(maximum)d character.",
                "A user name has at most %(maximum)d characters.",
                "maximum",
            )
            % {"maximum": MAX_LENGTH},
            code="max_length",
        )


_RESERVED_SKELETONS = frozenset(skeleton(word) for word in _RESERVED)
_NEUTRAL_SKELETONS = frozenset(skeleton(stem) for stem in NEUTRAL_STEMS)

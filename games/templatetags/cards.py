"""Cards, suits and backs as markup.

The pictures live in ``static/cards/cards.svg``; a tag here answers with a reference to one
of them and with its name in words. Every answer is built once per card, language and kind
and then served from memory: a table with thirty cards is rendered for each push.
"""

from collections.abc import Sequence
from functools import lru_cache

from django import template
from django.templatetags.static import static
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext

from games.present import words
from games.present.parts import CardView, TableView

register = template.Library()


def _picture(name: str) -> str:
    return f'<svg aria-hidden="true" focusable="false"><use href="{escape(static("cards/cards.svg"))}#{name}"/></svg>'


@lru_cache(maxsize=2048)
def _name(code: str, trump: str, language: str | None) -> str:
    spoken = words.spoken_card(code)
    if trump == "near":
        return escape(gettext("%(card)s, your trump") % {"card": spoken})
    if trump == "far":
        return escape(gettext("%(card)s, the opponent’s trump") % {"card": spoken})
    return escape(spoken)


@lru_cache(maxsize=4096)
def _face(code: str, trump: str, extra: str, with_id: bool, language: str | None) -> SafeString:
    identity = f' id="card-{code}"' if with_id else ""
    mark = f' data-trump="{trump}"' if trump else ""
    return mark_safe(  # noqa: S308 - the code is one of 52, everything else is escaped above
        f'<span{identity} class="card{extra}" data-card="{code}" data-suit="{code[1]}"{mark} role="img" '
        f'aria-label="{_name(code, trump, language)}">{_picture(code)}</span>'
    )


@register.simple_tag
def card(view: CardView, extra: str = "") -> SafeString:
    """Show a card of the table face up, with the id by which it is followed as it moves."""
    marks = " is-new" if view.new else ""
    return _face(view.code, view.trump, f"{marks} {extra}" if extra else marks, True, get_language())


@register.simple_tag
def row_of_cards(views: Sequence[CardView]) -> SafeString:
    """Show cards of the table face up, as :func:`card` shows each."""
    language = get_language()
    faces = (_face(view.code, view.trump, " is-new" if view.new else "", True, language) for view in views)
    return mark_safe("".join(faces))  # noqa: S308 - made of safe parts


@register.simple_tag
def list_of_cards(views: Sequence[CardView]) -> SafeString:
    """Show cards as items of a list, as :func:`card_picture` shows each."""
    language = get_language()
    faces = (f"<li>{_face(view.code, view.trump, '', False, language)}</li>" for view in views)
    return mark_safe("".join(faces))  # noqa: S308 - made of safe parts


@register.simple_tag
def card_picture(code: str, trump: str = "", extra: str = "") -> SafeString:
    """Show a card that is no part of a running table, such as in the rules."""
    return _face(code, trump, f" {extra}" if extra else "", False, get_language())


@lru_cache(maxsize=8192)
def _button(code: str, trump: str, extra: str, action: str, language: str | None) -> str:
    mark = f' data-trump="{trump}"' if trump else ""
    return (
        f'<button id="card-{code}" class="card{extra}" data-card="{code}" data-suit="{code[1]}"{mark}'
        f' aria-label="{_name(code, trump, language)}" {action}>{_picture(code)}</button>'
    )


@register.simple_tag
def hand_rows(table: TableView) -> SafeString:
    """Show the viewer's hand: every card a button that does what the stage asks for.

    In the stage ``beat`` a card is only chosen (a GET that answers with the stage
    ``cover``); leads, covers and last cards send the turn. A card that cannot be played
    stays in reach of the keyboard and says that it is not available. The cards of a hint
    are marked, and where there are two, in which order they are played.
    """
    language = get_language()
    hinted = [view.code for view in table.hints.cards] if table.hints else []
    chosen = table.chosen.code if table.chosen else ""
    last = table.near.card_count == 1
    rows = []
    for row in table.rows:
        buttons = []
        for view in row:
            code = view.code
            if code == chosen:
                continue
            if not view.playable:
                action = 'type="button" aria-disabled="true"'
            elif table.stage == "cover":
                action = f'name="move" value="{chosen}+{code}" form="turn-form"'
            elif table.stage == "beat" and not last:
                action = f'name="beat" value="{code}" form="choose-form"'
            else:
                action = f'name="move" value="{code}" form="turn-form"'
            extra = (" is-new" if view.new else "") + (" is-hinted" if code in hinted else "")
            if code in hinted and len(hinted) > 1:
                action += f' data-order="{hinted.index(code) + 1}"'
            buttons.append(_button(code, view.trump, extra, action, language))
        if buttons:
            rows.append(f'<div class="suit-row">{"".join(buttons)}</div>')
    return mark_safe("".join(rows))  # noqa: S308 - built from escaped parts


@lru_cache(maxsize=64)
def _suit(letter: str, extra: str) -> SafeString:
    return mark_safe(f'<span class="suit{extra}" data-suit="{letter}">{_picture(letter)}</span>')  # noqa: S308


@register.simple_tag
def suit(letter: str, extra: str = "") -> SafeString:
    """Show a suit's sign as a picture; the text beside it has to name the suit."""
    return _suit(letter, f" {extra}" if extra else "")


@lru_cache(maxsize=256)
def _backs(count: int) -> SafeString:
    return mark_safe("<i></i>" * count)  # noqa: S308


@register.simple_tag
def backs(count: int) -> SafeString:
    """Show a closed hand: one back for each card."""
    return _backs(max(0, count))


@register.filter
def spoken(code: str) -> str:
    """Return a card as one says it."""
    return words.spoken_card(code)


@register.filter
def short_card(code: str) -> str:
    """Return a card as one writes it in a sentence."""
    return words.short_card(code)


@register.simple_tag
def card_slot() -> SafeString:
    """Leave room in a sentence for a card that the page writes there."""
    return mark_safe('<span role="img" data-slot></span>')


def _named(short: str, spoken: str) -> str:
    return f'<span role="img" aria-label="{escape(spoken)}">{short}</span>'


@register.filter
def with_card_names(sentence: object) -> SafeString:
    """Let whoever hears a sentence hear the names of its cards, where the eye sees their signs."""
    return mark_safe(words.with_names(escape(str(sentence)), _named))  # noqa: S308 - escaped, but for the marks added here


@register.filter
def read_out(sentence: object) -> str:
    """Return a sentence that is only heard, its cards in words."""
    return words.with_names(str(sentence))


@register.filter
def suit_name(letter: str) -> str:
    """Return the name of a suit given by its letter."""
    return words.suit_name(letter)


@register.simple_tag
def hand_size(count: int) -> str:
    """Return how roomy a hand can be laid out: ``few``, ``some`` or ``many``."""
    if count <= 10:
        return "few"
    return "some" if count <= 20 else "many"

"""What tells of a card in a text: its code as a word, and its name."""

import re

from bs4 import BeautifulSoup

from games.present.words import short_card, spoken_card
from games.rules import card_name, cards_of


def names_of(hand: int) -> dict[str, list[str]]:
    """Return for each card of a hand all that would give it away."""
    codes = [card_name(card) for card in cards_of(hand)]
    return {code: [code, spoken_card(code), short_card(code)[1:-1]] for code in codes}


def without_tokens(text: str) -> str:
    """Return a page without its random tokens, in which two letters may stand by chance."""
    parsed = BeautifulSoup(text, "lxml")
    tokens = [str(field["value"]) for field in parsed.select("input[name=csrfmiddlewaretoken]")]
    for token in tokens:
        text = text.replace(token, "")
    return text


def given_away(hand: int, text: str, public: set[str]) -> list[str]:
    """Return what a text tells of the cards of a hand.

    ``public`` holds the codes of the cards that have lain face up: the turn list tells of
    them in words, wherever they are now.
    """
    text = without_tokens(text)
    found = []
    for code, signs in names_of(hand).items():
        for sign in signs[:1] if code in public else signs:
            pattern = (
                re.escape(sign) if " " in sign or not sign.isalnum() else rf"(?<![A-Za-z0-9]){sign}(?![A-Za-z0-9])"
            )
            if re.search(pattern, text):
                found.append(sign)
    return found

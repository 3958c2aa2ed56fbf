"""Cards, suits and turns in the reader's language: every sentence of the table, once.

All functions answer in the language that is active when they are called.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from itertools import batched

from django.conf import settings
from django.utils.translation import get_language, gettext, ngettext, override, pgettext

from accounts.models import User
from games.engine.levels import LEVELS, Level, level_of
from games.models import Match, NoResult
from games.rules import SUITS, Move, Reason, card_name, rank_of, suit_of

#: On the narrowest phone this many cards beside each other still show a finger's breadth of each.
CARDS_IN_A_ROW = 9
SUIT_SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}

#: Keeps a card's rank and sign together and left to right inside any text.
_ISOLATE, _END_ISOLATE = "\u2066", "\u2069"
_SHORT_CARD = re.compile(rf"(?<!\w){_ISOLATE}?([2-9JQKA]|10)([♣♦♥♠]){_END_ISOLATE}?")
_SUIT_OF_SIGN = {sign: suit for suit, sign in SUIT_SIGNS.items()}


def suit_name(suit: str) -> str:
    """Return the name of a suit given by its letter, in the plural as suits are named."""
    return {
        "C": pgettext("suit", "clubs"),
        "D": pgettext("suit", "diamonds"),
        "H": pgettext("suit", "hearts"),
        "S": pgettext("suit", "spades"),
    }[suit]


def trumps(suit: str, *, own: bool) -> str:
    """Say which suit is trumps of a side, which may be the reader's own."""
    sentence = gettext("Your trumps: %(suit)s") if own else gettext("Trumps: %(suit)s")
    return sentence % {"suit": suit_name(suit)}


def count_of_cards(count: int) -> str:
    """Return a number of cards in words."""
    return ngettext("%(count)s card", "%(count)s cards", count) % {"count": count}


def size_of_pile(count: int) -> str:
    """Say how many cards are in the pile."""
    if count < 2:
        return gettext("One card in the pile") if count else gettext("No pile")
    return ngettext("Pile of %(count)s", "Pile of %(count)s", count) % {"count": count}


def _rank_name(rank: str) -> str:
    return {
        "2": pgettext("rank", "two"),
        "3": pgettext("rank", "three"),
        "4": pgettext("rank", "four"),
        "5": pgettext("rank", "five"),
        "6": pgettext("rank", "six"),
        "7": pgettext("rank", "seven"),
        "8": pgettext("rank", "eight"),
        "9": pgettext("rank", "nine"),
        "T": pgettext("rank", "ten"),
        "J": pgettext("rank", "jack"),
        "Q": pgettext("rank", "queen"),
        "K": pgettext("rank", "king"),
        "A": pgettext("rank", "ace"),
    }[rank]


@lru_cache(maxsize=1024)
def _spoken(code: str, language: str | None) -> str:
    return gettext("%(rank)s of %(suit)s") % {"rank": _rank_name(code[0]), "suit": _suit_of_card(code[1])}


def _suit_of_card(suit: str) -> str:
    """Return a suit's name as it stands in a card's: many languages put it in another case there."""
    return {
        "C": pgettext("suit of a card", "clubs"),
        "D": pgettext("suit of a card", "diamonds"),
        "H": pgettext("suit of a card", "hearts"),
        "S": pgettext("suit of a card", "spades"),
    }[suit]


def spoken_card(code: str) -> str:
    """Return a card as one says it: "nine of hearts"."""
    return _spoken(code, get_language())


def short_card(code: str) -> str:
    """Return a card as one writes it in a sentence: ``9♥`` or ``10♠``."""
    rank = "10" if code[0] == "T" else code[0]
    return f"{_ISOLATE}{rank}{SUIT_SIGNS[code[1]]}{_END_ISOLATE}"


def with_names(text: str, mark: Callable[[str, str], str] = lambda _short, spoken: spoken) -> str:
    """Return a sentence with its cards in words, where it has them as rank and sign.

    ``mark`` takes a card as it was written and as it is spoken, and returns what stands in its place.
    """
    return _SHORT_CARD.sub(lambda found: mark(found[0], spoken_card(_code(found[1], found[2]))), text)


def _code(rank: str, sign: str) -> str:
    return ("T" if rank == "10" else rank) + _SUIT_OF_SIGN[sign]


def player_name(user: User) -> str:
    """Return how a player is called: a person by the name, the computer by its character's name."""
    if user.is_computer and hasattr(user, "computer"):
        return gettext(level_of(user.computer.level).name)
    return user.display_name


def character_names() -> set[str]:
    """Return what the computer's characters are called, in every language of the site."""
    names: set[str] = set()
    for code, _language in settings.LANGUAGES:
        with override(code):
            names.update(gettext(level.name) for level in LEVELS)
    return names


def levels() -> tuple[Level, ...]:
    """Return the computer's levels; names and lines are message ids."""
    return LEVELS


def level_line(number: int) -> str:
    """Return what is said of the character that plays a level."""
    return gettext(level_of(number).line)


def move_phrase(move: Move) -> str:
    """Return a move as one writes it among others: ``9♥ + K♦``, or that cards are picked up."""
    if move.is_take:
        return gettext("pick up")
    return " + ".join(short_card(card_name(card)) for card in move.cards)


def turn_sentence(who: str, move: Move, beaten: str | None, taken: int) -> str:
    """Return a turn as a sentence about the player ``who``.

    ``beaten`` is the code of the card that was on top (None for a lead), ``taken`` the
    number of cards that a pick-up took.
    """
    if move.is_take:
        return ngettext("%(player)s picks up %(count)d card.", "%(player)s picks up %(count)d cards.", taken) % {
            "player": who,
            "count": taken,
        }
    card = short_card(card_name(move.card))
    if beaten is None:
        return gettext("%(player)s leads %(card)s.") % {"player": who, "card": card}
    values = {"player": who, "beaten": short_card(beaten), "card": card}
    if len(move.cards) == 1:
        return gettext("%(player)s beats %(beaten)s with %(card)s, the last card.") % values
    values["cover"] = short_card(card_name(move.cover))
    return gettext("%(player)s beats %(beaten)s with %(card)s and covers with %(cover)s.") % values


def own_turn_sentence(move: Move, beaten: str | None, taken: int) -> str:
    """Return the reader's own turn as a sentence; the arguments are those of :func:`turn_sentence`."""
    if move.is_take:
        return ngettext("You pick up %(count)d card.", "You pick up %(count)d cards.", taken) % {"count": taken}
    card = short_card(card_name(move.card))
    if beaten is None:
        return gettext("You lead %(card)s.") % {"card": card}
    values = {"beaten": short_card(beaten), "card": card}
    if len(move.cards) == 1:
        return gettext("You beat %(beaten)s with %(card)s, your last card.") % values
    values["cover"] = short_card(card_name(move.cover))
    return gettext("You beat %(beaten)s with %(card)s and cover with %(cover)s.") % values


def end_sentence(match: Match, outcome: str, seat: int | None) -> str:
    """Return why a match is over, to whoever sits in a seat or in none; nothing while it is not.

    ``outcome`` is ``won`` or ``lost`` where it is that to the reader.
    """
    if not match.reason:
        return ""
    by_reader = match.was_ended_by(seat)
    if match.no_result == NoResult.MODERATOR:
        return gettext("A moderator ended the match: it does not count.")
    if match.no_result == NoResult.NOT_LED:
        return {
            True: gettext("You did not lead in time: the match does not count."),
            False: gettext("Your opponent did not lead in time: the match does not count."),
            None: gettext("Nobody led in time: the match does not count."),
        }[by_reader]
    return reason_sentence(match.reason, outcome, by_reader=by_reader)


def reason_sentence(reason: str, outcome: str = "", *, by_reader: bool | None = None) -> str:
    """Return why a match is over, to a reader for whom it is ``won`` or ``lost``, or to any other.

    ``by_reader`` says to one of the two whether the end of a match that a player aborted was the reader's own doing.
    """
    own = {
        (True, Reason.ABORTED): gettext("You aborted the match: it does not count."),
        (False, Reason.ABORTED): gettext("Your opponent aborted the match: it does not count."),
        ("won", Reason.CARDS_OUT): gettext("You have no cards left."),
        ("lost", Reason.CARDS_OUT): gettext("Your opponent has no cards left."),
        ("won", Reason.RESIGNATION): gettext("Your opponent resigned."),
        ("lost", Reason.RESIGNATION): gettext("You resigned."),
        ("won", Reason.TIME): gettext("Your opponent ran out of time."),
        ("lost", Reason.TIME): gettext("You ran out of time."),
    }
    said = own.get((outcome, Reason(reason))) or own.get((by_reader, Reason(reason)))
    return (
        said
        or {
            Reason.CARDS_OUT: gettext("The winner has no cards left."),
            Reason.LAST_CARD: gettext("The last card would have beaten the pile, so it is a draw."),
            Reason.REPETITION: gettext("The same position stood for the third time."),
            Reason.TURN_LIMIT: gettext("400 turns were played without a result."),
            Reason.RESIGNATION: gettext("The loser resigned."),
            Reason.AGREEMENT: gettext("The players agreed on a draw."),
            Reason.TIME: gettext("The loser ran out of time."),
            Reason.ABORTED: gettext("The match was aborted: it does not count."),
            Reason.MODERATOR: gettext("A moderator ended the match."),
        }[Reason(reason)]
    )


def trump_of(code: str, near: str | None, far: str | None) -> str:
    """Return whose trump a card is: ``near``, ``far`` or an empty string."""
    if code[1] == near:
        return "near"
    return "far" if code[1] == far else ""


def card_suit(card: int) -> str:
    """Return the letter of a card's suit."""
    return SUITS[suit_of(card)]


def sort_hand(cards: list[int], near_trump: str | None, by_rank: bool) -> list[list[int]]:
    """Return a hand in rows: a suit each with own trumps last, or by rank in rows that a finger can choose from."""
    if by_rank:
        ranked = sorted(cards, key=lambda card: (card_suit(card) == near_trump, rank_of(card), suit_of(card)))
        return [list(row) for row in batched(ranked, CARDS_IN_A_ROW)]
    rows: dict[str, list[int]] = {}
    for card in cards:
        rows.setdefault(card_suit(card), []).append(card)
    return [sorted(rows[suit]) for suit in sorted(rows, key=lambda suit: (suit == near_trump, SUITS.index(suit)))]

"""Whole numbers as browsers and sockets send them."""

#: No key, turn or count has more digits, and every database takes so many.
MOST_DIGITS = 18


def whole_number[T](value: object, otherwise: T) -> int | T:
    """Return the whole number that was sent, or ``otherwise`` for all but plain digits, 0 to 9, and not too many."""
    text = str(value) if isinstance(value, int | str) and not isinstance(value, bool) else ""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS else otherwise

"""Numbers on the command line of which only some make sense; ``argparse`` tells what is wrong with the others."""

import math
from argparse import ArgumentTypeError


def count(text: str) -> int:
    """Return a whole number of at least 1."""
    number = int(text)
    if number < 1:
        raise ArgumentTypeError("must be 1 or more")
    return number


def even_count(text: str) -> int:
    """Return an even number of at least 2."""
    number = int(text)
    if number < 2 or number % 2:
        raise ArgumentTypeError("must be an even number, 2 or more")
    return number


def duration(text: str) -> float:
    """Return seconds, more than none and not for ever."""
    seconds = float(text)
    if not (math.isfinite(seconds) and seconds > 0):
        raise ArgumentTypeError("must be more than 0")
    return seconds

"""Characters that look alike, after Unicode's list of confusables."""

import functools

from confusable_homoglyphs.confusables import confusables_data

_LEFT_TO_RIGHT_MARK = "\u200e"


def prototype(char: str) -> str:
    """Return the character or sequence that stands for all that look like this one."""
    return _prototypes().get(char, char)


@functools.cache
def _prototypes() -> dict[str, str]:
    """Return the stand-in of every character that has lookalikes.

    The data are pairs without direction. Unicode pairs every character with one
    stand-in that has no stand-in itself, so a group of lookalikes is a star around it.
    Where the star is a mere pair, a sequence is chosen first, since "rn" must come out
    the same whether it was typed as such or as "m".
    """
    neighbours = {_bare(char): [_bare(other["c"]) for other in others] for char, others in confusables_data.items()}
    prototypes: dict[str, str] = {}
    seen: set[str] = set()
    for start in neighbours:
        if start in seen:
            continue
        group = {start}
        ahead = [start]
        while ahead:
            new = set(neighbours.get(ahead.pop(), ())) - group
            group |= new
            ahead.extend(new)
        seen |= group
        chosen = min(group, key=lambda char: (-len(neighbours.get(char, ())), len(char) == 1, char))
        prototypes |= {char: chosen for char in group if len(char) == 1}
    return {char: "".join(prototypes.get(part, part) for part in chosen) for char, chosen in prototypes.items()}


def _bare(text: str) -> str:
    """Return text without the marks that the data wrap around right-to-left letters."""
    return text.strip(_LEFT_TO_RIGHT_MARK)

"""The eight levels: who plays them, and what each can and cannot do.

Plain data. The names and descriptions are message ids: whoever shows one translates it.
"""

from dataclasses import dataclass


def gettext_noop(message: str) -> str:
    """Return the message as it is; marks it for the catalogues."""
    return message


@dataclass(frozen=True, slots=True)
class Level:
    """A character at the table.

    ``nodes`` or ``seconds`` is what it looks at a turn; the weaker weigh each move by itself and so many turns
    (``depth``) after it. The rest are their weaknesses: the share of the opponent's
    cards that slip its mind, how far (in points) its liking for a move wanders, and by how many points it likes
    beating with a trump (``trumps``), covering high so that the other must pick up (``greed``; below 0 it keeps its
    high cards to itself) and showing off its aces (``aces``).
    """

    number: int
    name: str
    line: str
    nodes: int | None = None
    depth: int = 0
    seconds: float | None = None
    forgets: float = 0.0
    wanders: float = 0.0
    trumps: float = 0.0
    greed: float = 0.0
    aces: float = 0.0

    @property
    def is_full_strength(self) -> bool:
        """Whether the level has no weakness but its time."""
        return not (self.forgets or self.wanders or self.trumps or self.greed or self.aces)


LEVELS = (
    Level(
        1,
        gettext_noop("Daisy"),
        gettext_noop("Has just learnt the rules. Plays what looks nice and forgets what you hold."),
        depth=0,
        forgets=0.5,
        wanders=300,
        trumps=150,
        greed=-100,
        aces=100,
    ),
    Level(
        2,
        gettext_noop("Gogi"),
        gettext_noop("Loves a big trump and cannot wait to show it."),
        depth=0,
        forgets=0.2,
        wanders=110,
        trumps=30,
        greed=10,
    ),
    Level(
        3,
        gettext_noop("Noi"),
        gettext_noop("Quick and cheerful: covers high to see you pick up, and is sorry about it later."),
        depth=1,
        forgets=0.25,
        wanders=30,
        greed=10,
    ),
    Level(
        4,
        gettext_noop("Kumar"),
        gettext_noop("Plays every evening after work. Knows the tricks, loses count of the cards."),
        depth=1,
        forgets=0.06,
        wanders=8,
    ),
    Level(
        5,
        gettext_noop("Vera"),
        gettext_noop("Remembers every card and thinks before each one."),
        nodes=300,
    ),
    Level(
        6,
        gettext_noop("Professor Lund"),
        gettext_noop("Sees several turns ahead and explains it afterwards."),
        nodes=1_200,
    ),
    Level(
        7,
        gettext_noop("Meera"),
        gettext_noop("The champion of her town. Punishes the smallest slip."),
        nodes=9_500,
    ),
    Level(
        8,
        gettext_noop("The Old Master"),
        gettext_noop("Full strength. Takes his time, and the game."),
        seconds=1.0,
    ),
)


def level_of(number: int) -> Level:
    """Return a level by its number, 1 to 8. Raises ``ValueError`` for another."""
    if not 1 <= number <= len(LEVELS):
        raise ValueError(f"no such level: {number}")
    return LEVELS[number - 1]

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

    ``nodes`` or ``seconds`` is what it looks at a turn. The rest are its weaknesses: the share of the opponent's
    cards that slip its mind, how far (in points) its liking for a move wanders, and by how many points it likes
    beating with a trump (``trumps``), throwing away low cards whatever they leave open (``greed``) and showing off
    its aces (``aces``).
    """

    number: int
    name: str
    line: str
    nodes: int | None = None
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
        nodes=1,
        forgets=0.8,
        wanders=120,
        trumps=60,
        greed=100,
        aces=60,
    ),
    Level(
        2,
        gettext_noop("Gogi"),
        gettext_noop("Loves a big trump and cannot wait to show it."),
        nodes=1,
        forgets=0.6,
        wanders=70,
        trumps=40,
        greed=40,
        aces=40,
    ),
    Level(
        3,
        gettext_noop("Noi"),
        gettext_noop("Quick and cheerful: glad to be rid of her low cards, sorry about it later."),
        nodes=2,
        forgets=0.45,
        wanders=40,
        greed=30,
    ),
    Level(
        4,
        gettext_noop("Kumar"),
        gettext_noop("Plays every evening after work. Knows the tricks, loses count of the cards."),
        nodes=8,
        forgets=0.3,
        wanders=25,
    ),
    Level(
        5,
        gettext_noop("Vera"),
        gettext_noop("Thinks before every card and seldom forgets one."),
        nodes=30,
        forgets=0.15,
        wanders=10,
    ),
    Level(
        6,
        gettext_noop("Professor Lund"),
        gettext_noop("Remembers every card and sees a few turns ahead."),
        nodes=400,
    ),
    Level(
        7,
        gettext_noop("Meera"),
        gettext_noop("The champion of her town. Punishes the smallest slip."),
        nodes=15_000,
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

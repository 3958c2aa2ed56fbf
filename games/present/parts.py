"""The parts of pages, as templates take them."""

import datetime
from dataclasses import dataclass, field

from django.utils.translation import ngettext

from games.present import words


@dataclass(slots=True)
class CardView:
    """One face-up card. ``trump`` is ``near``, ``far`` or empty: whose trump it is."""

    code: str
    trump: str = ""
    playable: bool = False
    new: bool = False


@dataclass(slots=True)
class ClockView:
    """What a side's clock shows.

    ``remaining_ms`` is counted at the time of rendering; ``running`` says whether it falls.
    ``deadline`` is set on a clock that runs; ``days`` marks a correspondence clock.
    """

    remaining_ms: int
    running: bool
    days: bool
    deadline: datetime.datetime | None = None

    @property
    def text(self) -> str:
        """The time left as ``m:ss``, or in days and hours for a correspondence clock."""
        seconds = max(0, self.remaining_ms) // 1000
        if self.days:
            if seconds >= 2 * 86400:
                # To the nearest, so that who has just been given three days reads three.
                days = (seconds + 43200) // 86400
                return ngettext("%(count)d day", "%(count)d days", days) % {"count": days}
            if seconds >= 3600:
                hours = seconds // 3600
                return ngettext("%(count)d hour", "%(count)d hours", hours) % {"count": hours}
            minutes = seconds // 60
            return ngettext("%(count)d minute", "%(count)d minutes", minutes) % {"count": minutes}
        return f"{seconds // 60}:{seconds % 60:02d}"


@dataclass(slots=True)
class SideView:
    """One side of the table. ``cards`` is None where the viewer may not see the hand.

    ``own`` says that it is the viewer's, ``away`` that the player of a live match has no page of it open any more.
    """

    seat: int
    name: str
    username: str
    is_computer: bool
    is_guest: bool
    trump: str
    card_count: int
    to_move: bool
    won: bool
    own: bool = False
    clock: ClockView | None = None
    cards: list[CardView] | None = None
    away: bool = False

    @property
    def trumps(self) -> str:
        """Which suit is trumps of this side."""
        return words.trumps(self.trump, own=self.own)

    @property
    def count(self) -> str:
        """How many cards the hand has."""
        return words.count_of_cards(self.card_count)


@dataclass(slots=True)
class TurnLine:
    """One line of the turn list."""

    number: int
    seat: int
    notation: str
    sentence: str


@dataclass(slots=True)
class ResultView:
    """The end of a match as the viewer reads it; ``outcome`` is won, lost, draw, over or aborted.

    ``deal_query`` leads the page that checks deals to this one; ``has_turns`` says that there is something to analyse.
    """

    outcome: str
    headline: str
    explanation: str
    secret: str
    nonce: str
    deal_query: str
    has_turns: bool


@dataclass(slots=True)
class HintsView:
    """Hints in a match against the computer.

    ``asked`` counts them; ``mine`` says that they are the viewer's. In the viewer's turn one can be asked for, is
    waited for, or is there with its cards, its move in words and the reason.
    """

    asked: int
    mine: bool
    can_ask: bool = False
    waits: bool = False
    move: str = ""
    reason: str = ""
    cards: list[CardView] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class Layout:
    """What lies on a table, seen from the near side: the part that a match, a replay and a study board have in common.

    ``rows`` is the near hand where it may be seen; ``chosen`` is the beating card that waits for its cover;
    ``is_seated`` says that the near side is the viewer's own.
    """

    near: SideView
    far: SideView
    pile: list[CardView]
    rows: list[list[CardView]]
    sentence: str
    is_seated: bool
    chosen: CardView | None = None
    hints: HintsView | None = None

    @property
    def top(self) -> CardView | None:
        """The card to beat."""
        return self.pile[-1] if self.pile else None

    @property
    def under(self) -> list[CardView]:
        """The five cards before the top, bottom to top."""
        return self.pile[-6:-1]

    @property
    def pile_count(self) -> int:
        """The number of cards in the pile."""
        return len(self.pile)

    @property
    def pile_words(self) -> str:
        """How large the pile is."""
        return words.size_of_pile(len(self.pile))


@dataclass(slots=True, kw_only=True)
class TableView(Layout):
    """All that the table shows one viewer.

    ``stage`` is what is asked of the viewer: ``lead``, ``beat``, ``cover`` (a beating card
    is chosen), ``take`` (nothing beats), ``wait``, ``watch`` or ``over``. ``my_turns`` is in how
    many matches it is the viewer's turn. ``draw_offer`` is the side that offers a draw, ``near`` or ``far`` or empty;
    ``draw_declined`` says that the viewer's offer was declined since the viewer's latest turn. ``latest`` tells
    in words what the latest turn did, empty before the first; ``lead_within`` is the time for that, with live clocks.
    ``level`` and ``level_line`` are of the character that the computer plays, 0 and empty where two people play.
    """

    code: str
    url: str
    turn: int
    stage: str
    title: str
    pickup_count: int
    can_take: bool
    is_running: bool
    is_paused: bool
    terms: list[str]
    commitment: str
    draw_offer: str
    draw_declined: bool
    can_abort: bool
    can_claim_time: bool
    confirm_turns: bool
    latest: str
    lead_within: ClockView | None = None
    turns: list[TurnLine] = field(default_factory=list)
    result: ResultView | None = None
    rematch: "RematchView | None" = None
    days: "DaysView | None" = None
    my_turns: int = 0
    level: int = 0
    level_line: str = ""


@dataclass(slots=True)
class AwayView:
    """Time off of a player of the match; ``now`` says that it is under way."""

    name: str
    mine: bool
    begins: datetime.datetime
    ends: datetime.datetime
    now: bool


@dataclass(slots=True)
class DaysView:
    """What a match that lasts for days tells and offers beside the cards.

    ``livening`` is where playing on live stands: empty, ``possible`` (both are here),
    ``offered`` (by the viewer), ``asked`` or ``on``. ``waiting_elsewhere`` counts the other
    matches in which it is the viewer's turn.
    """

    away: list[AwayView]
    livening: str
    can_plan: bool
    line_count: int
    waiting_elsewhere: int


@dataclass(slots=True)
class RecapStep:
    """A turn that the viewer has not seen, with the top of the pile after it.

    ``laid`` is how many of these cards the turn laid there.
    """

    number: int
    sentence: str
    pile: list[CardView]
    laid: int


@dataclass(slots=True)
class Recap:
    """What happened since the viewer left; ``earlier`` counts unseen turns before the steps."""

    steps: list[RecapStep]
    earlier: int


@dataclass(slots=True)
class RematchView:
    """Where a rematch stands: ``none``, ``offered`` (by the viewer), ``asked`` or ``made``."""

    state: str
    url: str = ""


@dataclass(slots=True)
class SeatOffer:
    """An open seat in the lobby; ``age`` is a phrase such as "2 minutes", empty for a new one."""

    code: str
    url: str
    creator_name: str
    terms: list[str]
    trump: str
    mine: bool
    age: str


@dataclass(slots=True)
class PlayedNow:
    """A match that can be watched; ``mine`` says that the one who looks plays it."""

    code: str
    url: str
    players: list[str]
    terms: list[str]
    turn: int
    mine: bool


@dataclass(slots=True)
class MatchCard:
    """A match in a list of a player's own or of somebody's history.

    ``outcome`` is ``won``, ``lost``, ``draw``, ``aborted`` or empty, ``offer`` is ``sent``,
    ``received`` or empty, from the side of the player whose list it is; so is ``draw_offer``, which says
    whether a draw is offered in a running match. ``turn`` is the one that is to be played, ``played`` the
    number of those that were.
    """

    code: str
    url: str
    opponent: str
    opponent_username: str
    terms: list[str]
    my_turn: bool
    turn: int
    played: int
    left: ClockView | None
    outcome: str
    reason: str
    offer: str
    at: datetime.datetime | None
    away_until: datetime.datetime | None = None
    away_from: datetime.datetime | None = None
    is_computer: bool = False
    stands_still: bool = False
    draw_offer: str = ""


@dataclass(slots=True)
class MyPage:
    """A player's matches by what they ask of the player; ``still`` are those that wait for the moderators."""

    my_turn: list[MatchCard]
    waiting: list[MatchCard]
    still: list[MatchCard]
    offers: list[MatchCard]
    ended: list[MatchCard]
    is_paused: bool = False


@dataclass(slots=True)
class SuitChoice:
    """A trump suit that can be chosen."""

    letter: str
    name: str
    sign: str


@dataclass(slots=True)
class Invitation:
    """An open match as the one who looks at it may answer it.

    ``role`` is ``creator``, ``invited`` (asked by name), ``anyone`` (may accept) or
    ``outsider`` (the seat is offered to somebody else, or gone). ``earlier`` is the code of the match that
    a rematch follows, for those who played it; ``earlier_has_turns`` says that there is something to analyse.
    ``is_declined`` tells its creator that the one who was asked by name has declined it.
    """

    code: str
    url: str
    role: str
    state: str
    creator: str
    invited: str
    is_rematch: bool
    terms: list[str]
    is_declined: bool
    creator_trump: str
    creator_trump_name: str
    suits: list[SuitChoice]
    commitment: str
    link: str
    earlier: str = ""
    earlier_has_turns: bool = False

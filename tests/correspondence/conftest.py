"""Three people and their correspondence matches."""

import datetime
from collections.abc import Callable, Iterator

import pytest
import time_machine

from accounts.models import User
from games.models import Match, OpenTo, Pace, Seat
from games.services import playing, seating
from games.services.seating import MatchTerms

BEGIN = datetime.datetime(2027, 3, 1, 12, tzinfo=datetime.UTC)
NONCE = bytes(32)


@pytest.fixture
def ana(db: None) -> User:
    return User.objects.create_user("Ana", password="a-long-password")


@pytest.fixture
def bela(db: None) -> User:
    return User.objects.create_user("Bela", password="a-long-password")


@pytest.fixture
def outsider(db: None) -> User:
    return User.objects.create_user("Otto", password="a-long-password")


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    """Time that stands at ``BEGIN`` until it is moved."""
    with time_machine.travel(BEGIN, tick=False) as traveller:
        yield traveller


type Begin = Callable[..., Match]


@pytest.fixture
def begin(ana: User, bela: User) -> Begin:
    """Begin a match between Ana in seat 0 and Bela in seat 1."""

    def begin_match(first: User = ana, second: User = bela, **terms: object) -> Match:
        chosen = {"pace": Pace.CORRESPONDENCE, "days_per_turn": 2, **terms}
        match = seating.create(first, MatchTerms(**chosen), open_to=OpenTo.LINK)  # type: ignore[arg-type]
        seating.accept(match.code, second, nonce=NONCE)
        match.refresh_from_db()
        return match

    return begin_match


def mover(match: Match) -> User:
    """The player to move."""
    return Seat.objects.get(match=match, number=match.to_move).user


def waiter(match: Match) -> User:
    """The player who waits."""
    return Seat.objects.get(match=match, number=1 - match.to_move).user


def first_move(match: Match) -> str:
    """The first legal turn in the order of notations."""
    return min(str(move) for move in match.rules_position.legal_moves())


def play_on(match: Match, turns: int = 1) -> None:
    """Make turns, each the first legal one."""
    for _number in range(turns):
        playing.play(match.code, mover(match), match.turn, first_move(match))
        match.refresh_from_db()

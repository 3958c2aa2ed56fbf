"""The cast of the games' tests, matches made cheaply, and what is true of every match."""

import random
import threading
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from bs4 import BeautifulSoup
from django.db import connection

from accounts.models import Kind, User
from games.models import ComputerPlayer, Match, Move, OpenTo, Pace, Seat, Status
from games.models.match import new_code
from games.rules import Game, Reason, parse_move, parse_position
from games.services import playing, seating, timeoff
from games.services.seating import MatchTerms

PASSWORD = "seven red herrings"
UNTIMED = MatchTerms()
LIVE = MatchTerms(pace=Pace.LIVE, base_seconds=300, increment_seconds=5)
DAYS = MatchTerms(pace=Pace.CORRESPONDENCE, days_per_turn=3)

#: Seat 0 leads and can win, lose or draw within a few turns.
SHORT = "6C9C/7DKDAD - CD 0 strict"
#: Six turns that lead back to where they began (see the draw by repetition).
ROUND = "3H5H7S/TH9SQSKS - SH 0 strict"
ROUND_TRIP = ("3H", "TH+KS", "take", "9S", "KS+TH", "take")


def person(name: str, **fields: object) -> User:
    """Make a registered player who logs in with :data:`PASSWORD`."""
    return User.objects.create_user(name, password=PASSWORD, **fields)


def guest_player(name: str = "Guest-123456", **fields: object) -> User:
    """Make a guest."""
    return User.objects.create_user(name, kind=Kind.GUEST, **fields)


def computer(level: int = 3) -> User:
    """Return the computer's account of a level; tests that flush the database take those of the migration with them."""
    found = User.objects.filter(computer__level=level).first()
    if found is None:
        found = User.objects.create_user(f"computer-{level}", kind=Kind.COMPUTER)
        ComputerPlayer.objects.create(level=level, user=found)
    return found


def open_match(maker: User, terms: MatchTerms = UNTIMED, *, open_to: str = OpenTo.LINK, **more: object) -> Match:
    """Make a match whose second seat is offered."""
    return seating.create(maker, terms, open_to=open_to, **more)  # type: ignore[arg-type]


def start_match(
    first: User, second: User, terms: MatchTerms = UNTIMED, *, position: str = "", trumps: tuple[str, str] = ("S", "H")
) -> Match:
    """Make a match that has begun; it stands at ``position`` where one is given."""
    match = open_match(first, terms, trump=trumps[0])
    seating.accept(match.code, second, trumps[1])
    if position:
        stand_at(match, position)
    return Match.objects.get(pk=match.pk)


def stand_at(match: Match, position: str) -> None:
    """Let a match that nobody has led in begin at another position."""
    turn = parse_position(position).turn
    due = match.started_at if match.seats.get(number=turn).user.is_computer else None
    Match.objects.filter(pk=match.pk).update(start=position, position=position, to_move=turn, computer_due_at=due)


def copies(match: Match, count: int) -> list[Match]:
    """Return so many more matches like one in which no turn was made."""
    seats = list(match.seats.all())
    made = [Match.objects.get(pk=match.pk) for _ in range(count)]
    for copy in made:
        copy.pk, copy.code = None, new_code()
    made = Match.objects.bulk_create(made)
    rows = [Seat.objects.get(pk=seat.pk) for seat in seats for _ in made]
    for number, row in enumerate(rows):
        row.pk, row.match = None, made[number % count]
    Seat.objects.bulk_create(rows)
    return made


def player(match: Match, seat: int) -> User:
    """Return who sits in a seat."""
    return match.seats.get(number=seat).user


def mover(match: Match) -> User:
    """Return the player to move."""
    match = Match.objects.get(pk=match.pk)
    assert match.to_move is not None
    return player(match, match.to_move)


def waiter(match: Match) -> User:
    """Return the player who is not to move."""
    match = Match.objects.get(pk=match.pk)
    assert match.to_move is not None
    return player(match, 1 - match.to_move)


def any_move(match: Match, chance: random.Random | None = None) -> str:
    """Return a legal move, the first as strings go or one by chance."""
    moves = sorted(map(str, Match.objects.get(pk=match.pk).rules_position.legal_moves()))
    return chance.choice(moves) if chance else moves[0]


def play(match: Match, *moves: str) -> Match:
    """Play moves, each by the player whose turn it is, and return the match as it then stands."""
    for move in moves:
        now = Match.objects.get(pk=match.pk)
        playing.play(match.code, mover(now), now.turn, move)
        check(match)
    return Match.objects.get(pk=match.pk)


def play_randomly(match: Match, turns: int, seed: int = 1) -> Match:
    """Play random turns, at most so many as are asked for."""
    chance = random.Random(seed)
    for _ in range(turns):
        now = Match.objects.get(pk=match.pk)
        if not now.is_running:
            break
        playing.play(match.code, mover(now), now.turn, any_move(now, chance))
    return Match.objects.get(pk=match.pk)


def log(match: Match) -> list[str]:
    """Return the notations of a match's log."""
    return list(Move.objects.filter(match=match).order_by("turn").values_list("notation", flat=True))


def check(match: Match) -> Match:
    """Assert that what is stored of a match follows from its log, and return it as it is stored."""
    match = Match.objects.get(pk=match.pk)
    moves = list(Move.objects.filter(match=match).order_by("turn"))
    if match.status in (Status.OPEN, Status.CANCELLED):
        assert (match.start, match.position, match.turn, match.to_move, moves) == ("", "", 0, None, [])
        assert match.nonce is None
        return match
    game = Game(parse_position(match.start))
    for number, move in enumerate(moves, start=1):
        assert (move.turn, move.seat) == (number, game.position.turn)
        game.play(parse_move(move.notation))
    assert match.position == str(game.position)
    assert match.turn == len(moves) + 1
    if match.is_running:
        assert game.outcome is None
        assert match.to_move == game.position.turn
        assert (match.winner, match.reason, match.finished_at) == (None, "", None)
        assert (match.deadline is None) == (match.pace == Pace.UNTIMED)
    else:
        assert (match.to_move, match.deadline, match.computer_due_at, match.draw_offered_by) == (None,) * 4
        assert match.finished_at is not None
        if game.outcome is not None:
            assert (match.winner, match.reason) == (game.outcome.winner, game.outcome.reason)
        else:
            assert match.reason in set(Reason) - {
                Reason.CARDS_OUT,
                Reason.LAST_CARD,
                Reason.REPETITION,
                Reason.TURN_LIMIT,
            }
    return match


def check_all(matches: Iterable[Match] | None = None) -> None:
    """Assert of all matches that there are what :func:`check` asserts of one."""
    for match in Match.objects.all() if matches is None else matches:
        check(match)


def page(response: object) -> BeautifulSoup:
    """Return an answer's page, parsed."""
    return BeautifulSoup(response.content, "lxml")  # type: ignore[attr-defined]


def take_time_off_while(monkeypatch: pytest.MonkeyPatch, user: User, days: int, job: Callable[[], object]) -> None:
    """Take time off while somebody else does something, which begins when the deadlines have been looked at."""

    def run() -> None:
        try:
            job()
        finally:
            connection.close()

    meanwhile = threading.Thread(target=run)
    move_deadlines = timeoff._move_deadlines

    def moved(*args: Any) -> None:
        move_deadlines(*args)
        meanwhile.start()
        # Held, the other waits until time off is taken; not held, it has come between by then.
        meanwhile.join(0.5)

    monkeypatch.setattr(timeoff, "_move_deadlines", moved)
    timeoff.take(user, days)
    meanwhile.join(10)

"""Reads: matches as the one who looks may find them."""

import datetime
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, F, Max, Q, QuerySet
from django.utils import timezone

from accounts.models import Kind, User
from games.models import (
    AnalysedTurn,
    Analysis,
    Block,
    ChatLine,
    Heartbeat,
    Hint,
    LessonProgress,
    Match,
    Move,
    OpenTo,
    Pace,
    Room,
    Seat,
    Standing,
    Status,
    TimeOff,
)
from games.present import days, lists
from games.present.hints import hints_view
from games.present.layout import Viewer
from games.present.parts import MyPage, PlayedNow, SeatOffer, TableView
from games.present.table import TableBuilder, TurnLog
from games.rules import Reason


def find_match(code: str) -> Match | None:
    """Return a match with its seats, in one query, or None."""
    seats = list(Seat.objects.filter(match__code=code).select_related("match__invited", "user__computer"))
    if not seats:
        return None
    match = seats[0].match
    match.seated = sorted(seats, key=lambda seat: seat.number)
    return match


def table(
    match: Match,
    viewer: Viewer,
    *,
    chosen: str | None = None,
    log: TurnLog | None = None,
    lines_from: int = 1,
    elsewhere: int | None = None,
) -> TableView:
    """Return the table of a dealt match as a viewer may see it, in a fixed number of queries.

    ``chosen`` is the beating card that was chosen without a script. ``log`` is the log of an
    earlier call for this match, which is brought up to date; the lines of the turn list
    begin with turn ``lines_from``. ``elsewhere`` is in how many other matches it is the viewer's
    turn, where that is known already.
    """
    log = TurnLog(match.start) if log is None else log
    if len(log.turns) < match.turn - 1:
        # A turn made since the match was loaded is left for the next look.
        moves = Move.objects.filter(match=match, turn__gt=len(log.turns), turn__lt=match.turn).order_by("turn")
        log.extend(moves.values_list("seat", "notation"))
    rematch = None
    if match.is_over:
        rematch = Match.objects.filter(rematch_of=match).exclude(status=Status.CANCELLED).first()
    now = timezone.now()
    offs = days.time_off(match, now)
    builder = TableBuilder(
        match, log.turns, viewer, now, chosen=chosen, lines_from=lines_from, rematch=rematch, offs=offs
    )
    view = builder.build()
    if builder.seat is not None:
        known = elsewhere if elsewhere is not None else turns_elsewhere(builder.seat.user, match)
        view.my_turns = known + builder.is_mine
    if match.open_to == OpenTo.COMPUTER:
        view.hints = hints_view(match, builder.seat, list(Hint.objects.filter(match=match)))
    if match.pace != Pace.LIVE:
        view.days = days.days_view(match, viewer, now, offs, view.my_turns)
    return view


def lobby_seats(viewer: Viewer) -> list[SeatOffer]:
    """Return the open seats of the lobby, the newest first, at most a hundred.

    Those who do not want to meet, on either side, do not see each other's seats.
    """
    seats = Match.objects.in_lobby()
    if viewer.is_authenticated:
        seats = seats.exclude(seats__user__in=Block.objects.filter(blocker=viewer).values("blocked"))
        seats = seats.exclude(seats__user__in=Block.objects.filter(blocked=viewer).values("blocker"))
    return [lists.seat_offer(match, viewer) for match in seats.with_seats()[:100]]


def played_now(viewer: Viewer) -> list[PlayedNow]:
    """Return the live matches out of the lobby that are in play, the newest first, at most ten."""
    return [lists.played_now(match, viewer) for match in Match.objects.played_now().with_seats()[:10]]


def lobby(viewer: Viewer) -> dict[str, Any]:
    """Return what the lobby shows, for its page and for what is pushed to it, in a fixed number of queries."""
    return {"seats": lobby_seats(viewer), "played": played_now(viewer)}


def my_page(user: User) -> MyPage:
    """Return a player's matches: own turn first by time left, in a fixed number of queries."""
    now = timezone.now()
    seated = Match.objects.filter(seats__user=user)
    running = list(seated.running().with_seats().by_time_left())
    offers = Match.objects.filter(status=Status.OPEN).filter(Q(invited=user) | Q(seats__user=user)).distinct()
    offers = offers.with_seats().select_related("invited").order_by("-created_at")[:50]
    ended = seated.filter(status=Status.FINISHED).with_seats().order_by("-finished_at")[:10]
    players = {seat.user_id for match in running for seat in match.seated if match.pace == Pace.CORRESPONDENCE}
    offs = list(TimeOff.objects.of_players(players).ending_after(now))
    cards = [lists.match_card(match, user, now, offs) for match in running]
    return MyPage(
        my_turn=[card for card in cards if card.my_turn],
        waiting=[card for card in cards if not (card.my_turn or card.stands_still)],
        still=[card for card in cards if card.stands_still],
        offers=[lists.match_card(match, user, now) for match in offers],
        ended=[lists.match_card(match, user, now) for match in ended],
        is_paused=Standing.objects.filter(user=user, paused_at__isnull=False).exists(),
    )


def running_codes(user: User) -> list[str]:
    """Return the codes of a player's running matches."""
    return list(Match.objects.filter(seats__user=user).running().values_list("code", flat=True))


def next_match(user: User, after: str = "") -> Match | None:
    """Return the match, other than ``after``, in which it is this player's turn with the least time left."""
    # PostgreSQL takes no null character, not even to look for it.
    return Match.objects.awaiting(user.pk).exclude(code=after.replace("\0", "")).by_time_left().first()


def time_off_of(user: User, now: datetime.datetime) -> QuerySet[TimeOff]:
    """Return a player's time off that is under way or to come, the earliest first."""
    return TimeOff.objects.of_players([user.pk]).ending_after(now)


def my_turn_count(user: User) -> int:
    """Return in how many matches it is this player's turn."""
    return Match.objects.awaiting(user.pk).count()


def turns_elsewhere(user: User, match: Match) -> int:
    """Return in how many matches besides this one it is this player's turn."""
    return Match.objects.awaiting(user.pk).exclude(pk=match.pk).count()


def find_player(username: str) -> User | None:
    """Return the active account with this name, in whatever case it is written."""
    found = find_account(username)
    return found if found is not None and found.is_active else None


def find_account(username: str) -> User | None:
    """Return the account with this name, also one that its owner has left for good."""
    if "\0" in username:
        # PostgreSQL takes no such text, not even to look for it.
        return None
    try:
        return User.objects.get_by_natural_key(username)
    except User.DoesNotExist:
        return None


def find_line(code: str, number: int, reader: User, author: User) -> ChatLine | None:
    """Return an author's line in the reader's room at a table, also one that was hidden since it was read, or None."""
    # PostgreSQL takes no null character, not even to look for it.
    match = find_match(code.replace("\0", ""))
    if match is None:
        return None
    room = Room.SPECTATORS if match.seat_of(reader.pk) is None else Room.PLAYERS
    return ChatLine.objects.filter(match=match, room=room, author=author, pk=number).first()


@dataclass(slots=True)
class Record:
    """What a player has achieved: matches with a result."""

    played: int
    won: int
    lost: int
    drawn: int


def record(user: User) -> Record:
    """Return a player's results; matches without a result do not count."""
    counted = Seat.objects.filter(user=user, match__status=Status.FINISHED).exclude(match__reason=Reason.ABORTED)
    counts = counted.aggregate(
        played=Count("pk"),
        won=Count("pk", filter=Q(match__winner=F("number"))),
        drawn=Count("pk", filter=Q(match__winner__isnull=True)),
    )
    return Record(
        played=counts["played"],
        won=counts["won"],
        lost=counts["played"] - counts["won"] - counts["drawn"],
        drawn=counts["drawn"],
    )


def history(user: User, *, result: str = "", pace: str = "", opponent: str = "") -> QuerySet[Match]:
    """Return a player's finished matches, the latest first.

    ``result`` is ``won``, ``lost`` or ``drawn``, ``pace`` a :class:`games.models.Pace`,
    ``opponent`` a part of a name; empty ones do not filter.
    """
    matches = Match.objects.filter(seats__user=user, status=Status.FINISHED).annotate(own_seat=F("seats__number"))
    if result == "won":
        matches = matches.filter(winner=F("own_seat"))
    elif result == "lost":
        matches = matches.filter(winner=1 - F("own_seat"))
    elif result == "drawn":
        matches = matches.filter(winner__isnull=True).exclude(reason=Reason.ABORTED)
    if pace:
        matches = matches.filter(pace=pace)
    if opponent:
        others = Seat.objects.filter(user__username__icontains=opponent).exclude(user=user).values("match")
        matches = matches.filter(pk__in=others)
    return matches.with_seats().order_by("-finished_at", "-pk")


def lesson_of(user: User) -> int:
    """Return the lesson that a player goes on with, counted from 1."""
    return LessonProgress.objects.filter(user=user).values_list("step", flat=True).first() or 1


def worker_seen_at() -> datetime.datetime | None:
    """Return when any worker was last seen, or None where none ever was."""
    latest: datetime.datetime | None = Heartbeat.objects.aggregate(latest=Max("seen_at"))["latest"]
    return latest


def idle_guests(now: datetime.datetime) -> QuerySet[User]:
    """Return the guests to clean up: never played for a day, or idle for 30 days."""
    guests = User.objects.filter(kind=Kind.GUEST, is_active=True)
    never_played = Q(seats__isnull=True, date_joined__lte=now - datetime.timedelta(days=1))
    idle = Q(last_active_at__lte=now - datetime.timedelta(days=30))
    return guests.filter(never_played | idle).distinct()


@dataclass(slots=True)
class AnalysisState:
    """How far the analysis of a match is: ``none`` asked for, ``waiting``, ``running`` or ``done``.

    ``ahead`` is how many analyses come before it, or would if it were asked for now.
    """

    state: str
    ahead: int = 0
    looked_at: int = 0
    total: int = 0
    rows: list[AnalysedTurn] = field(default_factory=list)


def analysis_state(match: Match) -> AnalysisState:
    """Return how far the analysis of a match is, with what was found so far."""
    analysis = Analysis.objects.filter(match=match).first()
    if analysis is None:
        return AnalysisState("none", Analysis.objects.count_ahead_of(timezone.now(), match.turn))
    rows = list(analysis.turns.order_by("turn"))
    if analysis.done_at is not None:
        return AnalysisState("done", 0, len(rows), analysis.total, rows)
    ahead = Analysis.objects.count_ahead_of(analysis.asked_at, analysis.total)
    state = "running" if rows else "waiting"
    return AnalysisState(state, ahead, len(rows), analysis.total, rows)

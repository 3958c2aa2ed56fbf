"""What becomes of matches when a moderator steps in: they stand still, go on, or end."""

from collections.abc import Callable

from django.db import transaction
from django.utils import timezone

from accounts.holding import hold
from accounts.models import User
from games.models import Match, Status
from games.rules import Outcome, Reason
from games.services import clock
from games.services.batch import each
from games.services.errors import MatchError
from games.services.moderation.desk import Deed, Order, OrderError, doing, tell_opponents
from games.services.seating import withdraw
from games.services.table import HeldMatch, held

#: What a moderator can decide about a match that runs.
OUTCOMES = ("0", "1", "draw", "void")


def end_match(order: Order, code: str, turn: int, outcome: str) -> None:
    """End a running match: for seat ``0`` or ``1``, as a ``draw``, or ``void``, without a result.

    ``turn`` is the turn that the moderator looked at: where the match has gone on since,
    ``StaleTurnError`` is raised and nothing is changed. Raises ``MatchError`` for a match that is
    not in play, and ``OrderError`` for one that the subject does not play in.
    """
    if outcome not in OUTCOMES:
        raise OrderError
    with doing(order, "end", match_code=code) as deed, held(code) as table:
        if deed.subject.pk not in [seat.user_id for seat in table.seats]:
            raise OrderError
        table.require_running()
        table.require_turn(turn)
        deed.before = {"status": table.match.status, "turn": turn, "position": table.match.position}
        table.finish(_outcome(outcome))
        table.tell()
        deed.after = {"status": table.match.status, "outcome": outcome}
        tell_opponents(deed, [table.match])


def _outcome(outcome: str) -> Outcome:
    if outcome == "void":
        return Outcome(None, Reason.ABORTED)
    return Outcome(None if outcome == "draw" else int(outcome), Reason.MODERATOR)


def withdraw_offers(user: User) -> None:
    """Withdraw all open matches of an account, made by it or offered to it."""
    made = Match.objects.filter(status=Status.OPEN, seats__user=user)
    offered = Match.objects.filter(status=Status.OPEN, invited=user)
    for code in {*made.values_list("code", flat=True), *offered.values_list("code", flat=True)}:
        try:
            withdraw(code)
        except MatchError:
            # Taken or withdrawn meanwhile.
            continue


def stop_all(deed: Deed) -> None:
    """Let the subject's running matches stand still, and tell the opponents."""
    _for_each(deed, _pause)


def adjudicate_all(deed: Deed) -> None:
    """Decide the subject's running matches for the opponents, and tell them; one that nobody led in has no result."""
    _for_each(deed, lambda table: _give_up(table, deed.subject, Reason.MODERATOR))


def _for_each(deed: Deed, what: Callable[[HeldMatch], bool]) -> None:
    changed = []
    for code in _running(deed.subject):
        with held(code) as table:
            if table.match.status == Status.RUNNING and what(table):
                table.tell()
                changed.append(table.match)
    deed.after["matches"] = [match.code for match in changed]
    tell_opponents(deed, changed)


def _running(user: User) -> list[str]:
    """Return an account's running matches, in the order in which whoever needs several holds them."""
    return list(Match.objects.running().filter(seats__user=user).order_by("pk").values_list("code", flat=True))


def _pause(table: HeldMatch) -> bool:
    match = table.match
    if clock.is_late(match, table.now):
        table.finish_late()
        return True
    if match.paused_at is not None:
        return False
    match.paused_at = table.now
    match.paused_ms = clock.left_ms(match, table.seats, table.now)
    match.deadline = match.computer_due_at = None
    match.save(update_fields=["paused_at", "paused_ms", "deadline", "computer_due_at"])
    return True


def _give_up(table: HeldMatch, user: User, reason: Reason) -> bool:
    seat = next(seat.number for seat in table.seats if seat.user_id == user.pk)
    if table.match.turn <= 1:
        table.finish(Outcome(None, Reason.ABORTED), by=seat)
    else:
        table.finish(Outcome(1 - seat, reason), by=seat)
    return True


@transaction.atomic
def leave_all(user: User) -> None:
    """Give up all that an account plays, since its owner leaves: open matches are withdrawn, running ones resigned.

    A match in which nobody has led ends without a result, against the computer too.
    """
    hold(user.pk)
    withdraw_offers(user)
    for code in _running(user):
        with held(code) as table:
            if table.match.status == Status.RUNNING:
                _give_up(table, user, Reason.RESIGNATION)
                table.tell()


def resume_due() -> int:
    """Let the matches go on whose players may all play again, and return how many that were.

    The player to move has as much time as when the match was stopped.
    """
    now = timezone.now()
    waiting = Match.objects.running().filter(paused_at__isnull=False)
    barred = waiting.filter(seats__user__suspended_until__gt=now).values("pk")
    return sum(each(list(waiting.exclude(pk__in=barred).values_list("code", flat=True)[:200]), _resume))


def _resume(code: str) -> bool:
    with held(code) as table:
        still = table.match.paused_at is not None and table.match.status == Status.RUNNING
        if still:
            _go_on(table)
            table.tell()
    return still


def _go_on(table: HeldMatch) -> None:
    match = table.match
    if match.paused_ms is not None:
        clock.give_ms(match, table.seats, match.paused_ms, table.now)
    if match.to_move is not None and table.seats[match.to_move].user.is_computer:
        match.computer_due_at = table.now + clock.COMPUTER_PAUSE
    match.paused_at = match.paused_ms = None
    match.save(update_fields=["paused_at", "paused_ms", "deadline", "computer_due_at"])

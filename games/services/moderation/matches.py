"""Matches that a moderator ends, and those that go on again after a suspension."""

import datetime

from django.utils import timezone

from games import notices
from games.models import Match, NoResult, Status
from games.rules import Outcome, Reason
from games.services import clock
from games.services.batch import each
from games.services.moderation.desk import Order, OrderError, doing, tell_opponents
from games.services.table import HeldMatch, held

#: What a moderator can decide about a match that runs.
OUTCOMES = ("0", "1", "draw", "void")
#: A player whose clock has stood still is away, and has at least so long when it runs on.
AT_LEAST = datetime.timedelta(days=1)


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
        table.finish(_outcome(outcome), no_result=NoResult.MODERATOR if outcome == "void" else "")
        table.tell()
        deed.after = {"status": table.match.status, "outcome": outcome}
        tell_opponents(deed.subject.pk, table.match)


def _outcome(outcome: str) -> Outcome:
    if outcome == "void":
        return Outcome(None, Reason.ABORTED)
    return Outcome(None if outcome == "draw" else int(outcome), Reason.MODERATOR)


def resume_due() -> int:
    """Let the matches go on whose players may all play again, and return how many that were.

    The player to move has as much time as when the match was stopped, but a day at least, and is told of the turn
    anew. Each match goes on in a transaction of its own; call it outside of one.
    """
    now = timezone.now()
    waiting = Match.objects.running().filter(paused_at__isnull=False)
    barred = waiting.filter(seats__user__suspended_until__gt=now).values("pk")
    return sum(each(list(waiting.exclude(pk__in=barred).order_by("pk").values_list("code", flat=True)[:200]), _resume))


def _resume(code: str) -> bool:
    with held(code) as table:
        still = table.match.paused_at is not None and table.match.status == Status.RUNNING
        # Somebody may have been suspended since the match was found.
        still = still and not any(seat.user.is_suspended for seat in table.seats)
        if still:
            _go_on(table)
            table.tell()
    return still


def _go_on(table: HeldMatch) -> None:
    match = table.match
    match.turn_started_at = table.now
    if match.paused_ms is not None:
        left = max(match.paused_ms, AT_LEAST // datetime.timedelta(milliseconds=1))
        clock.give_ms(match, table.seats, left, table.now)
    if match.to_move is not None and table.seats[match.to_move].user.is_computer:
        match.computer_due_at = table.now + clock.COMPUTER_PAUSE
    match.paused_at = match.paused_ms = None
    match.save(update_fields=["paused_at", "paused_ms", "turn_started_at", "deadline", "computer_due_at"])
    notices.turn_goes_on(match, table.seats, table.now)

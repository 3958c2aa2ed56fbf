"""Leaving the tables: what becomes of an account's matches when its owner goes, or a moderator steps in.

An account may have hundreds of them, too many for one transaction that keeps all others waiting. So the account is
closed or barred first, together with a note of what is to become of its matches (:func:`put_down`), and then each match
is changed in a transaction of its own (:func:`carry_out`). What a crash leaves over is done by the worker. Meanwhile
nobody plays from that account, and matches against a suspended player stand still. Live ones do not stand still for
long: they end without a result, since nobody would be there when they could go on.
"""

import datetime

from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import User
from games.models import Departure, Leaving, Match, NoResult, Pace, Status
from games.rules import Outcome, Reason
from games.services import clock
from games.services.batch import each
from games.services.errors import MatchError
from games.services.moderation.desk import tell_opponents
from games.services.seating import withdraw
from games.services.table import HeldMatch, held

#: How long whoever has begun is left alone, before a worker takes over.
LEASE = datetime.timedelta(minutes=1)


def put_down(user: User, how: Departure) -> list[str]:
    """Note what is to become of the matches that an account has now, and return the codes of the running ones.

    Belongs into the transaction that holds the account and bars it; after that :func:`carry_out` is called.
    """
    leaving = Leaving(user=user, how=how, since=timezone.now())
    running = list(_running(leaving).values_list("code", flat=True))
    if running or _open(leaving).exists():
        Leaving.objects.update_or_create(
            user=user, how=how, defaults={"since": leaving.since, "due_at": leaving.since + LEASE}
        )
    return running


def carry_out(user: User) -> None:
    """Do with the matches of an account what was put down, each in a transaction of its own; call it outside of one."""
    for leaving in Leaving.objects.filter(user=user):
        _carry_out(leaving)


def leave(user: User, how: Departure) -> None:
    """Do it with the matches that an account has now, for a caller that comes back by itself where one fails."""
    _carry_out(Leaving(user=user, how=how, since=timezone.now()))


def carry_out_due(limit: int = 20) -> int:
    """Do what was put down and left undone, and return for how many accounts. Any number of workers may call this."""
    due = Leaving.objects.filter(due_at__lte=timezone.now()).order_by("due_at")
    return sum(each(list(due[:limit]), _take_over))


def _take_over(leaving: Leaving) -> bool:
    unclaimed = Leaving.objects.filter(pk=leaving.pk, due_at=leaving.due_at)
    if not unclaimed.update(due_at=timezone.now() + LEASE):
        return False
    _carry_out(leaving)
    return True


def _carry_out(leaving: Leaving) -> None:
    """Go through the matches; where one fails, the note stays, and a worker comes back to it."""

    def settle(code: str) -> None:
        with held(code) as table:
            if table.match.status == Status.RUNNING and _settle(table, leaving):
                table.tell()

    offers = list(_open(leaving).values_list("code", flat=True))
    running = list(_running(leaving).values_list("code", flat=True))
    done = [*each(offers, _withdraw), *each(running, settle)]
    if len(done) == len(offers) + len(running):
        Leaving.objects.filter(pk=leaving.pk, since=leaving.since).delete()


def _open(leaving: Leaving) -> QuerySet[Match]:
    """The open matches that the account has made or that are offered to it."""
    concerned = Q(seats__user=leaving.user_id) | Q(invited=leaving.user_id)
    return Match.objects.filter(concerned, status=Status.OPEN, created_at__lte=leaving.since).order_by("pk").distinct()


def _running(leaving: Leaving) -> QuerySet[Match]:
    """The running matches with which something is still to be done."""
    running = Match.objects.running().filter(seats__user=leaving.user_id, started_at__lte=leaving.since)
    if leaving.how == Departure.PLAY_ON:
        return running.none()
    return running.order_by("pk")


def _withdraw(code: str) -> None:
    try:
        withdraw(code)
    except MatchError:
        # Taken or withdrawn meanwhile.
        return


def _settle(table: HeldMatch, leaving: Leaving) -> bool:
    """Do with a match what was put down, and say whether that changed it."""
    if leaving.how == Departure.RESIGN:
        _give_up(table, leaving, Reason.RESIGNATION)
        return True
    if leaving.how == Departure.ADJUDICATE:
        _give_up(table, leaving, Reason.MODERATOR)
    elif clock.is_late(table.match, _moment(table.match, leaving)) and not table.match.livened:
        # Lost before the measure was taken, which has nothing to do with it.
        table.finish_late()
        return True
    elif not _stop(table, leaving):
        return False
    tell_opponents(leaving.user_id, table.match)
    return True


def _give_up(table: HeldMatch, leaving: Leaving, reason: Reason) -> None:
    """End a match for the opponent; one that nobody led in has no result."""
    seat = next(seat for seat in table.seats if seat.user_id == leaving.user_id)
    if reason == Reason.RESIGNATION:
        table.asker = seat
    if table.match.turn <= 1:
        no_result = NoResult.MODERATOR if reason == Reason.MODERATOR else ""
        table.finish(Outcome(None, Reason.ABORTED), by=seat.number, no_result=no_result)
    else:
        table.finish(Outcome(1 - seat.number, reason), by=seat.number)


def _stop(table: HeldMatch, leaving: Leaving) -> bool:
    """Let a match stand still until the suspension ends, and say whether that changed it.

    At live clocks nobody would sit when it goes on: a live match ends without a result, and a correspondence match that
    is played on live has its days again.
    """
    match = table.match
    player = next(seat.user for seat in table.seats if seat.user_id == leaving.user_id)
    if match.paused_at is not None or not player.is_suspended:
        return False
    if match.pace == Pace.LIVE:
        table.finish(Outcome(None, Reason.ABORTED), no_result=NoResult.MODERATOR)
        return True
    if match.livened:
        clock.back_to_days(match, table.seats, table.now)
    match.paused_at = table.now
    match.paused_ms = clock.left_ms(match, table.seats, _moment(match, leaving))
    match.deadline = match.computer_due_at = None
    match.save(
        update_fields=[
            "paused_at",
            "paused_ms",
            "deadline",
            "computer_due_at",
            "livened",
            "live_offered_by",
            "turn_started_at",
        ]
    )
    return True


def _moment(match: Match, leaving: Leaving) -> datetime.datetime:
    """Return as of when a match is stopped: none loses time to a measure that was taken before it could be stopped."""
    return max(leaving.since, match.turn_started_at or leaving.since)

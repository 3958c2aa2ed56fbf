"""Hints in matches against the computer: asking for one, and the worker's answer."""

import datetime
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games import broadcast
from games.models import Hint
from games.rules import Position
from games.services.errors import MatchError, NotYourTurnError
from games.services.history import positions
from games.services.table import running

#: How long a claim on a hint holds.
LEASE = datetime.timedelta(seconds=10)


class NoHintError(MatchError):
    """There are no hints in this match."""

    status = 403
    message = _("Hints are for matches against the computer.")


@dataclass(frozen=True, slots=True)
class HintTask:
    """A hint to be thought about."""

    pk: int
    code: str
    position: Position
    history: tuple[Position, ...]


def ask(code: str, user: User, turn: int) -> None:
    """Ask for a hint in one's own turn; asking again in the same turn changes nothing. Raises ``MatchError``."""
    with running(code) as table:
        seat = table.seat_of(user)
        table.require_turn(turn)
        if not table.seats[1 - seat.number].user.is_computer:
            raise NoHintError
        if table.match.to_move != seat.number:
            raise NotYourTurnError
        try:
            with transaction.atomic():
                Hint.objects.create(match=table.match, seat=seat.number, turn=turn)
        except IntegrityError:
            table.is_changed = False


def claim(limit: int, now: datetime.datetime | None = None) -> list[HintTask]:
    """Claim up to ``limit`` hints that wait for an answer; what is no longer wanted is dropped."""
    now = now or timezone.now()
    tasks: list[HintTask] = []
    waiting = Hint.objects.filter(answered_at=None).order_by("asked_at").select_related("match")
    for hint in waiting[: limit + 20]:
        if not hint.match.is_running or hint.match.turn != hint.turn:
            hint.delete()
            continue
        held = hint.claimed_until is not None and hint.claimed_until > now
        if held or len(tasks) == limit:
            continue
        claimed = Hint.objects.filter(pk=hint.pk, answered_at=None, claimed_until=hint.claimed_until)
        if claimed.update(claimed_until=now + LEASE):
            tasks.append(_task(hint))
    return tasks


def _task(hint: Hint) -> HintTask:
    *history, position = positions(hint.match, hint.turn)
    return HintTask(hint.pk, hint.match.code, position, tuple(history))


def answer(task: HintTask, move: str, reason: str, number: int) -> None:
    """Write a hint's answer down and tell the table."""
    with transaction.atomic():
        hint = Hint.objects.filter(pk=task.pk, answered_at=None).select_related("match").first()
        if hint is None:
            return
        hint.move, hint.reason, hint.number = move, reason, number
        hint.answered_at = timezone.now()
        hint.save(update_fields=["move", "reason", "number", "answered_at"])
        broadcast.match_changed(hint.match)

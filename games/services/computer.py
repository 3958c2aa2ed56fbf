"""The computer's turns: which are due, who claims them, what there is to think about."""

import datetime
from dataclasses import dataclass

from django.utils import timezone

from games.models import Match
from games.rules import Position
from games.services.history import positions

#: How long a claim on the computer's turn holds before another worker may try.
LEASE = datetime.timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class Task:
    """A turn that the computer is to make.

    ``history`` holds the positions before ``position``, oldest first.
    """

    code: str
    turn: int
    user_id: int
    level: int
    position: Position
    history: tuple[Position, ...]


def claim_due(limit: int) -> list[Task]:
    """Claim up to ``limit`` turns that the computer is to make now.

    A claim is a conditional update of the due time to the end of a lease, so any number
    of workers may call this and one of them gets each turn; one that dies is replaced
    when its lease ends.
    """
    now = timezone.now()
    tasks = []
    for match in list(Match.objects.computer_due(now)[:limit]):
        claimed = Match.objects.running().filter(pk=match.pk, computer_due_at=match.computer_due_at)
        if claimed.update(computer_due_at=now + LEASE):
            tasks.append(_task(match))
    return tasks


def _task(match: Match) -> Task:
    seat = match.seats.select_related("user__computer").get(number=match.mover)
    *history, position = positions(match)
    return Task(match.code, len(history) + 1, seat.user_id, seat.user.computer.level, position, tuple(history))

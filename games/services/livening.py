"""Playing a correspondence match on live while both players are at the table, by consent.

Live it is played with 5 minutes and 5 seconds a turn. When one of them leaves, the match
goes back to days a turn, also where the clock has just run out on somebody who is not there.
"""

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.models import Match, Pace
from games.services import clock
from games.services.batch import each
from games.services.errors import MatchError
from games.services.table import HeldMatch, running


def offer(code: str, user: User) -> None:
    """Offer to play on live, or agree where the opponent has offered it.

    The offer stands until it is answered or withdrawn, and can be agreed to only while both
    are there. Raises ``MatchError``.
    """
    with running(code) as table:
        seat = table.seat_of(user)
        match = table.match
        if match.pace != Pace.CORRESPONDENCE or match.livened or match.turn == 1:
            raise MatchError(_("This match cannot be played on live now."))
        seat.here_at = table.now
        if not both_here(table):
            raise MatchError(_("Your opponent is not at the table."))
        if match.live_offered_by == 1 - seat.number:
            clock.go_live(match, table.seats, table.now)
            table.save_clocks()
        elif match.live_offered_by == seat.number:
            table.is_changed = False
        else:
            match.live_offered_by = seat.number
            match.save(update_fields=["live_offered_by"])


def drop(code: str, user: User) -> None:
    """Decline or withdraw the offer to play on live, or go back to days a turn; without either nothing happens."""
    with running(code) as table:
        table.seat_of(user)
        if table.match.livened:
            table.back_to_days()
        elif table.match.live_offered_by is None:
            table.is_changed = False
        else:
            table.match.live_offered_by = None
            table.match.save(update_fields=["live_offered_by"])


def fall_back(limit: int = 200) -> int:
    """Put matches that are played on live, but that somebody has left, back to days; return how many."""
    left = Match.objects.left_while_livened(timezone.now()).values_list("code", flat=True)
    return sum(each(list(left[:limit]), _fall_back))


def _fall_back(code: str) -> bool:
    try:
        with running(code) as table:
            if table.match.livened and not both_here(table):
                table.back_to_days()
                return True
    except MatchError:
        # It ended meanwhile.
        pass
    return False


def both_here(table: HeldMatch) -> bool:
    """Whether both players have the table open."""
    return all(seat.is_here(table.now) for seat in table.seats)

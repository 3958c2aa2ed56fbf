"""Telling the moderators about another player."""

from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games import selectors
from games.models import Match, Report, ReportReason
from games.models.case import MAX_REPORT
from games.services.errors import MatchError
from games.services.fairplay import hold_open_case


class ReportError(MatchError):
    """This cannot be reported."""

    status = 422
    message = _("This cannot be reported.")


class ReportedAlreadyError(MatchError):
    """The reporter's earlier report for the same reason is still open."""

    message = _("You have reported this already. The moderators will look at it.")


def report(
    reporter: User, reported: User, reason: str, text: str = "", *, match_code: str = "", line_id: int | None = None
) -> Report:
    """Report a player, with the match and the chat line that it is about where there is one.

    A line is one of the match's. Raises :class:`ReportError` for oneself, the computer, an unknown reason, a match that
    is not the reported player's, or a line that is another's or not said in the reporter's room;
    :class:`ReportedAlreadyError` while an earlier one for the same reason is open.
    """
    if reported == reporter or reported.is_computer or reason not in ReportReason.values or len(text) > MAX_REPORT:
        raise ReportError
    line = selectors.find_line(match_code, line_id, reporter, reported) if line_id is not None else None
    if line is None and line_id is not None:
        raise ReportError
    # Who only looks on has lines at a table, but no seat there.
    match = line.match if line is not None else _match(reported, match_code)
    try:
        with transaction.atomic():
            return Report.objects.create(
                case=hold_open_case(reported),
                reporter=reporter,
                reported=reported,
                reason=reason,
                text=text.strip(),
                match=match,
                line=line,
            )
    except IntegrityError:
        raise ReportedAlreadyError from None


def _match(reported: User, code: str) -> Match | None:
    if not code:
        return None
    match = Match.objects.filter(code=code, seats__user=reported).first()
    if match is None:
        raise ReportError
    return match

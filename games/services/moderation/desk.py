"""The moderators' desk: who may act, whose case it is, what is written down and who is told."""

import datetime
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.holding import hold
from accounts.models import User
from accounts.restrictions import FOR_GOOD
from games import broadcast, notices
from games.models import Action, Case, Match, OfficialWord, Report, ReportReason, Verb, WordKind
from games.services.errors import MatchError

PERMISSION = "games.moderate"


class NotModeratorError(MatchError):
    """The asker may not do this to this account."""

    status = 403
    message = _("You may not do this to this account.")


class ClaimedError(MatchError):
    """Another moderator works on the case."""

    message = _("Another moderator is working on this case.")


class OrderError(MatchError):
    """The measure lacks something, or makes no sense."""

    status = 422
    message = _("This measure cannot be taken.")


@dataclass(frozen=True, slots=True)
class Order:
    """Who acts on whom and why: what every measure has in common.

    ``why`` is for moderators, ``message`` is what the player is told in the player's own language. With
    ``closes_case`` the case is closed together with the measure.
    """

    moderator: User
    subject: User
    reason: str
    why: str = ""
    message: str = ""
    case: Case | None = None
    closes_case: bool = False


@dataclass(slots=True)
class Deed:
    """A measure being taken: the subject's row under a lock, and what the log will hold.

    ``word`` is the kind of word that is left for the subject; none where it is empty. ``action`` is
    the row of the log, once the deed is done.
    """

    order: Order
    verb: str
    subject: User
    now: datetime.datetime
    until: datetime.datetime | None = None
    match_code: str = ""
    word: str = ""
    before: dict[str, Any] = field(default_factory=dict)
    after: dict[str, Any] = field(default_factory=dict)
    action: Action = field(default_factory=Action)


def require_moderator(moderator: User, subject: User | None = None) -> None:
    """Raise :class:`NotModeratorError` unless this account may act, and on this subject.

    Nobody acts on themselves or on the computer; on other staff only a superuser does.
    """
    allowed = (
        moderator.is_active and moderator.is_staff and moderator.is_in_good_standing and moderator.has_perm(PERMISSION)
    )
    if subject is not None:
        allowed = allowed and subject != moderator and not subject.is_computer
        allowed = allowed and (not subject.is_staff or moderator.is_superuser)
    if not allowed:
        raise NotModeratorError


@contextmanager
def doing(order: Order, verb: str, **known: Any) -> Iterator[Deed]:
    """Hold the subject's row while a measure is taken, then write the log and let the subject's sockets look again.

    Raises :class:`NotModeratorError` and :class:`OrderError`.
    """
    require_moderator(order.moderator, order.subject)
    if order.reason not in ReportReason.values:
        raise OrderError(_("Choose a reason."))
    if order.case is not None and order.case.reported_id != order.subject.pk:
        raise OrderError
    with transaction.atomic():
        deed = Deed(order, verb, hold(order.subject.pk), timezone.now(), **known)
        if order.case is not None:
            _require_unclaimed(order.case.pk, order.moderator)
        yield deed
        deed.action = Action.objects.create(
            actor=order.moderator,
            subject=deed.subject,
            case=order.case,
            verb=verb,
            reason=order.reason,
            why=order.why,
            message=order.message,
            until=deed.until,
            match_code=deed.match_code,
            before=deed.before,
            after=deed.after,
        )
        if deed.word:
            tell(deed.subject, deed.word, action=deed.action)
        if order.case is not None and order.closes_case:
            settle(order.case, order.moderator, acted_on=verb != Verb.LIFT)
        broadcast.account_changed(deed.subject.pk)


def change(deed: Deed, **fields: Any) -> None:
    """Change fields of the subject's row, and keep their values before and after for the log."""
    deed.before |= {name: _plain(getattr(deed.subject, name)) for name in fields}
    for name, value in fields.items():
        setattr(deed.subject, name, value)
    deed.subject.save(update_fields=list(fields))
    deed.after |= {name: _plain(value) for name, value in fields.items()}


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime.datetime) else value


def tell(user: User, kind: str, **about: Any) -> None:
    """Leave word for a player, to be read on the next page, and tell them as they wish to be told."""
    if user.is_computer:
        return
    word = OfficialWord.objects.create(user=user, kind=kind, **about)
    if word.action is not None:
        until = word.action.until if word.action.until != FOR_GOOD else None
        message, verb = word.action.message, word.action.verb
        notices.moderated(user, verb, message=message, until=until, key=f"word-{word.pk}")
    elif word.match is not None and word.match.is_over:
        notices.moderated(user, Verb.END_MATCH, match=word.match, key=f"word-{word.pk}")


def claim(case_id: int, moderator: User) -> None:
    """Take a case, so that no other moderator works on it; nobody takes one against themselves.

    Raises :class:`ClaimedError`.
    """
    require_moderator(moderator)
    if Case.objects.filter(pk=case_id, reported=moderator).exists():
        raise NotModeratorError
    free = Case.objects.filter(Q(claimed_by=None) | Q(claimed_by=moderator), pk=case_id, closed_at=None)
    if not free.update(claimed_by=moderator, claimed_at=timezone.now()):
        raise ClaimedError


def release(case_id: int, moderator: User) -> None:
    """Give a case back to the queue; one that somebody else has stays theirs, unless a superuser asks."""
    require_moderator(moderator)
    cases = Case.objects.filter(pk=case_id, closed_at=None)
    if not moderator.is_superuser:
        cases = cases.filter(claimed_by=moderator)
    cases.update(claimed_by=None, claimed_at=None)


def settle(case: Case, moderator: User, acted_on: bool) -> None:
    """Close a case and its reports, and let every reporter know how it ended. A closed one stays as it is.

    Raises :class:`ClaimedError` where another moderator has it.
    """
    require_moderator(moderator)
    with transaction.atomic():
        _require_unclaimed(case.pk, moderator)
        now = timezone.now()
        if not Case.objects.filter(pk=case.pk, closed_at=None).update(closed_at=now, claimed_by=moderator):
            return
        reports = list(Report.objects.filter(case=case, closed_at=None).select_related("reporter"))
        Report.objects.filter(pk__in=[report.pk for report in reports]).update(closed_at=now, acted_on=acted_on)
        for report in reports:
            tell(report.reporter, WordKind.REPORT, report=report)


def _require_unclaimed(case_id: int, moderator: User) -> None:
    """Raise :class:`ClaimedError` where another moderator has a case; a superuser may act on it all the same."""
    claimed_by = Case.objects.filter(pk=case_id).values_list("claimed_by", flat=True).first()
    if claimed_by not in (None, moderator.pk) and not moderator.is_superuser:
        raise ClaimedError


def tell_opponents(subject_id: int, match: Match) -> None:
    """Leave word for the subject's opponent that something was decided about their match."""
    for seat in match.seats.exclude(user=subject_id).select_related("user"):
        tell(seat.user, WordKind.MATCH, match=match)

"""Speaking up against a measure, once, and answering."""

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.models import APPEALABLE, Action, Appeal, AppealState, Verb, WordKind
from games.models.action import MAX_MESSAGE
from games.services.errors import MatchError
from games.services.moderation.desk import Deed, Order, OrderError, change, doing, require_moderator
from games.services.moderation.matches import resume_due

#: One of these takes the place of the other.
_BARRING = (Verb.SUSPEND, Verb.CLOSE)


class AppealedAlreadyError(MatchError):
    """Against a measure one can appeal once."""

    message = _("You have appealed against this measure already.")


def appeal(user: User, action_id: int, text: str) -> Appeal:
    """Appeal against a measure that was taken against oneself.

    Raises ``OrderError`` for another's measure or an empty text, :class:`AppealedAlreadyError` for a second appeal.
    """
    action = Action.objects.filter(pk=action_id, subject=user, verb__in=APPEALABLE).first()
    # PostgreSQL keeps no text with a null character in it.
    text = text.replace("\0", "").strip()
    if action is None or not text or len(text) > MAX_MESSAGE:
        raise OrderError(_("Say in a few sentences why the measure is wrong."))
    try:
        with transaction.atomic():
            return Appeal.objects.create(action=action, text=text)
    except IntegrityError:
        raise AppealedAlreadyError from None


def decide(moderator: User, appeal_id: int, lifted: bool, answer: str) -> Action:
    """Answer an appeal: the measure is lifted, or it stands.

    Another moderator than the one who took the measure decides; a superuser may always. Raises
    ``MatchError`` where that is not so, or the appeal has been decided.
    """
    require_moderator(moderator)
    found = Appeal.objects.select_related("action__subject").filter(pk=appeal_id).first()
    if found is None:
        raise OrderError
    if found.action.actor_id == moderator.pk and not moderator.is_superuser:
        raise OrderError(_("Another moderator decides on appeals against your measures."))
    measure = found.action
    order = Order(moderator, measure.subject, measure.reason, message=answer.strip())
    with doing(order, Verb.LIFT if lifted else Verb.UPHOLD, word=WordKind.APPEAL) as deed:
        decided = Appeal.objects.filter(pk=appeal_id, state=AppealState.OPEN).update(
            state=AppealState.LIFTED if lifted else AppealState.UPHELD,
            answer=answer.strip(),
            decided_by=moderator,
            decided_at=timezone.now(),
        )
        if not decided:
            raise OrderError(_("This appeal has been decided already."))
        deed.before = {"appeal": appeal_id, "measure": measure.pk}
        if lifted:
            _undo(deed, measure)
    resume_due()
    return deed.action


def _undo(deed: Deed, measure: Action) -> None:
    """Take a measure back, as far as it is still in force and no later one has taken its place."""
    subject = deed.subject
    kind = _BARRING if measure.verb in _BARRING else (measure.verb,)
    if Action.objects.filter(subject=subject, verb__in=kind, pk__gt=measure.pk).exists():
        return
    if measure.verb == Verb.MUTE and subject.muted_until == measure.until:
        change(deed, muted_until=None)
    elif measure.verb in _BARRING and subject.suspended_until == measure.until:
        change(deed, suspended_until=None)
    elif measure.verb == Verb.RENAME:
        change(deed, must_rename=False)

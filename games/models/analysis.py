"""What the engine was asked about finished matches and about positions, and what it answered."""

import datetime

from django.conf import settings
from django.db import models
from django.db.models import ExpressionWrapper, F, Q, Value
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.models.match import Match


class Assessed(models.Model):
    """What the engine thinks of a position, from the side of the player to move.

    ``chance`` is the expected result, from 0 (lost) to 1 (won). ``proven`` is the number of turns of a proven win,
    the negative one of a proven loss, else null. ``line`` is the best play found for both, ``best`` its first move.
    """

    chance = models.FloatField(_("expected result"), null=True)
    proven = models.SmallIntegerField(_("turns of a proven result"), null=True)
    best = models.CharField(_("best move"), max_length=5, blank=True)
    line = models.CharField(_("line"), max_length=240, blank=True)
    depth = models.PositiveSmallIntegerField(_("depth"), default=0)

    class Meta:
        abstract = True


#: Each position to look at lets those who asked so much later go first: a short match does not wait behind long ones,
#: and a long one waits for no more than its own length in such steps.
PATIENCE = datetime.timedelta(seconds=1)

_COUNT = ExpressionWrapper(F("total"), models.IntegerField())
_DELAY = ExpressionWrapper(_COUNT * Value(PATIENCE, models.DurationField()), models.DurationField())
_PLACE = ExpressionWrapper(F("asked_at") + _DELAY, models.DateTimeField())


class AnalysisQuerySet(models.QuerySet["Analysis"]):
    """Ways to find analyses."""

    def wanted(self) -> "AnalysisQuerySet":
        """Analyses that are not done, the one to be done first before all others."""
        return self.filter(done_at=None).order_by(_PLACE, "pk")

    def count_ahead_of(self, asked_at: datetime.datetime, total: int) -> int:
        """Return how many are done before one that was asked for then and has so many positions."""
        return self.filter(done_at=None).alias(place=_PLACE).filter(place__lt=asked_at + total * PATIENCE).count()

    def free(self, now: datetime.datetime) -> "AnalysisQuerySet":
        """Analyses that no living worker is at, in the order of :meth:`wanted`."""
        return self.wanted().filter(Q(claimed_until=None) | Q(claimed_until__lte=now))


class Analysis(models.Model):
    """The analysis of one finished match: a place in the queue, then position after position, then done.

    ``total`` is the number of positions to look at. A worker's claim holds until ``claimed_until``; the rows of its
    turns say how far it has come, so that another can go on from there.
    """

    match = models.OneToOneField(
        Match, verbose_name=pgettext_lazy("game", "match"), on_delete=models.CASCADE, related_name="analysis"
    )
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("asked by"),
        null=True,
        on_delete=models.SET_NULL,
        related_name="analyses",
    )
    asked_at = models.DateTimeField(_("asked for"), auto_now_add=True)
    total = models.PositiveSmallIntegerField(_("positions"))
    claimed_until = models.DateTimeField(_("claimed until"), null=True)
    done_at = models.DateTimeField(_("done"), null=True)

    objects = AnalysisQuerySet.as_manager()

    class Meta:
        verbose_name = _("analysis")
        verbose_name_plural = _("analyses")
        indexes = [models.Index(fields=["asked_at"], condition=Q(done_at=None), name="analysis_wanted")]
        constraints = [
            models.UniqueConstraint(fields=["asked_by"], condition=Q(done_at=None), name="analysis_one_a_player")
        ]

    def __str__(self) -> str:
        return str(self.match_id)


class AnalysedTurn(Assessed):
    """What the engine thinks of the position before turn ``turn``."""

    analysis = models.ForeignKey(Analysis, verbose_name=_("analysis"), on_delete=models.CASCADE, related_name="turns")
    turn = models.PositiveSmallIntegerField(_("turn"))

    class Meta:
        verbose_name = _("analysed turn")
        verbose_name_plural = _("analysed turns")
        ordering = ["analysis", "turn"]
        constraints = [models.UniqueConstraint(fields=["analysis", "turn"], name="analysed_turn_once")]

    def __str__(self) -> str:
        return f"{self.turn}. {self.best}"


class Evaluation(Assessed):
    """A position that somebody tries out, and what a short look says of it; kept for a day."""

    position = models.CharField(_("position"), max_length=160, unique=True)
    asked_at = models.DateTimeField(_("asked for"), auto_now_add=True)
    claimed_until = models.DateTimeField(_("claimed until"), null=True)
    answered_at = models.DateTimeField(_("answered"), null=True)

    class Meta:
        verbose_name = _("evaluation")
        verbose_name_plural = _("evaluations")
        indexes = [models.Index(fields=["asked_at"], condition=Q(answered_at=None), name="evaluation_wanted")]

    def __str__(self) -> str:
        return self.position


class HintReason(models.TextChoices):
    """Why a move is the best one: each is true of the position, and the first that is so is told."""

    WINS = "wins", _("wins by force")
    ONLY = "only", _("the only move")
    HOLDS = "holds", _("holds out longest")
    STANDS = "stands", _("leaves nothing that beats it")
    DRAWS = "draws", _("reaches a draw")
    KEEPS = "keeps", _("keeps the trumps")
    GETS = "gets", _("gets trumps")
    SAVES = "saves", _("saves the better cards")
    SHEDS = "sheds", _("gets rid of a low card")
    LOOKS = "looks", _("looks best some turns ahead")


class Hint(models.Model):
    """A hint that a seat asked for in a turn against the computer, and its answer.

    ``number`` is what the reason counts: turns to the end, cards that the opponent picks up, turns looked ahead.
    """

    match = models.ForeignKey(
        Match, verbose_name=pgettext_lazy("game", "match"), on_delete=models.CASCADE, related_name="hints"
    )
    seat = models.PositiveSmallIntegerField(_("seat"))
    turn = models.PositiveSmallIntegerField(_("turn"))
    asked_at = models.DateTimeField(_("asked for"), auto_now_add=True)
    claimed_until = models.DateTimeField(_("claimed until"), null=True)
    answered_at = models.DateTimeField(_("answered"), null=True)
    move = models.CharField(_("move"), max_length=5, blank=True)
    reason = models.CharField(_("reason"), max_length=6, choices=HintReason, blank=True)
    number = models.PositiveSmallIntegerField(_("number"), default=0)

    class Meta:
        verbose_name = _("hint")
        verbose_name_plural = _("hints")
        indexes = [models.Index(fields=["asked_at"], condition=Q(answered_at=None), name="hint_wanted")]
        constraints = [models.UniqueConstraint(fields=["match", "turn"], name="hint_once")]

    def __str__(self) -> str:
        return f"{self.turn}. {self.move}"

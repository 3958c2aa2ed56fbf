"""The move log: append-only, the truth about a match."""

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.models.match import Match


class Origin(models.TextChoices):
    """How a turn came about."""

    PLAYER = "", _("made by the player")
    LINE = "line", _("laid down beforehand")
    FORCED = "forced", _("the only one that the rules allowed")


class Move(models.Model):
    """One turn that was made.

    ``position_key`` is a digest of the position after the turn (see
    :func:`games.services.history.position_key`), by which repetitions are counted.
    """

    match = models.ForeignKey(
        Match, verbose_name=pgettext_lazy("game", "match"), on_delete=models.CASCADE, related_name="moves"
    )
    turn = models.PositiveSmallIntegerField(_("turn"))
    seat = models.PositiveSmallIntegerField(_("seat"))
    notation = models.CharField(_("notation"), max_length=5)
    played_at = models.DateTimeField(_("server time"))
    origin = models.CharField(_("origin"), max_length=6, blank=True, choices=Origin, default=Origin.PLAYER)
    clock_ms = models.BigIntegerField(_("clock after the turn, in milliseconds"), null=True)
    position_key = models.BigIntegerField(_("key of the position"))

    class Meta:
        verbose_name = _("move")
        verbose_name_plural = _("moves")
        ordering = ["match", "turn"]
        constraints = [
            models.UniqueConstraint(fields=["match", "turn"], name="move_once"),
            models.CheckConstraint(condition=models.Q(seat__in=(0, 1)), name="move_seat"),
        ]

    def __str__(self) -> str:
        return f"{self.turn}. {self.notation}"

"""Conditional turns: replies that a player lays down before the opponent has moved."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.seat import Seat

MAX_TURNS = 20


class Line(models.Model):
    """Turns to come as one player plans them: the opponent's and the own, by turns.

    ``turn`` is the number of the opponent's turn that the line begins with, ``moves`` the
    notations with a space between them, an even number. Only the player of the seat may see it.
    """

    seat = models.ForeignKey(Seat, verbose_name=_("seat"), on_delete=models.CASCADE, related_name="lines")
    turn = models.PositiveSmallIntegerField(_("turn"))
    moves = models.CharField(_("moves"), max_length=6 * MAX_TURNS)
    laid_at = models.DateTimeField(_("laid down"), auto_now_add=True)

    class Meta:
        verbose_name = _("line of conditional turns")
        verbose_name_plural = _("lines of conditional turns")
        ordering = ["seat", "pk"]
        constraints = [models.UniqueConstraint(fields=["seat", "turn", "moves"], name="line_once")]

    def __str__(self) -> str:
        return f"{self.turn}. {self.moves}"

    @property
    def notations(self) -> list[str]:
        """The turns of the line, the opponent's first."""
        return self.moves.split(" ")

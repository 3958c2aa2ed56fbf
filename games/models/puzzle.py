"""Puzzles: positions in which exactly one move wins, and who tried them."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class Puzzle(models.Model):
    """A position with one winning move.

    ``line`` is the best play for both, in notation with spaces between, ``asked`` how many of its moves are to be
    found, the opponent's counted; up to there every other move of the solver is proven to lose. ``turns`` is the
    length of the win.
    """

    number = models.PositiveIntegerField(_("number"), unique=True)
    position = models.CharField(_("position"), max_length=160, unique=True)
    line = models.CharField(_("line"), max_length=240)
    asked = models.PositiveSmallIntegerField(_("moves asked"))
    turns = models.PositiveSmallIntegerField(_("turns to the win"))
    grade = models.PositiveSmallIntegerField(_("grade"), db_index=True)

    class Meta:
        verbose_name = _("puzzle")
        verbose_name_plural = _("puzzles")
        ordering = ["number"]

    def __str__(self) -> str:
        return f"#{self.number}"

    def get_absolute_url(self) -> str:
        """The address of the puzzle's page."""
        return reverse("games:puzzle", args=[self.number])

    @property
    def moves(self) -> list[str]:
        """The line, move by move."""
        return self.line.split()


class PuzzleAttempt(models.Model):
    """A player's way through a puzzle.

    ``step`` is how many moves of the line have been played, the opponent's counted. ``missed`` counts wrong moves,
    ``shown`` says that the player gave up. ``solved_at`` is when it was solved first, ``daily_on`` the day on which it
    was solved as the daily puzzle. On that day a puzzle that was finished before may be tried anew: all but
    ``solved_at`` is of the latest try.
    """

    puzzle = models.ForeignKey(
        Puzzle, verbose_name=pgettext_lazy("game", "puzzle"), on_delete=models.CASCADE, related_name="attempts"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("player"), on_delete=models.CASCADE, related_name="puzzle_attempts"
    )
    step = models.PositiveSmallIntegerField(_("moves played"), default=0)
    missed = models.PositiveSmallIntegerField(_("wrong moves"), default=0)
    last_miss = models.CharField(_("latest wrong move"), max_length=5, blank=True)
    shown = models.BooleanField(pgettext_lazy("puzzle", "given up"), default=False)
    started_at = models.DateTimeField(_("begun"), auto_now_add=True)
    solved_at = models.DateTimeField(_("solved"), null=True)
    daily_on = models.DateField(_("solved as the daily puzzle of"), null=True)

    class Meta:
        verbose_name = _("attempt at a puzzle")
        verbose_name_plural = _("attempts at puzzles")
        indexes = [
            models.Index(fields=["user", "-daily_on"], condition=Q(daily_on__isnull=False), name="attempt_daily"),
        ]
        constraints = [models.UniqueConstraint(fields=["user", "puzzle"], name="attempt_once")]

    def __str__(self) -> str:
        return f"{self.user_id}/{self.puzzle_id}"

    @property
    def is_solved(self) -> bool:
        """Whether all that is asked has been found in this try."""
        return not self.shown and self.step >= self.puzzle.asked

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to find."""
        return self.shown or self.is_solved

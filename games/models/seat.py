"""A player's place at a match."""

import datetime

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.models.match import AWAY_AFTER, HERE_FOR, Match, Trump


class Seat(models.Model):
    """Seat 0 made the match, seat 1 accepted it.

    ``clock_ms`` is what a live clock showed when the seat's present or next turn began,
    in milliseconds; null where the match has no such clock. ``seen_turn`` is the match's turn
    when the player last looked: the turns from this number on are news. ``looked_at`` is the
    player's last input at the table, ``here_at`` when an open page of theirs was last heard of.
    """

    match = models.ForeignKey(
        Match, verbose_name=pgettext_lazy("game", "match"), on_delete=models.CASCADE, related_name="seats"
    )
    number = models.PositiveSmallIntegerField(_("number"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("player"), on_delete=models.PROTECT, related_name="seats"
    )
    trump_choice = models.CharField(_("chosen trump"), max_length=1, choices=Trump, blank=True, default=Trump.ANY)
    clock_ms = models.BigIntegerField(_("clock in milliseconds"), null=True, blank=True)
    chat_off = models.BooleanField(_("chat switched off"), default=False)
    seen_turn = models.PositiveSmallIntegerField(_("turn last seen"), default=0)
    looked_at = models.DateTimeField(_("last input"), null=True, blank=True)
    here_at = models.DateTimeField(_("last at the table"), null=True, blank=True)

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        constraints = [
            models.UniqueConstraint(fields=["match", "number"], name="seat_once"),
            models.UniqueConstraint(fields=["match", "user"], name="seat_user_once"),
            models.CheckConstraint(condition=models.Q(number__in=(0, 1)), name="seat_number"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}/{self.number}"

    def is_here(self, now: datetime.datetime) -> bool:
        """Whether the player has the table open."""
        return self.here_at is not None and now - self.here_at < HERE_FOR

    def is_away(self, now: datetime.datetime) -> bool:
        """Whether nothing has been heard of the player for a while, neither since the match began."""
        heard = (self.here_at, self.looked_at, self.match.started_at)
        return max((at for at in heard if at is not None), default=now) <= now - AWAY_AFTER

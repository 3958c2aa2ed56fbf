"""What is said at a table."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.models.match import Match

MAX_LINE = 200


class Room(models.TextChoices):
    """Who talks with whom: the two players, or those who look on."""

    PLAYERS = "players", _("players")
    SPECTATORS = "watchers", _("spectators")


class ChatLine(models.Model):
    """One line: a preset by its key, which each reader reads in their own language, or free text.

    A line that a moderator hid stays here and is shown to moderators alone.
    """

    match = models.ForeignKey(
        Match, verbose_name=pgettext_lazy("game", "match"), on_delete=models.CASCADE, related_name="lines"
    )
    room = models.CharField(_("room"), max_length=8, choices=Room)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("author"), on_delete=models.PROTECT, related_name="chat_lines"
    )
    preset = models.CharField(_("preset"), max_length=20, blank=True)
    text = models.CharField(_("text"), max_length=MAX_LINE, blank=True)
    created_at = models.DateTimeField(_("said"), auto_now_add=True)
    hidden_at = models.DateTimeField(_("hidden"), null=True, blank=True)

    class Meta:
        verbose_name = _("chat line")
        verbose_name_plural = _("chat lines")
        indexes = [
            models.Index(fields=["match", "room", "id"], name="chat_of_match"),
            models.Index(fields=["author", "-created_at"], name="chat_of_author"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=(Q(preset="") & ~Q(text="")) | (~Q(preset="") & Q(text="")), name="chat_preset_or_text"
            )
        ]

    def __str__(self) -> str:
        return self.text or self.preset

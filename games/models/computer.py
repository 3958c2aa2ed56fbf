"""Which accounts the computer plays, and how well."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class ComputerPlayer(models.Model):
    """The computer's account for one level of play (1 to 8)."""

    level = models.PositiveSmallIntegerField(_("level"), unique=True)
    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, verbose_name=_("player"), on_delete=models.PROTECT, related_name="computer"
    )

    class Meta:
        verbose_name = _("computer player")
        verbose_name_plural = _("computer players")

    def __str__(self) -> str:
        return str(self.level)

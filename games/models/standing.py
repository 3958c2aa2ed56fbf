"""Whether a player can be relied on to come back to a correspondence match."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Standing(models.Model):
    """How many correspondence matches in a row a player has lost on time.

    ``paused_at`` is when new challenges from and to the player were paused; null where
    they are not. There is no row for a player who never lost one on time.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, verbose_name=_("player"), on_delete=models.CASCADE, related_name="standing"
    )
    lost_on_time = models.PositiveSmallIntegerField(_("lost on time in a row"), default=0)
    paused_at = models.DateTimeField(_("challenges paused"), null=True, blank=True)

    class Meta:
        verbose_name = _("standing")
        verbose_name_plural = _("standings")

    def __str__(self) -> str:
        return str(self.lost_on_time)

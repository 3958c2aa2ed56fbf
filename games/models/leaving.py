"""What is still to become of the matches of an account that leaves the tables."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Departure(models.TextChoices):
    """What becomes of the running matches; open ones are withdrawn in any case."""

    STAND = "stand", _("stand still until then")
    ADJUDICATE = "adjudicate", _("go to the opponents now")
    RESIGN = "resign", _("are resigned")
    PLAY_ON = "play", _("are played on")


class Leaving(models.Model):
    """An account whose matches are still to be withdrawn, stopped or ended: those that there were at ``since``.

    Deleted when it is done. ``due_at`` is when a worker takes it over: whoever begins moves it on.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("player"), on_delete=models.CASCADE, related_name="leavings"
    )
    how = models.CharField(_("what"), max_length=10, choices=Departure)
    since = models.DateTimeField(_("when"))
    due_at = models.DateTimeField(_("tried next"), db_index=True)

    class Meta:
        verbose_name = _("matches of an account that leaves")
        verbose_name_plural = _("matches of accounts that leave")
        constraints = [models.UniqueConstraint(fields=["user", "how"], name="leaving_once")]

    def __str__(self) -> str:
        return f"{self.user_id}/{self.how}"

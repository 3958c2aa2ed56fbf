"""Who does not want to meet whom."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class BlockQuerySet(models.QuerySet["Block"]):
    """Ways to find blocks."""

    def between(self, first_id: int, second_id: int) -> "BlockQuerySet":
        """Blocks of either of two players against the other."""
        return self.filter(blocker__in=(first_id, second_id), blocked__in=(first_id, second_id))


class Block(models.Model):
    """One player keeps another away: no challenges, no chat, no pairing; the other is not told."""

    blocker = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("who blocks"), on_delete=models.CASCADE, related_name="blocks"
    )
    blocked = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("who is blocked"), on_delete=models.CASCADE, related_name="blocked_by"
    )
    created_at = models.DateTimeField(_("since"), auto_now_add=True)

    objects = BlockQuerySet.as_manager()

    class Meta:
        verbose_name = _("block")
        verbose_name_plural = _("blocks")
        constraints = [
            models.UniqueConstraint(fields=["blocker", "blocked"], name="block_once"),
            models.CheckConstraint(condition=~models.Q(blocker=models.F("blocked")), name="block_another"),
        ]

    def __str__(self) -> str:
        return f"{self.blocker_id}/{self.blocked_id}"

"""A player's own data, asked for and made."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class DataExport(models.Model):
    """One request for one's own data; ``content`` is gzipped JSON, made by the worker, kept for a week."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("player"), on_delete=models.CASCADE, related_name="exports"
    )
    requested_at = models.DateTimeField(_("asked for"), auto_now_add=True)
    claimed_at = models.DateTimeField(_("begun"), null=True, blank=True)
    made_at = models.DateTimeField(_("made"), null=True, blank=True)
    content = models.BinaryField(null=True, editable=False)

    class Meta:
        verbose_name = _("data export")
        verbose_name_plural = _("data exports")
        indexes = [models.Index(fields=["requested_at"], condition=models.Q(made_at=None), name="export_waiting")]
        constraints = [
            models.UniqueConstraint(fields=["user"], condition=models.Q(made_at=None), name="export_one_waiting")
        ]

    def __str__(self) -> str:
        return f"#{self.pk}"

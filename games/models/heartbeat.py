"""When each worker was last seen."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Heartbeat(models.Model):
    """A row a worker process, brought up to date every few seconds."""

    worker = models.CharField(_("worker"), max_length=64, unique=True)
    seen_at = models.DateTimeField(_("last seen"), db_index=True)

    class Meta:
        verbose_name = _("worker")
        verbose_name_plural = _("workers")

    def __str__(self) -> str:
        return self.worker

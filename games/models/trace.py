"""From where an account plays, as keyed hashes that cannot be turned back."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class TraceKind(models.TextChoices):
    """What the hash was made of."""

    SESSION = "session", _("session")
    DEVICE = "device", _("device")
    ADDRESS = "address", _("address")


class Trace(models.Model):
    """An account was seen with this session, device or address; kept for 90 days after the last time."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("player"), on_delete=models.CASCADE, related_name="traces"
    )
    kind = models.CharField(_("kind"), max_length=8, choices=TraceKind)
    digest = models.CharField(_("keyed hash"), max_length=32)
    first_seen_at = models.DateTimeField(_("first seen"), auto_now_add=True)
    last_seen_at = models.DateTimeField(_("last seen"), db_index=True)

    class Meta:
        verbose_name = _("trace")
        verbose_name_plural = _("traces")
        indexes = [models.Index(fields=["kind", "digest"], name="trace_digest")]
        constraints = [models.UniqueConstraint(fields=["user", "kind", "digest"], name="trace_once")]

    def __str__(self) -> str:
        return f"{self.kind} {self.digest[:8]}"

"""What moderators are to look at: cases, and the reports and flags that make them."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.models.chat import ChatLine
from games.models.match import Match

MAX_REPORT = 500


class ReportReason(models.TextChoices):
    """What one player can report about another, and what a moderator can act upon."""

    STALLING = "stalling", _("stalling: lets the clock run")
    LEAVING = "leaving", _("leaves matches")
    CHAT = "chat", _("abuse in the chat")
    NAME = "name", _("offensive or misleading name")
    TWO_ACCOUNTS = "accounts", _("cheating with two accounts")
    OTHER = "other", _("something else")


class FlagKind(models.TextChoices):
    """What the server noticed by itself; none of it is proof of anything."""

    SAME_SESSION = "session", _("both seats from one session")
    SAME_DEVICE = "device", _("both seats from one device")
    SAME_ADDRESS = "address", _("both seats from one address")
    ABORTS = "aborts", _("aborts or stalls often")
    EVEN_TIMES = "even", _("turns take suspiciously even times")
    QUICK_TIMES = "quick", _("turns are suspiciously quick")


class Case(models.Model):
    """The open or closed file on one account; at most one a person is open.

    ``claimed_by`` is the moderator who works on it, so that two do not do the same.
    """

    reported = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("player"), on_delete=models.PROTECT, related_name="cases"
    )
    opened_at = models.DateTimeField(_("opened"), auto_now_add=True, db_index=True)
    claimed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("claimed by"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="claimed_cases",
    )
    claimed_at = models.DateTimeField(_("claimed"), null=True, blank=True)
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True, db_index=True)

    class Meta:
        verbose_name = pgettext_lazy("moderation", "case")
        verbose_name_plural = pgettext_lazy("moderation", "cases")
        ordering = ["opened_at"]
        permissions = [("moderate", "Can act on cases and appeals")]
        constraints = [
            models.UniqueConstraint(fields=["reported"], condition=Q(closed_at=None), name="case_one_open"),
        ]

    def __str__(self) -> str:
        return f"#{self.pk}"


class Report(models.Model):
    """One player's complaint about another."""

    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="reports")
    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("reporter"), on_delete=models.PROTECT, related_name="reports_made"
    )
    reported = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("reported"), on_delete=models.PROTECT, related_name="reports_about"
    )
    reason = models.CharField(_("reason"), max_length=10, choices=ReportReason)
    text = models.CharField(_("what happened"), max_length=MAX_REPORT, blank=True)
    match = models.ForeignKey(
        Match, verbose_name=pgettext_lazy("game", "match"), null=True, blank=True, on_delete=models.SET_NULL
    )
    line = models.ForeignKey(
        ChatLine, verbose_name=_("chat line"), null=True, blank=True, on_delete=models.SET_NULL, related_name="reports"
    )
    created_at = models.DateTimeField(_("made"), auto_now_add=True)
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)
    acted_on = models.BooleanField(_("acted on"), null=True)

    class Meta:
        verbose_name = pgettext_lazy("moderation", "report")
        verbose_name_plural = pgettext_lazy("moderation", "reports")
        ordering = ["created_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["reporter", "reported", "reason"], condition=Q(closed_at=None), name="report_one_open"
            ),
        ]

    def __str__(self) -> str:
        return f"#{self.pk}"


class Flag(models.Model):
    """Something that the server noticed about an account, for a moderator to judge."""

    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="flags")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("player"), on_delete=models.PROTECT, related_name="flags"
    )
    other = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("other player"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    kind = models.CharField(_("kind"), max_length=10, choices=FlagKind)
    match = models.ForeignKey(
        Match, verbose_name=pgettext_lazy("game", "match"), null=True, blank=True, on_delete=models.SET_NULL
    )
    detail = models.JSONField(_("figures"), default=dict)
    created_at = models.DateTimeField(_("noticed"), auto_now_add=True, db_index=True)

    class Meta:
        verbose_name = _("flag")
        verbose_name_plural = _("flags")
        ordering = ["created_at"]
        constraints = [models.UniqueConstraint(fields=["user", "kind", "match"], name="flag_once")]

    def __str__(self) -> str:
        return f"#{self.pk}"

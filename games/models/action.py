"""What moderators did: an append-only log, and the appeals against it."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.models.case import Case, ReportReason
from yourtrumps.append_only import AppendOnly

MAX_MESSAGE = 1000


class Verb(models.TextChoices):
    """What was done."""

    WARN = "warn", _("warn")
    MUTE = "mute", _("mute")
    SUSPEND = "suspend", _("suspend")
    CLOSE = "close", _("close the account")
    RENAME = "rename", _("force a new name")
    END_MATCH = "end", _("end a match")
    HIDE_LINE = "hide", _("hide a chat line")
    DISMISS = "dismiss", _("dismiss the reports")
    LIFT = "lift", _("lift a measure")
    UPHOLD = "uphold", _("uphold a measure on appeal")


#: The measures against which one may appeal.
APPEALABLE = (Verb.WARN, Verb.MUTE, Verb.SUSPEND, Verb.CLOSE, Verb.RENAME)


class Action(AppendOnly):
    """One deed of a moderator: who, to whom, what, why, before and after.

    Rows cannot be changed or deleted: not through the admin, not through the model, and
    the database refuses an UPDATE of them. ``message`` is what the person is told.
    """

    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("moderator"),
        on_delete=models.PROTECT,
        related_name="moderation_done",
    )
    subject = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("player"),
        on_delete=models.PROTECT,
        related_name="moderation_received",
    )
    case = models.ForeignKey(Case, null=True, blank=True, on_delete=models.PROTECT, related_name="actions")
    verb = models.CharField(_("what"), max_length=8, choices=Verb)
    reason = models.CharField(_("reason"), max_length=10, choices=ReportReason)
    why = models.CharField(_("note for moderators"), max_length=MAX_MESSAGE, blank=True)
    message = models.CharField(_("message to the player"), max_length=MAX_MESSAGE, blank=True)
    until = models.DateTimeField(_("until"), null=True, blank=True)
    match_code = models.CharField(pgettext_lazy("game", "match"), max_length=16, blank=True)
    before = models.JSONField(_("before"), default=dict)
    after = models.JSONField(_("after"), default=dict)
    created_at = models.DateTimeField(_("when"), auto_now_add=True, db_index=True)

    class Meta:
        verbose_name = _("moderator's action")
        verbose_name_plural = _("moderators' actions")
        ordering = ["-created_at"]
        indexes = [models.Index(fields=["subject", "-created_at"], name="action_of_subject")]

    def __str__(self) -> str:
        return f"#{self.pk}"


class AppealState(models.TextChoices):
    """Where an appeal stands."""

    OPEN = "open", _("waiting for an answer")
    UPHELD = "upheld", _("the measure stands")
    LIFTED = "lifted", _("the measure was lifted")


class Appeal(models.Model):
    """What a person says against a measure: once a measure."""

    action = models.OneToOneField(Action, verbose_name=_("measure"), on_delete=models.PROTECT, related_name="appeal")
    text = models.CharField(_("text"), max_length=MAX_MESSAGE)
    created_at = models.DateTimeField(_("made"), auto_now_add=True)
    state = models.CharField(_("state"), max_length=6, choices=AppealState, default=AppealState.OPEN)
    answer = models.CharField(_("answer"), max_length=MAX_MESSAGE, blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("decided by"), null=True, on_delete=models.PROTECT, related_name="+"
    )
    decided_at = models.DateTimeField(_("decided"), null=True)

    class Meta:
        verbose_name = _("appeal")
        verbose_name_plural = _("appeals")
        ordering = ["created_at"]
        indexes = [models.Index(fields=["created_at"], condition=Q(state="open"), name="appeal_open")]

    def __str__(self) -> str:
        return f"#{self.pk}"

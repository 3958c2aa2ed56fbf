"""What moderators tell a player, until the player has read it."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.action import Action
from games.models.case import Report
from games.models.match import Match


class WordKind(models.TextChoices):
    """What a word from the moderators is about."""

    MEASURE = "measure", _("a measure")
    REPORT = "report", _("the outcome of a report")
    MATCH = "match", _("a match")
    APPEAL = "appeal", _("the answer to an appeal")


class OfficialWord(models.Model):
    """One thing that a player is told by the moderators; worded when it is read, in the reader's language."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("player"), on_delete=models.CASCADE, related_name="official_words"
    )
    kind = models.CharField(_("kind"), max_length=8, choices=WordKind)
    action = models.ForeignKey(Action, null=True, on_delete=models.PROTECT, related_name="+")
    report = models.ForeignKey(Report, null=True, on_delete=models.CASCADE, related_name="+")
    match = models.ForeignKey(Match, null=True, on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField(_("written"), auto_now_add=True)
    read_at = models.DateTimeField(_("read"), null=True)

    class Meta:
        verbose_name = _("word from the moderators")
        verbose_name_plural = _("words from the moderators")
        indexes = [models.Index(fields=["user"], condition=models.Q(read_at=None), name="word_unread")]

    def __str__(self) -> str:
        return f"#{self.pk}"

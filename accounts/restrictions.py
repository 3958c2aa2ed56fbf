"""Whether an account may play and speak: suspended, muted, to be renamed, closed by its owner."""

import datetime

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.names import MAX_CODE_POINTS, MAX_KEY_LENGTH

FOR_GOOD = datetime.datetime(3000, 1, 1, tzinfo=datetime.UTC)
"""The end of a suspension that has none."""

GRACE = datetime.timedelta(days=14)
"""For so long an account that its owner closed can be taken back."""


class ChatFrom(models.TextChoices):
    """Whose lines a player wants to read at the table."""

    EVERYONE = "everyone", _("everyone")
    REGISTERED = "people", _("registered players only")
    NOBODY = "nobody", _("nobody: chat is off")


class Restrictions(models.Model):
    """What moderators and the owner decided about an account, on the account's own row.

    Kept here so that whoever has loaded an account knows them without another query. The
    log of how it came about belongs to whoever decides.
    """

    suspended_until = models.DateTimeField(_("suspended until"), null=True, blank=True, db_index=True)
    muted_until = models.DateTimeField(_("may not chat until"), null=True, blank=True)
    must_rename = models.BooleanField(_("must choose another name"), default=False)
    closed_at = models.DateTimeField(_("closed by its owner"), null=True, blank=True, db_index=True)
    chat_from = models.CharField(_("chat"), max_length=8, choices=ChatFrom, default=ChatFrom.EVERYONE)

    class Meta:
        abstract = True

    @property
    def is_suspended(self) -> bool:
        """Whether the account may not play now by a moderator's decision."""
        return self.suspended_until is not None and self.suspended_until > timezone.now()

    @property
    def is_suspended_for_good(self) -> bool:
        """Whether a moderator closed the account."""
        return self.suspended_until is not None and self.suspended_until >= FOR_GOOD

    @property
    def is_muted(self) -> bool:
        """Whether the account may not chat now by a moderator's decision."""
        return self.muted_until is not None and self.muted_until > timezone.now()

    @property
    def is_closed(self) -> bool:
        """Whether the owner closed the account."""
        return self.closed_at is not None

    @property
    def is_in_good_standing(self) -> bool:
        """Whether nothing keeps the account from sitting down: neither suspended nor closed, nor to be renamed."""
        return not (self.is_suspended or self.is_closed or self.must_rename)


class ClosedAccount(models.Model):
    """What is needed to give a closed account back; deleted when the time for that is over."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="closed")
    username = models.CharField(_("user name"), max_length=MAX_CODE_POINTS)
    username_key = models.CharField(max_length=MAX_KEY_LENGTH, unique=True, editable=False)
    skeleton = models.CharField(max_length=MAX_KEY_LENGTH, unique=True, editable=False)
    closed_at = models.DateTimeField(_("closed"), default=timezone.now, db_index=True)

    class Meta:
        verbose_name = _("closed account")
        verbose_name_plural = _("closed accounts")

    def __str__(self) -> str:
        return str(self.user_id)

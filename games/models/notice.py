"""What players are told outside the table: on the page, by mail, by push."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.models.match import Match


class Event(models.TextChoices):
    """What a player can be told of."""

    TURN = "turn", _("Your turn")
    LOW_TIME = "low", _("Little time left")
    CHALLENGE = "challenge", _("A challenge")
    REMATCH = "rematch", _("A rematch is offered")
    OVER = "over", _("A match is over")
    TIME_OFF = "time-off", _("Time off has begun")
    MODERATION = "moderation", _("A moderator’s decision")


class Channel(models.TextChoices):
    """How a player can be told."""

    PAGE = "page", _("on the page")
    MAIL = "mail", _("by e-mail")
    PUSH = "push", _("on this device")


class Notice(models.Model):
    """One line behind the bell.

    ``key`` says what it is about, such as ``turn:k3w9m2p8x4``; a newer notice about the same
    takes the place of the unread one. ``data`` holds what the sentence needs besides the
    match, never a text: the reader's language is known only when it is read.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("player"), on_delete=models.CASCADE, related_name="notices"
    )
    event = models.CharField(_("event"), max_length=10, choices=Event)
    match = models.ForeignKey(
        Match,
        verbose_name=pgettext_lazy("game", "match"),
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="notices",
    )
    key = models.CharField(_("subject"), max_length=64)
    data = models.JSONField(_("details"), default=dict, blank=True)
    created_at = models.DateTimeField(_("made"))
    read_at = models.DateTimeField(_("read"), null=True, blank=True)

    class Meta:
        verbose_name = _("notice")
        verbose_name_plural = _("notices")
        indexes = [
            models.Index(fields=["user", "-created_at"], name="notice_user"),
            models.Index(fields=["created_at"], name="notice_created"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["user", "key"], condition=Q(read_at__isnull=True), name="notice_unread_once"
            ),
        ]

    def __str__(self) -> str:
        return self.key


class NoticeChoice(models.Model):
    """A player's choice about one event and channel where it departs from the standard."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("player"), on_delete=models.CASCADE, related_name="notice_choices"
    )
    event = models.CharField(_("event"), max_length=10, choices=Event)
    channel = models.CharField(_("channel"), max_length=4, choices=Channel)
    wanted = models.BooleanField(_("wanted"))

    class Meta:
        verbose_name = _("choice of notices")
        verbose_name_plural = _("choices of notices")
        constraints = [models.UniqueConstraint(fields=["user", "event", "channel"], name="notice_choice_once")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.event} {self.channel}"


class Reader(models.Model):
    """How one player reads notices; made when it is first needed.

    ``digest_hour`` is the hour of the player's own day (0 to 23) at which one mail says all,
    null for mails at once, and ``digest_at`` is when the next is due. ``turn_mailed_at`` is when
    the latest "your turn" mail was claimed, and ``turn_mail`` the number of its delivery until that
    is sent: there is no second until the player has been back. ``language`` and ``time_zone`` are those of the
    last visit, for accounts that leave both to the browser. ``calendar_key`` opens the private
    calendar.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, verbose_name=_("player"), on_delete=models.CASCADE, related_name="reader"
    )
    digest_hour = models.PositiveSmallIntegerField(_("hour of the daily mail"), null=True, blank=True)
    digest_at = models.DateTimeField(_("next daily mail"), null=True, blank=True)
    digested_at = models.DateTimeField(_("latest daily mail"), null=True, blank=True)
    turn_mailed_at = models.DateTimeField(_("latest mail about a turn"), null=True, blank=True)
    turn_mail = models.BigIntegerField(_("its delivery"), null=True, blank=True)
    language = models.CharField(_("language"), max_length=12, blank=True, default="")
    time_zone = models.CharField(_("time zone"), max_length=64, blank=True, default="")
    calendar_key = models.CharField(_("key of the calendar"), max_length=43, null=True, blank=True, unique=True)

    class Meta:
        verbose_name = _("reader of notices")
        verbose_name_plural = _("readers of notices")
        indexes = [models.Index(fields=["digest_at"], name="reader_digest", condition=Q(digest_at__isnull=False))]
        constraints = [
            models.CheckConstraint(
                condition=Q(digest_hour__isnull=True) | Q(digest_hour__lte=23), name="reader_digest_hour"
            ),
        ]

    def __str__(self) -> str:
        return str(self.user_id)

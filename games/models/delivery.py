"""The outbox: what is to be sent, when, and what became of it."""

import datetime
import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.models.match import Match
from games.models.notice import Channel, Event


class PushSubscription(models.Model):
    """A browser that takes notices by Web Push."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("player"), on_delete=models.CASCADE, related_name="push_subscriptions"
    )
    endpoint = models.CharField(_("address"), max_length=500, unique=True)
    p256dh = models.CharField(_("public key"), max_length=100)
    auth = models.CharField(_("authentication secret"), max_length=40)
    created_at = models.DateTimeField(_("made"), auto_now_add=True)

    class Meta:
        verbose_name = _("push subscription")
        verbose_name_plural = _("push subscriptions")

    def __str__(self) -> str:
        return f"{self.user_id}/{self.pk}"


class DeliveryState(models.TextChoices):
    """What became of a delivery."""

    WAITING = "waiting", _("waiting")
    SENT = "sent", _("sent")
    DROPPED = "dropped", _("no longer wanted")
    DEAD = "dead", _("given up")


class DeliveryQuerySet(models.QuerySet["Delivery"]):
    """Ways to find deliveries."""

    def waiting(self) -> "DeliveryQuerySet":
        """What is still to be sent."""
        return self.filter(state=DeliveryState.WAITING)

    def unsent(self) -> "DeliveryQuerySet":
        """What is still to be sent, and what was not wanted when it was due."""
        return self.filter(state__in=(DeliveryState.WAITING, DeliveryState.DROPPED))

    def due(self, now: datetime.datetime) -> "DeliveryQuerySet":
        """What is to be tried by ``now``, the longest due first."""
        return self.waiting().filter(due_at__lte=now).order_by("due_at", "pk")


class Delivery(models.Model):
    """One mail or one push to one player.

    ``key`` says what it is about and is unique for a player and channel, so that nothing is told
    twice. ``wanted_at`` is when it was to be sent, ``due_at`` when it is tried next: a claim
    moves ``due_at`` on, so that a worker that dies is replaced. ``number`` becomes the Message-ID
    and is the same in every attempt. ``event`` is empty for the daily mail.
    """

    number = models.UUIDField(_("number"), default=uuid.uuid4, unique=True, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("player"), on_delete=models.CASCADE, related_name="deliveries"
    )
    channel = models.CharField(_("channel"), max_length=4, choices=Channel)
    event = models.CharField(_("event"), max_length=10, choices=Event, blank=True)
    match = models.ForeignKey(
        Match,
        verbose_name=pgettext_lazy("game", "match"),
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="deliveries",
    )
    turn = models.PositiveSmallIntegerField(_("turn"), null=True, blank=True)
    key = models.CharField(_("subject"), max_length=80)
    data = models.JSONField(_("details"), default=dict, blank=True)
    subscription = models.ForeignKey(
        PushSubscription, verbose_name=_("push subscription"), null=True, blank=True, on_delete=models.CASCADE
    )
    state = models.CharField(_("state"), max_length=8, choices=DeliveryState, default=DeliveryState.WAITING)
    created_at = models.DateTimeField(_("made"))
    wanted_at = models.DateTimeField(_("wanted"))
    due_at = models.DateTimeField(_("tried next"))
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    done_at = models.DateTimeField(_("done"), null=True, blank=True)
    note = models.CharField(_("why"), max_length=300, blank=True)

    objects = DeliveryQuerySet.as_manager()

    class Meta:
        verbose_name = _("delivery")
        verbose_name_plural = _("deliveries")
        indexes = [
            models.Index(fields=["due_at"], name="delivery_due", condition=Q(state="waiting")),
            models.Index(fields=["created_at"], name="delivery_created"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["user", "channel", "key"], name="delivery_once"),
        ]

    def __str__(self) -> str:
        return f"{self.channel} {self.key}"

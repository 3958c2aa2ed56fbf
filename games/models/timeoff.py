"""Time off: days on which a player's correspondence clocks stand still."""

import datetime
from collections.abc import Iterable

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class TimeOffQuerySet(models.QuerySet["TimeOff"]):
    """Ways to find time off."""

    def ending_after(self, at: datetime.datetime) -> "TimeOffQuerySet":
        """Time off that is under way at a moment or still to come, the earliest first."""
        return self.filter(ends_at__gt=at).order_by("begins_at")

    def of_players(self, user_ids: Iterable[int]) -> "TimeOffQuerySet":
        """Time off of some players."""
        return self.filter(user__in=list(user_ids))


class TimeOff(models.Model):
    """One stretch of time off, ``days`` whole days from ``begins_at`` up to ``ends_at``.

    The stretches of a player do not overlap. ``first_day`` is the day of its beginning where the
    player lives; each day counts against the allowance of the calendar year that it falls in.
    ``told`` says that its player knows that it has begun.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("player"), on_delete=models.CASCADE, related_name="time_off"
    )
    begins_at = models.DateTimeField(_("begins"))
    ends_at = models.DateTimeField(_("ends"))
    first_day = models.DateField(_("first day"))
    days = models.PositiveSmallIntegerField(_("days"))
    automatic = models.BooleanField(_("began by itself"), default=False)
    told = models.BooleanField(_("noticed"), default=False)

    objects = TimeOffQuerySet.as_manager()

    class Meta:
        verbose_name = _("time off")
        verbose_name_plural = _("time off")
        indexes = [
            models.Index(fields=["user", "ends_at"], name="time_off_user_end"),
            models.Index(fields=["begins_at"], name="time_off_untold", condition=models.Q(told=False)),
        ]
        constraints = [
            models.CheckConstraint(condition=models.Q(ends_at__gt=models.F("begins_at")), name="time_off_forward"),
        ]

    def __str__(self) -> str:
        return f"{self.first_day} +{self.days}"

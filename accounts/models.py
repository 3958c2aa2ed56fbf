"""People, guests and the computer's characters as one kind of row."""

import zoneinfo

from django.contrib.auth.models import AbstractUser, UserManager
from django.core.exceptions import ValidationError
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.names import comparison_key, normalize


def validate_time_zone(value: str) -> None:
    """Raise ``ValidationError`` unless the value is an IANA time zone name."""
    if value not in zoneinfo.available_timezones():
        raise ValidationError(_("Unknown time zone."), code="time_zone")


class Kind(models.TextChoices):
    """What stands behind an account."""

    PERSON = "person", _("registered player")
    GUEST = "guest", _("guest")
    COMPUTER = "computer", _("computer")


class ColourScheme(models.TextChoices):
    """Which of the two looks a player wants."""

    SYSTEM = "system", _("as the device")
    LIGHT = "light", _("light")
    DARK = "dark", _("dark")


class HandOrder(models.TextChoices):
    """How the cards of one's own hand are sorted."""

    SUIT = "suit", _("by suit, own trumps last")
    RANK = "rank", _("by rank")


class Users(UserManager["User"]):
    """Finds and makes accounts by the comparison key of their names."""

    def get_by_natural_key(self, username: str | None) -> "User":
        """Return the account with this name, in whatever case or form it was typed."""
        return self.get(username_key=comparison_key(username or ""))

    async def aget_by_natural_key(self, username: str | None) -> "User":
        """Return the account with this name, as :meth:`get_by_natural_key` does."""
        return await self.aget(username_key=comparison_key(username or ""))


class User(AbstractUser):
    """An account that can sit at a table."""

    first_name = None
    last_name = None
    username = models.CharField(_("user name"), max_length=80, unique=True)
    username_key = models.CharField(max_length=160, unique=True, editable=False)
    email = models.EmailField(_("e-mail address"), blank=True)
    kind = models.CharField(_("kind"), max_length=8, choices=Kind, default=Kind.PERSON)
    last_active_at = models.DateTimeField(_("last active"), default=timezone.now, db_index=True)

    language = models.CharField(_("language"), max_length=12, blank=True, default="")
    time_zone = models.CharField(
        _("time zone"), max_length=64, blank=True, default="", validators=[validate_time_zone]
    )
    colour_scheme = models.CharField(
        _("colour scheme"), max_length=8, choices=ColourScheme, default=ColourScheme.SYSTEM
    )
    four_colours = models.BooleanField(_("suits in four colours"), default=False)
    hand_order = models.CharField(_("order of the hand"), max_length=8, choices=HandOrder, default=HandOrder.SUIT)
    confirm_turns = models.BooleanField(_("confirm before a turn is sent"), default=False)
    sounds = models.BooleanField(_("sounds"), default=False)

    REQUIRED_FIELDS = []

    objects = Users()

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        indexes = [models.Index(fields=["kind", "last_active_at"], name="user_kind_active")]

    def clean(self) -> None:
        """Normalise the name and the address before validation."""
        self.username = normalize(self.username)
        self.email = self.__class__.objects.normalize_email(self.email)

    def save(self, *args: object, **kwargs: object) -> None:
        """Keep the comparison key equal to the name."""
        self.username_key = comparison_key(self.username)
        super().save(*args, **kwargs)

    @property
    def is_guest(self) -> bool:
        """Whether this account was made without registering."""
        return self.kind == Kind.GUEST

    @property
    def is_computer(self) -> bool:
        """Whether the computer plays this account."""
        return self.kind == Kind.COMPUTER

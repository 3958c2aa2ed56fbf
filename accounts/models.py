"""People, guests and the computer's characters as one kind of row."""

from typing import Any

from django.contrib.auth.models import AbstractUser, UserManager
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.names import MAX_CODE_POINTS, MAX_KEY_LENGTH, comparison_key, normalize, skeleton, validate_name
from accounts.restrictions import ChatFrom, ClosedAccount, Restrictions
from accounts.zones import time_zones

__all__ = ["ChatFrom", "ClosedAccount", "ColourScheme", "HandOrder", "Kind", "User"]

NAME_TAKEN = _("This user name is taken, or looks like one that is. Please choose another.")


def validate_time_zone(value: str) -> None:
    """Raise ``ValidationError`` unless the value is the IANA name of a place's time zone."""
    if value not in time_zones():
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


class CardBack(models.TextChoices):
    """The pattern on the backs of the cards."""

    LATTICE = "lattice", _("lattice")
    WAVES = "waves", _("waves")
    GRAIN = "grain", _("grain")


class HandOrder(models.TextChoices):
    """How the cards of one's own hand are sorted."""

    SUIT = "suit", _("by suit, own trumps last")
    RANK = "rank", _("by rank, own trumps last")


class Users(UserManager["User"]):
    """Finds and makes accounts by the comparison key of their names."""

    def get_by_natural_key(self, username: str | None) -> "User":
        """Return the account with this name, in whatever case or form it was typed."""
        return self.get(username_key=comparison_key(username or ""))

    async def aget_by_natural_key(self, username: str | None) -> "User":
        """Return the account with this name, as :meth:`get_by_natural_key` does."""
        return await self.aget(username_key=comparison_key(username or ""))

    def with_name_like(self, name: str) -> models.QuerySet["User"]:
        """Return the accounts that have this name or one that looks like it."""
        return self.filter(models.Q(username_key=comparison_key(name)) | models.Q(skeleton=skeleton(name)))


class User(Restrictions, AbstractUser):
    """An account that can sit at a table."""

    first_name = None
    last_name = None
    username = models.CharField(_("user name"), max_length=MAX_CODE_POINTS, unique=True, validators=[validate_name])
    username_key = models.CharField(max_length=MAX_KEY_LENGTH, unique=True, editable=False)
    skeleton = models.CharField(max_length=MAX_KEY_LENGTH, unique=True, editable=False)
    email = models.EmailField(_("e-mail address"), blank=True)
    kind = models.CharField(_("kind"), max_length=8, choices=Kind, default=Kind.PERSON)
    last_active_at = models.DateTimeField(_("last active"), default=timezone.now, db_index=True)

    language = models.CharField(_("language"), max_length=12, blank=True, default="")
    time_zone = models.CharField(_("time zone"), max_length=64, blank=True, default="", validators=[validate_time_zone])
    colour_scheme = models.CharField(
        _("colour scheme"), max_length=8, choices=ColourScheme, default=ColourScheme.SYSTEM
    )
    four_colours = models.BooleanField(_("suits in four colours"), default=False)
    card_back = models.CharField(_("card backs"), max_length=8, choices=CardBack, default=CardBack.LATTICE)
    hand_order = models.CharField(_("order of the hand"), max_length=8, choices=HandOrder, default=HandOrder.SUIT)
    confirm_turns = models.BooleanField(_("confirm before a turn is sent"), default=False)
    forced_turns = models.BooleanField(_("let the only possible turn play itself"), default=False)
    single_keys = models.BooleanField(_("play by letters and digits"), default=True)
    automatic_time_off = models.BooleanField(_("take time off before a turn is lost on time"), default=False)
    sounds = models.BooleanField(_("sounds"), default=False)
    sound_volume = models.PositiveSmallIntegerField(
        _("volume of the sounds"), default=70, validators=[MaxValueValidator(100)]
    )

    REQUIRED_FIELDS = []

    objects = Users()

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        indexes = [models.Index(fields=["kind", "last_active_at"], name="user_kind_active")]

    @classmethod
    def normalize_username(cls, username: str) -> str:
        """Return the name as it is stored; Django's own form would rewrite Lao letters."""
        return normalize(username)

    def clean(self) -> None:
        """Normalise the name and the address, and refuse a name that looks like another's."""
        super().clean()
        if User.objects.with_name_like(self.username).exclude(pk=self.pk).exists():
            raise ValidationError({"username": NAME_TAKEN})

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Keep the forms of the name by which it is compared equal to it."""
        self.username_key = comparison_key(self.username)
        self.skeleton = skeleton(self.username)
        if (fields := kwargs.get("update_fields")) is not None and "username" in fields:
            kwargs["update_fields"] = {*fields, "username_key", "skeleton"}
        super().save(*args, **kwargs)

    @property
    def is_guest(self) -> bool:
        """Whether this account was made without registering."""
        return self.kind == Kind.GUEST

    @property
    def is_computer(self) -> bool:
        """Whether the computer plays this account."""
        return self.kind == Kind.COMPUTER

    @property
    def display_name(self) -> str:
        """What the account is called in the reader's language; only guests' names are translated."""
        if self.is_guest:
            return gettext("Guest %(number)s") % {"number": self.username.rpartition("-")[2]}
        return self.username

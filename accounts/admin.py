"""Accounts in the administration."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponseBase
from django.utils.translation import gettext_lazy as _

from accounts.listing import Listed, Shown
from accounts.models import ClosedAccount, User
from accounts.names import comparison_key

# The library's own pages show keys of sessions and secrets of second factors, and let them be typed over.
admin.site.unregister([EmailAddress, Authenticator, UserSession])


class NewUserForm(AdminUserCreationForm):
    """A name and a password; the names of others are compared by the model."""

    class Meta:
        model = User
        fields = ("username",)

    def clean_username(self) -> str:
        """Leave it to the model to say that a name is taken, as it sees more than equal letters."""
        return self.cleaned_data["username"]


class ChangeUserForm(UserChangeForm):
    """An account as staff see it."""

    class Meta:
        model = User
        fields = "__all__"


@admin.register(User)
class UserAdmin(Listed, DjangoUserAdmin):
    """Accounts, quick to find by name however it was typed, and to page through without counting them all."""

    form = ChangeUserForm
    add_form = NewUserForm
    list_display = ("username", "kind", "is_active", "is_staff", "date_joined", "last_active_at")
    list_filter = ("kind", "is_active", "is_staff")
    ordering = ("-pk",)
    search_fields = ("=email",)
    search_help_text = _("The beginning of a user name, or a whole e-mail address")
    filter_horizontal = ()
    raw_id_fields = ("groups", "user_permissions")
    # An account is closed by its owner or from a case, which sees to the matches that run.
    readonly_fields = (
        "kind", "username_key", "skeleton", "last_login", "date_joined", "last_active_at", "is_active"
    )  # fmt: skip
    fieldsets = (
        (None, {"fields": ("username", "username_key", "skeleton", "kind", "password", "email")}),
        (_("Activity"), {"fields": ("date_joined", "last_login", "last_active_at")}),
        (_("Permissions"), {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
        (
            _("Preferences"),
            {
                "fields": (
                    "language",
                    "time_zone",
                    "colour_scheme",
                    "four_colours",
                    "hand_order",
                    "confirm_turns",
                    "single_keys",
                    "card_back",
                    "sounds",
                    "sound_volume",
                )
            },
        ),
    )
    _for_superusers = ("password", "is_staff", "is_superuser", "groups", "user_permissions")

    def get_fieldsets(self, request: HttpRequest, obj: User | None = None) -> Any:
        """Return the parts of the page; password hashes and permissions are for superusers alone."""
        fieldsets = super().get_fieldsets(request, obj)
        if obj is None or request.user.is_superuser:
            return fieldsets
        return [
            (name, {**options, "fields": tuple(f for f in options["fields"] if f not in self._for_superusers)})
            for name, options in fieldsets
        ]

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> Any:
        """Return what cannot be typed over; whoever sets an address can have the password sent there."""
        readonly = super().get_readonly_fields(request, obj)
        return readonly if request.user.is_superuser else (*readonly, "email")

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponseBase:
        """Let superusers alone set the password of another."""
        if not request.user.is_superuser:
            raise PermissionDenied
        return super().user_change_password(request, id, form_url)

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Return whether staff may change this account: not that of a superuser, unless they are one."""
        if obj is not None and obj.is_superuser and not request.user.is_superuser:
            return False
        return super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Return whether staff may delete this account: none that they may not change."""
        if obj is not None and not self.has_change_permission(request, obj):
            return False
        return super().has_delete_permission(request, obj)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[User], search_term: str
    ) -> tuple[QuerySet[User], bool]:
        """Return the accounts whose name begins with the term, by comparison key, or that have it as address."""
        if not search_term or "@" in search_term:
            return super().get_search_results(request, queryset, search_term)
        return queryset.filter(username_key__startswith=comparison_key(search_term)), False


@admin.register(ClosedAccount)
class ClosedAccountAdmin(Shown):
    """Accounts that can still be given back to their owners, with the names that are kept for them."""

    list_display = ("user", "username", "closed_at")
    list_select_related = ("user",)
    raw_id_fields = ("user",)
    search_fields = ("username_key__startswith",)


@admin.register(EmailAddress)
class EmailAddressAdmin(Shown):
    """Whose addresses are verified: an address is changed by its owner alone."""

    list_display = ("email", "user", "primary", "verified")
    list_select_related = ("user",)
    ordering = ("-pk",)
    search_fields = ("=email", "user__username_key__startswith")


@admin.register(Authenticator)
class AuthenticatorAdmin(Shown):
    """Who has which second step, without its secret; taken away from those who lost their phone."""

    hidden = ("data",)
    list_display = fields = ("user", "type", "created_at", "last_used_at")
    list_select_related = ("user",)
    list_filter = ("type",)
    ordering = ("-pk",)
    search_fields = ("user__username_key__startswith",)

    def has_delete_permission(self, request: HttpRequest, obj: Authenticator | None = None) -> bool:
        """Return whether a second step may be taken away: by superusers."""
        return bool(request.user.is_superuser)

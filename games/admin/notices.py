"""The outbox in the administration: what is sent, what was given up, and trying that again."""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.listing import Shown
from games.models import Delivery, Notice, PushSubscription
from games.notices import outbox


@admin.register(Delivery)
class DeliveryAdmin(Shown):
    """Mails and pushes; what was given up can be tried again."""

    list_display = ("user", "channel", "event", "state", "wanted_at", "due_at", "attempts", "done_at", "note")
    list_filter = ("state", "channel", "event")
    list_select_related = ("user",)
    search_fields = ("user__username_key__startswith", "match__code__exact", "key__startswith")
    raw_id_fields = ("user", "match", "subscription")
    ordering = ("-created_at",)
    actions = ("try_again",)

    def has_retry_permission(self, request: HttpRequest) -> bool:
        """Whether whoever asks may have mails sent again."""
        return request.user.has_perm("games.change_delivery")

    @admin.action(description=_("Try again what was given up"), permissions=["retry"])
    def try_again(self, request: HttpRequest, queryset: QuerySet[Delivery]) -> None:
        """Have the given-up ones among the chosen deliveries sent now."""
        count = outbox.retry(queryset)
        said = ngettext("%(count)d delivery is tried again.", "%(count)d deliveries are tried again.", count)
        self.message_user(request, said % {"count": count}, messages.SUCCESS if count else messages.WARNING)


@admin.register(Notice)
class NoticeAdmin(Shown):
    """What stands behind the bells."""

    list_display = ("user", "event", "match", "created_at", "read_at")
    list_filter = ("event",)
    list_select_related = ("user", "match")
    search_fields = ("user__username_key__startswith", "match__code__exact")
    raw_id_fields = ("user", "match")


@admin.register(PushSubscription)
class PushSubscriptionAdmin(Shown):
    """Which players have browsers that take pushes; the keys are not shown."""

    hidden = ("endpoint", "p256dh", "auth")
    list_display = ("user", "created_at")
    list_select_related = ("user",)
    fields = ("user", "created_at")
    readonly_fields = fields
    search_fields = ("user__username_key__startswith",)

"""Matches in the administration: to be looked at; what changes a match are the services."""

from django.contrib import admin
from django.http import HttpRequest

from games.models import ComputerPlayer, Heartbeat, Match, Move, Seat


class ReadOnly:
    """An admin that shows rows and changes none."""

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Rows are made by the services alone."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Rows are changed by the services alone."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Nothing of a match is deleted by hand."""
        return False


class SeatInline(ReadOnly, admin.TabularInline):
    """The seats of a match."""

    model = Seat
    extra = 0


class MoveInline(ReadOnly, admin.TabularInline):
    """The move log of a match."""

    model = Move
    extra = 0
    fields = ("turn", "seat", "notation", "played_at", "clock_ms")


@admin.register(Match)
class MatchAdmin(ReadOnly, admin.ModelAdmin):
    """Matches without the secret of a deal that is still in play."""

    list_display = ("code", "status", "pace", "deck_size", "turn", "deadline", "winner", "reason", "created_at")
    list_filter = ("status", "pace")
    date_hierarchy = "created_at"
    search_fields = ("code__exact", "seats__user__username_key__startswith")
    exclude = ("secret", "nonce")
    raw_id_fields = ("invited", "rematch_of")
    inlines = (SeatInline, MoveInline)
    show_full_result_count = False
    list_per_page = 50


@admin.register(Seat)
class SeatAdmin(ReadOnly, admin.ModelAdmin):
    """Who sits where."""

    list_display = ("match", "number", "user", "trump_choice", "clock_ms")
    list_select_related = ("match", "user")
    search_fields = ("match__code__exact", "user__username_key__startswith")
    show_full_result_count = False


@admin.register(Move)
class MoveAdmin(ReadOnly, admin.ModelAdmin):
    """The move log."""

    list_display = ("match", "turn", "seat", "notation", "played_at", "clock_ms")
    list_select_related = ("match",)
    search_fields = ("match__code__exact",)
    show_full_result_count = False


@admin.register(ComputerPlayer)
class ComputerPlayerAdmin(ReadOnly, admin.ModelAdmin):
    """The computer's accounts by level."""

    list_display = ("level", "user")
    list_select_related = ("user",)


@admin.register(Heartbeat)
class HeartbeatAdmin(ReadOnly, admin.ModelAdmin):
    """When each worker was last seen."""

    list_display = ("worker", "seen_at")

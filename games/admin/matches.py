"""Matches in the administration: to be looked at; what changes a match are the services."""

from django.contrib import admin
from django.http import HttpRequest

from accounts.listing import ReadOnly, Shown
from games.models import ComputerPlayer, Heartbeat, Match, Move, Seat


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
class MatchAdmin(Shown):
    """Matches without the secrets of their deals and, while they are in play, without the hands."""

    list_display = ("code", "status", "pace", "deck_size", "turn", "deadline", "winner", "reason", "created_at")
    list_filter = ("status", "pace")
    date_hierarchy = "created_at"
    search_fields = ("code__exact", "seats__user__username_key__startswith")
    hidden = ("secret", "nonce", "start", "position")
    raw_id_fields = ("invited", "rematch_of")
    inlines = (SeatInline, MoveInline)

    def get_exclude(self, request: HttpRequest, obj: Match | None = None) -> tuple[str, ...]:
        """Show how a match began and stood once everybody may know."""
        excluded = super().get_exclude(request, obj)
        is_known = obj is not None and obj.is_over
        return tuple(name for name in excluded if not (is_known and name in ("start", "position")))


@admin.register(Seat)
class SeatAdmin(Shown):
    """Who sits where."""

    list_display = ("match", "number", "user", "trump_choice", "clock_ms")
    list_select_related = ("match", "user")
    search_fields = ("match__code__exact", "user__username_key__startswith")
    ordering = ("-pk",)


@admin.register(Move)
class MoveAdmin(Shown):
    """The move log."""

    list_display = ("match", "turn", "seat", "notation", "played_at", "clock_ms")
    list_select_related = ("match",)
    search_fields = ("match__code__exact",)
    ordering = ("-pk",)


@admin.register(ComputerPlayer)
class ComputerPlayerAdmin(Shown):
    """The computer's accounts by level."""

    list_display = ("level", "user")
    list_select_related = ("user",)


@admin.register(Heartbeat)
class HeartbeatAdmin(Shown):
    """When each worker was last seen."""

    list_display = ("worker", "seen_at")

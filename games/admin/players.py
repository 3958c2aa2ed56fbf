"""What is kept of players beside their matches, to be looked at; what only the player may know is left out."""

from django.contrib import admin

from accounts.listing import Shown
from games.models import (
    Leaving,
    LessonProgress,
    Line,
    NoticeChoice,
    OfficialWord,
    Reader,
    Standing,
    TimeOff,
    Trace,
)


class OfPlayer(Shown):
    """Rows that belong to a player, found by the name."""

    list_select_related = ("user",)
    search_fields = ("user__username_key__startswith",)
    raw_id_fields = ("user",)


@admin.register(TimeOff)
class TimeOffAdmin(OfPlayer):
    """Days on which a player's clocks stand still."""

    list_display = ("user", "begins_at", "ends_at", "days", "automatic")
    list_filter = ("automatic",)


@admin.register(Line)
class LineAdmin(Shown):
    """Turns that players laid down beforehand; which ones is told to nobody before they are played."""

    hidden = ("moves",)
    list_display = ("seat", "turn", "laid_at")
    fields = readonly_fields = list_display
    list_select_related = ("seat__match", "seat__user")
    search_fields = ("seat__user__username_key__startswith", "seat__match__code__exact")


@admin.register(LessonProgress)
class LessonProgressAdmin(OfPlayer):
    """How far players are in the lessons."""

    list_display = ("user", "step")


@admin.register(NoticeChoice)
class NoticeChoiceAdmin(OfPlayer):
    """What players want to be told otherwise than is usual."""

    list_display = ("user", "event", "channel", "wanted")
    list_filter = ("event", "channel", "wanted")


@admin.register(Reader)
class ReaderAdmin(OfPlayer):
    """How players read notices; the key of the calendar is its owner's."""

    hidden = ("calendar_key",)
    list_display = ("user", "digest_hour", "digest_at", "turn_mailed_at", "language", "time_zone")


@admin.register(Standing)
class StandingAdmin(OfPlayer):
    """How often in a row players lost matches over days on time."""

    list_display = ("user", "lost_on_time", "paused_at")


@admin.register(OfficialWord)
class OfficialWordAdmin(OfPlayer):
    """What the moderators' words are about, and whether they were read."""

    list_display = ("user", "kind", "created_at", "read_at")
    list_filter = ("kind",)
    raw_id_fields = ("user", "action", "report", "match")


@admin.register(Leaving)
class LeavingAdmin(OfPlayer):
    """Accounts whose matches are being ended, or left standing, one by one."""

    list_display = ("user", "how", "since", "due_at")
    list_filter = ("how",)


@admin.register(Trace)
class TraceAdmin(OfPlayer):
    """From where accounts were used, as keyed hashes that tell only which are the same."""

    list_display = ("user", "kind", "digest", "first_seen_at", "last_seen_at")
    list_filter = ("kind",)
    search_fields = ("user__username_key__startswith", "digest__exact")

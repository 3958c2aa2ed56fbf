"""Analyses, hints and puzzles in the administration: to be looked at."""

from django.contrib import admin

from accounts.listing import ReadOnly, Shown
from games.models import AnalysedTurn, Analysis, Evaluation, Hint, Puzzle, PuzzleAttempt


class AnalysedTurnInline(ReadOnly, admin.TabularInline):
    """What was found, turn by turn."""

    model = AnalysedTurn
    extra = 0


@admin.register(Analysis)
class AnalysisAdmin(Shown):
    """The queue, and what was done."""

    list_display = ("match", "asked_by", "asked_at", "total", "claimed_until", "done_at")
    list_select_related = ("match", "asked_by")
    search_fields = ("match__code__exact", "asked_by__username_key__startswith")
    raw_id_fields = ("match", "asked_by")
    inlines = (AnalysedTurnInline,)
    ordering = ("-pk",)


@admin.register(Evaluation)
class EvaluationAdmin(Shown):
    """Positions that were tried out."""

    list_display = ("position", "asked_at", "answered_at", "best", "chance", "proven")
    ordering = ("-pk",)


@admin.register(Hint)
class HintAdmin(Shown):
    """Hints in matches against the computer."""

    list_display = ("match", "seat", "turn", "asked_at", "answered_at", "move", "reason")
    list_select_related = ("match",)
    search_fields = ("match__code__exact",)
    raw_id_fields = ("match",)
    ordering = ("-pk",)


@admin.register(Puzzle)
class PuzzleAdmin(Shown):
    """The puzzles."""

    list_display = ("number", "position", "grade", "turns", "asked")
    list_filter = ("grade",)
    search_fields = ("number__exact",)


@admin.register(PuzzleAttempt)
class PuzzleAttemptAdmin(Shown):
    """Who tried what."""

    list_display = ("user", "puzzle", "step", "missed", "shown", "solved_at", "daily_on")
    list_select_related = ("user", "puzzle")
    search_fields = ("user__username_key__startswith",)
    raw_id_fields = ("user", "puzzle")
    ordering = ("-pk",)

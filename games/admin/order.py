"""The desk of those who keep order: the queue of cases, appeals, and the log."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path, reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from accounts.listing import Shown
from games import selectors
from games.admin.measures import MeasureForm, take
from games.evidence import Evidence, evidence, figures
from games.forms.fields import TextField
from games.models import Action, Appeal, AppealState, Block, Case, ChatLine, DataExport, Flag, Report
from games.models.action import MAX_MESSAGE
from games.numbers import whole_number
from games.services.errors import MatchError
from games.services.fairplay import open_case
from games.services.moderation import appeals, desk, measures


class Desk(Shown):
    """A queue: rows that are decided about, never edited."""

    def has_moderate_permission(self, request: HttpRequest) -> bool:
        """Return whether whoever asks may decide here."""
        return request.user.has_perm(desk.PERMISSION)

    def _require_moderator(self, request: HttpRequest) -> None:
        if not self.has_moderate_permission(request):
            raise PermissionDenied

    def _page(self, request: HttpRequest, template: str, status: int = 200, **context: Any) -> HttpResponse:
        context |= self.admin_site.each_context(request)
        context |= {"opts": self.model._meta, "can_moderate": self.has_moderate_permission(request)}
        return render(request, template, context, status=status)


class OpenFirstFilter(admin.SimpleListFilter):
    """What is open, unless another state is asked for."""

    title = gettext_lazy("state")
    parameter_name = "state"

    def choices(self, changelist: Any) -> Any:
        """Name the default by what it shows."""
        first, *rest = super().choices(changelist)
        return [first | {"display": _("open")}, *rest]


class StateFilter(OpenFirstFilter):
    """Open cases first of all; closed ones on demand."""

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return the states besides open, which is the default."""
        return [("mine", _("claimed by me")), ("free", _("claimed by nobody")), ("closed", _("closed"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        """Return the cases in the chosen state."""
        if self.value() == "closed":
            return queryset.filter(closed_at__isnull=False).order_by("-closed_at")
        queryset = queryset.filter(closed_at=None)
        if self.value() == "mine":
            return queryset.filter(claimed_by=request.user)
        return queryset.filter(claimed_by=None) if self.value() == "free" else queryset


@admin.register(Case)
class CaseAdmin(Desk):
    """Accounts that were reported or flagged, the oldest first; beside each what there is to know."""

    list_display = ("reported", "opened_at", "report_count", "flag_count", "claimed_by")
    list_filter = (StateFilter,)
    list_select_related = ("reported", "claimed_by")
    date_hierarchy = "opened_at"
    search_fields = ("reported__username_key__startswith",)
    ordering = ("opened_at",)
    actions = ("claim_selected", "dismiss_selected")

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        """Return the cases with the numbers of their reports and flags."""
        return (
            super()
            .get_queryset(request)
            .annotate(
                reports_made=Count("reports", filter=Q(reports__closed_at=None), distinct=True),
                flags_set=Count("flags", distinct=True),
            )
        )

    @admin.display(description=gettext_lazy("open reports"))
    def report_count(self, case: Case) -> int:
        """Return how many reports are open."""
        return case.reports_made

    @admin.display(description=gettext_lazy("flags"))
    def flag_count(self, case: Case) -> int:
        """Return how many flags there are."""
        return case.flags_set

    @admin.action(description=gettext_lazy("Claim the chosen cases"), permissions=["moderate"])
    def claim_selected(self, request: HttpRequest, queryset: QuerySet) -> None:
        """Claim cases that nobody else has."""
        for case in queryset:
            self._try(request, lambda case=case: desk.claim(case.pk, request.user))

    @admin.action(description=gettext_lazy("Dismiss the chosen cases"), permissions=["moderate"])
    def dismiss_selected(self, request: HttpRequest, queryset: QuerySet) -> None:
        """Dismiss cases in which there is nothing to act upon."""
        for case in queryset.select_related("reported"):
            order = desk.Order(request.user, case.reported, "other", why="dismissed from the queue", case=case)
            self._try(request, lambda order=order: measures.dismiss(order))

    def _try(self, request: HttpRequest, deed: Any) -> bool:
        try:
            deed()
        except MatchError as error:
            messages.error(request, str(error.message))
            return False
        return True

    def get_urls(self) -> list[URLPattern]:
        """Return the addresses of the queue with those of what is done with a case."""
        view = self.admin_site.admin_view
        own = [
            path("open/", view(self.open_view), name="games_case_open"),
            path("<int:case_id>/claim/", view(self.claim_view), name="games_case_claim"),
            path("<int:case_id>/release/", view(self.release_view), name="games_case_release"),
            path("<int:case_id>/measure/", view(self.measure_view), name="games_case_measure"),
        ]
        return own + super().get_urls()

    def _case(self, case_id: Any) -> Case:
        case = Case.objects.select_related("reported", "claimed_by").filter(pk=case_id).first()
        if case is None:
            raise Http404
        return case

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Show the queue, with a way to open a case about anybody."""
        extra = {"can_moderate": self.has_moderate_permission(request)}
        return super().changelist_view(request, (extra_context or {}) | extra)

    change_list_template = "moderation/queue.html"

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show a case and what there is to know about it."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        return self._show(request, self._case(whole_number(object_id, 0)))

    def _show(
        self, request: HttpRequest, case: Case, data: Any = None, status: int = 200, form: MeasureForm | None = None
    ) -> HttpResponse:
        found = evidence(case)
        form = form or self._form(found, data)
        return self._page(request, "moderation/case.html", status, case=case, evidence=found, form=form, title=case)

    def _form(self, found: Evidence, data: Any = None) -> MeasureForm:
        matches = [
            (f"{timed.match.code}:{timed.match.turn}", f"{timed.match.code}, {timed.seats}, {timed.match.turn}")
            for timed in found.matches
            if timed.can_end
        ]
        lines = [(str(line.pk), text[:60]) for line, text in found.lines if line.author_id == found.subject.pk]
        return MeasureForm(data, matches=matches, lines=lines)

    @method_decorator(require_POST)
    def open_view(self, request: HttpRequest) -> HttpResponse:
        """Open a case about an account that nobody reported."""
        self._require_moderator(request)
        player = selectors.find_player(request.POST.get("username", ""))
        if player is None or player.is_computer:
            messages.error(request, _("There is no such player."))
            return redirect("admin:games_case_changelist")
        return redirect("admin:games_case_change", open_case(player).pk)

    @method_decorator(require_POST)
    def claim_view(self, request: HttpRequest, case_id: int) -> HttpResponse:
        """Claim a case."""
        self._require_moderator(request)
        self._try(request, lambda: desk.claim(case_id, request.user))
        return redirect("admin:games_case_change", case_id)

    @method_decorator(require_POST)
    def release_view(self, request: HttpRequest, case_id: int) -> HttpResponse:
        """Give a case back to the queue."""
        self._require_moderator(request)
        self._try(request, lambda: desk.release(case_id, request.user))
        return redirect("admin:games_case_changelist")

    @method_decorator(require_POST)
    def measure_view(self, request: HttpRequest, case_id: int) -> HttpResponse:
        """Take a measure; what is refused shows the case as it stands now, with the reason."""
        self._require_moderator(request)
        case = self._case(case_id)
        form = self._form(evidence(case), request.POST)
        if not form.is_valid():
            return self._show(request, case, status=422, form=form)
        try:
            take(case, request.user, form.cleaned_data)
        except MatchError as error:
            form.add_error(None, str(error.message))
            return self._show(request, self._case(case_id), status=error.status, form=form)
        messages.success(request, _("The measure is in force and in the log."))
        return redirect("admin:games_case_change", case_id)


class DecisionForm(forms.Form):
    """The answer to an appeal."""

    decision = forms.ChoiceField(
        label=gettext_lazy("Decision"),
        choices=[("uphold", gettext_lazy("The measure stands")), ("lift", gettext_lazy("Lift the measure"))],
        widget=forms.RadioSelect,
    )
    answer = TextField(
        label=gettext_lazy("Answer to the player"),
        required=False,
        max_length=MAX_MESSAGE,
        widget=forms.Textarea(attrs={"rows": 3, "cols": 60}),
    )


class AppealStateFilter(OpenFirstFilter):
    """Appeals that wait, first of all."""

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return the states besides open, which is the default."""
        return [("decided", _("decided"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        """Return the appeals in the chosen state."""
        if self.value() == "decided":
            return queryset.exclude(state=AppealState.OPEN).order_by("-created_at")
        return queryset.filter(state=AppealState.OPEN)


@admin.register(Appeal)
class AppealAdmin(Desk):
    """Appeals, the oldest first."""

    list_display = ("subject", "verb", "created_at", "state", "decided_by")
    list_filter = (AppealStateFilter,)
    list_select_related = ("action__subject", "decided_by")
    date_hierarchy = "created_at"
    search_fields = ("action__subject__username_key__startswith",)
    ordering = ("created_at",)

    @admin.display(description=gettext_lazy("player"))
    def subject(self, appeal: Appeal) -> str:
        """Return who appeals."""
        return appeal.action.subject.username

    @admin.display(description=gettext_lazy("measure"))
    def verb(self, appeal: Appeal) -> str:
        """Return against what."""
        return appeal.action.get_verb_display()

    def get_urls(self) -> list[URLPattern]:
        """Return the addresses of the queue with that of the decision."""
        decide = self.admin_site.admin_view(self.decide_view)
        return [path("<int:appeal_id>/decide/", decide, name="games_appeal_decide"), *super().get_urls()]

    def _appeal(self, appeal_id: Any) -> Appeal:
        found = Appeal.objects.select_related("action__subject", "action__actor", "action__case", "decided_by")
        appeal = found.filter(pk=appeal_id).first()
        if appeal is None:
            raise Http404
        return appeal

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show an appeal and the measure that it is against."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        return self._show(request, self._appeal(whole_number(object_id, 0)), DecisionForm())

    def _show(self, request: HttpRequest, appeal: Appeal, form: DecisionForm, status: int = 200) -> HttpResponse:
        is_own = appeal.action.actor_id == request.user.pk and not request.user.is_superuser
        return self._page(
            request, "moderation/appeal.html", status, appeal=appeal, form=form, is_own=is_own, title=appeal
        )

    @method_decorator(require_POST)
    def decide_view(self, request: HttpRequest, appeal_id: int) -> HttpResponse:
        """Answer an appeal."""
        self._require_moderator(request)
        appeal = self._appeal(appeal_id)
        form = DecisionForm(request.POST)
        if not form.is_valid():
            return self._show(request, appeal, form, 422)
        lifted = form.cleaned_data["decision"] == "lift"
        try:
            appeals.decide(request.user, appeal_id, lifted, form.cleaned_data["answer"])
        except MatchError as error:
            form.add_error(None, str(error.message))
            return self._show(request, self._appeal(appeal_id), form, error.status)
        messages.success(request, _("The player has the answer."))
        return redirect(reverse("admin:games_appeal_changelist"))


@admin.register(Action)
class ActionAdmin(Shown):
    """The log of what moderators did: it is read here, and changed nowhere."""

    list_display = ("created_at", "actor", "verb", "subject", "reason", "until", "match_code")
    list_filter = ("verb", "reason")
    list_select_related = ("actor", "subject")
    date_hierarchy = "created_at"
    search_fields = ("subject__username_key__startswith", "actor__username_key__startswith", "match_code__exact")


@admin.register(Report)
class ReportAdmin(Shown):
    """Single reports."""

    list_display = ("created_at", "reported", "reason", "reporter", "closed_at", "acted_on")
    list_select_related = ("reported", "reporter")
    search_fields = ("reported__username_key__startswith", "reporter__username_key__startswith")
    ordering = ("-pk",)


@admin.register(Flag)
class FlagAdmin(Shown):
    """What the server noticed."""

    list_display = ("created_at", "user", "kind", "other", "match", "figures")
    list_select_related = ("user", "other", "match")
    list_filter = ("kind",)
    date_hierarchy = "created_at"
    search_fields = ("user__username_key__startswith",)
    ordering = ("-pk",)

    @admin.display(description=gettext_lazy("figures"))
    def figures(self, flag: Flag) -> str:
        """Return in words what was counted."""
        return figures(flag)


@admin.register(ChatLine)
class ChatLineAdmin(Shown):
    """What was said, hidden lines too."""

    list_display = ("created_at", "match", "room", "author", "preset", "text", "hidden_at")
    list_select_related = ("match", "author")
    search_fields = ("match__code__exact", "author__username_key__startswith")
    ordering = ("-pk",)


@admin.register(Block)
class BlockAdmin(Shown):
    """Who keeps whom away."""

    list_display = ("blocker", "blocked", "created_at")
    list_select_related = ("blocker", "blocked")
    search_fields = ("blocker__username_key__startswith", "blocked__username_key__startswith")
    ordering = ("-pk",)


@admin.register(DataExport)
class DataExportAdmin(Shown):
    """Which files with own data were asked for; not what is in them."""

    list_display = ("user", "requested_at", "made_at")
    list_select_related = ("user",)
    hidden = ("content",)
    ordering = ("-pk",)

"""A match: what was agreed, how it was dealt, how it stands, how it ended."""

import datetime
import secrets
from enum import StrEnum

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.rules import Position, Reason, parse_position

CODE_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
CODE_LENGTH = 10
#: How long after an open page was last heard of its player still counts as being at the table.
HERE_FOR = datetime.timedelta(seconds=45)
#: How long after that a player is shown as away from a live match: longer than an open page is ever unheard of.
AWAY_AFTER = datetime.timedelta(seconds=25)


def new_code() -> str:
    """Return a random match code: 31**10 values, so a link cannot be guessed."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))


class Status(models.TextChoices):
    """Where a match stands in its life."""

    OPEN = "open", _("waiting for an opponent")
    RUNNING = "running", _("running")
    FINISHED = "finished", _("finished")
    CANCELLED = "cancelled", _("cancelled before it began")


class OpenTo(models.TextChoices):
    """Who may take the second seat."""

    LOBBY = "lobby", _("anyone in the lobby")
    LINK = "link", _("whoever has the link")
    PLAYER = "player", _("one invited player")
    COMPUTER = "computer", _("the computer")


class Pace(models.TextChoices):
    """How time is kept."""

    LIVE = "live", _("live")
    CORRESPONDENCE = "days", _("correspondence")
    UNTIMED = "untimed", _("untimed")


class NoResult(StrEnum):
    """Why a match was aborted where none of the players asked for it."""

    NOT_LED = "not-led"
    MODERATOR = "moderator"


class Deal(models.TextChoices):
    """How the cards are dealt (rule 2)."""

    SHUFFLED = "shuffled", _("shuffled")
    MIRRORED = "mirrored", _("mirrored")


class Pickup(models.TextChoices):
    """Whether one must beat when one can (rule 8)."""

    STRICT = "strict", _("strict: pick up only when you cannot beat")
    FREE = "free", _("free: pick up whenever you like")


class Trump(models.TextChoices):
    """A suit to have as trumps, or none chosen: drawn from what is left."""

    ANY = "", _("any")
    CLUBS = "C", pgettext_lazy("suit", "clubs")
    DIAMONDS = "D", pgettext_lazy("suit", "diamonds")
    HEARTS = "H", pgettext_lazy("suit", "hearts")
    SPADES = "S", pgettext_lazy("suit", "spades")


class MatchQuerySet(models.QuerySet["Match"]):
    """Ways to find matches."""

    def running(self) -> "MatchQuerySet":
        """Matches in play."""
        return self.filter(status=Status.RUNNING)

    def awaiting(self, user_id: int) -> "MatchQuerySet":
        """Matches in which it is a player's turn; not those that a moderator lets stand still."""
        return self.running().filter(seats__user=user_id, seats__number=F("to_move"), paused_at=None)

    def by_time_left(self) -> "MatchQuerySet":
        """Those whose turn has the least time left first, and last those that have no deadline."""
        return self.order_by(F("deadline").asc(nulls_last=True), "turn_started_at")

    def overdue(self, now: datetime.datetime) -> "MatchQuerySet":
        """Running matches whose deadline is at or before ``now``, the longest overdue first."""
        return self.running().filter(deadline__lte=now).order_by("deadline")

    def computer_due(self, now: datetime.datetime) -> "MatchQuerySet":
        """Running matches in which the computer is to answer by ``now``."""
        return self.running().filter(computer_due_at__lte=now).order_by("computer_due_at")

    def left_while_livened(self, now: datetime.datetime) -> "MatchQuerySet":
        """Correspondence matches that are played on live though a player has left the table."""
        gone = Q(seats__here_at__isnull=True) | Q(seats__here_at__lte=now - HERE_FOR)
        return self.running().filter(gone, livened=True).distinct()

    def in_lobby(self) -> "MatchQuerySet":
        """Open seats that anyone may take, the newest first; those of paused players rest."""
        offered = self.filter(status=Status.OPEN, open_to=OpenTo.LOBBY)
        return offered.exclude(seats__user__standing__paused_at__isnull=False).order_by("-created_at")

    def played_now(self) -> "MatchQuerySet":
        """Live matches in play whose seat was offered to anyone, so that anyone may look on, the newest first."""
        public = self.running().filter(open_to=OpenTo.LOBBY, pace=Pace.LIVE)
        return public.filter(paused_at=None).order_by("-started_at")

    def with_seats(self) -> "MatchQuerySet":
        """Matches with ``seated``, their seats and players in order, in three queries."""
        return self.prefetch_related(models.Prefetch("seats", queryset=_seats_with_users(), to_attr="seated"))


def _seats_with_users() -> models.QuerySet:
    from games.models.seat import Seat

    # Apart, by their keys: joined to some hundred seats, PostgreSQL would read the whole table of accounts.
    players = get_user_model().objects.select_related("computer")
    return Seat.objects.order_by("number").prefetch_related(models.Prefetch("user", queryset=players))


class Match(models.Model):
    """One match between two seats.

    ``position`` and ``turn`` stand beside the move log and always equal its replay from
    ``start``. ``turn`` counts from 1 and is the number of the turn to be made next.
    ``deadline`` is when the player to move loses on time (before the lead: when the match
    is cancelled without a result); there is no timer anywhere else. ``livened`` marks a
    correspondence match that both players have agreed to play on live, while both are there.
    """

    code = models.CharField(_("code"), max_length=16, unique=True, default=new_code, editable=False)
    status = models.CharField(_("status"), max_length=10, choices=Status, default=Status.OPEN)
    open_to = models.CharField(_("open to"), max_length=10, choices=OpenTo)
    invited = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("invited player"),
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="invitations",
    )
    rematch_of = models.ForeignKey(
        "self",
        verbose_name=_("rematch of"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="rematches",
    )

    deck_size = models.PositiveSmallIntegerField(_("deck"), choices=[(n, n) for n in (24, 32, 36, 52)], default=36)
    deal = models.CharField(_("deal"), max_length=8, choices=Deal, default=Deal.SHUFFLED)
    pickup = models.CharField(_("pick-up"), max_length=6, choices=Pickup, default=Pickup.STRICT)
    open_hands = models.BooleanField(_("open hands"), default=False)
    pace = models.CharField(_("pace"), max_length=8, choices=Pace)
    base_seconds = models.PositiveIntegerField(_("seconds on the clock"), default=0)
    increment_seconds = models.PositiveIntegerField(_("seconds added a turn"), default=0)
    days_per_turn = models.PositiveSmallIntegerField(_("days a turn"), default=0)
    time_off_allowed = models.BooleanField(_("time off allowed"), default=True)

    secret = models.BinaryField(_("secret of the deal"), max_length=32)
    commitment = models.CharField(_("SHA-256 of the secret"), max_length=64)
    nonce = models.BinaryField(_("nonce of the accepting side"), max_length=32, null=True)

    start = models.CharField(_("starting position"), max_length=160, blank=True)
    position = models.CharField(_("position"), max_length=160, blank=True)
    turn = models.PositiveSmallIntegerField(_("turn"), default=0)
    to_move = models.PositiveSmallIntegerField(_("seat to move"), null=True, blank=True)
    turn_started_at = models.DateTimeField(_("turn began"), null=True, blank=True)
    deadline = models.DateTimeField(_("deadline"), null=True, blank=True)
    computer_due_at = models.DateTimeField(_("computer answers"), null=True, blank=True)
    draw_offered_by = models.PositiveSmallIntegerField(_("draw offered by seat"), null=True, blank=True)
    draw_declined_by = models.PositiveSmallIntegerField(_("draw declined by seat"), null=True, blank=True)
    paused_at = models.DateTimeField(_("stands still since"), null=True, blank=True)
    paused_ms = models.BigIntegerField(_("time left when it was stopped, in milliseconds"), null=True, blank=True)
    livened = models.BooleanField(_("played live for now"), default=False)
    live_offered_by = models.PositiveSmallIntegerField(_("live play offered by seat"), null=True, blank=True)

    winner = models.PositiveSmallIntegerField(_("winning seat"), null=True, blank=True)
    reason = models.CharField(
        _("reason"), max_length=12, blank=True, choices=[(reason.value, reason.value) for reason in Reason]
    )
    no_result = models.CharField(
        _("why there is no result"), max_length=10, blank=True, choices=[(why.value, why.value) for why in NoResult]
    )
    #: The seat whose doing the end was; of a cancelled match 1, the seat that nobody took, where it was declined.
    ended_by = models.PositiveSmallIntegerField(_("seat that resigned, aborted or was late"), null=True, blank=True)

    created_at = models.DateTimeField(_("made"), auto_now_add=True)
    started_at = models.DateTimeField(_("began"), null=True, blank=True)
    finished_at = models.DateTimeField(_("ended"), null=True, blank=True)

    #: The seats in order, with their users; set where a match is loaded to be shown or changed.
    seated: "list[Seat]"  # noqa: F821

    objects = MatchQuerySet.as_manager()

    class Meta:
        verbose_name = pgettext_lazy("game", "match")
        verbose_name_plural = pgettext_lazy("game", "matches")
        indexes = [
            models.Index(fields=["deadline"], name="match_deadline", condition=Q(status="running")),
            models.Index(fields=["livened"], name="match_livened", condition=Q(livened=True)),
            models.Index(fields=["computer_due_at"], name="match_computer_due", condition=Q(status="running")),
            models.Index(fields=["open_to", "-created_at"], name="match_open", condition=Q(status="open")),
            models.Index(
                fields=["-started_at"],
                name="match_played_now",
                condition=Q(status="running", open_to="lobby", pace="live"),
            ),
            models.Index(fields=["-created_at"], name="match_created"),
            models.Index(fields=["-finished_at"], name="match_finished", condition=Q(status="finished")),
            models.Index(fields=["finished_at"], name="match_cancelled", condition=Q(status="cancelled")),
            models.Index(fields=["paused_at"], name="match_paused", condition=Q(paused_at__isnull=False)),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["rematch_of"],
                condition=~Q(status="cancelled"),
                name="match_one_rematch",
            ),
            models.CheckConstraint(condition=Q(winner__isnull=True) | Q(winner__in=(0, 1)), name="match_winner_seat"),
            models.CheckConstraint(condition=Q(to_move__isnull=True) | Q(to_move__in=(0, 1)), name="match_to_move"),
        ]

    def __str__(self) -> str:
        return self.code

    def get_absolute_url(self) -> str:
        """The address of the table."""
        return reverse("games:match", args=[self.code])

    @property
    def is_running(self) -> bool:
        """Whether the match is in play."""
        return self.status == Status.RUNNING

    @property
    def ticks(self) -> bool:
        """Whether the clocks are those of a live match now."""
        return self.pace == Pace.LIVE or self.livened

    @property
    def shows_away(self) -> bool:
        """Whether the table tells who has left it: that of a live match between people."""
        people = not any(seat.user.is_computer for seat in self.seated)
        return people and self.is_running and self.pace == Pace.LIVE

    @property
    def mover(self) -> int:
        """The number of the seat to move; raises ``ValueError`` where nobody is."""
        if self.to_move is None:
            raise ValueError("nobody is to move")
        return self.to_move

    @property
    def is_over(self) -> bool:
        """Whether the match was dealt and has ended."""
        return self.status == Status.FINISHED

    @property
    def has_result(self) -> bool:
        """Whether the match ended with a win or a draw (an aborted one has no result)."""
        return self.is_over and self.reason != Reason.ABORTED

    def was_ended_by(self, seat: int | None) -> bool | None:
        """Whether a seat's doing ended the match; None to those who have none, and where it was nobody's doing."""
        return None if seat is None or self.ended_by is None else self.ended_by == seat

    def may_plan(self, seat: int | None) -> bool:
        """Whether the player of a seat may lay down conditional turns now: in the opponent's time."""
        goes_on = self.is_running and self.pace == Pace.CORRESPONDENCE and self.paused_at is None
        return goes_on and seat is not None and self.to_move == 1 - seat

    @property
    def rules_position(self) -> Position:
        """The stored position as a value of the rules."""
        return parse_position(self.position)

    def seat_of(self, user_id: int | None) -> "Seat | None":  # noqa: F821
        """The seat that a user holds, out of the loaded seats."""
        return next((seat for seat in self.seated if seat.user_id == user_id), None)

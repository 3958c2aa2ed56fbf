"""All that the site keeps about one player, as data."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db.models import F, Prefetch

from accounts.models import ClosedAccount, User
from games.models import (
    Action,
    Analysis,
    Appeal,
    Block,
    ChatLine,
    Hint,
    LessonProgress,
    Line,
    Match,
    Notice,
    NoticeChoice,
    OfficialWord,
    PushSubscription,
    PuzzleAttempt,
    Reader,
    Report,
    Standing,
    TimeOff,
    Trace,
)

#: The form of the file; a number that grows when something in it changes its meaning.
FORMAT = 1
_ACCOUNT = (
    "username",
    "kind",
    "email",
    "date_joined",
    "last_login",
    "last_active_at",
    "language",
    "time_zone",
    "colour_scheme",
    "four_colours",
    "card_back",
    "hand_order",
    "confirm_turns",
    "forced_turns",
    "single_keys",
    "automatic_time_off",
    "sounds",
    "sound_volume",
    "chat_from",
    "suspended_until",
    "muted_until",
    "must_rename",
    "closed_at",
)
_READING = ("language", "time_zone", "digest_hour", "digest_at", "digested_at", "turn_mailed_at", "calendar_key")


def personal_data(user: User) -> dict[str, Any]:
    """Return the player's account, matches with their records, talk, reports and measures, ready to be made JSON.

    Of others it holds what the player could see anyway: their names, turns and lines. The reports of
    others about the player are not in it, nor the moderators' notes to each other.
    """
    return {
        "format": FORMAT,
        "account": {name: getattr(user, name) for name in _ACCOUNT},
        "name_before_closing": ClosedAccount.objects.filter(user=user).values_list("username", flat=True).first(),
        "email_addresses": list(EmailAddress.objects.filter(user=user).values("email", "verified", "primary")),
        "second_factors": list(Authenticator.objects.filter(user=user).values("type", "created_at", "last_used_at")),
        "sessions": list(
            UserSession.objects.filter(user=user).values("created_at", "last_seen_at", "ip", "user_agent")
        ),
        "traces": list(Trace.objects.filter(user=user).values("kind", "digest", "first_seen_at", "last_seen_at")),
        "matches": [_match(match, user) for match in _matches(user)],
        "chat": list(_chat(user)),
        "blocks": list(Block.objects.filter(blocker=user).values("blocked__username", "created_at")),
        "reports": list(
            Report.objects.filter(reporter=user).values(
                "reported__username", "reason", "text", "match__code", "created_at", "closed_at", "acted_on"
            )
        ),
        "measures": list(
            Action.objects.filter(subject=user).values("verb", "reason", "message", "until", "match_code", "created_at")
        ),
        "appeals": list(
            Appeal.objects.filter(action__subject=user).values("text", "created_at", "state", "answer", "decided_at")
        ),
        "words_from_moderators": list(OfficialWord.objects.filter(user=user).values("kind", "created_at", "read_at")),
        "notices": list(Notice.objects.filter(user=user).values("event", "match__code", "created_at", "read_at")),
        "notice_choices": list(NoticeChoice.objects.filter(user=user).values("event", "channel", "wanted")),
        "notice_reading": Reader.objects.filter(user=user).values(*_READING).first(),
        "push_subscriptions": list(PushSubscription.objects.filter(user=user).values("endpoint", "created_at")),
        "analyses": list(Analysis.objects.filter(asked_by=user).values("match__code", "asked_at", "done_at")),
        "hints": list(
            Hint.objects.filter(match__seats__user=user, seat=F("match__seats__number")).values(
                "match__code", "turn", "asked_at", "move"
            )
        ),
        "puzzles": list(
            PuzzleAttempt.objects.filter(user=user).values(
                "puzzle__number", "missed", "shown", "started_at", "solved_at", "daily_on"
            )
        ),
        "lessons": list(LessonProgress.objects.filter(user=user).values("step")),
        "standing": Standing.objects.filter(user=user).values("lost_on_time", "paused_at").first(),
        "time_off": list(TimeOff.objects.filter(user=user).values("begins_at", "ends_at", "days", "automatic")),
    }


def _matches(user: User) -> Any:
    played = Match.objects.filter(seats__user=user).order_by("created_at")
    lines = Prefetch("seated__lines", queryset=Line.objects.filter(seat__user=user))
    # What the checker does not know: with_seats() sets "seated".
    return played.with_seats().prefetch_related("moves", lines)  # type: ignore[misc]


def _match(match: Match, user: User) -> dict[str, Any]:
    """Return a match with its record; the secret of its deal, and closed hands, once it is over."""
    found = {
        "code": match.code,
        "status": match.status,
        "terms": {
            "deck": match.deck_size,
            "deal": match.deal,
            "pickup": match.pickup,
            "open_hands": match.open_hands,
            "pace": match.pace,
            "base_seconds": match.base_seconds,
            "increment_seconds": match.increment_seconds,
            "days_per_turn": match.days_per_turn,
        },
        "seats": [
            {"seat": seat.number, "player": seat.user.username, "you": seat.user_id == user.pk} for seat in match.seated
        ],
        "commitment": match.commitment,
        "created_at": match.created_at,
        "started_at": match.started_at,
        "finished_at": match.finished_at,
        "result": None,
        "moves": [
            {"turn": move.turn, "seat": move.seat, "move": move.notation, "played_at": move.played_at}
            for move in sorted(match.moves.all(), key=lambda move: move.turn)
        ],
        "conditional_turns": [
            {"turn": line.turn, "moves": line.moves, "laid_at": line.laid_at}
            for seat in match.seated
            for line in seat.lines.all()
        ],
    }
    if match.is_over:
        found["start"] = match.start
        found["secret"] = bytes(match.secret).hex()
        found["nonce"] = bytes(match.nonce or b"").hex()
        found["result"] = {"winner": match.winner, "reason": match.reason}
    return found


def _chat(user: User) -> Any:
    return ChatLine.objects.filter(author=user).values("match__code", "room", "preset", "text", "created_at").iterator()

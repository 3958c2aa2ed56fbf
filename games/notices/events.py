"""What happened, as the services tell it: rows for the page and for the outbox follow from it.

Each function runs inside the transaction in which the thing happened, so that a change
that is undone tells nobody.
"""

import datetime
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.utils import timezone
from django.utils.translation import get_language

from accounts.models import Kind, User
from games.models import Channel, Delivery, Event, Match, Pace, Reader, Seat, Status, TimeOff
from games.notices import choices, inbox, schedule

#: What stands for a turn of a match, and is void when the turn is made.
_OF_A_TURN = (Event.TURN, Event.LOW_TIME)


def turn_began(match: Match, seats: Sequence[Seat], now: datetime.datetime) -> None:
    """A turn has passed or a match begun: drop what was told of the last turn, tell the player to move.

    At a live clock nobody is told, nor against the computer, which answers while one looks.
    """
    if match.pace == Pace.LIVE:
        return
    # What was dropped may be wanted anew: live play at the table has ended, and the turn began again.
    Delivery.objects.unsent().filter(match=match, event__in=_OF_A_TURN).delete()
    inbox.clear(match, _OF_A_TURN)
    if match.ticks:
        return
    player = seats[match.to_move or 0].user
    if player.is_computer or match.to_move is None:
        return
    if not any(seat.user.is_computer for seat in seats):
        _tell(player, Event.TURN, now, f"turn:{match.code}", match=match, turn=match.turn)
    _warn_of_deadline(match, player, now)


def turn_goes_on(match: Match, seats: Sequence[Seat], now: datetime.datetime) -> None:
    """A match that stood still goes on: the player to move is told of the turn and of its deadline as if it began now.

    What was sent of it before is forgotten, as it would keep the same from being told again.
    """
    if match.pace == Pace.LIVE or match.to_move is None:
        return
    Delivery.objects.filter(match=match, event__in=_OF_A_TURN).delete()
    inbox.clear(match, _OF_A_TURN)
    Reader.objects.filter(user=seats[match.to_move].user_id).update(turn_mailed_at=None, turn_mail=None)
    turn_began(match, seats, now)


def deadline_moved(match: Match, now: datetime.datetime | None = None) -> None:
    """The deadline of the present turn has changed, as by time off: warnings follow it.

    A warning that was given for this turn is not given again.
    """
    Delivery.objects.unsent().filter(match=match, event=Event.LOW_TIME).delete()
    if match.status != Status.RUNNING or match.to_move is None or match.ticks:
        return
    seat = match.seats.select_related("user").get(number=match.to_move)
    _warn_of_deadline(match, seat.user, now or timezone.now())


def match_over(match: Match, seats: Sequence[Seat], now: datetime.datetime, asker: Seat | None) -> None:
    """A match has ended: tell the players, but not the one who is there, having just asked for something."""
    Delivery.objects.waiting().filter(match=match, event__in=_OF_A_TURN).delete()
    inbox.clear(match, _OF_A_TURN)
    if match.pace == Pace.LIVE or any(seat.user.is_computer for seat in seats):
        return
    for seat in seats:
        if asker is None or seat.pk != asker.pk:
            _tell(seat.user, Event.OVER, now, f"over:{match.code}", match=match)


def challenged(match: Match) -> None:
    """A match was made: tell the player to whom it is offered by name, as a challenge or as a rematch."""
    if match.invited is None:
        return
    event = Event.CHALLENGE if match.rematch_of_id is None else Event.REMATCH
    now = timezone.now()
    _tell(match.invited, event, now, f"offer:{match.code}", match=match)


def offer_closed(match: Match) -> None:
    """An offer was answered or withdrawn: nobody need be told of it any more."""
    offers = (Event.CHALLENGE, Event.REMATCH)
    Delivery.objects.waiting().filter(match=match, event__in=offers).delete()
    inbox.clear(match, offers)


def declined(match: Match, maker: User) -> None:
    """The player to whom a match was offered by name will not play it: tell its maker."""
    _tell(maker, Event.OVER, timezone.now(), f"over:{match.code}", match=match)


def time_off_began(off: TimeOff) -> None:
    """A player's time off has begun, by itself or as planned; each stretch is told of once."""
    data = {"first_day": off.first_day.isoformat(), "days": off.days, "automatic": off.automatic}
    _tell(off.user, Event.TIME_OFF, timezone.now(), f"time-off:{off.pk}", data=data)


def moderated(
    user: User,
    verb: str,
    *,
    message: str = "",
    until: datetime.datetime | None = None,
    match: Match | None = None,
    key: str,
) -> None:
    """A moderator has decided something about a player.

    ``verb`` is a :class:`games.models.Verb`, ``message`` what the moderator wrote to the
    player, ``key`` names the decision.
    """
    data = {"verb": verb, "message": message, "until": until.isoformat() if until else ""}
    _tell(user, Event.MODERATION, timezone.now(), f"moderation:{key}", match=match, data=data)


def acted(match: Match, seat: Seat, now: datetime.datetime) -> None:
    """A player has done something at a table, and so has seen what was told about the match.

    Nothing is told about the turns of a live match, so there is nothing to mark.
    """
    if match.pace != Pace.LIVE:
        _saw(match, seat.user_id, now)


def looked(match: Match, user: User) -> None:
    """A player has looked at a match, seated or invited; called within a request.

    Keeps the language and time zone of the visit for accounts that leave them to the browser.
    """
    now = timezone.now()
    _saw(match, user.pk, now)
    if user.language and user.time_zone:
        return
    language = (get_language() or settings.LANGUAGE_CODE)[:12]
    zone = timezone.get_current_timezone_name()[:64]
    reader = Reader.objects.filter(user=user).first()
    if reader is None:
        Reader.objects.get_or_create(user=user, defaults={"language": language, "time_zone": zone})
    elif (reader.language, reader.time_zone) != (language, zone):
        Reader.objects.filter(pk=reader.pk).update(language=language, time_zone=zone)


def _saw(match: Match, user_id: int, now: datetime.datetime) -> None:
    """A player has seen how a match stands: a turn that was seen is no news, the rest is kept as read."""
    inbox.clear(match, _OF_A_TURN, user_id)
    inbox.mark_match_read(user_id, match.pk, now)


def _warn_of_deadline(match: Match, player: User, now: datetime.datetime) -> None:
    """Put down the warnings of a correspondence turn that are still to come."""
    if match.pace != Pace.CORRESPONDENCE or match.deadline is None or player.kind == Kind.COMPUTER:
        return
    wanted = choices.wanted_channels(player, Event.LOW_TIME)
    for number, left in schedule.warnings(match):
        due = match.deadline - left
        if due <= now:
            continue
        for channel in sorted(wanted):
            _put(player, channel, Event.LOW_TIME, now, due, f"low{number}:{match.code}:{match.turn}", match=match,
                 turn=match.turn, data={"warning": number})  # fmt: skip


def _tell(
    user: User,
    event: Event,
    now: datetime.datetime,
    key: str,
    *,
    match: Match | None = None,
    turn: int | None = None,
    data: dict[str, Any] | None = None,
) -> None:
    """Put a line behind the bell and rows into the outbox, as the player wants it."""
    wanted = choices.wanted_channels(user, event)
    if Channel.PAGE in wanted:
        inbox.add(user, event, key, now, match=match, data=data)
    for channel in sorted(wanted - {Channel.PAGE}):
        unique = key if turn is None else f"{key}:{turn}"
        _put(user, channel, event, now, now + _delay(event, channel), unique, match=match, turn=turn, data=data)


def _delay(event: Event, channel: str) -> datetime.timedelta:
    if event in (Event.TIME_OFF, Event.MODERATION):
        return datetime.timedelta(0)
    if event in (Event.CHALLENGE, Event.REMATCH):
        return schedule.OFFER_DELAY
    return schedule.MAIL_DELAY if channel == Channel.MAIL else schedule.PUSH_DELAY


def _put(
    user: User,
    channel: str,
    event: Event,
    now: datetime.datetime,
    due: datetime.datetime,
    key: str,
    *,
    match: Match | None = None,
    turn: int | None = None,
    data: dict[str, Any] | None = None,
) -> None:
    """Put one row into the outbox; one that is there already stays as it is."""
    Delivery.objects.bulk_create(
        [
            Delivery(
                user=user,
                channel=channel,
                event=event,
                match=match,
                turn=turn,
                key=key,
                data=data or {},
                created_at=now,
                wanted_at=due,
                due_at=due,
            )
        ],
        ignore_conflicts=True,
    )

"""What notices say, in the language and time zone that are active: each sentence once, for all channels."""

import datetime
from dataclasses import dataclass, field
from typing import Any

from django.urls import reverse
from django.utils import formats, timezone
from django.utils.translation import gettext, ngettext

from games.models import Event, Match, Move, Pace, Seat, Status, Verb
from games.present import terms, words
from games.present.parts import ClockView
from games.rules import Reason, card_name, parse_move, parse_position


@dataclass(slots=True)
class Told:
    """What one notice says: a title, sentences, and where it leads.

    ``path`` is a page of this site, ``action`` what one does there; both are empty where there
    is nothing to do.
    """

    title: str
    sentences: list[str] = field(default_factory=list)
    path: str = ""
    action: str = ""


def tell(
    event: str, reader_id: int, match: Match | None, data: dict[str, Any], now: datetime.datetime | None = None
) -> Told:
    """Return what is said about an event to the player with this number.

    ``now`` adds what is true at that moment only: the time left and the latest turn.
    """
    if event == Event.TIME_OFF:
        return _time_off(data)
    if event == Event.MODERATION:
        return _moderation(data, match)
    if match is None:
        return Told(str(Event(event).label))
    told = {
        Event.TURN: _turn,
        Event.LOW_TIME: _low_time,
        Event.CHALLENGE: _challenge,
        Event.REMATCH: _rematch,
        Event.OVER: _over,
    }[Event(event)](match, reader_id, now)
    told.path = match.get_absolute_url()
    return told


def opponent_name(match: Match, reader_id: int) -> str:
    """Return the name of the other player of a match."""
    other = next((seat.user for seat in _seats(match) if seat.user_id != reader_id), None)
    return words.player_name(other) if other else gettext("anyone")


def _seats(match: Match) -> list[Seat]:
    """Return the seats of a match with their players, loaded now where they are not yet."""
    if "seated" not in match.__dict__:
        match.seated = list(match.seats.select_related("user__computer").order_by("number"))
    return match.seated


def moment(at: datetime.datetime) -> str:
    """Return a time in the active time zone, and which zone that is."""
    local = timezone.localtime(at)
    return gettext("%(time)s (%(zone)s)") % {
        "time": formats.date_format(local, "DATETIME_FORMAT"),
        "zone": timezone.get_current_timezone_name().replace("_", " "),
    }


def time_left(match: Match, now: datetime.datetime) -> str:
    """Return the time that is left for the present turn of a correspondence match, or nothing."""
    if match.deadline is None or match.pace != Pace.CORRESPONDENCE:
        return ""
    left = max(0, (match.deadline - now) // datetime.timedelta(milliseconds=1))
    return ClockView(left, running=True, days=True).text


def latest_turn(match: Match, reader_id: int) -> str:
    """Return the latest turn of a match as a sentence, or nothing before the lead.

    Only what lay face up is in it: the turn itself and the card that it beat.
    """
    log = list(Move.objects.filter(match=match).order_by("turn").values_list("seat", "notation"))
    if not log:
        return ""
    position = parse_position(match.start)
    for _seat, notation in log[:-1]:
        position = position.play(parse_move(notation))
    seat, notation = log[-1]
    beaten = None if position.top is None else card_name(position.top)
    move = parse_move(notation)
    taken = position.pickup_count() or 0
    player = next(place.user for place in _seats(match) if place.number == seat)
    if player.pk == reader_id:
        return words.own_turn_sentence(move, beaten, taken)
    return words.turn_sentence(words.player_name(player), move, beaten, taken)


def _deadline(match: Match, now: datetime.datetime) -> list[str]:
    if match.deadline is None or match.pace != Pace.CORRESPONDENCE:
        return []
    values = {"deadline": moment(match.deadline), "left": time_left(match, now)}
    return [gettext("You have until %(deadline)s. Time left: %(left)s.") % values]


def _turn(match: Match, reader_id: int, now: datetime.datetime | None) -> Told:
    title = gettext("Your turn against %(player)s") % {"player": opponent_name(match, reader_id)}
    told = Told(title, action=gettext("Play this turn"))
    if now is not None:
        latest = latest_turn(match, reader_id) or gettext("You lead: play any card.")
        told.sentences = [latest, *_deadline(match, now)]
    return told


def _low_time(match: Match, reader_id: int, now: datetime.datetime | None) -> Told:
    title = gettext("Little time left against %(player)s") % {"player": opponent_name(match, reader_id)}
    told = Told(title, action=gettext("Play this turn"))
    if now is not None:
        lost = gettext("If you do not play by then, the match is lost on time.")
        void = gettext("If you do not play by then, the match is cancelled without a result.")
        told.sentences = [*_deadline(match, now), void if match.turn == 1 else lost]
    return told


def _challenge(match: Match, reader_id: int, now: datetime.datetime | None) -> Told:
    title = gettext("%(player)s challenges you to a match") % {"player": opponent_name(match, reader_id)}
    return Told(title, [" · ".join(terms.describe(match))], action=gettext("Answer the challenge"))


def _rematch(match: Match, reader_id: int, now: datetime.datetime | None) -> Told:
    title = gettext("%(player)s offers you a rematch") % {"player": opponent_name(match, reader_id)}
    return Told(title, [" · ".join(terms.describe(match))], action=gettext("Answer the offer"))


def _declined(match: Match) -> Told:
    assert match.invited is not None
    player = {"player": words.player_name(match.invited)}
    if match.rematch_of_id is None:
        return Told(gettext("%(player)s declined your challenge") % player)
    return Told(gettext("%(player)s declined the rematch") % player)


def _over(match: Match, reader_id: int, now: datetime.datetime | None) -> Told:
    if match.status == Status.CANCELLED:
        return _declined(match)
    player = {"player": opponent_name(match, reader_id)}
    own = next((seat.number for seat in _seats(match) if seat.user_id == reader_id), None)
    outcome = ""
    if match.reason == Reason.ABORTED:
        title = gettext("No result against %(player)s") % player
    elif match.winner is None:
        title = gettext("A draw with %(player)s") % player
    elif match.winner == own:
        outcome = "won"
        title = gettext("You have won against %(player)s") % player
    else:
        outcome = "lost"
        title = gettext("You have lost against %(player)s") % player
    why = words.end_sentence(match, outcome, own)
    return Told(title, [why] if why else [], action=gettext("Look at the match"))


def _time_off(data: dict[str, Any]) -> Told:
    days = int(data.get("days", 1))
    first = formats.date_format(datetime.date.fromisoformat(data["first_day"]), "DATE_FORMAT")
    values = {"count": days, "day": first}
    lasts = ngettext(
        "It lasts %(count)d day from %(day)s. Your clocks stand still.",
        "It lasts %(count)d days from %(day)s. Your clocks stand still.",
        days,
    )
    sentences = [lasts % values]
    if data.get("automatic"):
        sentences.insert(0, gettext("It began by itself, because a turn of yours was about to be lost on time."))
    return Told(gettext("Your time off has begun"), sentences, reverse("games:mine"), gettext("Your matches"))


def _moderation(data: dict[str, Any], match: Match | None) -> Told:
    title = {
        Verb.WARN: gettext("A moderator has warned you"),
        Verb.MUTE: gettext("A moderator has muted you"),
        Verb.SUSPEND: gettext("A moderator has suspended your account"),
        Verb.CLOSE: gettext("A moderator has closed your account"),
        Verb.RENAME: gettext("A moderator asks you to choose another name"),
        Verb.END_MATCH: gettext("A moderator has ended a match of yours"),
        Verb.LIFT: gettext("A moderator has lifted a measure against you"),
        Verb.UPHOLD: gettext("Your appeal was looked at, and the measure stands"),
    }.get(data.get("verb", ""), gettext("A moderator has decided about your account"))
    sentences = []
    if data.get("until"):
        until = moment(datetime.datetime.fromisoformat(data["until"]))
        sentences.append(gettext("It holds until %(time)s.") % {"time": until})
    if data.get("message"):
        sentences.append(data["message"])
    told = Told(title, sentences)
    if match is not None:
        told.path, told.action = match.get_absolute_url(), gettext("Look at the match")
    return told

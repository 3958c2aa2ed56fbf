"""Making a match, taking its second seat, declining and withdrawing it."""

import secrets
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games import broadcast, notices
from games.models import Block, Deal, Match, OpenTo, Pace, Pickup, Seat, Status, Trump
from games.rules import DECK_SIZES
from games.rules.dealing import SECRET_BYTES, commitment
from games.services import clock, fairplay, standing
from games.services.dealing import starting_position
from games.services.errors import MatchError, NotSeatedError, SeatTakenError, TermsError
from games.services.table import HeldMatch, held

#: Days a turn that a correspondence match can have.
DAYS_A_TURN = (1, 2, 3, 5, 7, 14)
LIVE_MINUTES = range(1, 61)
INCREMENT_SECONDS = range(0, 61)
#: So many challenges to one player may wait for an answer; a rematch is no challenge.
CHALLENGES_AT_ONCE = 3


@dataclass(frozen=True, slots=True)
class MatchTerms:
    """All that is agreed before a match but the trumps; the defaults are the standard."""

    deck_size: int = 36
    deal: str = Deal.SHUFFLED
    pickup: str = Pickup.STRICT
    open_hands: bool = False
    pace: str = Pace.UNTIMED
    base_seconds: int = 0
    increment_seconds: int = 0
    days_per_turn: int = 0
    time_off_allowed: bool = True

    def check(self, open_to: str) -> None:
        """Raise :class:`TermsError` unless a match can be played on these terms."""
        sound = self.deck_size in DECK_SIZES and self.deal in Deal.values and self.pickup in Pickup.values
        if self.pace == Pace.LIVE:
            minutes, seconds = divmod(self.base_seconds, 60)
            sound &= minutes in LIVE_MINUTES and not seconds and self.increment_seconds in INCREMENT_SECONDS
        elif self.pace == Pace.CORRESPONDENCE:
            sound &= self.days_per_turn in DAYS_A_TURN
        else:
            sound &= self.pace == Pace.UNTIMED
        if not sound:
            raise TermsError
        if self.pace == Pace.UNTIMED and open_to == OpenTo.LOBBY:
            raise TermsError(_("A match with anyone from the lobby needs a clock."))

    @classmethod
    def of(cls, match: Match) -> "MatchTerms":
        """Return the terms that a match was made on."""
        return cls(
            match.deck_size,
            match.deal,
            match.pickup,
            match.open_hands,
            match.pace,
            match.base_seconds,
            match.increment_seconds,
            match.days_per_turn,
            match.time_off_allowed,
        )


def create(
    user: User,
    terms: MatchTerms,
    *,
    open_to: str,
    trump: str = Trump.ANY,
    invited: User | None = None,
    rematch_of: Match | None = None,
) -> Match:
    """Make a match with the user in seat 0 and its second seat offered.

    The secret of the deal is drawn here and only its SHA-256 is shown until the match is
    over. Raises :class:`TermsError`.
    """
    terms.check(open_to)
    if trump not in Trump.values or open_to not in OpenTo.values:
        raise TermsError
    if (open_to == OpenTo.PLAYER) != (invited is not None):
        raise TermsError
    if invited == user:
        raise TermsError(_("You cannot invite yourself."))
    secret = secrets.token_bytes(SECRET_BYTES)
    with fairplay.beginning(user, invited=invited) as account:
        fairplay.require_may_begin(account)
        if invited is not None:
            # As the account is now that it is held.
            _require_may_invite(user, User.objects.filter(pk=invited.pk).first())
            if rematch_of is None:
                _require_few_challenges(user, invited)
        if open_to != OpenTo.COMPUTER:
            standing.require_unpaused(user, invited)
        match = Match.objects.create(
            open_to=open_to,
            invited=invited,
            rematch_of=rematch_of,
            secret=secret,
            commitment=commitment(secret),
            deck_size=terms.deck_size,
            deal=terms.deal,
            pickup=terms.pickup,
            open_hands=terms.open_hands,
            pace=terms.pace,
            base_seconds=terms.base_seconds,
            increment_seconds=terms.increment_seconds,
            days_per_turn=terms.days_per_turn,
            time_off_allowed=terms.time_off_allowed,
        )
        Seat.objects.create(match=match, number=0, user=user, trump_choice=trump)
        notices.challenged(match)
        broadcast.seat_changed(match, _concerned(match, [user.pk]))
    return match


def _require_may_invite(user: User, invited: User | None) -> None:
    """Raise :class:`TermsError` for who cannot be invited or is gone; that a block is why is told to nobody."""
    if invited is None:
        raise TermsError(_("This player cannot be invited."))
    if Block.objects.filter(blocker=user, blocked=invited).exists():
        raise TermsError(_("You have blocked this player."))
    blocked = Block.objects.filter(blocker=invited, blocked=user).exists()
    if blocked or invited.is_computer or not (invited.is_active and invited.is_in_good_standing):
        raise TermsError(_("This player cannot be invited."))


def _require_few_challenges(user: User, invited: User) -> None:
    """Raise :class:`TermsError` where a player has not answered the last challenges of this one yet."""
    waiting = Match.objects.filter(status=Status.OPEN, seats__user=user, invited=invited, rematch_of=None)
    if waiting.count() >= CHALLENGES_AT_ONCE:
        raise TermsError(_("This player has yet to answer your last challenges. Wait, or withdraw one of them."))


def play_computer(user: User, level: int, terms: MatchTerms, trump: str = Trump.ANY) -> Match:
    """Make a match against the computer and begin it at once. Raises :class:`TermsError`."""
    opponent = User.objects.filter(computer__level=level).first()
    if opponent is None:
        raise TermsError(_("The computer has no such level."))
    with fairplay.beginning(user):
        match = create(user, terms, open_to=OpenTo.COMPUTER, trump=trump)
        accept(match.code, opponent)
    return match


def accept(code: str, user: User, trump: str = Trump.ANY, nonce: bytes | None = None) -> None:
    """Take the second seat of an open match, deal, and begin.

    ``nonce`` is the accepting side's part of the deal, 32 bytes; the server draws one where
    none is given. Raises :class:`SeatTakenError` where someone else was quicker or the
    match is not offered to this user, :class:`TermsError` for a trump that is not left. Accepting
    again after a lost answer succeeds without doing anything.
    """
    if nonce is None:
        nonce = secrets.token_bytes(SECRET_BYTES)
    if len(nonce) != SECRET_BYTES:
        raise TermsError(_("The nonce must be 32 bytes, written as 64 hexadecimal digits."))
    with fairplay.beginning(user, code) as account:
        fairplay.require_may_begin(account)
        with held(code) as table:
            _sit_down(table, user, trump, nonce)


def _sit_down(table: HeldMatch, user: User, trump: str, nonce: bytes) -> None:
    match = table.match
    if match.status != Status.OPEN:
        if any(seat.number == 1 and seat.user_id == user.pk for seat in table.seats):
            return
        raise SeatTakenError
    creator = table.seats[0]
    if creator.user_id == user.pk:
        raise SeatTakenError(_("You cannot play against yourself."))
    if match.open_to == OpenTo.PLAYER and match.invited_id != user.pk:
        raise NotSeatedError(_("This match is offered to another player."))
    if match.open_to == OpenTo.COMPUTER and not user.is_computer:
        raise SeatTakenError
    if Block.objects.between(user.pk, creator.user_id).exists() or not creator.user.is_in_good_standing:
        raise SeatTakenError
    if not user.is_computer:
        standing.require_unpaused(user, creator.user)
    if trump not in Trump.values or (trump and trump == creator.trump_choice):
        raise TermsError(_("This trump suit is taken: choose another."))
    seat = Seat(match=match, number=1, user=user, trump_choice=trump)
    table.seats.append(seat)
    _deal(table, nonce)
    seat.save()
    match.save()
    fairplay.look_at_pairing(match, creator.user, user)
    notices.offer_closed(match)
    notices.turn_began(match, table.seats, table.now)
    broadcast.seat_changed(match, _concerned(match, [creator.user_id, user.pk]))


def _deal(table: HeldMatch, nonce: bytes) -> None:
    """Deal a match and begin it: position, lead, clocks."""
    match = table.match
    position = starting_position(match, table.seats, nonce)
    match.nonce = nonce
    match.start = match.position = str(position)
    match.status = Status.RUNNING
    match.turn = 1
    match.to_move = position.turn
    match.started_at = table.now
    clock.start_clocks(match, table.seats, table.now)


def decline(code: str, user: User) -> None:
    """Decline a match that one was invited to. Raises ``MatchError``."""
    with held(code) as table:
        match = table.match
        if match.status != Status.OPEN:
            raise SeatTakenError
        if match.invited_id != user.pk:
            raise NotSeatedError
        match.ended_by = 1
        _close(table)
        notices.declined(match, table.seats[0].user)


def cancel(code: str, user: User) -> None:
    """Withdraw a match of one's own that nobody has accepted yet. Raises ``MatchError``."""
    with held(code) as table:
        if table.match.status != Status.OPEN:
            raise SeatTakenError
        table.seat_of(user)
        _close(table)


def withdraw(code: str) -> None:
    """Withdraw an open match on nobody's asking: a player of it may not or will not play. Raises ``MatchError``."""
    with held(code) as table:
        if table.match.status != Status.OPEN:
            raise SeatTakenError
        _close(table)


def _close(table: HeldMatch) -> None:
    match = table.match
    match.status = Status.CANCELLED
    match.finished_at = table.now
    match.save(update_fields=["status", "finished_at", "ended_by"])
    notices.offer_closed(match)
    broadcast.seat_changed(match, _concerned(match, [seat.user_id for seat in table.seats]))


def offer_rematch(code: str, user: User, nonce: bytes | None = None) -> Match:
    """Offer the opponent of a finished match another one on the same terms.

    Where the opponent has offered it already, that offer is accepted, with ``nonce`` as in :func:`accept`;
    against the computer the new match begins at once. The offer stays open until it is answered or withdrawn.
    Returns the new match. Raises ``MatchError``.
    """
    with fairplay.beginning(user, code), held(code) as table:
        match = table.match
        seat = table.seat_of(user)
        if not match.is_over:
            raise MatchError(_("This match is not over yet."))
        existing = Match.objects.filter(rematch_of=match).exclude(status=Status.CANCELLED).first()
        if existing is not None:
            return _answer_rematch(existing, user, nonce)
        opponent = table.seats[1 - seat.number].user
        open_to = OpenTo.COMPUTER if opponent.is_computer else OpenTo.PLAYER
        rematch = create(
            user,
            MatchTerms.of(match),
            open_to=open_to,
            trump=seat.trump_choice,
            invited=None if opponent.is_computer else opponent,
            rematch_of=match,
        )
        if opponent.is_computer:
            accept(rematch.code, opponent)
        return rematch


def decline_rematch(code: str, user: User) -> None:
    """Decline the rematch that the opponent of a finished match offers. Raises ``MatchError``."""
    offer = Match.objects.filter(rematch_of__code=code, status=Status.OPEN).first()
    if offer is None:
        raise SeatTakenError
    decline(offer.code, user)


def _answer_rematch(rematch: Match, user: User, nonce: bytes | None) -> Match:
    if rematch.status == Status.OPEN and rematch.invited_id == user.pk:
        earlier = Seat.objects.filter(match=rematch.rematch_of, user=user).first()
        taken = Seat.objects.get(match=rematch, number=0).trump_choice
        trump = earlier.trump_choice if earlier and earlier.trump_choice != taken else Trump.ANY
        accept(rematch.code, user, trump, nonce)
    return rematch


def _concerned(match: Match, seated: list[int]) -> list[int]:
    return [*seated, match.invited_id] if match.invited_id else seated

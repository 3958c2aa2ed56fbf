"""Making a match, taking its second seat, declining and withdrawing it."""

import datetime

import pytest
from django.utils import timezone

from accounts.models import User
from games.models import Match, OpenTo, Pace, Status
from games.rules.dealing import commitment
from games.services import ending, playing, seating
from games.services.dealing import DealError, check_deal
from games.services.errors import MatchError, NoSuchMatchError, NotSeatedError, SeatTakenError, TermsError
from games.services.seating import MatchTerms
from tests.games.cast import DAYS, LIVE, UNTIMED, check, open_match, play, start_match

pytestmark = pytest.mark.django_db


def test_a_new_match_shows_the_fingerprint_of_its_secret_and_waits(ana: User) -> None:
    match = check(open_match(ana, trump="S"))
    assert match.status == Status.OPEN
    assert len(bytes(match.secret)) == 32
    assert match.commitment == commitment(bytes(match.secret))
    seat = match.seats.get()
    assert (seat.number, seat.user, seat.trump_choice) == (0, ana, "S")


def test_the_standard_is_36_cards_shuffled_strict_and_closed() -> None:
    terms = MatchTerms()
    assert (terms.deck_size, terms.deal, terms.pickup, terms.open_hands) == (36, "shuffled", "strict", False)


@pytest.mark.parametrize(
    "terms",
    [
        MatchTerms(deck_size=40),
        MatchTerms(deal="stacked"),
        MatchTerms(pickup="lax"),
        MatchTerms(pace="blitz"),
        MatchTerms(pace=Pace.LIVE),
        MatchTerms(pace=Pace.LIVE, base_seconds=61 * 60),
        MatchTerms(pace=Pace.LIVE, base_seconds=90),
        MatchTerms(pace=Pace.LIVE, base_seconds=60, increment_seconds=61),
        MatchTerms(pace=Pace.CORRESPONDENCE),
        MatchTerms(pace=Pace.CORRESPONDENCE, days_per_turn=4),
    ],
)
def test_terms_that_cannot_be_played_are_refused(ana: User, terms: MatchTerms) -> None:
    with pytest.raises(TermsError):
        open_match(ana, terms)
    assert not Match.objects.exists()


@pytest.mark.parametrize("days", [1, 2, 3, 5, 7, 14])
def test_correspondence_has_the_days_that_are_offered(ana: User, days: int) -> None:
    assert open_match(ana, MatchTerms(pace=Pace.CORRESPONDENCE, days_per_turn=days)).days_per_turn == days


def test_a_seat_in_the_lobby_needs_a_clock(ana: User) -> None:
    with pytest.raises(TermsError, match="needs a clock"):
        open_match(ana, UNTIMED, open_to=OpenTo.LOBBY)
    assert open_match(ana, LIVE, open_to=OpenTo.LOBBY).status == Status.OPEN


@pytest.mark.parametrize("gone", [False, True], ids=["suspended", "gone"])
def test_who_may_be_invited_is_looked_up_and_not_taken_from_the_page(ana: User, boris: User, gone: bool) -> None:
    known = User.objects.filter(pk=boris.pk)
    if gone:
        known.delete()
    else:
        known.update(suspended_until=timezone.now() + datetime.timedelta(hours=1))
    with pytest.raises(TermsError, match="cannot be invited"):
        open_match(ana, open_to=OpenTo.PLAYER, invited=boris)


def test_nobody_is_invited_who_cannot_come(ana: User, boris: User, computer: User) -> None:
    User.objects.filter(pk=boris.pk).update(is_active=False)
    boris.refresh_from_db()
    for invited in (ana, boris, computer, None):
        with pytest.raises(TermsError):
            open_match(ana, open_to=OpenTo.PLAYER, invited=invited)
    with pytest.raises(TermsError):
        open_match(ana, open_to="everybody")
    with pytest.raises(TermsError):
        open_match(ana, trump="X")


def test_only_who_invites_oneself_is_told_of_it(ana: User, boris: User) -> None:
    for open_to, invited, message in (
        (OpenTo.LOBBY, boris, TermsError.message),
        (OpenTo.PLAYER, None, TermsError.message),
        (OpenTo.PLAYER, ana, "You cannot invite yourself."),
    ):
        with pytest.raises(TermsError) as refused:
            open_match(ana, LIVE, open_to=open_to, invited=invited)
        assert refused.value.message == message
    assert not Match.objects.exists()


def test_few_challenges_of_one_player_to_another_wait_at_a_time(ana: User, boris: User, cara: User) -> None:
    waiting = [open_match(ana, open_to=OpenTo.PLAYER, invited=boris) for _ in range(seating.CHALLENGES_AT_ONCE)]
    with pytest.raises(TermsError, match="yet to answer"):
        open_match(ana, open_to=OpenTo.PLAYER, invited=boris)
    open_match(ana, open_to=OpenTo.PLAYER, invited=cara)
    open_match(cara, open_to=OpenTo.PLAYER, invited=boris)
    seating.decline(waiting[0].code, boris)
    open_match(ana, open_to=OpenTo.PLAYER, invited=boris)


def test_whoever_has_the_link_may_sit_down_and_the_match_begins(ana: User, boris: User) -> None:
    match = open_match(ana, trump="S")
    seating.accept(match.code, boris, "H", bytes(range(32)))
    match = check(match)
    assert (match.status, match.turn, bytes(match.nonce or b"")) == (Status.RUNNING, 1, bytes(range(32)))
    assert [(seat.user, seat.trump_choice) for seat in match.seats.order_by("number")] == [(ana, "S"), (boris, "H")]
    assert " - SH " in match.start
    assert match.started_at is not None


def test_a_guest_may_accept_a_link(ana: User, guest: User) -> None:
    match = open_match(ana)
    seating.accept(match.code, guest)
    assert check(match).is_running


def test_the_trump_that_is_taken_cannot_be_chosen(ana: User, boris: User) -> None:
    match = open_match(ana, trump="S")
    for trump in ("S", "X"):
        with pytest.raises(TermsError, match="taken"):
            seating.accept(match.code, boris, trump)
    assert check(match).status == Status.OPEN
    seating.accept(match.code, boris, "")
    start = check(match).start
    assert " - S" in start
    assert " - SS " not in start


def test_a_nonce_is_32_bytes(ana: User, boris: User) -> None:
    match = open_match(ana)
    with pytest.raises(TermsError, match="32 bytes"):
        seating.accept(match.code, boris, nonce=b"short")
    assert check(match).status == Status.OPEN


def test_nobody_plays_against_oneself(ana: User) -> None:
    match = open_match(ana)
    with pytest.raises(SeatTakenError, match="yourself"):
        seating.accept(match.code, ana)


def test_the_second_to_come_is_told_that_the_seat_is_taken(ana: User, boris: User, cara: User) -> None:
    match = start_match(ana, boris)
    with pytest.raises(SeatTakenError):
        seating.accept(match.code, cara)
    assert list(match.seats.values_list("user", flat=True).order_by("number")) == [ana.pk, boris.pk]


def test_accepting_again_after_a_lost_answer_changes_nothing(ana: User, boris: User) -> None:
    match = start_match(ana, boris)
    seating.accept(match.code, boris, "H")
    assert check(match).start == match.start


def test_an_invitation_by_name_is_for_that_player_alone(ana: User, boris: User, cara: User) -> None:
    match = open_match(ana, open_to=OpenTo.PLAYER, invited=boris)
    with pytest.raises(NotSeatedError):
        seating.accept(match.code, cara)
    with pytest.raises(NotSeatedError):
        seating.decline(match.code, cara)
    seating.accept(match.code, boris)
    assert check(match).is_running


def test_an_invitation_can_be_declined(ana: User, boris: User) -> None:
    match = open_match(ana, open_to=OpenTo.PLAYER, invited=boris)
    with pytest.raises(NotSeatedError):
        seating.decline(match.code, ana)
    seating.decline(match.code, boris)
    assert check(match).status == Status.CANCELLED
    for late in (seating.accept, seating.decline):
        with pytest.raises(SeatTakenError):
            late(match.code, boris)


def test_a_match_can_be_withdrawn_by_its_maker_alone_and_only_before_it_begins(ana: User, boris: User) -> None:
    match = open_match(ana)
    with pytest.raises(NotSeatedError):
        seating.cancel(match.code, boris)
    seating.cancel(match.code, ana)
    assert check(match).status == Status.CANCELLED
    with pytest.raises(SeatTakenError):
        seating.accept(match.code, boris)
    begun = start_match(ana, boris)
    with pytest.raises(SeatTakenError):
        seating.cancel(begun.code, ana)
    assert check(begun).is_running


def test_there_is_no_match_with_an_unknown_code(ana: User) -> None:
    for verb in (seating.accept, seating.decline, seating.cancel, seating.offer_rematch):
        with pytest.raises(NoSuchMatchError):
            verb("nowhere", ana)


def test_a_match_against_the_computer_begins_at_once(ana: User, computer: User) -> None:
    match = check(seating.play_computer(ana, 3, DAYS, "D"))
    assert match.is_running
    assert [seat.user for seat in match.seats.order_by("number")] == [ana, computer]
    assert (match.computer_due_at is not None) == (match.to_move == 1)
    with pytest.raises(TermsError):
        seating.play_computer(ana, 9, UNTIMED)


def test_nobody_else_takes_the_computers_seat(ana: User, boris: User) -> None:
    match = open_match(ana, open_to=OpenTo.COMPUTER)
    with pytest.raises(SeatTakenError):
        seating.accept(match.code, boris)


@pytest.mark.parametrize("deal", ["shuffled", "mirrored"])
def test_the_deal_can_be_checked_when_the_match_is_over_and_not_before(ana: User, boris: User, deal: str) -> None:
    match = start_match(ana, boris, MatchTerms(deal=deal, deck_size=24, pickup="free"), trumps=("", "C"))
    with pytest.raises(DealError, match="when it is over"):
        check_deal(match)
    ending.resign(match.code, boris)
    match = Match.objects.with_seats().get(pk=match.pk)
    facts = check_deal(match)
    assert facts["commitment"] == match.commitment == commitment(bytes.fromhex(facts["secret"]))
    assert facts["start"] == match.start
    for field, value in (("secret", bytes(32)), ("nonce", bytes(32))):
        forged = Match.objects.with_seats().get(pk=match.pk)
        setattr(forged, field, value)
        with pytest.raises(DealError):
            check_deal(forged)


def test_open_matches_do_not_take_turns(ana: User) -> None:
    match = open_match(ana)
    for verb in (
        lambda: playing.play(match.code, ana, 0, "take"),
        lambda: ending.resign(match.code, ana),
        lambda: ending.abort(match.code, ana, 0),
        lambda: ending.claim_time(match.code, ana),
        lambda: ending.offer_draw(match.code, ana, 0),
    ):
        with pytest.raises(MatchError, match="not begun"):
            verb()
    assert check(match).status == Status.OPEN


class TestRematch:
    """A rematch is offered from the end of a match, for days, on the same terms."""

    @pytest.fixture
    def ended(self, ana: User, boris: User) -> Match:
        match = start_match(ana, boris, LIVE, position="6C/7DKD - CD 0 strict", trumps=("C", "D"))
        return play(match, "6C")

    def test_only_players_of_a_match_that_is_over_offer_one(
        self, ended: Match, ana: User, boris: User, cara: User
    ) -> None:
        with pytest.raises(NotSeatedError):
            seating.offer_rematch(ended.code, cara)
        running = start_match(ana, boris)
        with pytest.raises(MatchError, match="not over"):
            seating.offer_rematch(running.code, ana)

    def test_it_has_the_terms_and_trumps_of_the_match(self, ended: Match, ana: User, boris: User) -> None:
        offer = seating.offer_rematch(ended.code, boris)
        assert (offer.status, offer.invited, offer.rematch_of) == (Status.OPEN, ana, ended)
        assert MatchTerms.of(offer) == MatchTerms.of(ended)
        assert offer.seats.get().trump_choice == "D"

    def test_offering_twice_is_one_offer_and_the_opponents_offer_accepts(
        self, ended: Match, ana: User, boris: User
    ) -> None:
        offer = seating.offer_rematch(ended.code, boris)
        assert seating.offer_rematch(ended.code, boris) == offer
        assert seating.offer_rematch(ended.code, ana) == offer
        made = check(offer)
        assert made.is_running
        assert " - DC " in made.start
        assert seating.offer_rematch(ended.code, ana) == offer

    @pytest.mark.parametrize("who", ["ana", "boris"])
    def test_the_previous_winner_leads(self, ended: Match, ana: User, boris: User, who: str) -> None:
        assert ended.winner == 0
        for _ in range(4):
            # However the lead is drawn, it is Ana's.
            offer = seating.offer_rematch(ended.code, ana if who == "ana" else boris)
            seating.accept(offer.code, boris if who == "ana" else ana)
            made = check(offer)
            assert made.seats.get(number=made.to_move).user == ana
            ended.rematches.all().delete()

    def test_after_a_draw_the_lead_changes_sides(self, ana: User, boris: User) -> None:
        ended = play(start_match(ana, boris, position="6C/7C - CD 0 strict"), "6C")
        assert (ended.winner, ended.reason) == (None, "last-card")
        for _ in range(4):
            offer = seating.offer_rematch(ended.code, ana)
            seating.accept(offer.code, boris)
            made = check(offer)
            assert made.seats.get(number=made.to_move).user == boris
            ended.rematches.all().delete()

    def test_a_declined_offer_can_be_made_again(self, ended: Match, ana: User, boris: User) -> None:
        first = seating.offer_rematch(ended.code, ana)
        seating.decline(first.code, boris)
        second = seating.offer_rematch(ended.code, boris)
        assert second != first
        seating.cancel(second.code, boris)
        assert check(second).status == Status.CANCELLED

    def test_the_computer_accepts_at_once(self, ana: User, computer: User) -> None:
        match = seating.play_computer(ana, 3, UNTIMED, "C")
        ending.resign(match.code, ana)
        made = check(seating.offer_rematch(match.code, ana))
        assert made.is_running
        assert made.to_move == 1
        assert made.computer_due_at is not None

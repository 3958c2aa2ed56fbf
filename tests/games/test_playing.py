"""Making turns: who may, when, and what a second, a late or a foreign one meets."""

import pytest

from accounts.models import User
from games import selectors
from games.models import Match
from games.rules import TURN_LIMIT, Reason
from games.services import ending, playing
from games.services.errors import (
    IllegalTurnError,
    MatchOverError,
    NoSuchMatchError,
    NotSeatedError,
    NotYourTurnError,
    StaleTurnError,
)
from games.services.history import position_key
from tests.games.cast import (
    ROUND,
    ROUND_TRIP,
    any_move,
    check,
    log,
    mover,
    play,
    play_randomly,
    start_match,
    waiter,
)

pytestmark = pytest.mark.django_db


def test_a_turn_is_logged_and_passes_the_turn(match: Match) -> None:
    player, other = mover(match), waiter(match)
    move = any_move(match)
    playing.play(match.code, player, 1, move)
    after = check(match)
    assert (after.turn, log(match)) == (2, [move])
    assert mover(match) == other
    row = match.moves.get()
    assert row.played_at == after.turn_started_at
    assert row.position_key == position_key(after.rules_position)
    assert row.clock_ms is None


def test_only_the_player_to_move_may_play(match: Match, cara: User) -> None:
    with pytest.raises(NotYourTurnError):
        playing.play(match.code, waiter(match), 1, any_move(match))
    with pytest.raises(NotSeatedError):
        playing.play(match.code, cara, 1, any_move(match))
    assert log(match) == []


@pytest.mark.parametrize("move", ["take", "6C+7D", "nonsense", "", "2C", "\x00", "\ud800", "ÄÖ", "9" * 5000])
def test_what_the_rules_do_not_allow_is_refused(match: Match, move: str) -> None:
    with pytest.raises(IllegalTurnError):
        playing.play(match.code, mover(match), 1, move)
    assert check(match).turn == 1


@pytest.mark.parametrize("move", ["\x00", "\ud800"])
def test_a_string_that_no_database_takes_is_refused_for_a_past_turn_too(match: Match, move: str) -> None:
    first = mover(match)
    play(match, any_move(match))
    with pytest.raises(IllegalTurnError):
        playing.play(match.code, first, 1, move)


@pytest.mark.parametrize("turn", [0, 2, 3, 999_999])
def test_a_turn_for_another_state_is_refused(match: Match, turn: int) -> None:
    with pytest.raises(StaleTurnError):
        playing.play(match.code, mover(match), turn, any_move(match))
    assert check(match).turn == 1


def test_the_same_turn_again_succeeds_quietly_and_changes_nothing(match: Match) -> None:
    first, move = mover(match), any_move(match)
    play(match, move)
    playing.play(match.code, first, 1, move)
    play(match, any_move(match))
    playing.play(match.code, first, 1, move)
    assert check(match).turn == 3


def test_another_move_for_a_turn_that_was_made_is_stale(match: Match) -> None:
    first = mover(match)
    made, other = sorted(map(str, match.rules_position.legal_moves()))[:2]
    play(match, made)
    with pytest.raises(StaleTurnError):
        playing.play(match.code, first, 1, other)
    assert log(match) == [made]


def test_the_opponents_turn_is_not_ones_own_repeated(match: Match, cara: User) -> None:
    move = any_move(match)
    play(match, move)
    with pytest.raises(StaleTurnError):
        playing.play(match.code, mover(match), 1, move)
    with pytest.raises(NotSeatedError):
        playing.play(match.code, cara, 1, move)


def test_a_match_that_is_over_takes_no_turn_but_forgives_the_last_one_repeated(ana: User, boris: User) -> None:
    match = play(start_match(ana, boris, position="6C/7DKD - CD 0 strict"), "6C")
    assert (match.winner, match.reason) == (0, Reason.CARDS_OUT)
    playing.play(match.code, ana, 1, "6C")
    with pytest.raises(MatchOverError):
        playing.play(match.code, boris, 2, "take")
    with pytest.raises(MatchOverError):
        playing.play(match.code, ana, 1, "7D")
    check(match)


def test_there_is_no_unknown_match_to_play_in(ana: User) -> None:
    with pytest.raises(NoSuchMatchError):
        playing.play("nowhere", ana, 1, "take")


@pytest.mark.parametrize(
    ("position", "moves", "winner", "reason"),
    [
        ("6C/7DKD - CD 0 strict", ["6C"], 0, Reason.CARDS_OUT),
        ("7C8C/6C - CD 1 strict", ["6C"], 1, Reason.CARDS_OUT),
        ("6C/7C - CD 0 strict", ["6C"], None, Reason.LAST_CARD),
        ("6D/7C - CD 0 strict", ["6D"], 0, Reason.CARDS_OUT),
        ("7C9H/6C8S - CD 1 strict", ["6C", "7C+9H"], 0, Reason.CARDS_OUT),
    ],
)
def test_the_cards_end_a_match(
    ana: User, boris: User, position: str, moves: list[str], winner: int | None, reason: Reason
) -> None:
    match = play(start_match(ana, boris, position=position), *moves)
    assert (match.winner, match.reason) == (winner, reason)


def test_the_same_position_for_the_third_time_ends_a_match(ana: User, boris: User) -> None:
    match = start_match(ana, boris, position=ROUND)
    match = play(match, *ROUND_TRIP, *ROUND_TRIP[:-1])
    assert match.is_running
    match = play(match, ROUND_TRIP[-1])
    assert (match.winner, match.reason) == (None, Reason.REPETITION)


def test_the_last_turn_of_all_ends_a_match(ana: User, boris: User, monkeypatch: pytest.MonkeyPatch) -> None:
    assert TURN_LIMIT == 400
    monkeypatch.setattr("games.rules.game.TURN_LIMIT", 3)
    match = play(start_match(ana, boris, position=ROUND), *ROUND_TRIP[:2])
    assert match.is_running
    assert play(match, ROUND_TRIP[2]).reason == Reason.TURN_LIMIT


@pytest.mark.parametrize("seed", range(3))
def test_whole_matches_stand_as_their_logs_say(ana: User, boris: User, seed: int) -> None:
    match = check(play_randomly(start_match(ana, boris), 60, seed))
    assert match.turn > 30 or not match.is_running


class TestDrawOffers:
    """An offer stands until it is answered, withdrawn, or passed over."""

    def test_an_accepted_offer_ends_the_match(self, match: Match, ana: User, boris: User) -> None:
        ending.offer_draw(match.code, ana, 1)
        assert check(match).draw_offered_by == 0
        ending.accept_draw(match.code, boris)
        assert (check(match).winner, check(match).reason) == (None, Reason.AGREEMENT)

    def test_offering_against_an_offer_accepts_it(self, match: Match, ana: User, boris: User) -> None:
        ending.offer_draw(match.code, ana, 1)
        ending.offer_draw(match.code, boris, 1)
        assert check(match).reason == Reason.AGREEMENT

    def test_nobody_accepts_an_own_offer_or_none(self, match: Match, ana: User, boris: User, cara: User) -> None:
        for who, refusal in ((ana, "No draw"), (boris, "No draw"), (cara, "not a player")):
            with pytest.raises(Exception, match=refusal):
                ending.accept_draw(match.code, who)
        ending.offer_draw(match.code, ana, 1)
        ending.offer_draw(match.code, ana, 1)
        with pytest.raises(Exception, match="No draw"):
            ending.accept_draw(match.code, ana)
        with pytest.raises(NotSeatedError):
            ending.offer_draw(match.code, cara, 1)
        with pytest.raises(NotSeatedError):
            ending.drop_draw(match.code, cara)
        assert check(match).is_running

    @pytest.mark.parametrize("who", ["ana", "boris"])
    def test_an_offer_can_be_declined_or_withdrawn(self, match: Match, ana: User, boris: User, who: str) -> None:
        ending.offer_draw(match.code, ana, 1)
        ending.drop_draw(match.code, {"ana": ana, "boris": boris}[who])
        assert check(match).draw_offered_by is None
        assert check(match).draw_declined_by == {"ana": None, "boris": 1}[who]
        ending.drop_draw(match.code, ana)

    def test_the_one_who_offered_reads_of_the_refusal_until_the_next_own_turn(self, match: Match) -> None:
        first, second = mover(match), waiter(match)

        def told(who: User) -> bool:
            return selectors.table(Match.objects.with_seats().get(pk=match.pk), who).draw_declined

        ending.offer_draw(match.code, first, 1)
        assert not told(first)
        ending.drop_draw(match.code, second)
        assert told(first)
        assert not told(second)
        play(match, any_move(match))
        assert not told(first)
        ending.offer_draw(match.code, first, 2)
        play(match, any_move(match))
        assert told(first)
        ending.offer_draw(match.code, first, 3)
        assert not told(first)

    def test_an_offer_for_a_past_turn_is_stale(self, match: Match, ana: User) -> None:
        play(match, any_move(match))
        with pytest.raises(StaleTurnError):
            ending.offer_draw(match.code, ana, 1)

    def test_the_opponents_turn_passes_an_offer_over_and_ones_own_does_not(self, match: Match) -> None:
        first, second = mover(match), waiter(match)
        ending.offer_draw(match.code, first, 1)
        assert play(match, any_move(match)).draw_offered_by is not None
        assert play(match, any_move(match)).draw_offered_by is None
        ending.offer_draw(match.code, second, 3)
        assert play(match, any_move(match)).draw_offered_by is None

    def test_the_computer_takes_no_draw(self, ana: User, computer: User) -> None:
        match = start_match(ana, computer)
        with pytest.raises(Exception, match="to its end"):
            ending.offer_draw(match.code, ana, 1)


class TestGivingUp:
    """Resigning at any time, aborting before each player has made a turn."""

    @pytest.mark.parametrize("who", ["ana", "boris"])
    def test_whoever_resigns_loses_on_whosever_turn(self, match: Match, ana: User, boris: User, who: str) -> None:
        ending.resign(match.code, {"ana": ana, "boris": boris}[who])
        ended = check(match)
        assert (ended.winner, ended.reason) == ({"ana": 1, "boris": 0}[who], Reason.RESIGNATION)
        with pytest.raises(MatchOverError):
            ending.resign(match.code, ana)

    def test_an_outsider_cannot_end_a_match(self, match: Match, cara: User) -> None:
        for verb in (
            lambda: ending.resign(match.code, cara),
            lambda: ending.abort(match.code, cara, 1),
            lambda: ending.claim_time(match.code, cara),
        ):
            with pytest.raises(NotSeatedError):
                verb()
        assert check(match).is_running

    @pytest.mark.parametrize("turns", [0, 1])
    def test_a_match_is_aborted_before_each_has_made_a_turn(self, match: Match, ana: User, turns: int) -> None:
        play_randomly(match, turns)
        ending.abort(match.code, ana, turns + 1)
        ended = check(match)
        assert (ended.winner, ended.reason, ended.has_result) == (None, Reason.ABORTED, False)

    def test_a_match_is_not_aborted_once_both_have_made_a_turn(self, match: Match, ana: User) -> None:
        play_randomly(match, 2)
        with pytest.raises(Exception, match="no longer be aborted"):
            ending.abort(match.code, ana, 3)
        with pytest.raises(StaleTurnError):
            ending.abort(match.code, ana, 2)
        assert check(match).is_running

"""Conditional turns and forced turns: they play themselves, in one change with what they answer."""

import pytest

from accounts.models import User
from games.models import Line, Match, Move, Origin
from games.rules import parse_position
from games.services import ending, lines, playing
from games.services.errors import IllegalTurnError, MatchError, NotSeatedError, StaleTurnError
from games.services.history import position_key
from tests.correspondence.conftest import Begin, mover, waiter

START = "6C7C9C6D9H/8CTD7DKDQD 8H SH 0 strict"


@pytest.fixture
def match(begin: Begin) -> Match:
    """A match that stands in a small position: seat 0 is to beat the eight of hearts."""
    match = begin()
    Match.objects.filter(pk=match.pk).update(start=START, position=START, to_move=0)
    match.refresh_from_db()
    return match


def log(match: Match) -> list[tuple[int, str, str]]:
    return [(move.turn, move.notation, move.origin) for move in Move.objects.filter(match=match).order_by("turn")]


def test_a_line_that_fits_is_played_at_once(match: Match) -> None:
    lines.lay(match.code, waiter(match), 1, ["9H+6C", "8C+TD"])
    playing.play(match.code, mover(match), 1, "9H+6C")
    assert log(match) == [(1, "9H+6C", Origin.PLAYER), (2, "8C+TD", Origin.LINE)]
    match.refresh_from_db()
    assert (match.turn, match.to_move) == (3, 0)
    assert not Line.objects.exists()


def test_a_line_that_does_not_fit_is_dropped(match: Match) -> None:
    lines.lay(match.code, waiter(match), 1, ["9H+6C", "8C+TD"])
    playing.play(match.code, mover(match), 1, "9H+7C")
    assert log(match) == [(1, "9H+7C", Origin.PLAYER)]
    assert not Line.objects.exists()


def test_the_rest_of_a_line_waits_for_the_next_turn(match: Match) -> None:
    planner = waiter(match)
    lines.lay(match.code, planner, 1, ["9H+6C", "8C+7D", "take", "take"])
    playing.play(match.code, mover(match), 1, "9H+6C")
    line = Line.objects.get()
    assert (line.turn, line.notations) == (3, ["take", "take"])


def test_laying_the_same_turns_with_another_reply_replaces_the_line(match: Match) -> None:
    planner = waiter(match)
    lines.lay(match.code, planner, 1, ["9H+6C", "8C+TD"])
    lines.lay(match.code, planner, 1, ["9H+7C", "8C+TD"])
    lines.lay(match.code, planner, 1, ["9H+6C", "8C+KD"])
    assert [line.notations[:2] for line in Line.objects.order_by("pk")] == [["9H+7C", "8C+TD"], ["9H+6C", "8C+KD"]]


def test_a_longer_line_takes_in_a_shorter_one_and_the_other_way_round(match: Match) -> None:
    planner = waiter(match)
    lines.lay(match.code, planner, 1, ["9H+6C", "8C+7D"])
    lines.lay(match.code, planner, 1, ["9H+6C", "8C+7D", "take", "take"])
    lines.lay(match.code, planner, 1, ["9H+6C", "8C+7D"])
    assert [line.notations for line in Line.objects.all()] == [["9H+6C", "8C+7D", "take", "take"]]


def test_impossible_lines_are_refused(match: Match) -> None:
    planner = waiter(match)
    for notations in (["9H+6C"], [], ["9H+KD", "8C+TD"], ["9H+6C", "7D+TD"], ["nonsense", "8C+TD"]):
        with pytest.raises(IllegalTurnError):
            lines.lay(match.code, planner, 1, notations)
    with pytest.raises(StaleTurnError):
        lines.lay(match.code, planner, 2, ["9H+6C", "8C+TD"])
    with pytest.raises(MatchError):
        lines.lay(match.code, mover(match), 1, ["9H+6C", "8C+TD"])
    assert not Line.objects.exists()


def test_only_players_lay_lines_and_nobody_erases_anothers(match: Match, outsider: User) -> None:
    lines.lay(match.code, waiter(match), 1, ["9H+6C", "8C+TD"])
    with pytest.raises(NotSeatedError):
        lines.lay(match.code, outsider, 1, ["9H+6C", "8C+TD"])
    lines.erase(match.code, mover(match))
    assert Line.objects.count() == 1
    lines.erase(match.code, waiter(match), Line.objects.get().pk)
    assert not Line.objects.exists()


def test_no_line_is_played_over_a_draw_offer(match: Match) -> None:
    lines.lay(match.code, waiter(match), 1, ["9H+6C", "8C+TD"])
    ending.offer_draw(match.code, mover(match), 1)
    playing.play(match.code, mover(match), 1, "9H+6C")
    match.refresh_from_db()
    assert (match.turn, match.draw_offered_by) == (2, 0)
    assert not Line.objects.exists()


def test_lines_go_with_the_match(match: Match) -> None:
    lines.lay(match.code, waiter(match), 1, ["9H+6C", "8C+TD"])
    ending.resign(match.code, mover(match))
    assert not Line.objects.exists()


def test_a_turn_without_a_choice_plays_itself_for_those_who_want_it(match: Match) -> None:
    planner = waiter(match)
    start = "6C7C9C6D9H/8DTDAD 8H SC 0 strict"
    Match.objects.filter(pk=match.pk).update(start=start, position=start)
    User.objects.filter(pk=planner.pk).update(forced_turns=True)
    playing.play(match.code, mover(match), 1, "9H+7C")
    assert log(match) == [(1, "9H+7C", Origin.PLAYER), (2, "take", Origin.FORCED)]


def test_a_turn_without_a_choice_waits_by_default(match: Match) -> None:
    start = "6C7C9C6D9H/8DTDAD 8H SC 0 strict"
    Match.objects.filter(pk=match.pk).update(start=start, position=start)
    playing.play(match.code, mover(match), 1, "9H+7C")
    assert len(log(match)) == 1


def test_the_log_is_the_truth_after_turns_that_played_themselves(match: Match) -> None:
    lines.lay(match.code, waiter(match), 1, ["9H+6C", "8C+7D"])
    User.objects.update(forced_turns=True)
    playing.play(match.code, mover(match), 1, "9H+6C")
    match.refresh_from_db()
    position = lines.after(parse_position(START), [notation for _turn, notation, _origin in log(match)])
    assert str(position) == match.position
    assert match.turn == len(log(match)) + 1
    assert Move.objects.get(match=match, turn=match.turn - 1).position_key == position_key(position)

"""Matches between players, the levels, and puzzles."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from games.engine import Loss, Win, think
from games.engine.levels import LEVELS, level_of
from games.engine.match import Budget, Pairing, Tally, play_deal, player
from games.engine.puzzles import MOST_TURNS, puzzles_of_game
from games.engine.thinker import search_position, weigh_moves
from games.rules import parse_move, parse_position

START = parse_position("9CTCACTDQDAD9SQS/JCQCKC9DJDKD9HTHJHQHKHAHTSJSKSAS - HD 0 strict")


def play(first: str, second: str, deals: int, nodes: int = 500, **kind: object) -> Tally:
    total = Tally(0, 0, 0, 0)
    for number in range(deals):
        tally = play_deal(Pairing(first, second, Budget(nodes=nodes), **kind), number)
        total = Tally(*map(sum, zip(total, tally, strict=True)))
    return total


def test_a_tally_tells_score_margin_and_elo() -> None:
    tally = Tally(60, 20, 20, 5000)
    assert tally.score == 0.7
    assert tally.margin == pytest.approx(0.0784, abs=1e-3)
    elo, low, high = tally.elo()
    assert elo == pytest.approx(147.2, abs=0.1)
    assert low < elo < high


def test_few_games_tell_little_even_where_all_were_lost() -> None:
    low, high = Tally(0, 0, 2, 80).interval()
    assert low == pytest.approx(0.0, abs=1e-9)
    assert high == pytest.approx(0.6576, abs=1e-3)
    assert Tally(2, 0, 0, 80).interval() == pytest.approx((1 - high, 1.0))
    assert Tally(0, 0, 2, 80).elo()[2] > 100


@pytest.mark.parametrize("seed", range(3))
def test_a_level_with_weaknesses_does_not_repeat_a_won_position_into_a_draw(seed: int) -> None:
    position = parse_position("9DTDJDAD/6C7C8C9C6H7H - CD 0 strict")
    liked = think(position, level=4, seed=seed).move
    after = position.play(liked)
    once, twice = (after, position), (after, position) * 2
    assert think(position, level=4, seed=seed, history=once).move == liked
    assert think(position, level=4, seed=seed, history=twice).move != liked


def test_a_player_against_itself_scores_a_half_of_each_deal() -> None:
    assert play("handmade", "handmade", 4).score == 0.5


def test_deals_go_through_all_kinds_of_games_where_none_is_named() -> None:
    assert play("lookahead", "lookahead", 3, deck_size=None, strict=None, mirrored=None).games == 6


def test_full_strength_beats_the_one_turn_lookahead() -> None:
    assert play("8", "lookahead", 20, nodes=2000).score >= 0.8


@pytest.mark.parametrize(("higher", "lower", "deals"), [(3, 1, 12), (5, 2, 12), (6, 3, 8), (7, 4, 4)])
def test_a_higher_level_beats_a_clearly_lower_one(higher: int, lower: int, deals: int) -> None:
    assert play(str(higher), str(lower), deals).score > 0.55


def test_the_levels_are_eight_characters() -> None:
    assert [level.number for level in LEVELS] == list(range(1, 9))
    assert len({level.name for level in LEVELS}) == 8
    assert all(level.line.endswith(".") for level in LEVELS)
    assert level_of(8).is_full_strength
    assert not level_of(1).is_full_strength
    with pytest.raises(ValueError, match="no such level"):
        level_of(9)


@pytest.mark.parametrize("level", range(1, 8))
def test_every_level_answers_with_a_legal_move(level: int) -> None:
    thought = think(START, level=level, seed=1)
    assert thought.move in set(START.legal_moves())
    assert thought.line[0] == thought.move


def test_even_the_lowest_level_takes_a_win_at_once() -> None:
    position = parse_position("8C6SKS/7C AD SC 1 free")
    assert all(think(position, level=1, seed=seed).score == Win(1) for seed in range(10))


def test_each_move_weighed_by_itself_is_scored_as_what_follows() -> None:
    weighed = weigh_moves(parse_position("AC6D8H/8C ASAD HC 1 free"), 2)
    assert weighed[parse_move("8C")] == Win(1)
    assert set(weighed) == {parse_move("8C"), parse_move("take")}


def test_a_move_can_be_left_out() -> None:
    position = parse_position("AC6D8H/8C ASAD HC 1 free")
    assert search_position(position, nodes=1000).move == parse_move("8C")
    assert search_position(position, nodes=1000, without=parse_move("8C")).move == parse_move("take")


def test_a_puzzle_has_one_winning_move() -> None:
    found = [puzzle for number in range(40) for puzzle in puzzles_of_game(number, 5)]
    assert found
    for puzzle in found:
        thought = search_position(puzzle.position, nodes=30_000)
        assert (thought.move, thought.score) == (puzzle.move, Win(puzzle.turns))
        assert puzzle.turns <= MOST_TURNS
        rest = search_position(puzzle.position, nodes=50_000, without=puzzle.move).score
        assert not isinstance(rest, Win)
        assert isinstance(rest, Loss) or rest < 0
        position = puzzle.position
        for move in puzzle.line:
            position = position.play(move)


def test_no_player_has_an_unknown_name() -> None:
    with pytest.raises(ValueError, match="no such player"):
        player("nobody", Budget())
    with pytest.raises(CommandError, match="no such player"):
        call_command("arena", "nobody", "1", "--games", "2")


def test_the_arena_tells_the_result(capsys: pytest.CaptureFixture[str]) -> None:
    out = StringIO()
    call_command("arena", "handmade", "lookahead", "--games", "4", "--nodes", "200", "--processes", "1", stdout=out)
    assert "4 games, score" in out.getvalue()
    assert "Elo" in out.getvalue()


def test_bestmove_answers_each_line_and_names_what_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ["AC6D8H/8C ASAD HC 1 free", "8C/8C - SH 0 strict", "-/8C 9D SH 0 strict"]
    monkeypatch.setattr("sys.stdin", StringIO("\n".join(lines) + "\n"))
    out = StringIO()
    call_command("bestmove", "-", "--nodes", "500", stdout=out)
    first, second, third = map(json.loads, out.getvalue().splitlines())
    assert first["move"] == "8C"
    assert first["score"] == {"win": 1}
    assert set(first) == {"move", "score", "depth", "nodes", "seconds", "line"}
    assert "twice" in second["error"]
    assert "over" in third["error"]


@pytest.mark.parametrize("games", ["0", "1", "7", "-2"])
def test_the_arena_plays_each_deal_from_both_sides_or_not_at_all(games: str) -> None:
    with pytest.raises(CommandError, match="even number"):
        call_command("arena", "lookahead", "lookahead", "--games", games)


@pytest.mark.parametrize(
    "budget", ["--nodes=0", "--nodes=-5", "--seconds=0", "--seconds=-1", "--seconds=nan", "--seconds=inf"]
)
def test_bestmove_refuses_a_budget_with_which_nothing_can_be_looked_at(budget: str) -> None:
    with pytest.raises(CommandError, match=r"1 or more|more than 0"):
        call_command("bestmove", "AC6D8H/8C ASAD HC 1 free", budget)


def test_bestmove_refuses_a_bad_position() -> None:
    with pytest.raises(CommandError, match="five fields"):
        call_command("bestmove", "nonsense")

"""The engine's answers: legal, repeatable, exact where they claim to be."""

import json
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from games.engine import Loss, Thought, Win, expectation, think
from games.engine.lookahead import look_ahead
from games.rules import TURN_LIMIT, Move, Position, parse_position

VECTORS = Path(__file__).parents[1] / "vectors"
START = parse_position("9CTCACTDQDAD9SQS/JCQCKC9DJDKD9HTHJHQHKHAHTSJSKSAS - HD 0 strict")


def vectors(name: str) -> list[dict]:
    return [json.loads(line) for line in (VECTORS / name).read_text().splitlines()]


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    think(START, nodes=10)


@pytest.mark.parametrize("vector", vectors("endgames.jsonl"), ids=lambda vector: vector["position"])
def test_every_endgame_is_solved_within_a_second(vector: dict) -> None:
    thought = think(parse_position(vector["position"]), seconds=1.0)
    assert str(thought.move) in vector["best"]
    if vector["value"] == "win":
        assert thought.score == Win(vector["turns"])
    elif vector["value"] == "loss":
        assert thought.score == Loss(vector["turns"])
    else:
        assert isinstance(thought.score, int)


def test_every_answer_is_a_legal_move_with_a_legal_line() -> None:
    for vector in vectors("positions.jsonl"):
        position = parse_position(vector["position"])
        if not vector["legal"]:
            with pytest.raises(ValueError, match="over"):
                think(position, nodes=50)
            continue
        thought = think(position, nodes=300)
        assert str(thought.move) in vector["legal"]
        assert thought.line[0] == thought.move
        for move in thought.line:
            position = position.play(move)


def wins_in(position: Position, turns: int, seat: int) -> bool:
    """Whether the seat can force a win within so many turns, by playing everything out."""
    outcome = position.outcome()
    if outcome is not None:
        return outcome.winner == seat
    if turns == 0:
        return False
    after = (position.play(move) for move in position.legal_moves())
    if position.turn == seat:
        return any(wins_in(next_position, turns - 1, seat) for next_position in after)
    return all(wins_in(next_position, turns - 1, seat) for next_position in after)


def test_a_proven_result_holds_when_all_is_played_out_and_is_the_shortest() -> None:
    checked = 0
    for vector in vectors("games.jsonl"):
        position = parse_position(vector["start"])
        played = [position]
        for text in vector["moves"]:
            position = position.play(next(move for move in position.legal_moves() if str(move) == text))
            played.append(position)
        for position in played[-8:-1]:
            cards = sum(hand.bit_count() for hand in position.hands) + len(position.pile)
            thought = think(position, nodes=20_000)
            if isinstance(thought.score, Win) and thought.score.turns <= 5:
                assert wins_in(position, thought.score.turns, position.turn)
                assert cards > 10 or not wins_in(position, thought.score.turns - 1, position.turn)
                checked += 1
            elif isinstance(thought.score, Loss) and thought.score.turns <= 4:
                assert wins_in(position, thought.score.turns, 1 - position.turn)
                checked += 1
    assert checked >= 40


def test_the_same_budget_history_and_seed_give_the_same_answer() -> None:
    def essence(thought: Thought) -> tuple:
        return thought.move, thought.score, thought.depth, thought.nodes, thought.line

    for budget in ({"nodes": 5000}, {"level": 1}, {"level": 4}, {"level": 7}):
        first = essence(think(START, seed=7, **budget))
        think(parse_position("8C6SKS/7C AD SC 1 free"), seconds=0.05)
        assert essence(think(START, seed=7, **budget)) == first


def test_the_suits_names_do_not_matter() -> None:
    renamed = parse_position("9STSASTHQHAH9CQC/JSQSKS9HJHKH9DTDJDQDKDADTCJCKCAC - DH 0 strict")
    plain, other = think(START, nodes=3000), think(renamed, nodes=3000)
    assert plain.score == pytest.approx(other.score, abs=150)


def test_a_third_standing_is_known_to_be_a_draw() -> None:
    """The mover picks up into a position that stood twice: worth nothing, though it would be lost otherwise."""
    position = parse_position("6C9H/7CKD 8H SH 1 free")
    taken = position.play(next(move for move in position.legal_moves() if move.is_take))
    without = think(position, nodes=20_000)
    known = think(position, nodes=20_000, history=(taken, taken))
    assert expectation(known.score) >= 0.5
    assert expectation(known.score) >= expectation(without.score)


def test_a_win_beyond_the_turn_limit_is_none() -> None:
    vector = next(vector for vector in vectors("endgames.jsonl") if vector["value"] == "win" and vector["turns"] >= 5)
    position = parse_position(vector["position"])
    history = [START] * (TURN_LIMIT - vector["turns"] + 1)
    assert not isinstance(think(position, nodes=50_000, history=history).score, Win)
    history.pop()
    assert think(position, nodes=50_000, history=history).score == Win(vector["turns"])


def test_many_threads_think_at_once() -> None:
    results: dict[int, Thought] = {}

    def run(number: int) -> None:
        results[number] = think(START, seconds=0.2)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    legal = set(START.legal_moves())
    assert len(results) == 6
    assert all(thought.move in legal and thought.nodes > 100 for thought in results.values())


def test_importing_the_engine_leaves_the_compiler_alone() -> None:
    code = "import sys, games.engine; sys.exit('numba' in sys.modules or 'numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_one_turn_lookahead_takes_a_win_at_once() -> None:
    position = parse_position("8C6SKS/7C AD SC 1 free")
    assert look_ahead(position).score == Win(1)
    assert look_ahead(position).move == Move(position.hands[1].bit_length() - 1)


def test_a_thought_says_what_it_is_worth() -> None:
    assert expectation(0) == 0.5
    assert expectation(Win(3)) == 1.0
    assert expectation(Loss(2)) == 0.0
    assert Thought(Move(), Loss(2), 1, 1, 0.5, (Move(),)).as_json()["score"] == {"loss": 2}

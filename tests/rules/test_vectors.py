"""The rules agree with every line of the vectors, and so do the commands."""

import io
import json
from typing import Any

import pytest
from django.core.management import call_command

from games.rules import Game, parse_move, parse_position
from tests.rules.vectors import VECTORS, vectors


def ask(monkeypatch: pytest.MonkeyPatch, lines: list[str], *command: str) -> list[str]:
    """Return a command's answers to lines of standard input."""
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    answers = io.StringIO()
    call_command(*command, stdout=answers)
    return answers.getvalue().splitlines()


def test_there_are_vectors_of_every_kind() -> None:
    assert {name: len(vectors(name)) for name in ("positions", "perft", "games")} == {
        "positions": 300,
        "perft": 40,
        "games": 61,
    }


@pytest.mark.parametrize("at", range(0, 300, 20))
def test_positions_have_the_legal_moves_and_pickups_of_the_vectors(at: int) -> None:
    for record in vectors("positions")[at : at + 20]:
        position = parse_position(record["position"])
        assert sorted(map(str, position.legal_moves())) == record["legal"], record["position"]
        assert position.count_moves() == len(record["legal"]), record["position"]
        assert position.pickup_count() == record["pickup"], record["position"]
        assert str(position) == record["position"]


def test_the_command_lists_the_legal_moves_of_the_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    records = vectors("positions")
    answers = ask(monkeypatch, [record["position"] for record in records], "legal", "-")
    assert [json.loads(answer) for answer in answers] == [record["legal"] for record in records]


@pytest.mark.parametrize("at", range(0, 300, 60))
def test_the_command_lists_one_move_a_line_for_one_position(at: int, capsys: pytest.CaptureFixture[str]) -> None:
    record = vectors("positions")[at]
    call_command("legal", record["position"])
    assert capsys.readouterr().out.splitlines() == record["legal"]


@pytest.mark.parametrize("record", vectors("perft"), ids=lambda record: f"{record['depth']}-{record['nodes']}")
def test_perft_counts_what_the_vectors_count(record: dict[str, Any]) -> None:
    assert parse_position(record["position"]).perft(record["depth"]) == record["nodes"]


@pytest.mark.parametrize("depth", sorted({record["depth"] for record in vectors("perft")}))
def test_the_command_counts_what_the_vectors_count(depth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    records = [record for record in vectors("perft") if record["depth"] == depth and record["nodes"] < 60_000]
    answers = ask(monkeypatch, [record["position"] for record in records], "perft", "-", str(depth))
    assert answers == [str(record["nodes"]) for record in records]


@pytest.mark.parametrize("record", vectors("games"), ids=lambda record: f"{len(record['moves'])}-{record['reason']}")
def test_games_end_as_the_vectors_say(record: dict[str, Any]) -> None:
    game = Game(parse_position(record["start"]))
    for number, move in enumerate(record["moves"]):
        assert game.outcome is None, f"over before turn {number + 1}"
        game.play(parse_move(move))
    assert game.outcome is not None
    assert str(game.position) == record["final"]
    assert (game.outcome.result, game.outcome.reason) == (record["result"], record["reason"])


def test_the_command_replays_the_games_of_the_vectors(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("replay", str(VECTORS / "games.jsonl"))
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert answers == [
        {"final": record["final"], "result": record["result"], "reason": record["reason"]}
        for record in vectors("games")
    ]


def test_the_vectors_hold_every_way_for_the_cards_to_end_a_game() -> None:
    assert {record["reason"] for record in vectors("games")} >= {"cards-out", "last-card", "repetition"}

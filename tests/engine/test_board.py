"""The compiled position against the rules."""

import json
import random
from pathlib import Path

from games.engine.board import MOVES, PLIES, key_of, list_moves, play
from games.engine.desk import Desk
from games.rules import parse_position

VECTORS = Path(__file__).parents[1] / "vectors"


def vectors(name: str) -> list[dict]:
    return [json.loads(line) for line in (VECTORS / name).read_text().splitlines()]


def test_perft_through_the_engine_equals_every_vector() -> None:
    desk = Desk()
    for vector in vectors("perft.jsonl"):
        desk.lay(parse_position(vector["position"]))
        assert desk.perft(vector["depth"]) == vector["nodes"], vector["position"]


def test_perft_through_the_engine_equals_the_rules_on_positions_in_play() -> None:
    desk = Desk()
    for vector in vectors("positions.jsonl"):
        position = parse_position(vector["position"])
        desk.lay(position)
        assert desk.perft(2) == position.perft(2), vector["position"]


def test_legal_moves_are_those_of_the_rules() -> None:
    desk = Desk()
    for vector in vectors("positions.jsonl"):
        position = parse_position(vector["position"])
        if position.outcome() is not None:
            continue
        desk.lay(position)
        number = list_moves(desk.sets, desk.pile, desk.work, 0, position.turn, not position.strict, desk.moves)
        assert sorted(str(desk.outer(int(move))) for move in desk.moves[0, :number]) == vector["legal"]
        assert {desk.inner(desk.outer(int(move))) for move in desk.moves[0, :number]} == set(
            map(int, desk.moves[0, :number])
        )


def test_the_key_kept_from_turn_to_turn_is_the_key_counted_anew() -> None:
    chance = random.Random(3)
    desk = Desk()
    for vector in vectors("positions.jsonl")[:100]:
        position = parse_position(vector["position"])
        desk.lay(position)
        seat, free = position.turn, not position.strict
        for ply in range(PLIES):
            moves = list(position.legal_moves())
            if not moves:
                break
            move = chance.choice(moves)
            play(desk.sets, desk.pile, desk.work, ply, seat, desk.inner(move))
            position, seat = position.play(move), 1 - seat
            assert desk.sets[ply + 1, 2] == key_of(desk.sets, desk.pile, desk.work, ply + 1, seat, free)


def test_the_order_of_the_pile_is_in_the_key() -> None:
    desk = Desk()
    keys = set()
    for pile in ("6C7D8H", "7D6C8H", "6C8H7D"):
        desk.lay(parse_position(f"9H/9S {pile} HS 0 strict"))
        keys.add(int(desk.sets[0, 2]))
    assert len(keys) == 3


def test_no_position_has_more_moves_than_there_is_room_for() -> None:
    most = max(parse_position(vector["position"]).count_moves() for vector in vectors("positions.jsonl"))
    hand = 51
    beaters = 12 + 13
    assert most < beaters * (hand - 1) + 1 < MOVES

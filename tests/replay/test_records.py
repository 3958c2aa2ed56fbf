"""Records come out as text, JSON and addresses, and only what the rules allow comes in."""

import json
import re
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from games.records import MAX_CHARACTERS, Record, RecordError, from_token, read
from games.rules import Outcome, Reason, parse_move, parse_position

VECTORS = Path(__file__).resolve().parent.parent / "vectors" / "games.jsonl"
GAMES = [json.loads(line) for line in VECTORS.read_text(encoding="utf-8").splitlines()[:40]]
START = "6C9H/7DKD 8H SH 1 strict"


def record_of(game: dict) -> Record:
    winner = {"seat 0": 0, "seat 1": 1, "draw": None}[game["result"]]
    moves = tuple(map(parse_move, game["moves"]))
    names = ("ნინო", "Борис")
    return Record(parse_position(game["start"]), moves, names, Outcome(winner, Reason(game["reason"])), "2026-11-29")


@pytest.mark.parametrize("game", GAMES, ids=range(len(GAMES)))
def test_a_record_comes_back_from_text_from_json_and_from_an_address(game: dict) -> None:
    record = record_of(game)
    assert read(record.as_text()) == record
    assert read(record.as_json()) == record
    assert from_token(record.token()) == record
    assert re.fullmatch(r"[\w-]+", record.token())
    assert str(record.positions()[-1]) == game["final"]


@pytest.mark.parametrize("suffix", ["json", "txt"])
def test_the_replay_command_reads_what_is_downloaded(tmp_path: Path, suffix: str) -> None:
    record = record_of(GAMES[0])
    file = tmp_path / f"game.{suffix}"
    file.write_text(record.as_json() if suffix == "json" else record.as_text(), encoding="utf-8")
    out = StringIO()
    call_command("replay", str(file), stdout=out)
    assert json.loads(out.getvalue()) == {key: GAMES[0][key] for key in ("final", "result", "reason")}


def test_a_record_tells_an_end_that_the_cards_do_not_show() -> None:
    told = read(f"Start: {START}\nResult: seat 0, resignation\n")
    assert told.outcome == Outcome(0, Reason.RESIGNATION)
    # An end by cards is for the cards to show.
    assert read(f"Start: {START}\nResult: seat 0, cards-out\n").outcome is None


def test_the_cards_decide_where_a_record_tells_another_end() -> None:
    game = next(game for game in GAMES if game["result"] == "seat 0")
    record = record_of(game)
    changed = record.as_text().replace("Result: seat 0, cards-out", "Result: seat 1, resignation")
    assert read(changed).outcome == record.outcome


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "nothing here"),
        ("   \n", "nothing here"),
        ("x" * (MAX_CHARACTERS + 1), "longer than any game"),
        ("{", "not valid JSON"),
        ("[" * 50_000, "not valid JSON"),
        ('{"start": "x"}\n{"start": "y"}', "not valid JSON"),
        ("[1, 2]", "an object with"),
        ('{"start": 1, "moves": []}', "has to be a position"),
        (f'{{"start": "{START}", "moves": "take"}}', "has to be a position"),
        (f'{{"start": "{START}", "moves": [1]}}', "has to be a position"),
        ("1. take", "Start:"),
        ("Start: nonsense", "starting position cannot be read"),
        ("Start: 6C6C/7D - SH 0 strict", "starting position cannot be read"),
        (f"Start: {START}\n1. xx", "Turn 1 cannot be read: xx"),
        (f'{{"start": "{START}", "moves": ["x\\ud800x"]}}', "Turn 1 cannot be read: xx"),
        (f"Start: {START}\n1. KD+7D", "Turn 1, KD+7D, is not allowed: KD does not beat"),
        (f"Start: {START}\n1. AS", "Turn 1, AS, is not allowed: AS is not in"),
        (f"Start: {START}\n1. take\n2. take", "Turn 2, take, is not allowed: there is no pile"),
        (f"Start: {START}\n1. take\n2. 6C+9H", "Turn 2, 6C+9H, is not allowed: a lead is one card"),
        ("Start: 6C9H/7D9D 8D SH 1 strict\n1. take", "Turn 1, take, is not allowed: the top card can be beaten"),
        ("Start: 6C9H/7D9D 8D SH 1 strict\n1. 9D", "Turn 1, 9D, is not allowed: a beat needs a second card"),
        ("Start: 6C/7D9D - SH 0 strict\n1. 6C\n2. take", "the game is over"),
        (f"Start: {START}\n" + "take\n" * 401, "more than 400 turns"),
    ],
)
def test_what_is_wrong_with_a_text_is_said_in_words(text: str, says: str) -> None:
    with pytest.raises(RecordError) as caught:
        read(text)
    assert says in str(caught.value)


def test_names_cannot_disturb_the_page_or_the_file() -> None:
    names = ["a\u202eb\nStart: x", "y" * 500]
    record = read(json.dumps({"start": START, "moves": [], "players": names}))
    assert record.names == ("ab Start: x", "y" * 40)
    assert read(record.as_text()).names == record.names


@pytest.mark.parametrize("token", ["", "x", "!!!", "eNoDAAAAAAE", "A" * 3000])
def test_an_address_that_holds_no_game_is_refused(token: str) -> None:
    with pytest.raises(RecordError):
        from_token(token)


def test_an_address_that_unpacks_to_more_than_a_game_is_cut_off() -> None:
    import base64
    import zlib

    bomb = base64.urlsafe_b64encode(zlib.compress(b"0" * 50_000_000, 9)).decode().rstrip("=")
    with pytest.raises(RecordError):
        from_token(bomb)


@pytest.mark.parametrize(
    ("result", "reason", "taken"),
    [
        ("seat 0", "resignation", True),
        ("draw", "agreement", True),
        ("draw", "moderator", True),
        ("seat 1", "moderator", True),
        ("draw", "resignation", False),
        ("draw", "time", False),
        ("seat 0", "agreement", False),
        ("seat 1", "aborted", False),
    ],
)
def test_an_end_that_there_cannot_be_is_not_taken_over(result: str, reason: str, taken: bool) -> None:
    record = read(json.dumps({"start": START, "moves": [], "result": result, "reason": reason}))
    assert (record.outcome is not None) == taken


@pytest.mark.parametrize(("date", "kept"), [("2026-02-28", True), ("2026-02-30", False), ("٢٠٢٦-٠٢-٠١", False)])
def test_a_date_is_one_of_the_calendar(date: str, kept: bool) -> None:
    assert read(json.dumps({"start": START, "moves": [], "date": date})).date == (date if kept else "")

"""The commands on positions as a script meets them: standard input, errors, exit statuses."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.rules.vectors import vectors

ROOT = Path(__file__).resolve().parent.parent.parent
LEAD = "6C9H/7DKD - SH 1 strict"
BEAT = "6C9H/7DKD 8H SH 1 strict"
BAD = "6C9H/7DKD 8H SS 1 strict"


def run(*command: str, lines: str | None = None) -> subprocess.CompletedProcess[str]:
    """Run ``manage.py`` as a process of its own."""
    return subprocess.run(
        [sys.executable, "manage.py", *command], cwd=ROOT, input=lines, capture_output=True, text=True, timeout=60
    )


def test_lines_of_standard_input_are_answered_in_their_order() -> None:
    done = run("legal", "-", lines=f"{LEAD}\n{BAD}\n\n{BEAT}\r\n")
    first, bad, empty, last = map(json.loads, done.stdout.splitlines())
    assert done.returncode == 0
    assert (first, last) == (["7D", "KD"], ["take"])
    assert "both players have S" in bad["error"]
    assert "five fields" in empty["error"]


def test_a_line_is_answered_before_the_next_is_sent() -> None:
    with subprocess.Popen(
        [sys.executable, "manage.py", "perft", "-", "2"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        answers = []
        for _ in range(2):
            process.stdin.write(f"{LEAD}\n")
            process.stdin.flush()
            answers.append(process.stdout.readline())
        process.stdin.close()
    assert answers == ["2\n", "2\n"]
    assert process.returncode == 0


def test_a_bad_position_on_the_command_line_is_named_and_fails() -> None:
    done = run("legal", BAD)
    assert done.returncode != 0
    assert done.stdout == ""
    assert "both players have S" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_position_may_begin_with_an_empty_hand(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("perft", "-/7DKD 8H SH 1 strict", "3")
    assert capsys.readouterr().out == "1\n"
    call_command("legal", "-/7DKD 8H SH 1 strict")
    assert capsys.readouterr().out == ""


def test_divide_lists_each_first_move_and_adds_up(capsys: pytest.CaptureFixture[str]) -> None:
    record = vectors("perft")[0]
    call_command("perft", record["position"], str(record["depth"]), "--divide")
    *lines, total = capsys.readouterr().out.splitlines()
    assert int(total) == record["nodes"] == sum(int(line.split()[1]) for line in lines)
    moves = [line.split()[0] for line in lines]
    assert moves == sorted(moves)
    assert len(moves) == 8


@pytest.mark.parametrize("depth", ["0", "1"])
def test_perft_of_few_turns(depth: str, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("perft", LEAD, depth)
    assert capsys.readouterr().out == {"0": "1\n", "1": "2\n"}[depth]


def test_perft_refuses_a_negative_depth() -> None:
    with pytest.raises(CommandError, match="0 or more"):
        call_command("perft", LEAD, "-1")


def test_replay_goes_on_after_an_illegal_game_and_fails_at_the_end() -> None:
    good = {"start": LEAD, "moves": ["KD", "take"]}
    over = {"start": "6C/7DKD - SH 0 strict", "moves": ["6C"]}
    games = [
        good,
        {"start": LEAD, "moves": ["KD", "9H+6C"]},
        {"start": BAD, "moves": []},
        {"start": LEAD, "moves": ["banana"]},
        {"start": "6C/7DKD - SH 0 strict", "moves": ["6C", "take"]},
        over,
    ]
    done = run("replay", "-", lines="".join(f"{json.dumps(game)}\n" for game in games) + "nonsense\n[[[\n")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 1
    assert answers[0] == {"final": "6CKD9H/7D - SH 1 strict", "result": None, "reason": None}
    assert [answer.get("turn") for answer in answers[1:5]] == [2, None, 1, 2]
    assert "9H does not beat KD" in answers[1]["error"]
    assert "banana" in answers[3]["error"]
    assert "over" in answers[4]["error"]
    assert answers[5] == {"final": "-/7DKD 6C SH 1 strict", "result": "seat 0", "reason": "cards-out"}
    assert all("error" in answer for answer in answers[6:])
    assert len(answers) == 8


def test_replay_of_sound_games_succeeds(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(json.dumps({"start": LEAD, "moves": []}))
    done = run("replay", str(path))
    assert done.returncode == 0
    assert json.loads(done.stdout) == {"final": LEAD, "result": None, "reason": None}


def test_replay_names_a_file_that_cannot_be_read() -> None:
    with pytest.raises(CommandError, match=r"nowhere\.jsonl"):
        call_command("replay", "nowhere.jsonl")

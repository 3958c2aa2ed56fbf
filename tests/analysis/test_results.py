"""What an analysis says is true: held against a small ending that is played out to the last reply."""

from functools import cache

import pytest
from django.test import Client

from accounts.models import User
from games.engine import think
from games.models import AnalysedTurn, Analysis, Evaluation, Match
from games.present import reports
from games.rules import Position, parse_move, parse_position
from games.services import analysis, ending, evaluations
from games.studies import assessed
from tests.games import cast

pytestmark = pytest.mark.django_db

#: Ten cards, few enough to play every reply out; the player to move can force the win.
START = "7CTC9DTD9S/AC8DJDTSAS - SH 1 strict"
NODES = 3000


def study(match: Match, asker: User) -> dict[int, AnalysedTurn]:
    """Have a match analysed, without a worker."""
    analysis.ask(match.code, asker)
    claimed = analysis.claim()
    assert claimed is not None
    for turn in claimed.left:
        history = claimed.positions[: turn - 1]
        analysis.note(claimed, turn, assessed(think(claimed.positions[turn - 1], nodes=NODES, history=history)))
    analysis.finish(claimed)
    return {row.turn: row for row in AnalysedTurn.objects.filter(analysis__match=match)}


def wins(position: Position, turns: int) -> bool:
    """Whether the player to move can force a win within so many turns, by playing out every reply."""

    @cache
    def can(position: Position, left: int) -> bool:
        if left <= 0:
            return False
        for move in position.legal_moves():
            after = position.play(move)
            outcome = after.outcome()
            if outcome is not None:
                if outcome.winner == position.turn:
                    return True
            elif left > 1 and all(
                ((end := reply.outcome()) is None and can(reply, left - 2))
                or (end is not None and end.winner == position.turn)
                for reply in (after.play(answer) for answer in after.legal_moves())
            ):
                return True
        return False

    return can(position, turns)


@pytest.fixture
def ended(ana: User, boris: User) -> Match:
    """A match from :data:`START` played to its end by the engine."""
    match = cast.start_match(ana, boris, position=START, trumps=("S", "H"))
    for _ in range(60):
        now = Match.objects.get(pk=match.pk)
        if not now.is_running:
            break
        cast.play(match, str(think(now.rules_position, nodes=NODES).move))
    return Match.objects.get(pk=match.pk)


def test_every_proven_win_is_one_and_takes_as_long_as_it_says(ended: Match, ana: User) -> None:
    rows = study(ended, ana)
    positions = [parse_position(ended.start)]
    for notation in cast.log(ended):
        positions.append(positions[-1].play(parse_move(notation)))
    proven = {turn: row.proven for turn, row in rows.items() if row.proven}
    assert proven, "nothing of the ending was proven"
    for turn, distance in proven.items():
        position = positions[turn - 1]
        if distance > 0:
            assert wins(position, distance)
            assert not wins(position, distance - 2)
            assert rows[turn].chance == 1.0
        else:
            assert all(
                after.outcome() is not None or wins(after, -distance - 1)
                for after in (position.play(move) for move in position.legal_moves())
            )
            assert rows[turn].chance == 0.0


def test_a_move_that_lets_a_forced_win_go_is_a_blunder_and_a_turning_point(ana: User, boris: User) -> None:
    start = parse_position(START)
    only = think(start, nodes=20_000)
    wrong = next(move for move in sorted(start.legal_moves()) if move != only.move)
    match = cast.start_match(ana, boris, position=str(start), trumps=("S", "H"))
    cast.play(match, str(wrong))
    ending.resign(match.code, ana)
    study(Match.objects.get(pk=match.pk), ana)
    client = Client()
    page = cast.page(client.get(f"/m/{match.code}/analysis/?turn=1"))
    assert page.select_one("#say .verdict.is-blunder")
    # What would have been better is tried from the position before.
    assert page.select_one(f"a[href='/m/{match.code}/try/?turn=0']")
    assert reports.words.move_phrase(only.move) in page.select_one("#status .outcome").get_text()
    told = [line.get_text() for line in page.select(".turnings li")]
    assert any("could force the win" in line for line in told)
    assert any("let a forced win go" in line for line in told)
    assert page.select(".chances .is-blunder")


def test_a_win_that_a_short_look_does_not_see_again_was_not_let_go(ended: Match, ana: User) -> None:
    study(ended, ana)
    AnalysedTurn.objects.filter(turn=2).update(proven=None, chance=0.03)
    page = cast.page(Client().get(f"/m/{ended.code}/analysis/"))
    told = [line.get_text() for line in page.select(".turnings li")]
    assert len(told) == 1
    assert "could force the win" in told[0]


def test_a_forced_win_that_was_left_is_a_turning_point_though_the_chance_stays_high(ended: Match, ana: User) -> None:
    study(ended, ana)
    first = AnalysedTurn.objects.get(turn=1)
    start = parse_position(ended.start)
    first.best = next(str(move) for move in sorted(start.legal_moves()) if str(move) != first.best)
    first.save()
    AnalysedTurn.objects.filter(turn=2).update(proven=None, chance=0.03)
    page = cast.page(Client().get(f"/m/{ended.code}/analysis/"))
    told = [line.get_text() for line in page.select(".turnings li")]
    assert any("With turn 1 Boris left the forced win" in line for line in told)
    assert not page.select(".chances .dot")


def test_a_best_move_costs_nothing_and_a_side_without_a_choice_has_no_accuracy() -> None:
    assert reports.accuracy([0.0, 0.0]) == 100
    assert reports.accuracy([]) is None
    assert reports.accuracy([0.15]) == 50
    assert reports.accuracy([1.0]) == 1


def test_the_page_shows_an_analysis_that_is_done(over: Match, ana: User) -> None:
    rows = study(over, ana)
    assert len(rows) == over.turn == Analysis.objects.get().total
    page = cast.page(Client().get(f"/m/{over.code}/analysis/?turn=2"))
    assert page.select_one("#analysis-state") is None
    assert len(page.select(".chances .column")) == over.turn
    assert {len(row.select("td")) for row in page.select(".reports tbody tr")} == {2}
    assert len(page.select("#turn-list li")) == over.turn
    assert page.select_one("#to-on")["href"] == "?turn=3"
    assert page.select_one(".best-line")


class TestTrying:
    """A board of one's own: both sides' moves are tried, and what comes of them is evaluated."""

    def test_a_posted_move_is_played_and_its_position_is_evaluated_by_the_worker(self, over: Match) -> None:
        client, url = Client(), f"/m/{over.code}/try/"
        move = str(min(parse_position(over.start).legal_moves()))
        answer = client.post(url, {"turn": "0", "moves": "", "move": move}, follow=True)
        page = cast.page(answer)
        assert [item.get_text() for item in page.select(".tried li")]
        assert page.select_one("#worth .waiting")["hx-trigger"]
        (task,) = evaluations.claim(5)
        assert evaluations.claim(5) == []
        evaluations.answer(task, assessed(think(task.position, nodes=500)))
        page = cast.page(client.get(answer.redirect_chain[-1][0]))
        assert page.select_one("#worth .waiting") is None
        assert page.select_one("#worth .best-line")

    def test_the_same_position_is_looked_at_once(self, over: Match) -> None:
        for client in (Client(), Client()):
            client.post(f"/m/{over.code}/try/", {"turn": "0"})
        assert Evaluation.objects.count() == 1

    def test_what_the_rules_forbid_is_refused(self, over: Match) -> None:
        assert Client().post(f"/m/{over.code}/try/", {"turn": "0", "move": "take"}).status_code == 422
        assert Client().get(f"/m/{over.code}/try/?turn=0&moves=take").status_code == 404
        assert not Evaluation.objects.exists()

    def test_no_more_moves_are_tried_than_the_limit(self, over: Match, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("games.views.analysis.LONGEST_TRY", 2)
        position, moves = parse_position(over.start), []
        for _ in range(3):
            moves.append(min(position.legal_moves(), key=str))
            position = position.play(moves[-1])
        first, second, third = map(str, moves)
        client, url = Client(), f"/m/{over.code}/try/"
        answer = client.post(url, {"turn": "0", "moves": f"{first}.{second}", "move": third})
        assert answer.status_code == 422
        assert "No more moves can be tried from here." in cast.page(answer).get_text()
        assert not Evaluation.objects.exists()
        assert client.get(url, {"turn": "0", "moves": f"{first}.{second}"}).status_code == 200
        assert client.get(url, {"turn": "0", "moves": f"{first}.{second}.{third}"}).status_code == 404

    def test_asking_is_limited(self, over: Match, settings: object) -> None:
        settings.RATE_LIMITS = {**settings.RATE_LIMITS, "evaluate": {"account": (2, 60), "address": (2, 60)}}
        answers = [Client().post(f"/m/{over.code}/try/", {"turn": "0"}).status_code for _ in range(3)]
        assert answers == [302, 302, 429]

    def test_a_full_queue_takes_no_more(self, over: Match, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(evaluations, "LONGEST_QUEUE", 0)
        assert Client().post(f"/m/{over.code}/try/", {"turn": "0"}).status_code == 503

"""Solving: by forms on the table's own cards, right and wrong moves, giving up, the daily puzzle and the streak."""

import datetime
from collections.abc import Callable

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from accounts.models import HandOrder, User
from games import puzzle_reads
from games.models import Puzzle, PuzzleAttempt
from games.rules import parse_move, parse_position
from games.services import puzzles
from games.services.errors import IllegalTurnError, StaleTurnError
from tests.games import cast
from tests.games.surfing import Browser

pytestmark = pytest.mark.django_db

NOON = datetime.datetime(2026, 3, 2, 12, tzinfo=datetime.UTC)


@pytest.fixture
def puzzle() -> Puzzle:
    """A puzzle of which three moves are asked."""
    return Puzzle.objects.filter(asked__gte=3).order_by("number").first()


def wrong_move(puzzle: Puzzle, step: int = 0) -> str:
    position = parse_position(puzzle.position)
    for move in puzzle.moves[:step]:
        position = position.play(parse_move(move))
    return next(move for move in sorted(map(str, position.legal_moves())) if move != puzzle.moves[step])


def solve(puzzle: Puzzle, user: User) -> PuzzleAttempt:
    attempt = None
    for step in range(0, puzzle.asked, 2):
        attempt = puzzles.play(puzzle.number, user, step, puzzle.moves[step])
    assert attempt is not None
    return attempt


def play_by_form(browser: Browser, notation: str) -> None:
    """Play a move by pressing the buttons that the page offers, as one does without a script."""
    if notation == "take":
        browser.press("#take")
        return
    for card in notation.split("+"):
        browser.press(f"#card-{card}")


def test_the_migration_brought_the_puzzles() -> None:
    assert Puzzle.objects.count() >= 500


def test_wrong_moves_are_counted_as_far_as_the_column_goes(puzzle: Puzzle, ana: User) -> None:
    PuzzleAttempt.objects.create(user=ana, puzzle=puzzle, missed=puzzles.MOST_MISSED - 1)
    counts = [puzzles.play(puzzle.number, ana, 0, wrong_move(puzzle)).missed for _ in range(2)]
    assert counts == [puzzles.MOST_MISSED, puzzles.MOST_MISSED]


def test_a_puzzle_is_solved_by_forms_on_the_tables_cards(puzzle: Puzzle, ana: User) -> None:
    browser = Browser(ana).visit(puzzle.get_absolute_url())
    for step in range(0, puzzle.asked, 2):
        assert ("Right! Go on" if step else "Find it") in browser.text
        play_by_form(browser, puzzle.moves[step])
    assert "Solved!" in browser.text
    assert len(browser.page.select(".tried li")) == len(puzzle.moves)
    attempt = PuzzleAttempt.objects.get()
    assert (attempt.step, attempt.missed) == (puzzle.asked, 0)
    assert attempt.solved_at is not None


@pytest.mark.parametrize(("pickup", "said"), [("strict", "Strict pick-up"), ("free", "Free pick-up: you may pick up")])
def test_a_puzzle_says_how_one_picks_up_in_it(pickup: str, said: str) -> None:
    puzzle = Puzzle.objects.filter(position__endswith=pickup).first()
    assert said in Browser().visit(puzzle.get_absolute_url()).text


def test_the_hand_is_sorted_as_the_viewer_likes_it(puzzle: Puzzle, ana: User) -> None:
    cards = parse_position(puzzle.position).hands[parse_position(puzzle.position).turn].bit_count()
    User.objects.filter(pk=ana.pk).update(hand_order=HandOrder.RANK)
    rows = Browser(ana).visit(puzzle.get_absolute_url()).page.select("#rows .suit-row")
    assert [len(row.select("button")) for row in rows] == [cards]


def test_after_the_right_move_the_opponents_reply_stands_on_the_table(puzzle: Puzzle, ana: User) -> None:
    attempt = puzzles.play(puzzle.number, ana, 0, puzzle.moves[0])
    assert attempt.step == 2
    page = Browser(ana).visit(puzzle.get_absolute_url()).page
    assert len(page.select(".so-far li")) == 2


def test_somebody_without_an_account_solves_as_a_guest(puzzle: Puzzle) -> None:
    browser = Browser().visit(puzzle.get_absolute_url())
    assert not PuzzleAttempt.objects.exists()
    play_by_form(browser, puzzle.moves[0])
    assert PuzzleAttempt.objects.get().user.is_guest


def test_a_wrong_move_is_told_and_may_be_tried_again(puzzle: Puzzle, ana: User) -> None:
    wrong = wrong_move(puzzle)
    attempt = puzzles.play(puzzle.number, ana, 0, wrong)
    assert (attempt.step, attempt.missed, attempt.solved_at) == (0, 1, None)
    assert "Try again" in Browser(ana).visit(puzzle.get_absolute_url()).text
    assert solve(puzzle, ana).solved_at is not None


def test_after_a_miss_the_cover_is_asked_for_as_before(ana: User) -> None:
    covered = next(puzzle for puzzle in Puzzle.objects.order_by("number") if "+" in puzzle.moves[0])
    puzzles.play(covered.number, ana, 0, wrong_move(covered))
    browser = Browser(ana).visit(covered.get_absolute_url())
    browser.press(f"#card-{covered.moves[0].partition('+')[0]}")
    assert "Now cover it" in browser.text
    assert "Try again" not in browser.text


def test_what_the_rules_forbid_and_what_comes_late_is_refused(puzzle: Puzzle, ana: User) -> None:
    with pytest.raises(IllegalTurnError):
        puzzles.play(puzzle.number, ana, 0, "2C+2D")
    with pytest.raises(StaleTurnError):
        puzzles.play(puzzle.number, ana, 2, puzzle.moves[0])
    puzzles.play(puzzle.number, ana, 0, puzzle.moves[0])
    client = Client()
    client.force_login(ana)
    answer = client.post(puzzle.get_absolute_url(), {"step": "0", "move": puzzle.moves[0]})
    assert answer.status_code == 409
    assert PuzzleAttempt.objects.get().step == 2


def test_who_gives_up_sees_the_solution_and_has_not_solved_it(puzzle: Puzzle, ana: User) -> None:
    browser = Browser(ana).visit(puzzle.get_absolute_url())
    assert not browser.page.select(".tried")
    browser.presses("Show it")
    assert len(browser.page.select(".tried li")) == len(puzzle.moves)
    with pytest.raises(StaleTurnError):
        puzzles.play(puzzle.number, ana, 0, puzzle.moves[0])
    assert PuzzleAttempt.objects.get().solved_at is None


def test_the_solution_is_on_no_page_before(puzzle: Puzzle, ana: User) -> None:
    text = Browser(ana).visit(puzzle.get_absolute_url()).page.decode()
    assert puzzle.line not in text
    assert "is-rest" not in text


def test_the_daily_puzzle_is_the_same_for_all_and_changes_at_midnight_utc(ana: User, boris: User) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        first = {Browser(user).visit("/puzzles/daily/").address for user in (ana, boris, None)}
        assert len(first) == 1
        clock.move_to(NOON.replace(hour=23, minute=59, second=59))
        assert Browser(ana).visit("/puzzles/daily/").address in first
        clock.shift(1)
        assert Browser(ana).visit("/puzzles/daily/").address not in first


def test_no_daily_puzzle_comes_again_before_all_have_been() -> None:
    count = Puzzle.objects.count()
    days = [NOON.date() + datetime.timedelta(days=day) for day in range(count)]
    numbers = [day.toordinal() * puzzles.STRIDE % count for day in days]
    assert len(set(numbers)) == count


def test_the_streak_grows_day_by_day_and_ends_with_a_day_left_out(ana: User) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        for days in (1, 2, 3):
            solve(puzzles.daily(puzzles.today()), ana)
            assert puzzle_reads.streak(ana, puzzles.today()) == days
            clock.shift(datetime.timedelta(days=1))
        assert puzzle_reads.streak(ana, puzzles.today()) == 3
        assert "days in a row" in Browser(ana).visit("/puzzles/").text
        clock.shift(datetime.timedelta(days=1))
        assert puzzle_reads.streak(ana, puzzles.today()) == 0


def test_only_the_puzzle_of_the_day_counts_for_the_streak(puzzle: Puzzle, ana: User) -> None:
    with time_machine.travel(NOON, tick=False):
        other = Puzzle.objects.exclude(pk=puzzles.daily(puzzles.today()).pk).first()
        solve(other, ana)
        assert puzzle_reads.streak(ana, puzzles.today()) == 0


@pytest.mark.parametrize("finish", [solve, lambda puzzle, user: puzzles.give_up(puzzle.number, user)])
def test_a_daily_puzzle_finished_earlier_is_played_anew_on_its_day(ana: User, finish: Callable) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        puzzle = puzzles.daily((NOON + datetime.timedelta(days=9)).date())
        finish(puzzle, ana)
        first = PuzzleAttempt.objects.get().solved_at
        clock.shift(datetime.timedelta(days=8))
        solve(puzzles.daily(puzzles.today()), ana)
        clock.shift(datetime.timedelta(days=1))
        assert "Solved today" not in Browser(ana).visit("/puzzles/").text
        play_by_form(Browser(ana).visit(puzzle.get_absolute_url()), puzzle.moves[0])
        for step in range(2, puzzle.asked, 2):
            puzzles.play(puzzle.number, ana, step, puzzle.moves[step])
        assert puzzle_reads.streak(ana, puzzles.today()) == 2
        assert "Solved today" in Browser(ana).visit("/puzzles/").text
        assert PuzzleAttempt.objects.get(puzzle=puzzle).solved_at == (first or timezone.now())


def test_who_sees_the_solution_of_the_daily_puzzle_has_had_the_days_try(ana: User) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        puzzle = puzzles.daily((NOON + datetime.timedelta(days=1)).date())
        puzzles.play(puzzle.number, ana, 0, wrong_move(puzzle))
        clock.shift(datetime.timedelta(days=1))
        puzzles.give_up(puzzle.number, ana)
        with pytest.raises(StaleTurnError):
            puzzles.play(puzzle.number, ana, 0, puzzle.moves[0])
        assert "This was the way." in Browser(ana).visit(puzzle.get_absolute_url()).text


def test_next_skips_what_is_finished(ana: User) -> None:
    first, second = Puzzle.objects.filter(grade=1).order_by("number")[:2]
    solve(first, ana)
    assert Browser(ana).visit("/puzzles/grade/1/").address == second.get_absolute_url()
    tally = next(tally for tally in puzzle_reads.tallies(ana) if tally.grade == 1)
    assert (tally.solved, tally.total) == (1, Puzzle.objects.filter(grade=1).count())


def test_loading_the_same_puzzles_again_adds_none() -> None:
    from django.core.management import call_command

    count = Puzzle.objects.count()
    call_command("loadpuzzles", verbosity=0)
    assert Puzzle.objects.count() == count


def test_solving_is_limited(puzzle: Puzzle, ana: User, settings: object) -> None:
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "puzzle": {"account": (1, 60), "address": (1, 60)}}
    client = Client()
    client.force_login(ana)
    fields = {"step": "0", "move": wrong_move(puzzle)}
    assert [client.post(puzzle.get_absolute_url(), fields).status_code for _ in range(2)] == [302, 429]
    assert cast.page(client.get(puzzle.get_absolute_url())).select_one("#hand")

"""What an open page is shown of a match: the newest state, wherever it comes from, and no more than is new."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.db import transaction

from accounts.models import User
from games import fresh
from games.models import Match
from games.present import regions
from games.services import ending, playing
from games.watching import Watch
from tests.games.cast import DAYS, LIVE, UNTIMED, any_move, mover, play, start_match

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def live(ana: User, boris: User) -> Match:
    return start_match(ana, boris, LIVE)


def make_a_turn(match: Match) -> int:
    """Play the first legal move and return the turn at which the match stands then."""
    return play(match, any_move(match)).turn


def shown(watch: Watch, match: Match, viewer: User, whole: bool = False) -> tuple[int, list[int]]:
    """Return the turn that a page is shown and the numbers of its lines."""
    seen = watch.look(match.code, viewer, whole)
    assert seen is not None
    return seen[1].turn, [line.number for line in seen[1].turns]


def test_a_page_that_missed_a_message_is_shown_every_line(live: Match, ana: User) -> None:
    watch = Watch()
    assert shown(watch, live, ana, whole=True) == (1, [])
    make_a_turn(live)
    watch.tell(make_a_turn(live))
    assert shown(watch, live, ana) == (3, [1, 2])
    watch.tell(make_a_turn(live))
    assert shown(watch, live, ana) == (4, [3])


def test_a_turn_that_another_process_made_is_read(live: Match, ana: User, monkeypatch: pytest.MonkeyPatch) -> None:
    watch = Watch()
    shown(watch, live, ana, whole=True)
    watch.tell(make_a_turn(live))
    assert shown(watch, live, ana) == (2, [1])
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(fresh, "_put", lambda known: None)
        turn = make_a_turn(live)
    assert fresh.at_turn(live.code, turn) is None
    watch.tell(turn)
    assert shown(watch, live, ana) == (3, [2])


@pytest.mark.parametrize("told", [[2, 2], [2], []])
def test_what_was_told_after_a_turn_is_not_covered_by_what_is_remembered_of_it(
    live: Match, ana: User, boris: User, told: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    watch = Watch()
    shown(watch, live, ana, whole=True)
    make_a_turn(live)
    if len(told) < 2:
        # The page has shown the turn already: what comes now is newer.
        watch.tell(2)
        shown(watch, live, ana)
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(fresh, "_put", lambda known: None)
        ending.offer_draw(live.code, boris, 2)
    for turn in told:
        watch.tell(turn)
    seen = watch.look(live.code, ana, False)
    assert seen is not None
    assert seen[1].draw_offer == "far"


def test_what_is_rolled_back_is_not_remembered(live: Match) -> None:
    player, move = mover(live), any_move(live)
    with transaction.atomic():
        playing.play(live.code, player, 1, move)
        transaction.set_rollback(True)
    assert fresh.at_turn(live.code, 2) is None


def test_matches_that_show_more_than_they_hold_are_read_each_time(ana: User, boris: User, computer: User) -> None:
    for terms in (DAYS, UNTIMED):
        match = start_match(ana, boris, terms)
        assert fresh.at_turn(match.code, make_a_turn(match)) is None


def test_a_match_that_is_over_is_read_with_all_that_follows(live: Match, ana: User, boris: User) -> None:
    watch = Watch()
    shown(watch, live, ana, whole=True)
    watch.tell(make_a_turn(live))
    ending.resign(live.code, boris)
    watch.tell(2)
    seen = watch.look(live.code, ana, False)
    assert seen is not None
    assert seen[1].result is not None
    assert seen[1].rematch is not None


def test_no_more_than_so_many_matches_are_remembered(ana: User, boris: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fresh, "MOST_KEPT", 2)
    fresh._kept.clear()
    matches = [start_match(ana, boris, LIVE) for _ in range(3)]
    for match in matches:
        make_a_turn(match)
    assert [fresh.at_turn(match.code, 2) is not None for match in matches] == [False, True, True]


def test_a_region_is_left_out_while_it_shows_what_it_showed(live: Match, ana: User, boris: User) -> None:
    watch = Watch()

    def unchanged() -> set[str]:
        seen = watch.look(live.code, ana, False)
        assert seen is not None
        return set(watch.unchanged(seen[1], whole=False))

    assert unchanged() == set()
    assert unchanged() == set(regions.SELDOM)
    ending.offer_draw(live.code, boris, 1)
    watch.tell(1)
    assert unchanged() == set(regions.SELDOM) - {"asked", "offers"}
    ending.resign(live.code, boris)
    watch.tell(1)
    assert unchanged() == {"days"}
    seen = watch.look(live.code, ana, True)
    assert seen is not None
    assert watch.unchanged(seen[1], whole=True) == []


#: What stays the same for as long as a match lives.
CONSTANT = {"url", "code", "commitment", "near.trump", "far.trump", "far.is_computer"}


@pytest.mark.parametrize("region", regions.SELDOM)
def test_a_region_is_compared_by_all_that_its_template_shows(region: str) -> None:
    template = Path(settings.BASE_DIR / f"templates/games/partials/{region}.html").read_text()
    used = set(re.findall(r"\btable\.([a-z_]+(?:\.[a-z_]+)*)", template)) - {"near", "far"}
    compared = tuple(regions.SELDOM[region])
    missing = {name for name in used - CONSTANT if not any(f"{name}.".startswith(f"{each}.") for each in compared)}
    assert missing == set()

"""What happened since a player left."""

import datetime

import pytest
import time_machine
from django.test import Client

from accounts.models import User
from games.models import Match, Pace, Seat
from games.services import lines, playing
from tests.correspondence.conftest import BEGIN, Begin, first_move, mover, play_on, waiter
from tests.games import cast


@pytest.fixture
def match(begin: Begin, clock: time_machine.Traveller) -> Match:
    return begin()


def recap_of(match: Match, user: User) -> list[str]:
    client = Client()
    client.force_login(user)
    recap = client.get(match.get_absolute_url()).context["recap"]
    return [step.sentence for step in recap.steps] if recap else []


def test_only_unseen_turns_are_told_each_once(match: Match) -> None:
    reader, opponent = mover(match), waiter(match)
    assert recap_of(match, reader) == []
    play_on(match, 2)
    (sentence,) = recap_of(match, reader)
    assert sentence.startswith(f"{opponent.username} ")
    assert recap_of(match, reader) == []
    play_on(match)
    assert recap_of(match, reader) == []


def test_a_turn_that_played_itself_is_told_too(match: Match) -> None:
    reader = waiter(match)
    lead = first_move(match)
    reply = min(str(move) for move in lines.after(match.rules_position, [lead]).legal_moves())
    recap_of(match, reader)
    lines.lay(match.code, reader, 1, [lead, reply])
    playing.play(match.code, mover(match), 1, lead)
    sentences = recap_of(match, reader)
    assert len(sentences) == 2
    assert sentences[1].startswith("You ")


def test_long_absence_shows_the_latest_twenty(begin: Begin, clock: time_machine.Traveller) -> None:
    match = begin(deck_size=52)
    reader = mover(match)
    play_on(match, 24)
    Seat.objects.update(seen_turn=1)
    client = Client()
    client.force_login(reader)
    recap = client.get(match.get_absolute_url()).context["recap"]
    assert (len(recap.steps), recap.earlier) == (20, 4)
    assert recap.steps[-1].number == 24


def test_the_list_is_on_the_page_without_a_script(match: Match) -> None:
    reader = mover(match)
    play_on(match, 2)
    client = Client()
    client.force_login(reader)
    page = client.get(match.get_absolute_url()).content.decode()
    recap = page.partition('<section id="recap"')[2].partition("</section>")[0]
    assert "Since you left" in recap
    assert recap.count("<li ") == 1


def test_the_recap_shows_no_card_of_a_closed_hand(match: Match) -> None:
    reader = mover(match)
    play_on(match, 2)
    seat = Seat.objects.get(match=match, user=reader)
    client = Client()
    client.force_login(reader)
    recap = client.get(match.get_absolute_url()).context["recap"]
    shown = {view.code for step in recap.steps for view in step.pile}
    hands = str(match.rules_position).split(" ")[0].split("/")
    theirs = hands[1 - seat.number]
    assert shown.isdisjoint(theirs[at : at + 2] for at in range(0, len(theirs), 2))


def test_spectators_are_told_nothing(match: Match, outsider: User) -> None:
    play_on(match, 2)
    client = Client()
    client.force_login(outsider)
    assert "recap" not in client.get(match.get_absolute_url()).context
    assert Seat.objects.filter(match=match, looked_at__isnull=True).count() == 0


def test_a_match_without_days_is_retold_only_after_a_while(begin: Begin, clock: time_machine.Traveller) -> None:
    match = begin(pace=Pace.UNTIMED, days_per_turn=0)
    reader = mover(match)
    play_on(match, 2)
    assert recap_of(match, reader) == []
    play_on(match, 2)
    clock.move_to(BEGIN + datetime.timedelta(hours=1))
    assert len(recap_of(match, reader)) == 1


@pytest.mark.django_db
def test_who_was_never_at_an_untimed_table_has_not_left_it() -> None:
    match = cast.start_match(cast.person("Ana"), cast.person("Boris"))
    playing.play(match.code, mover(match), 1, first_move(match))
    assert recap_of(match, waiter(match)) == []

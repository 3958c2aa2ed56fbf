"""The page of a player's matches, and the way from one to the next."""

import datetime

import pytest
import time_machine
from bs4 import BeautifulSoup
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games import selectors
from games.models import Match, OpenTo, Pace
from games.services import ending, seating, timeoff
from tests.correspondence.conftest import BEGIN, Begin, mover, play_on

DAY = datetime.timedelta(days=1)


def test_own_turn_comes_first_by_time_left(begin: Begin, ana: User, clock: time_machine.Traveller) -> None:
    matches = [begin(days_per_turn=days) for days in (5, 1, 3, 2, 7)]
    for match in matches:
        if mover(match) != ana:
            play_on(match)
    page = selectors.my_page(ana)
    assert [card.terms[0].split()[0] for card in page.my_turn] == ["1", "2", "3", "5", "7"]
    assert page.waiting == []


def test_a_row_tells_of_a_draw_that_is_offered(begin: Begin, ana: User, bela: User, client: Client) -> None:
    match = begin()

    def offers(user: User) -> list[str]:
        client.force_login(user)
        rows = BeautifulSoup(client.get(reverse("games:mine")).content, "lxml").select(".match-item .draw-offer")
        return [row.get_text(strip=True) for row in rows]

    assert offers(ana) == offers(bela) == []
    ending.offer_draw(match.code, ana, match.turn)
    assert offers(ana) == ["You have offered a draw."]
    assert offers(bela) == ["Ana offers a draw."]
    ending.resign(match.code, ana)
    assert offers(ana) == offers(bela) == []


def test_a_hundred_matches_take_as_many_queries_as_one(begin: Begin, ana: User) -> None:
    client = Client()
    client.force_login(ana)

    def look() -> tuple[int, int]:
        with CaptureQueriesContext(connection) as queries:
            page = client.get(reverse("games:mine")).content
        return page.count(b'class="match-item'), len(queries)

    begin()
    look()
    shown, one = look()
    assert shown == 1
    for _number in range(99):
        begin()
    shown, hundred = look()
    assert shown == 100
    assert hundred == one <= 12


def test_next_leads_to_the_match_with_the_least_time_left(
    begin: Begin, ana: User, clock: time_machine.Traveller
) -> None:
    client = Client()
    client.force_login(ana)
    assert client.get(reverse("games:next")).url == reverse("games:mine")
    matches = {days: begin(days_per_turn=days) for days in (3, 1, 2)}
    for match in matches.values():
        if mover(match) != ana:
            play_on(match)
    assert client.get(reverse("games:next")).url == matches[1].get_absolute_url()
    after = client.get(reverse("games:next"), {"after": matches[1].code})
    assert after.url == matches[2].get_absolute_url()


def test_a_match_that_stands_still_waits_for_nobody(begin: Begin, ana: User, bela: User) -> None:
    match = begin()
    if mover(match) != ana:
        play_on(match)
    Match.objects.update(paused_at=timezone.now())
    page = Client()
    page.force_login(ana)
    assert selectors.my_turn_count(ana) == 0
    assert page.get(reverse("games:next")).url == reverse("games:mine")
    page.force_login(bela)
    assert page.get(reverse("games:lines", args=[match.code])).url == match.get_absolute_url()
    assert reverse("games:lines", args=[match.code]).encode() not in page.get(match.get_absolute_url()).content


def test_after_a_turn_the_table_links_to_the_next_match(begin: Begin, ana: User) -> None:
    client = Client()
    client.force_login(ana)
    here, elsewhere = begin(), begin()
    for match in (here, elsewhere):
        if mover(match) != ana:
            play_on(match)
    assert b'id="next-match"' not in client.get(here.get_absolute_url()).content
    play_on(here)
    page = client.get(here.get_absolute_url()).content
    assert b'id="next-match"' in page
    assert f"{reverse('games:next')}?after={here.code}".encode() in page
    play_on(elsewhere)
    assert b'id="next-match"' not in client.get(here.get_absolute_url()).content


def test_the_counter_stands_in_the_header_and_in_the_title_of_every_page(begin: Begin, ana: User) -> None:
    client = Client()
    client.force_login(ana)
    for match in (begin(), begin()):
        if mover(match) != ana:
            play_on(match)
    for name in ("games:home", "games:rules", "games:mine", "accounts:preferences"):
        page = client.get(reverse(name)).content.decode()
        assert ">2</span>" in page.partition("</header>")[0], name
        assert "<title>(2) " in page, name


def test_the_deadline_is_told_in_the_readers_time_zone(begin: Begin, ana: User, clock: time_machine.Traveller) -> None:
    User.objects.filter(pk=ana.pk).update(time_zone="Asia/Vientiane", language="en")
    client = Client()
    client.force_login(User.objects.get(pk=ana.pk))
    match = begin()
    if mover(match) != ana:
        play_on(match)
    page = client.get(match.get_absolute_url())
    assert "March 3, 2027, 7 p.m." in page.content.decode()
    assert page.context["table"].near.clock.text == "2 days"
    assert "March 3, 2027, 7 p.m." in client.get(reverse("games:mine")).content.decode()


@pytest.mark.parametrize("ahead", [None, datetime.date(2027, 3, 10)])
def test_opponents_see_time_off_before_and_during(
    begin: Begin, ana: User, bela: User, clock: time_machine.Traveller, ahead: datetime.date | None
) -> None:
    client = Client()
    client.force_login(ana)
    match = begin()
    timeoff.take(bela, 5, ahead)
    page = client.get(match.get_absolute_url()).content.decode()
    assert f"Bela has time off {'from' if ahead else 'until'}" in page
    assert "time off" in client.get(reverse("games:mine")).content.decode().partition("mine-")[2]
    clock.move_to(BEGIN + 16 * DAY)
    assert "Bela has time off" not in client.get(match.get_absolute_url()).content.decode()


def test_offers_stand_among_ones_own_matches(ana: User, bela: User) -> None:
    terms = seating.MatchTerms(pace=Pace.CORRESPONDENCE, days_per_turn=3)
    seating.create(bela, terms, open_to=OpenTo.PLAYER, invited=ana)
    seating.create(ana, terms, open_to=OpenTo.LINK)
    assert [card.offer for card in selectors.my_page(ana).offers] == ["sent", "received"]

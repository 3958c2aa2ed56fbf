"""Whole matches, as people play them."""

import itertools
import re
from contextlib import closing
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Route, expect

from accounts.models import User
from games.models import Match, Move, OpenTo
from games.rules import card_name, cards_of
from games.services import ending, seating
from tests.browser.conftest import PHONE, Visit
from tests.browser.play import click_move, expect_turn, good_move, match_of, play_on
from tests.games import cast

LIVE = seating.MatchTerms(pace="live", base_seconds=900, increment_seconds=15)


def begin(people: tuple[User, User], terms: seating.MatchTerms = LIVE) -> Match:
    match = seating.create(people[0], terms, open_to=OpenTo.LINK, trump="H")
    seating.accept(match.code, people[1], "S")
    return Match.objects.get(pk=match.pk)


def is_over(page: Page) -> None:
    expect(page.locator("#state")).to_have_attribute("data-stage", "over")


def test_a_newcomer_plays_the_computer_to_the_end_and_registers(site, visit: Visit) -> None:
    page = visit("/", viewport=PHONE, reduced_motion="no-preference")
    page.locator("main form[action='/play/'] button").first.click()
    page.wait_for_url(re.compile("/m/"))
    match = match_of(page)
    seat = next(seat.number for seat in match.seats.select_related("user") if not seat.user.is_computer)
    match = play_on({seat: page})
    is_over(page)
    assert match.has_result
    expect(page.locator("#result")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]

    page.goto("/account/signup/")
    page.locator("[name=username]").fill("ნინო")
    for password in page.locator("input[type=password]").all():
        password.fill("seven-trumps-and-an-ace")
    page.locator("main form button[type=submit], main form button.primary").first.click()
    page.goto("/mine/")
    expect(page.locator(f"a[href='/m/{match.code}/']").first).to_be_visible()
    assert User.objects.get_by_natural_key("ნინო").kind == "person"


def test_two_play_by_a_link_while_a_third_looks_on(site, visit: Visit) -> None:
    ana = User.objects.create_user("Ana-by-link")
    host = visit("/new/", user=ana)
    # The smallest pack, so that the match is soon over.
    host.locator(".terms-form details.more > summary").click()
    for name, value in (("opponent", "link"), ("deck_size", "24")):
        host.locator(f".terms-form label:has(input[name='{name}'][value='{value}'])").click()
    host.locator(".terms-form button.big").click()
    host.wait_for_url(re.compile("/m/"))
    guest = visit(host.url)
    drawn = guest.locator("#nonce").input_value()
    guest.locator("form[action$='/accept/'] button").first.click()
    expect_turn(guest, 1)
    assert len(drawn) == 64
    assert bytes(Match.objects.get(seats__user=ana).nonce).hex() == drawn
    # The waiting page goes to the table by itself.
    expect_turn(host, 1)
    looker = visit(host.url)
    expect(looker.locator("#hand button[data-card]")).to_have_count(0)

    match = play_on({0: host, 1: guest}, until=7)
    host.reload()
    expect_turn(host, match.turn)
    match = play_on({0: host, 1: guest}, until=12)
    expect_turn(looker, match.turn)
    expect(looker.locator("#turn-list > li")).to_have_count(match.turn - 1)
    match = play_on({0: host, 1: guest})
    for page in (host, guest, looker):
        is_over(page)
    assert Move.objects.filter(match=match).count() == match.turn - 1


def test_who_accepts_a_rematch_adds_to_its_deal(site, visit: Visit, people) -> None:
    match = cast.start_match(*people)
    ending.resign(match.code, people[0])
    offer = seating.offer_rematch(match.code, people[0])
    page = visit(match.get_absolute_url(), user=people[1])
    with page.expect_request("**/rematch/") as sent:
        page.get_by_role("button", name="Accept the rematch").click()
    expect_turn(page, 1)
    drawn = bytes(Match.objects.get(pk=offer.pk).nonce).hex()
    assert f"nonce={drawn}" in sent.value.post_data


def test_a_guest_keeps_the_seat_though_the_push_overtakes_the_answer(site, visit: Visit) -> None:
    host = visit("/new/", user=User.objects.create_user("Ana-overtaken"))
    # The second click makes the standard match.
    host.locator("form:has(input[type=hidden][name=opponent][value=link]) button").first.click()
    host.wait_for_url(re.compile("/m/"))
    guest = visit(host.url)

    def hold(route: Route) -> None:
        # Not fetched by the browser's context, which would keep the cookies at once.
        address, request = urlsplit(site.address), route.request
        with closing(HTTPConnection(address.netloc)) as line:
            line.request("POST", urlsplit(request.url).path, request.post_data, request.all_headers())
            answer = line.getresponse()
            # The guest's page has been told at the same moment.
            expect_turn(host, 1)
            body = answer.read()
        route.fulfill(status=answer.status, headers=dict(answer.getheaders()), body=body)

    guest.route("**/accept/", hold)
    guest.locator("form[action$='/accept/'] button").first.click()
    expect_turn(guest, 1)
    expect(guest.locator("#hand button[data-card]")).to_have_count(18)


def test_a_card_that_has_the_focus_can_be_played_when_the_turn_comes(
    site, visit: Visit, people: tuple[User, User]
) -> None:
    match = begin(people)
    pages = [visit(match.get_absolute_url(), user=user) for user in people]
    leader, waiter = pages[match.to_move], pages[1 - match.to_move]
    start = match.rules_position
    lead = next(move for move in start.legal_moves() if start.play(move).beaters())
    beater = card_name(next(iter(cards_of(start.play(lead).beaters()))))
    expect_turn(leader, 1)
    expect_turn(waiter, 1)
    card = waiter.locator(f"#hand button[data-card='{beater}']")
    card.focus()
    click_move(leader, lead)
    expect_turn(waiter, 2)
    expect(card).to_be_focused()
    expect(card).to_have_attribute("value", beater)


@pytest.mark.parametrize("code", [1000, 1001, 1011])
def test_a_closed_socket_comes_back_by_itself(site, visit: Visit, people: tuple[User, User], code: int) -> None:
    match = begin(people)
    page = visit("/rules/", user=people[1])
    sockets = []

    def proxy(socket) -> None:
        socket.connect_to_server()
        sockets.append(socket)

    page.route_web_socket(re.compile("/ws/match/"), proxy)
    page.goto(match.get_absolute_url())
    expect_turn(page, 1)
    expect(page.locator("#table")).to_be_visible()
    while not sockets:
        page.wait_for_timeout(20)
    sockets[0].close(code=code)
    play_on({seat: visit(match.get_absolute_url(), user=user) for seat, user in enumerate(people)}, until=2)
    expect_turn(page, 2)
    assert len(sockets) > 1


def test_a_silent_link_is_noticed_and_catches_up(site, visit: Visit, people: tuple[User, User]) -> None:
    match = begin(people)
    page = visit("/rules/", user=people[1])
    silent = {"on": False}
    links = itertools.count(1)

    def proxy(socket) -> None:
        """Let the first link go silent when told, let the second say nothing at all, and pass all on for the third."""
        link = next(links)
        server = socket.connect_to_server()

        def pass_on(message) -> None:
            if link > 2 or (link == 1 and not silent["on"]):
                socket.send(message)

        server.on_message(pass_on)

    page.route_web_socket(re.compile("/ws/match/"), proxy)
    page.goto(match.get_absolute_url())
    expect_turn(page, 1)
    others = {seat: visit(match.get_absolute_url(), user=user) for seat, user in enumerate(people)}
    silent["on"] = True
    play_on(others, until=4)
    expect_turn(page, 4)
    expect(page.locator("#turn-list > li")).to_have_count(3)


def test_a_link_is_not_given_up_while_it_tells_what_has_no_answer(
    site, visit: Visit, people: tuple[User, User]
) -> None:
    match = begin(people)
    page = visit("/rules/", user=people[1])
    page.clock.install()
    with page.expect_websocket() as opened:
        page.goto(match.get_absolute_url())
    link = opened.value
    others: list[object] = []
    page.on("websocket", lambda other: others.append(other))

    def is_pong(frame: str | bytes) -> bool:
        return 'id="pong"' in str(frame)

    # Between two heart-beats nothing else is on its way.
    link.wait_for_event("framereceived", is_pong)
    # The first time is told to the table.
    page.mouse.move(5, 5)
    with link.expect_event("framereceived", is_pong):
        page.clock.fast_forward(20_000)
    with link.expect_event("framesent", lambda frame: '"present"' in str(frame)):
        page.mouse.move(50, 50)
    with link.expect_event("framesent", lambda frame: '"ping"' in str(frame)):
        page.clock.fast_forward(5_900)
    assert not others


def test_a_turn_made_offline_is_refused_and_never_applied(site, visit: Visit, people: tuple[User, User]) -> None:
    match = begin(people)
    seat = match.to_move or 0
    page = visit(match.get_absolute_url(), user=people[seat])
    expect_turn(page, 1)
    site.kill("server")
    click_move(page, good_move(match))
    expect(page.locator("#refusal")).to_be_visible()
    expect(page.locator("#reconnecting")).to_be_visible()
    site.start()
    expect(page.locator("#reconnecting")).to_be_hidden()
    expect_turn(page, 1)
    assert not Move.objects.filter(match=match).exists()
    play_on({seat: page}, until=2)


def test_history_shows_whole_pages(site, visit: Visit, people: tuple[User, User]) -> None:
    match = begin(people)
    page = visit("/lobby/", user=people[0])
    page.goto(match.get_absolute_url())
    expect_turn(page, 1)
    page.go_back()
    expect(page.locator("body > header")).to_be_visible()
    expect(page.locator("#lobby-seats")).to_be_attached()
    page.go_forward()
    expect(page.locator("body > header")).to_be_attached()
    expect_turn(page, 1)


def test_an_ended_session_leads_to_the_login_and_back(site, visit: Visit, people: tuple[User, User]) -> None:
    match = begin(people)
    seat = match.to_move or 0
    user = people[seat]
    user.set_password("seven-trumps-and-an-ace")
    user.save()
    page = visit(match.get_absolute_url(), user=user)
    expect_turn(page, 1)
    page.context.clear_cookies()
    # The socket of the ended session is gone as soon as the site notices; the page that has none is asked to log in.
    page.reload()
    page.goto(f"/account/login/?next={match.get_absolute_url()}")
    page.locator("[name=login]").fill(user.username)
    page.locator("[name=password]").fill("seven-trumps-and-an-ace")
    page.locator("main form button").first.click()
    page.wait_for_url(re.compile(match.code))
    expect_turn(page, 1)


def test_a_match_is_played_without_scripts(site, visit: Visit, people: tuple[User, User]) -> None:
    match = begin(people)
    pages = [visit(match.get_absolute_url(), user=user, java_script_enabled=False) for user in people]
    for _turn in range(6):
        match = Match.objects.get(pk=match.pk)
        page = pages[match.to_move or 0]
        page.goto(match.get_absolute_url())
        turn = match.turn
        click_move(page, good_move(match))
        page.wait_for_load_state()
        assert Match.objects.get(pk=match.pk).turn == turn + 1
    expect(pages[0].locator("body")).to_be_visible()

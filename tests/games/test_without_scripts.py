"""Whole visits by links and forms alone."""

import pytest
from django.test import Client

from accounts.models import User
from games.forms.matches import NewMatchForm
from games.models import Match, OpenTo
from games.services import computer as computer_turns
from games.services import ending, playing
from games.services.seating import MatchTerms
from tests.games.cast import DAYS, SHORT, check, log, open_match, stand_at, start_match
from tests.games.cast import computer as computer_of
from tests.games.surfing import Browser

pytestmark = pytest.mark.django_db


def only_match() -> Match:
    return check(Match.objects.get())


def let_the_computer_play(match: Match) -> None:
    """Make the computer's turn where it is due, as the worker does."""
    Match.objects.filter(pk=match.pk, computer_due_at__isnull=False).update(computer_due_at=match.started_at)
    for task in computer_turns.claim_due(5):
        move = sorted(map(str, task.position.legal_moves()))[0]
        playing.play(task.code, User.objects.get(pk=task.user_id), task.turn, move)


def test_a_newcomer_plays_the_computer_to_the_end_and_registers(computer: User) -> None:
    browser = Browser().visit("/")
    browser.presses("Play the computer")
    match = only_match()
    assert browser.address == f"/m/{match.code}/"
    stand_at(match, SHORT)
    for _ in range(40):
        let_the_computer_play(match)
        browser.visit(browser.address)
        if browser.stage == "over":
            break
        turn = browser.turn
        browser.play_a_turn()
        assert browser.status == 200
        assert browser.turn > turn
        check(match)
    assert not only_match().is_running
    assert browser.page.select_one("#result h2") is not None
    browser.follow("Register to keep your matches")
    browser.presses("Register", username="Newcomer", password1="seven red herrings", password2="seven red herrings")
    assert only_match().seats.get(number=0).user.username == "Newcomer"
    assert len(browser.visit("/mine/").page.select(".match-item")) == 1


def test_two_people_play_by_a_link_and_agree_on_a_draw(ana: User) -> None:
    host = Browser(ana).visit("/new/")
    host.presses("Play a friend")
    link = str(host.page.select_one("#link")["value"])  # type: ignore[index]
    assert link.endswith(f"/m/{only_match().code}/")
    visitor = Browser().visit(host.address)
    assert only_match().commitment in visitor.text
    assert "36 cards" in visitor.text
    visitor.presses("Accept and sit down", trump="H")
    assert visitor.status == 200
    match = only_match()
    assert match.is_running
    sides = [host, visitor]
    for _ in range(6):
        now = check(match)
        side = sides[now.to_move or 0].visit(f"/m/{match.code}/")
        side.play_a_turn()
        assert side.status == 200
    assert check(match).turn == 7
    host.visit(f"/m/{match.code}/").presses("Offer a draw")
    visitor.visit(f"/m/{match.code}/").presses("Accept the draw")
    assert check(match).reason == "agreement"
    assert match.commitment in visitor.text
    visitor.presses("Offer a rematch")
    host.visit(f"/m/{match.code}/").presses("Accept the rematch")
    assert Match.objects.count() == 2
    assert check(match.rematches.get()).is_running
    assert host.address == f"/m/{match.rematches.get().code}/"


def test_a_challenge_by_name_is_declined(ana: User, boris: User) -> None:
    host = Browser(ana).visit("/new/?opponent=player&username=boris")
    host.presses("Make the match", time="days-3")
    match = only_match()
    assert (match.invited, match.days_per_turn) == (boris, 3)
    assert "as soon as Boris sits down" in host.text
    guest = Browser(boris).visit("/mine/").follow("Ana invites you")
    guest.presses("Decline")
    assert guest.status == 200
    assert only_match().status == "cancelled"
    assert "Boris declined this match" in host.visit("/notices/").follow("Boris declined your challenge").text
    assert "Boris declined" not in Browser(boris).visit(match.get_absolute_url()).text


def test_an_invitation_calls_its_guest_as_the_lobby_does(guest: User, boris: User) -> None:
    made = open_match(guest)
    assert "Guest 123456 invites you to a match" in Browser(boris).visit(made.get_absolute_url()).text


def test_a_seat_in_the_lobby_is_opened_seen_withdrawn_and_taken(ana: User, boris: User) -> None:
    host, other = Browser(ana).visit("/lobby/"), Browser(boris)
    host.presses("Open a seat")
    first = only_match()
    assert first.open_to == OpenTo.LOBBY
    assert other.visit("/lobby/").page.select_one(f"#seat-{first.code}")
    host.presses("Withdraw this match")
    assert not other.visit("/lobby/").page.select_one(f"#seat-{first.code}")
    host.visit("/lobby/").presses("Open a seat")
    other.visit("/lobby/").follow("See the offer").presses("Accept and sit down")
    assert check(Match.objects.latest("pk")).is_running
    host.visit("/lobby/").presses("Over days")
    assert Match.objects.latest("pk").days_per_turn == 3


def test_every_choice_of_the_form_is_in_the_match(ana: User) -> None:
    Browser(ana).visit("/new/").presses(
        "Make the match",
        opponent="lobby",
        trump="D",
        time="own",
        minutes="7",
        increment="3",
        deck_size="52",
        deal="mirrored",
        pickup="free",
        hands="open",
    )
    match = only_match()
    assert (match.base_seconds, match.increment_seconds, match.pace) == (420, 3, "live")
    assert (match.deck_size, match.deal, match.pickup, match.open_hands) == (52, "mirrored", "free", True)
    assert match.seats.get().trump_choice == "D"


@pytest.mark.parametrize("address", ["/play/", "/new/"])
def test_a_level_that_is_left_empty_is_the_standard_one(ana: User, address: str) -> None:
    standard = computer_of(NewMatchForm.base_fields["level"].initial)
    client = Client()
    client.force_login(ana)
    assert client.post(address, {"opponent": "computer", "level": ""}).status_code == 302
    assert only_match().seats.get(number=1).user == standard


def test_a_form_that_is_wrong_comes_back_with_what_is_wrong(ana: User) -> None:
    browser = Browser(ana).visit("/new/").presses("Make the match", opponent="player", username="Nobody at all")
    assert browser.status == 422
    assert "There is no player of this name." in browser.text
    browser.presses("Make the match", opponent="player", username="Ana")
    assert "You cannot invite yourself." in browser.text
    browser.presses("Make the match", opponent="lobby", time="untimed")
    assert "needs a clock" in browser.text
    assert not Match.objects.exists()


def test_the_beating_card_is_chosen_put_back_and_chosen_anew(ana: User, boris: User) -> None:
    match = start_match(ana, boris, position="9C/TCJC7DAD 9H CD 1 strict")
    browser = Browser(boris).visit(f"/m/{match.code}/")
    assert (browser.stage, sorted(browser.cards)) == ("beat", ["7D", "AD"])
    browser.press("#card-7D")
    assert (browser.stage, sorted(browser.cards)) == ("cover", ["AD", "JC", "TC"])
    assert "cover" in browser.text
    assert log(match) == []
    browser.follow("Put the card back")
    assert browser.stage == "beat"
    browser.press("#card-AD").press("#card-TC")
    assert browser.status == 200
    assert log(match) == ["AD+TC"]


def test_a_pick_up_says_how_many_cards_it_takes(ana: User, boris: User) -> None:
    match = start_match(ana, boris, position="9C/7C 6H7H8HJHAH CD 1 strict")
    browser = Browser(boris).visit(f"/m/{match.code}/")
    assert browser.stage == "take"
    assert "Pick up 3 cards" in browser.text
    browser.press("#take")
    assert log(match) == ["take"]
    assert "You pick up 3 cards." in browser.text


def test_resigning_asks_first_and_tells_both(ana: User, boris: User) -> None:
    match = start_match(ana, boris, DAYS)
    browser = Browser(ana).visit(f"/m/{match.code}/")
    assert "Boris wins it then" in browser.text
    browser.presses("Resign the match")
    assert "You have lost" in browser.text
    assert "You have won" in Browser(boris).visit(f"/m/{match.code}/").text


def test_a_session_that_ended_leads_through_the_log_in_back_to_the_table(ana: User, boris: User) -> None:
    match = start_match(ana, boris, position="6C9C/7DKD - CD 0 strict")
    browser = Browser(ana).visit(f"/m/{match.code}/")
    browser.client.session.flush()
    browser.press("#card-6C")
    assert browser.address.startswith("/account/login/")
    assert log(match) == []
    browser.presses("Log in", login="Ana", password="seven red herrings")
    assert browser.address == f"/m/{match.code}/"
    browser.press("#card-6C")
    assert log(match) == ["6C"]


def test_the_profile_shows_results_and_filters_them(ana: User, boris: User, cara: User) -> None:
    for opponent in (boris, cara):
        ending.resign(start_match(ana, opponent).code, opponent)
    ending.resign(start_match(boris, ana, DAYS).code, ana)
    browser = Browser().visit("/@/ana/")
    assert len(browser.page.select(".match-item")) == 3
    for filters, count in (("result=won", 2), ("result=lost", 1), ("pace=days", 1), ("opponent=car", 1), ("page=9", 3)):
        assert len(browser.visit(f"/@/Ana/?{filters}").page.select(".match-item")) == count, filters


@pytest.mark.parametrize("deal", ["shuffled", "mirrored"])
def test_a_deal_is_checked_on_the_page(ana: User, boris: User, deal: str) -> None:
    match = start_match(ana, boris, MatchTerms(deal=deal), trumps=("", "H"))
    ending.resign(match.code, ana)
    browser = Browser().visit(f"/m/{match.code}/").follow("Check it step by step")
    assert browser.status == 200
    assert match.commitment in browser.text
    hands = [[card["data-card"] for card in row.select(".card")] for row in browser.page.select(".card-row")]
    assert "/".join("".join(hand) for hand in hands) == match.start.split()[0]
    browser.presses("Deal again", secret="00" * 32)
    assert match.commitment not in browser.text
    browser.presses("Deal again", secret="nonsense")
    assert browser.status == 422

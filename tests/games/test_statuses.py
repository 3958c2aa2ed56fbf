"""Each refusal has its status, its sentence and the present table; each page is a whole one."""

import pytest
from django.http import HttpResponse
from django.test import Client

from accounts.models import User
from games.models import Match, OpenTo, Status
from games.services import ending, seating
from games.services.errors import IllegalTurnError, NotYourTurnError, SeatTakenError, StaleTurnError
from tests.games.cast import (
    LIVE,
    any_move,
    check,
    mover,
    open_match,
    page,
    play,
    play_randomly,
    start_match,
    waiter,
)
from tests.games.surfing import Browser

pytestmark = pytest.mark.django_db

HEADERS = [
    {},
    {"HX-Request": "true"},
    {"HX-Request": "true", "HX-Boosted": "true"},
    {"HX-Request": "true", "HX-History-Restore-Request": "true"},
]


def as_player(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def act(user: User, match: Match, action: str, **fields: object) -> HttpResponse:
    return as_player(user).post(f"/m/{match.code}/{action}/", {name: str(value) for name, value in fields.items()})


def says(response: HttpResponse, sentence: object) -> bool:
    notice = page(response).select_one("#notice")
    return notice is not None and str(sentence) in notice.get_text()


@pytest.mark.parametrize(
    "path", ["/m/nowhere/", "/m/nowhere/play/", "/m/nowhere/accept/", "/@/nobody/", "/m/%00/", "/@/%00/", "/m/é/play/"]
)
def test_what_there_is_not_is_not_found(path: str, client: Client, ana: User) -> None:
    assert client.get(path).status_code == 404
    client.force_login(ana)
    assert client.get(path).status_code == 404


def test_a_deal_is_checked_once_something_was_filled_in(client: Client) -> None:
    for query in ({}, {"lang": "ta"}, {"utm_source": "letter"}):
        answer = client.get("/verify/", query)
        assert (answer.status_code, page(answer).select(".errorlist")) == (200, [])
    answer = client.get("/verify/", {"lang": "ta", "secret": ""})
    assert answer.status_code == 422
    assert page(answer).select("#id_secret[aria-invalid=true]")


def test_a_turn_that_counts_leads_back_to_the_table(match: Match) -> None:
    answer = act(mover(match), match, "play", turn=1, move=any_move(match))
    assert (answer.status_code, answer["Location"]) == (302, f"/m/{match.code}/")


def test_a_stale_turn_is_answered_with_the_present_table(match: Match) -> None:
    first = mover(match)
    play(match, any_move(match))
    answer = act(first, match, "play", turn=1, move="take")
    assert answer.status_code == 409
    assert says(answer, StaleTurnError.message)
    assert page(answer).select_one("#state")["data-turn"] == "2"


def test_a_turn_out_of_turn_is_refused(match: Match) -> None:
    answer = act(waiter(match), match, "play", turn=1, move=any_move(match))
    assert answer.status_code == 409
    assert says(answer, NotYourTurnError.message)


@pytest.mark.parametrize("move", ["take", "nonsense", "\x00", "", "2C"])
def test_an_illegal_turn_is_refused(match: Match, move: str) -> None:
    answer = act(mover(match), match, "play", turn=1, move=move)
    assert answer.status_code == 422
    assert says(answer, IllegalTurnError.message)


@pytest.mark.parametrize("turn", ["", "one", "-1", "1.0", "²", "1 ", "9" * 9999])
def test_a_turn_without_its_number_is_no_action(match: Match, turn: str) -> None:
    answer = act(mover(match), match, "play", turn=turn, move=any_move(match))
    assert answer.status_code == 400
    assert check(match).turn == 1


def test_fields_that_are_missing_or_unknown_are_no_action(match: Match) -> None:
    who = mover(match)
    assert act(who, match, "play", turn=1).status_code == 400
    assert act(who, match, "play", move=any_move(match)).status_code == 400
    assert act(who, match, "draw", turn=1, answer="perhaps").status_code == 400
    assert act(who, match, "draw").status_code == 400
    assert as_player(who).post(f"/m/{match.code}/cheat/").status_code == 404


def test_an_outsider_may_look_and_do_nothing(match: Match, cara: User) -> None:
    assert as_player(cara).get(f"/m/{match.code}/").status_code == 200
    for action in ("play", "draw", "resign", "abort", "claim"):
        answer = act(cara, match, action, turn=1, move=any_move(match))
        assert (action, answer.status_code) == (action, 403)
    assert check(match).turn == 1


def test_a_seat_that_is_taken_or_meant_for_another(ana: User, boris: User, cara: User, match: Match) -> None:
    answer = act(cara, match, "accept")
    assert answer.status_code == 409
    assert says(answer, SeatTakenError.message)
    invitation = open_match(ana, LIVE, open_to=OpenTo.PLAYER, invited=boris, trump="S")
    assert act(cara, invitation, "accept").status_code == 403
    assert act(boris, invitation, "accept", trump="S").status_code == 422
    assert act(boris, invitation, "accept", trump="X").status_code == 422
    assert act(boris, invitation, "accept", nonce="zz").status_code == 422
    assert act(cara, invitation, "cancel").status_code == 403
    assert act(cara, invitation, "decline").status_code == 403
    assert act(ana, invitation, "play", turn=0, move="take").status_code == 409
    assert act(boris, invitation, "accept", trump="H", nonce="ab" * 32).status_code == 302
    assert bytes(check(invitation).nonce or b"") == b"\xab" * 32


def test_who_accepts_a_rematch_may_add_to_its_deal(match: Match, ana: User, boris: User) -> None:
    ending.resign(match.code, ana)
    offer = seating.offer_rematch(match.code, ana)
    for wrong, status in (("zz", 400), ("ab", 422)):
        assert act(boris, match, "rematch", nonce=wrong).status_code == status
    assert check(offer).status == Status.OPEN
    assert as_player(boris).post(f"/m/{match.code}/text/", {"do": "rematch", "nonce": "ab" * 32}).status_code == 302
    assert bytes(check(offer).nonce or b"") == b"\xab" * 32


def test_nobody_logged_in_answers_for_others(match: Match, ana: User, boris: User, client: Client) -> None:
    invitation = open_match(ana, open_to=OpenTo.PLAYER, invited=boris)
    before = User.objects.count()
    for path in (
        f"/m/{match.code}/play/",
        f"/m/{match.code}/resign/",
        f"/m/{invitation.code}/accept/",
        f"/m/{invitation.code}/decline/",
        f"/m/{invitation.code}/cancel/",
    ):
        answer = client.post(path, {"turn": "1", "move": any_move(match)})
        assert answer.status_code == 302
        assert answer["Location"].startswith("/account/login/?next=/m/")
    assert client.post(f"/m/{match.code}/accept/").status_code == 409
    assert User.objects.count() == before


def test_a_click_after_the_session_ended_sends_the_whole_page_to_the_log_in(match: Match, client: Client) -> None:
    answer = client.post(f"/m/{match.code}/play/", {"turn": "1", "move": "take"}, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    assert answer["HX-Redirect"] == f"/account/login/?next=/m/{match.code}/"
    assert answer.content == b""


@pytest.mark.parametrize(
    "action", ["play", "draw", "resign", "abort", "claim", "rematch", "accept", "decline", "cancel"]
)
def test_the_address_of_an_action_leads_back_to_the_table(match: Match, client: Client, action: str) -> None:
    answer = client.get(f"/m/{match.code}/{action}/")
    assert (answer.status_code, answer["Location"]) == (302, f"/m/{match.code}/")
    assert client.put(f"/m/{match.code}/{action}/").status_code == 405


def test_a_form_without_its_token_changes_nothing(match: Match) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(mover(match))
    answer = client.post(f"/m/{match.code}/play/", {"turn": "1", "move": any_move(match)})
    assert answer.status_code == 403
    assert check(match).turn == 1


@pytest.mark.parametrize("headers", HEADERS, ids=lambda headers: "+".join(headers) or "plain")
def test_every_page_is_a_whole_one_however_it_is_asked_for(
    match: Match, ana: User, boris: User, headers: dict[str, str]
) -> None:
    over = start_match(ana, boris)
    ending.resign(over.code, ana)
    offer = open_match(ana, LIVE, open_to=OpenTo.LOBBY)
    gone = open_match(ana)
    Match.objects.filter(pk=gone.pk).update(status="cancelled")
    paths = ["/", "/lobby/", "/new/", "/mine/", "/rules/", "/verify/", "/@/Ana/", "/@/Ana/?page=2"]
    paths += [f"/m/{one.code}/" for one in (match, over, offer, gone)]
    browser = Browser(ana)
    for path in paths:
        assert browser.visit(path, **headers).status == 200, path
        assert browser.page.select_one("main#content"), path


@pytest.mark.parametrize("headers", HEADERS, ids=lambda headers: "+".join(headers) or "plain")
def test_a_refusal_is_a_whole_page_too(match: Match, headers: dict[str, str]) -> None:
    answer = as_player(mover(match)).post(f"/m/{match.code}/play/", {"turn": "9", "move": "take"}, headers=headers)
    parsed = page(answer)
    assert answer.status_code == 409
    assert parsed.select_one("html > head > title")
    assert parsed.select_one("#table")


def test_tables_are_never_kept_by_a_cache(match: Match, ana: User) -> None:
    answer = as_player(ana).get(f"/m/{match.code}/")
    assert "no-store" in answer["Cache-Control"]


def test_a_chosen_card_that_is_none_is_passed_over(ana: User, boris: User) -> None:
    match = start_match(ana, boris, position="9C/TCJC7DAD 9H CD 1 strict")
    for chosen in ("TC", "9C", "XX", "", "7D7D"):
        browser = Browser(boris).visit(f"/m/{match.code}/?beat={chosen}")
        assert (browser.status, browser.stage) == (200, "beat")
    assert Browser(ana).visit(f"/m/{match.code}/?beat=7D").stage == "wait"


def test_only_the_opponent_of_the_late_player_is_offered_the_claim(
    ana: User, boris: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = play_randomly(start_match(ana, boris, LIVE), 3)
    late, other = mover(match), waiter(match)
    Match.objects.filter(pk=match.pk).update(deadline=match.started_at)
    assert "Claim the win" not in Browser(late).visit(f"/m/{match.code}/").text
    browser = Browser(other).visit(f"/m/{match.code}/").presses("Claim the win")
    assert browser.status == 200
    assert "You have won" in browser.text
    assert check(match).reason == "time"

"""With closed hands, nothing that anybody is sent tells of a card in another's hand until the match is over."""

import random

import pytest
from django.test import Client

from accounts.models import User
from games.models import Match
from games.rules import Position, card_name, parse_move, parse_position
from games.services import ending, playing
from games.services.seating import MatchTerms
from tests.games.cast import UNTIMED, any_move, log, mover, play_randomly, start_match
from tests.games.secrets_of import given_away

pytestmark = pytest.mark.django_db


def pages(viewer: User | None, match: Match, *, table_alone: bool = False) -> list[str]:
    """Return all pages on which a viewer can see something of a match, its table first."""
    client = Client()
    paths = [f"/m/{match.code}/"]
    if not table_alone:
        paths += [f"/m/{match.code}/?beat=2C", "/lobby/", "/@/Ana/"]
    if viewer is not None:
        client.force_login(viewer)
        paths += [] if table_alone else ["/mine/"]
    answers = [client.get(path) for path in paths]
    assert [answer.status_code for answer in answers] == [200] * len(paths)
    return [answer.content.decode() for answer in answers]


def public(match: Match) -> set[str]:
    """Return the cards that have lain face up."""
    return {card_name(card) for notation in log(match) for card in parse_move(notation).cards}


def position(match: Match) -> Position:
    return parse_position(Match.objects.get(pk=match.pk).position)


def test_no_page_gives_a_closed_hand_away(ana: User, boris: User, cara: User) -> None:
    match, chance = start_match(ana, boris), random.Random(4)
    for turn in range(1, 7):
        hands = position(match).hands
        seen = public(match)
        for viewer, hidden in ((ana, [1]), (boris, [0]), (cara, [0, 1]), (None, [0, 1])):
            for text in pages(viewer, match, table_alone=turn % 3 > 0):
                for seat in hidden:
                    assert given_away(hands[seat], text, seen) == []
        now = Match.objects.get(pk=match.pk)
        playing.play(match.code, mover(now), now.turn, any_move(now, chance))


def test_a_refusal_gives_no_hand_away(ana: User, boris: User) -> None:
    match = start_match(ana, boris)
    client = Client()
    client.force_login(ana)
    hidden = position(match).hands[1]
    for fields in ({"turn": "1", "move": "take"}, {"turn": "7", "move": "2C"}, {"turn": "x"}):
        answer = client.post(f"/m/{match.code}/play/", fields)
        assert answer.status_code >= 400
        assert given_away(hidden, answer.content.decode(), set()) == []


def test_the_secret_of_the_deal_and_its_nonce_are_on_no_page_of_a_match_in_play(ana: User, boris: User) -> None:
    match = start_match(ana, boris)
    for viewer in (ana, None):
        for text in pages(viewer, match):
            assert bytes(match.secret).hex() not in text


@pytest.mark.parametrize("viewer", ["opponent", "outsider"])
def test_when_the_match_is_over_or_the_hands_are_open_they_are_seen(
    ana: User, boris: User, cara: User, viewer: str
) -> None:
    looker = boris if viewer == "opponent" else cara
    for terms in (UNTIMED, MatchTerms(open_hands=True)):
        match = play_randomly(start_match(ana, boris, terms), 4)
        if not match.open_hands:
            ending.resign(match.code, ana)
        hand = position(match).hands[0]
        told = given_away(hand, pages(looker, match, table_alone=True)[0], set())
        assert sum(len(sign) == 2 for sign in told) >= hand.bit_count()


def test_the_search_finds_what_it_is_to_find(ana: User, boris: User) -> None:
    match = start_match(ana, boris)
    own = position(match).hands[0]
    found = given_away(own, pages(ana, match, table_alone=True)[0], set())
    assert {sign for sign in found if len(sign) == 2} == {card_name(card) for card in range(52) if own >> card & 1}
    assert any(" of " in sign for sign in found)
    assert given_away(1, 'id="card-2C"', set()) == ["2C"]
    assert given_away(1, "two of clubs", set()) == ["two of clubs"]
    assert given_away(1, "2♣", set()) == ["2♣"]
    assert given_away(1, "2♣", {"2C"}) == []

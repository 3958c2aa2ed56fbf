"""Keeping somebody away, without telling them."""

import pytest
from django.test import Client

from accounts.models import User
from games.models import Block, Match, Notice, Status
from games.selectors import lobby_seats
from games.services import blocking, seating
from games.services.errors import SeatTakenError, TermsError
from tests.games import cast

pytestmark = pytest.mark.django_db


def test_no_challenge_comes_through(ana: User, boris: User) -> None:
    blocking.block(ana, boris)
    with pytest.raises(TermsError, match="cannot be invited"):
        seating.create(boris, cast.LIVE, open_to="player", invited=ana)


def test_a_challenge_that_was_waiting_is_withdrawn_and_its_maker_hears_nothing(ana: User, boris: User) -> None:
    match = seating.create(boris, cast.LIVE, open_to="player", invited=ana)
    blocking.block(ana, boris)
    match.refresh_from_db()
    assert match.status == Status.CANCELLED
    assert not Notice.objects.filter(user=boris).exists()


def test_a_challenge_that_is_withdrawn_meanwhile_keeps_nobody_from_blocking(
    ana: User, boris: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_late(code: str) -> None:
        raise SeatTakenError

    seating.create(boris, cast.LIVE, open_to="player", invited=ana)
    monkeypatch.setattr("games.services.blocking.withdraw", too_late)
    blocking.block(ana, boris)
    assert Block.objects.filter(blocker=ana, blocked=boris).exists()


def test_the_two_are_not_paired_and_do_not_see_each_others_seats(ana: User, boris: User, cara: User) -> None:
    match = cast.open_match(ana, cast.LIVE, open_to="lobby")
    blocking.block(ana, boris)
    assert lobby_seats(boris) == []
    assert len(lobby_seats(cara)) == 1
    with pytest.raises(SeatTakenError):
        seating.accept(match.code, boris)
    other = cast.open_match(boris, cast.LIVE, open_to="lobby")
    assert [offer.code for offer in lobby_seats(ana)] == [match.code]
    with pytest.raises(SeatTakenError):
        seating.accept(other.code, ana)


def test_a_rematch_is_a_challenge_too(ana: User, boris: User, match: Match) -> None:
    from games.services import ending

    ending.resign(match.code, ana)
    blocking.block(ana, boris)
    with pytest.raises(TermsError):
        seating.offer_rematch(match.code, boris)


def test_blocks_are_made_listed_and_taken_back_by_forms(ana: User, boris: User) -> None:
    client = Client()
    client.force_login(ana)
    assert client.post("/@/Boris/block/").status_code == 302
    assert client.post("/@/Boris/block/").status_code == 302
    assert "Boris" in client.get("/blocks/").content.decode()
    client.post("/@/Boris/unblock/")
    assert not Block.objects.exists()


def test_nobody_blocks_oneself_or_the_computer(ana: User, computer: User) -> None:
    for other in (ana, computer):
        with pytest.raises(blocking.BlockError):
            blocking.block(ana, other)


def test_who_has_left_is_neither_reported_nor_blocked_any_more_but_can_be_unblocked(ana: User, boris: User) -> None:
    client = Client()
    client.force_login(ana)
    blocking.block(ana, boris)
    User.objects.filter(pk=boris.pk).update(is_active=False)
    assert client.get("/@/Boris/").status_code == 404
    assert client.get("/@/Boris/report/").status_code == 404
    assert client.post("/@/Boris/block/").status_code == 404
    assert client.post("/@/Boris/unblock/").status_code == 302
    assert not Block.objects.exists()

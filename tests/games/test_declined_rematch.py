"""A rematch is declined at the finished table, and its own page leads back there."""

import pytest

from accounts.models import User
from games.models import Match, Status
from games.services import ending, seating
from games.services.errors import NotSeatedError, SeatTakenError
from tests.games.cast import start_match
from tests.games.surfing import Browser

pytestmark = pytest.mark.django_db


@pytest.fixture
def ended(ana: User, boris: User) -> Match:
    match = start_match(ana, boris)
    ending.resign(match.code, ana)
    return match


def test_a_rematch_is_declined_at_the_table_and_its_page_leads_back(ended: Match, ana: User, boris: User) -> None:
    table = ended.get_absolute_url()
    asker = Browser(ana).visit(table).presses("Offer a rematch")
    assert asker.address == ended.rematches.get().get_absolute_url()
    assert asker.follow("Back to the table").address == table
    asked = Browser(boris).visit(table).presses("Decline")
    assert (asked.status, asked.address) == (200, table)
    assert ended.rematches.get().status == "cancelled"
    asked.presses("Offer a rematch").presses("Withdraw this match")
    assert asked.address == table
    assert [offer.status for offer in ended.rematches.all()] == ["cancelled", "cancelled"]


def test_only_the_one_who_is_asked_declines(ended: Match, ana: User, boris: User) -> None:
    with pytest.raises(SeatTakenError):
        seating.decline_rematch(ended.code, boris)
    offer = seating.offer_rematch(ended.code, ana)
    with pytest.raises(NotSeatedError):
        seating.decline_rematch(ended.code, ana)
    seating.decline_rematch(ended.code, boris)
    offer.refresh_from_db()
    assert offer.status == Status.CANCELLED


def test_it_is_declined_in_the_text_mode(ended: Match, ana: User, boris: User) -> None:
    offer = seating.offer_rematch(ended.code, ana)
    asked = Browser(boris).visit(f"/m/{ended.code}/text/").presses("Decline")
    assert (asked.status, asked.address) == (200, f"/m/{ended.code}/text/")
    offer.refresh_from_db()
    assert offer.status == Status.CANCELLED

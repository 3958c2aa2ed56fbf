"""The bell, its page, the choices, the calendar, and the outbox in the administration."""

import datetime
from collections.abc import Callable

import pytest
import time_machine
from django.contrib.admin.sites import site as admin_site
from django.contrib.auth.models import Permission
from django.contrib.messages.storage.cookie import CookieStorage
from django.test import Client, RequestFactory
from icalendar import Calendar
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games import notices
from games.models import Channel, Delivery, DeliveryState, Event, Match, Notice, OpenTo, Reader
from games.notices import choices, feed, inbox
from games.services import seating
from tests.games.cast import DAYS, ROUND, guest_player, page, play
from tests.notices.tools import DAY, NOON, begin

pytestmark = pytest.mark.django_db
Post = Callable[[], list[tuple[str, str]]]


@pytest.fixture
def days(clock: time_machine.Traveller, ana: User, boris: User) -> Match:
    return play(begin(ana, boris, DAYS, position=ROUND), "3H")


class TestBell:
    def test_every_page_shows_the_number_of_unread_notices(self, days: Match, boris: User, client: Client) -> None:
        client.force_login(boris)
        bell = page(client.get("/lobby/")).select_one("header .bell")
        assert bell["href"] == "/notices/"
        assert bell.select_one("#unread-notices").get_text() == "1"

    def test_without_unread_notices_it_is_empty_and_without_an_account_there_is_none(
        self, days: Match, ana: User, client: Client
    ) -> None:
        assert page(client.get("/lobby/")).select_one(".bell") is None
        client.force_login(ana)
        assert page(client.get("/lobby/")).select_one("#unread-notices").get_text() == ""


class TestList:
    def test_it_says_what_happened_and_leads_there(self, days: Match, boris: User, client: Client) -> None:
        client.force_login(boris)
        (line,) = page(client.get("/notices/")).select(".notices > li")
        assert line.select_one("h2").get_text(" ", strip=True) == "Your turn against Ana (unread)"
        assert line.select_one("a")["href"] == days.get_absolute_url()

    def test_one_or_all_are_marked_as_read(self, days: Match, boris: User, client: Client) -> None:
        notices.moderated(boris, "warn", message="Be kind.", key="1")
        client.force_login(boris)
        forms = page(client.get("/notices/")).select(".notices form")
        assert len(forms) == 2
        named = forms[0].select_one("input[name=notice]")["value"]
        assert client.post("/notices/read/", {"notice": "x1"}).status_code == 302
        assert inbox.unread_count(boris) == 2
        assert client.post("/notices/read/", {"notice": named}).status_code == 302
        assert inbox.unread_count(boris) == 1
        client.post("/notices/read/")
        assert inbox.unread_count(boris) == 0
        assert not page(client.get("/notices/")).select("form[action='/notices/read/']")

    def test_nobody_reads_anothers(self, days: Match, ana: User, boris: User, client: Client) -> None:
        client.force_login(ana)
        notice = Notice.objects.get(user=boris, read_at=None)
        client.post("/notices/read/", {"notice": str(notice.pk)})
        assert inbox.unread_count(boris) == 1
        assert "against Ana" not in client.get("/notices/").content.decode()

    def test_many_take_no_more_queries_than_few(
        self,
        clock: time_machine.Traveller,
        ana: User,
        boris: User,
        client: Client,
        django_assert_max_num_queries: DjangoAssertNumQueries,
    ) -> None:
        for _ in range(25):
            play(begin(ana, boris, DAYS, position=ROUND), "3H")
        for _ in range(5):
            declined = seating.create(boris, DAYS, open_to=OpenTo.PLAYER, invited=ana)
            seating.decline(declined.code, ana)
        client.force_login(boris)
        client.get("/notices/")
        with django_assert_max_num_queries(10):
            answer = client.get("/notices/")
        assert len(page(answer).select(".notices > li")) == 30

    def test_it_needs_an_account(self, client: Client) -> None:
        for path in ("/notices/", "/notices/choices/"):
            assert client.get(path)["Location"].startswith("/account/login/")


class TestChoices:
    def test_a_player_chooses_for_each_event_and_channel(self, days: Match, boris: User, client: Client) -> None:
        client.force_login(boris)
        form = page(client.get("/notices/choices/")).select_one("form[action='/notices/choices/']")
        boxes = {box["name"]: "on" for box in form.select("input[type=checkbox][checked]")}
        assert "turn_mail" in boxes
        assert "digest" not in boxes
        del boxes["turn_mail"], boxes["over_page"]
        assert client.post("/notices/choices/", boxes).status_code == 302
        assert not choices.is_wanted(boris, Event.TURN, Channel.MAIL)
        assert not choices.is_wanted(boris, Event.OVER, Channel.PAGE)
        assert choices.is_wanted(boris, Event.TURN, Channel.PAGE)
        form = page(client.get("/notices/choices/")).select_one("form[action='/notices/choices/']")
        assert {box["name"] for box in form.select("input[type=checkbox][checked]")} == set(boxes)

    def test_a_player_chooses_the_daily_mail_and_leaves_it(self, days: Match, boris: User, client: Client) -> None:
        client.force_login(boris)
        client.post("/notices/choices/", {"digest": "on", "hour": "7"})
        reader = Reader.objects.get(user=boris)
        assert (reader.digest_hour, reader.digest_at) == (7, datetime.datetime(2026, 3, 3, 7, tzinfo=datetime.UTC))
        client.post("/notices/choices/", {"hour": "7"})
        reader.refresh_from_db()
        assert (reader.digest_hour, reader.digest_at) == (None, None)

    def test_an_hour_that_is_none_is_refused(self, boris: User, client: Client) -> None:
        client.force_login(boris)
        assert client.post("/notices/choices/", {"digest": "on", "hour": "24"}).status_code == 422

    def test_guests_choose_without_mail(self, db: None, client: Client) -> None:
        client.force_login(guest_player())
        shown = page(client.get("/notices/choices/"))
        assert shown.select_one("input[name=turn_page]")
        assert not shown.select_one("input[name=turn_mail]")
        assert not shown.select_one("input[name=digest]")

    def test_the_language_and_zone_of_the_visit_are_kept(self, days: Match, boris: User, client: Client) -> None:
        client.force_login(boris)
        client.cookies["timezone"] = "Asia/Vientiane"
        client.get(days.get_absolute_url())
        reader = Reader.objects.get(user=boris)
        assert (reader.language, reader.time_zone) == ("en", "Asia/Vientiane")


class TestCalendar:
    @pytest.fixture
    def path(self, days: Match, boris: User, client: Client) -> str:
        client.force_login(boris)
        client.post("/notices/calendar/")
        link = page(client.get("/notices/choices/")).select_one("a.code")
        return str(link["href"]).removeprefix("https://cards.example.org")

    def test_it_holds_the_deadlines_of_ones_own_turns(self, path: str, days: Match, ana: User, boris: User) -> None:
        begin(boris, ana, DAYS, position=ROUND)
        begin(ana, boris, DAYS, position=ROUND)
        answer = Client().get(path)
        assert answer["Content-Type"] == "text/calendar; charset=utf-8"
        calendar = Calendar.from_ical(answer.content)
        events = list(calendar.walk("VEVENT"))
        assert len(events) == 2
        first = next(event for event in events if days.code in event["UID"])
        assert first["UID"] == f"{days.code}-2@cards.example.org"
        assert first["DTSTART"].dt == NOON + 3 * DAY
        assert first["SUMMARY"] == "Last moment for your turn against Ana"
        assert first["URL"] == f"https://cards.example.org{days.get_absolute_url()}"

    def test_a_new_address_ends_the_old_one(self, path: str, boris: User) -> None:
        feed.new_key(boris)
        assert Client().get(path).status_code == 404

    def test_an_unknown_key_is_none(self, db: None, client: Client) -> None:
        assert client.get("/calendar/None.ics").status_code == 404
        assert client.get("/calendar/x.ics").status_code == 404

    def test_a_closed_accounts_calendar_is_none(self, path: str, boris: User) -> None:
        User.objects.filter(pk=boris.pk).update(is_active=False)
        assert Client().get(path).status_code == 404


class TestAdministration:
    @pytest.fixture
    def dead(self, days: Match) -> Delivery:
        Delivery.objects.filter(channel=Channel.MAIL, event=Event.TURN).update(state=DeliveryState.DEAD, note="550")
        return Delivery.objects.get(state=DeliveryState.DEAD)

    def test_given_up_deliveries_are_shown_and_tried_again(self, dead: Delivery, rf: RequestFactory) -> None:
        chief = User.objects.create_superuser("Chief", password="x")
        view = admin_site.get_model_admin(Delivery)
        request = rf.get("/admin/games/delivery/", {"state__exact": "dead"})
        request.user = chief
        shown = view.changelist_view(request).render()
        assert b"550" in shown.content
        assert "try_again" in view.get_actions(request)
        request = rf.post("/")
        request.user = chief
        request._messages = CookieStorage(request)  # type: ignore[attr-defined]
        view.try_again(request, Delivery.objects.all())
        dead.refresh_from_db()
        assert (dead.state, dead.attempts, dead.due_at) == (DeliveryState.WAITING, 0, NOON)

    def test_who_may_only_look_cannot_send(self, dead: Delivery, rf: RequestFactory) -> None:
        helper = User.objects.create_user("Helper", is_staff=True)
        helper.user_permissions.add(Permission.objects.get(codename="view_delivery"))
        request = rf.get("/")
        request.user = User.objects.get(pk=helper.pk)
        assert "try_again" not in admin_site.get_model_admin(Delivery).get_actions(request)

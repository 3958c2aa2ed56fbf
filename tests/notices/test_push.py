"""Web Push against a push service on this machine, with what arrives decrypted."""

from urllib.parse import urlsplit

import pytest
import time_machine
from django.test import Client
from py_vapid import Vapid02

from accounts.models import User
from games.models import Channel, Delivery, DeliveryState, Event, Match, PushSubscription
from games.notices import choices, outbox, push
from tests.games.cast import DAYS, ROUND, page, play
from tests.notices.pushing import Browser, PushService
from tests.notices.tools import HOUR, MINUTE, begin

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("push_key")]


@pytest.fixture
def browser(service: PushService, boris: User) -> Browser:
    browser = Browser(f"{service.address}/one")
    push.subscribe(boris, **browser.fields)
    return browser


@pytest.fixture
def days(clock: time_machine.Traveller, ana: User, boris: User) -> Match:
    choices.choose(boris, {(Event.TURN, Channel.MAIL): False})
    return play(begin(ana, boris, DAYS, position=ROUND), "3H")


def test_a_push_about_a_turn_arrives_encrypted_and_signed(
    days: Match, browser: Browser, service: PushService, clock: time_machine.Traveller, client: Client
) -> None:
    outbox.send_due()
    assert service.taken == []
    clock.shift(MINUTE)
    outbox.send_due()
    ((headers, body),) = service.taken
    assert b"Ana" not in body
    told = browser.read(body)
    assert told["title"] == "Your turn against Ana"
    assert told["body"].startswith("Ana leads \u20663♥\u2069. You have until March 5, 2026, noon (UTC).")
    assert (told["tag"], told["lang"]) == (f"turn:{days.code}:2", "en")
    assert headers["content-encoding"] == "aes128gcm"
    assert int(headers["ttl"]) > 0
    token = headers["authorization"]
    assert token.startswith("vapid t=")
    assert f"k={push.public_key()}" in token
    verified = Vapid02.verify(token)
    assert verified
    path = told["url"].removeprefix("https://cards.example.org")
    assert client.post(path, {"move": "TH+KS"}).status_code == 302
    assert Match.objects.get(pk=days.pk).turn == 3


def test_it_goes_to_every_device_and_each_is_tried_for_itself(
    days: Match, browser: Browser, service: PushService, clock: time_machine.Traveller, boris: User
) -> None:
    second = Browser(f"{service.address}/two")
    push.subscribe(boris, **second.fields)
    clock.shift(MINUTE)
    outbox.send_due()
    assert len(service.taken) == 2
    clock.shift(HOUR)
    outbox.send_due()
    assert len(service.taken) == 2


@pytest.mark.parametrize("status", [404, 410])
def test_a_subscription_that_has_ended_is_forgotten(
    days: Match, browser: Browser, service: PushService, clock: time_machine.Traveller, status: int
) -> None:
    service.status = status
    clock.shift(MINUTE)
    outbox.send_due()
    assert not PushSubscription.objects.exists()
    assert not Delivery.objects.waiting().filter(channel=Channel.PUSH, event=Event.TURN).exists()
    clock.shift(HOUR)
    outbox.send_due()
    assert len(service.taken) == 1


@pytest.mark.parametrize("status", [429, 500, 302])
def test_a_service_in_trouble_is_tried_again_and_given_up_soon(
    days: Match, browser: Browser, service: PushService, clock: time_machine.Traveller, status: int
) -> None:
    service.status = status
    clock.shift(MINUTE)
    for _ in range(20):
        outbox.send_due()
        clock.shift(MINUTE)
    assert len(service.taken) == len(outbox.PUSH_PAUSES) + 1
    dead = Delivery.objects.get(subscription__isnull=False)
    assert dead.state == DeliveryState.DEAD
    assert not outbox.is_behind(dead.due_at)


@pytest.mark.parametrize("status", [400, 500, None])
def test_no_endpoint_is_logged_or_kept_with_what_was_not_sent(
    days: Match,
    browser: Browser,
    service: PushService,
    clock: time_machine.Traveller,
    status: int | None,
    caplog: pytest.LogCaptureFixture,
) -> None:
    service.quotes_endpoint = True
    if status is None:
        service.close()
    else:
        service.status = status
    clock.shift(MINUTE)
    outbox.send_due()
    copy = Delivery.objects.get(subscription__isnull=False)
    assert copy.note == {400: "400", 500: "WebPushException 500", None: "ConnectionError"}[status]
    assert urlsplit(browser.endpoint).path not in caplog.text


def test_a_service_that_comes_back_gets_it_once(
    days: Match, browser: Browser, service: PushService, clock: time_machine.Traveller
) -> None:
    service.status = 503
    clock.shift(MINUTE)
    outbox.send_due()
    service.status = 201
    clock.shift(MINUTE)
    outbox.send_due()
    clock.shift(HOUR)
    outbox.send_due()
    assert len(service.taken) == 2


def test_a_browser_that_has_gone_over_to_another_player_gets_nothing_of_the_first(
    days: Match, browser: Browser, service: PushService, clock: time_machine.Traveller, ana: User
) -> None:
    clock.shift(MINUTE)
    outbox.send_due(limit=1)
    copy = Delivery.objects.get(subscription__isnull=False)
    assert copy.state == DeliveryState.WAITING
    push.subscribe(ana, **browser.fields)
    outbox.send_due()
    copy.refresh_from_db()
    assert copy.state == DeliveryState.DROPPED
    assert service.taken == []


def test_a_player_at_the_table_gets_none(
    days: Match, browser: Browser, service: PushService, clock: time_machine.Traveller, boris: User, client: Client
) -> None:
    clock.shift(30)
    client.force_login(boris)
    client.get(days.get_absolute_url())
    clock.shift(MINUTE)
    outbox.send_due()
    assert service.taken == []


class TestSubscribing:
    def test_a_browser_subscribes_and_leaves(self, boris: User, service: PushService, client: Client) -> None:
        client.force_login(boris)
        shown = page(client.get("/notices/choices/"))
        section = shown.select_one("#push")
        assert section["data-key"] == push.public_key()
        assert client.get(section["data-worker"])["Content-Type"] == "text/javascript"
        fields = Browser(f"{service.address}/one").fields
        assert client.post("/notices/push/", fields).status_code == 204
        assert client.post("/notices/push/", fields).status_code == 204
        assert PushSubscription.objects.get().user == boris
        assert client.post("/notices/push/off/", {"endpoint": fields["endpoint"]}).status_code == 204
        assert not PushSubscription.objects.exists()

    def test_a_shared_browser_belongs_to_who_subscribed_last(
        self, ana: User, boris: User, service: PushService
    ) -> None:
        fields = Browser(f"{service.address}/one").fields
        push.subscribe(ana, **fields)
        push.subscribe(boris, **fields)
        assert PushSubscription.objects.get().user == boris

    def test_there_are_no_more_devices_than_the_limit(self, ana: User, service: PushService) -> None:
        for number in range(push.MOST_DEVICES + 2):
            push.subscribe(ana, **Browser(f"{service.address}/{number}").fields)
        assert PushSubscription.objects.count() == push.MOST_DEVICES
        assert not PushSubscription.objects.filter(endpoint__endswith="/0").exists()

    @pytest.mark.parametrize(
        "endpoint",
        [
            "https://evil.example.com/push",
            "https://push.example.net.evil.example.com/push",
            "https://evilpush.example.net/push",
            "http://push.example.net/push",
            "https://user@push.example.net/push",
            "https://169.254.169.254/latest",
            "file:///etc/passwd",
            "https://push.example.net:bad/",
            "",
        ],
    )
    def test_an_address_elsewhere_is_refused(self, boris: User, client: Client, endpoint: str) -> None:
        client.force_login(boris)
        answer = client.post("/notices/push/", Browser(endpoint).fields)
        assert answer.status_code == 400
        assert not PushSubscription.objects.exists()

    @pytest.mark.parametrize(("name", "value"), [("p256dh", "AAAA"), ("p256dh", "é"), ("auth", "AAAA"), ("auth", "!")])
    def test_keys_that_are_none_are_refused(self, boris: User, client: Client, name: str, value: str) -> None:
        client.force_login(boris)
        fields = Browser("https://push.example.net/1").fields | {name: value}
        assert client.post("/notices/push/", fields).status_code == 400

    def test_a_known_service_is_accepted(self, boris: User) -> None:
        assert push.subscribe(boris, **Browser("https://a.push.example.net/1").fields).pk

    def test_without_a_key_there_is_no_push(
        self, boris: User, ana: User, client: Client, settings: object, clock: time_machine.Traveller
    ) -> None:
        settings.VAPID_PRIVATE_KEY = ""  # type: ignore[attr-defined]
        client.force_login(boris)
        shown = page(client.get("/notices/choices/"))
        assert shown.select_one("#push") is None
        assert "on this device" not in shown.get_text()
        assert client.post("/notices/push/", Browser("https://push.example.net/1").fields).status_code == 400
        play(begin(ana, boris, DAYS, position=ROUND), "3H")
        assert not Delivery.objects.filter(channel=Channel.PUSH).exists()

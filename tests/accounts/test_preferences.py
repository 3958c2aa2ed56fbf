"""Language, time zone and the other preferences, and who was last seen when."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.http import HttpRequest, HttpResponse
from django.test import AsyncRequestFactory, Client, RequestFactory
from django.utils import timezone, translation

from accounts import middleware
from accounts.models import User
from tests.accounts.pages import current_user, page

CHOICES = {
    "language": "en",
    "time_zone": "Asia/Vientiane",
    "colour_scheme": "dark",
    "four_colours": "on",
    "hand_order": "rank",
    "confirm_turns": "on",
    "sounds": "on",
    "sound_volume": "40",
    "card_back": "waves",
    "chat_from": "people",
}


def test_preferences_are_saved(as_alice: Client, alice: User) -> None:
    assert as_alice.post("/account/preferences/", CHOICES).status_code == 302
    alice.refresh_from_db()
    assert (alice.language, alice.time_zone, alice.colour_scheme) == ("en", "Asia/Vientiane", "dark")
    assert (alice.four_colours, alice.hand_order, alice.confirm_turns, alice.sounds) == (True, "rank", True, True)
    assert (alice.sound_volume, alice.card_back, alice.chat_from) == (40, "waves", "people")


@pytest.mark.parametrize(("sent", "kept"), [("", 70), ("0", 0), ("100", 100), ("101", None), ("-1", None), ("x", None)])
def test_the_volume_is_between_nothing_and_all(as_alice: Client, alice: User, sent: str, kept: int | None) -> None:
    response = as_alice.post("/account/preferences/", {**CHOICES, "sound_volume": sent})
    alice.refresh_from_db()
    assert (response.status_code, alice.sound_volume) == ((422, 70) if kept is None else (302, kept))


def test_pages_say_how_loud_sounds_are_only_where_they_are_on(as_alice: Client) -> None:
    assert not page(as_alice.get("/rules/")).body.has_attr("data-sounds")
    as_alice.post("/account/preferences/", CHOICES)
    assert page(as_alice.get("/rules/")).body["data-sounds"] == "40"


def test_preferences_work_for_guests(guest_client: Client) -> None:
    guest_client.post("/account/preferences/", CHOICES)
    user = current_user(guest_client)
    assert user is not None
    assert user.colour_scheme == "dark"


def test_the_form_shows_what_is_chosen(as_alice: Client) -> None:
    as_alice.post("/account/preferences/", CHOICES)
    parsed = page(as_alice.get("/account/preferences/"))
    chosen = parsed.select_one("select[name=time_zone] option[selected]")
    assert chosen is not None
    assert chosen["value"] == "Asia/Vientiane"
    box = parsed.select_one("input[name=four_colours]")
    assert box is not None
    assert box.has_attr("checked")


def test_an_unknown_time_zone_is_refused(as_alice: Client) -> None:
    response = as_alice.post("/account/preferences/", CHOICES | {"time_zone": "../etc/passwd"})
    assert response.status_code == 422


def offered(browser: Client) -> list[str]:
    parsed = page(browser.get("/account/preferences/"))
    return [option["value"] for option in parsed.select("select[name=time_zone] option")]


def test_each_place_is_offered_once_under_its_present_name(as_alice: Client) -> None:
    names = offered(as_alice)
    assert len(names) == len(set(names))
    assert {"UTC", "Asia/Kolkata", "Asia/Tbilisi", "Asia/Vientiane", "Europe/Kyiv", "Europe/Moscow"} <= set(names)
    old = {"Asia/Calcutta", "Asia/Saigon", "Europe/Kiev", "Europe/Belfast", "America/Buenos_Aires", "Asia/Tel_Aviv"}
    assert not old & set(names)


def test_places_are_named_and_ordered_in_the_readers_language(as_alice: Client, alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(language="ru")
    parsed = page(as_alice.get("/account/preferences/"))
    europe = parsed.select_one("select[name=time_zone] optgroup[label=Европа]")
    assert europe is not None
    places = {option["value"]: option.text for option in europe.select("option")}
    assert places["Europe/Moscow"] == "Москва"
    assert list(places.values()) == sorted(places.values())


def test_an_old_name_that_was_chosen_stays_in_the_stead_of_the_present_one(as_alice: Client, alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(time_zone="Asia/Calcutta")
    names = offered(as_alice)
    assert "Asia/Calcutta" in names
    assert "Asia/Kolkata" not in names
    assert as_alice.post("/account/preferences/", CHOICES | {"time_zone": "Asia/Calcutta"}).status_code == 302
    alice.refresh_from_db()
    assert alice.time_zone == "Asia/Calcutta"


def test_the_language_is_changed_by_post_and_leads_back(as_alice: Client, alice: User) -> None:
    assert as_alice.get("/account/language/").status_code == 405
    response = as_alice.post("/account/language/", {"language": "en", "next": "/lobby/"})
    assert response["Location"] == "/lobby/"
    alice.refresh_from_db()
    assert alice.language == "en"
    assert response.cookies["django_language"].value == "en"
    assert as_alice.post("/account/language/", {"language": "xx"}).status_code == 400
    assert as_alice.post("/account/language/", {"language": "en", "next": "//evil.example"})["Location"] == "/"


@pytest.mark.parametrize("word", ["nowhere", "9", "%00", "games:home"])
def test_a_word_for_the_way_back_is_an_address_and_no_name_of_a_view(as_alice: Client, word: str) -> None:
    for path in ("/account/language/", "/account/guest/"):
        assert as_alice.post(path, {"language": "en", "next": word}).status_code == 302
    for path in ("/account/login/", "/account/signup/"):
        assert as_alice.get(path, {"next": word}).status_code == 302


@pytest.fixture
def two_languages(settings: Any) -> None:
    settings.LANGUAGES = [("en", "English"), ("ka", "Georgian"), ("ru", "Russian")]


def seen(request: HttpRequest) -> HttpResponse:
    """Answer with the language and time zone in force."""
    return HttpResponse(f"{translation.get_language()} {timezone.get_current_timezone_name()}")


def request_of(user: Any, factory: Any = None, *, cookies: dict[str, str] | None = None, accept: str = "en") -> Any:
    request = (factory or RequestFactory()).get("/", headers={"accept-language": accept})
    request.COOKIES = {"sessionid": "x"} | (cookies or {})
    request.user = user
    request.session = SessionStore("x")
    return request


@pytest.mark.parametrize(
    ("account", "cookie", "browser", "outcome"),
    [
        ("ka", "ru", "en", "ka"),
        ("", "ru", "en", "ru"),
        ("", "", "ru", "ru"),
        ("", "", "zz", "en"),
        ("xx", "", "ka", "ka"),
    ],
)
def test_the_language_is_that_of_the_account_then_the_cookie_then_the_browser(
    two_languages: None, account: str, cookie: str, browser: str, outcome: str
) -> None:
    cookies = {"django_language": cookie} if cookie else {}
    response = middleware.preferences(seen)(request_of(User(language=account), cookies=cookies, accept=browser))
    assert response.content.decode() == f"{outcome} UTC"
    assert response["Content-Language"] == outcome


@pytest.mark.parametrize(
    ("account", "cookie", "outcome"),
    [("Asia/Tbilisi", "Asia/Vientiane", "Asia/Tbilisi"), ("", "Asia/Vientiane", "Asia/Vientiane"), ("", "/etc", "UTC")],
)
def test_the_time_zone_is_that_of_the_account_then_of_the_browser(account: str, cookie: str, outcome: str) -> None:
    request = request_of(User(time_zone=account), cookies={"timezone": cookie})
    assert middleware.preferences(seen)(request).content.decode() == f"en {outcome}"


def test_neither_outlives_the_request(two_languages: None) -> None:
    middleware.preferences(seen)(request_of(User(language="ka", time_zone="Asia/Tbilisi")))
    assert translation.get_language() == "en"
    assert timezone.get_current_timezone_name() == "UTC"


async def test_requests_served_at_once_do_not_see_each_others_language(two_languages: None) -> None:
    everyone_in = asyncio.Barrier(2)

    async def view(request: HttpRequest) -> HttpResponse:
        await everyone_in.wait()
        return seen(request)

    serve = middleware.preferences(view)
    users = [User(language="ka", time_zone="Asia/Tbilisi"), User(language="ru", time_zone="Europe/Moscow")]
    answers = await asyncio.gather(*(serve(request_of(user, AsyncRequestFactory())) for user in users))
    assert [answer.content.decode() for answer in answers] == ["ka Asia/Tbilisi", "ru Europe/Moscow"]
    assert translation.get_language() == "en"


def test_nobody_is_looked_up_for_a_browser_without_a_session(db: None, django_assert_num_queries: Any) -> None:
    request = request_of(AnonymousUser())
    request.COOKIES = {}
    with django_assert_num_queries(0):
        middleware.preferences(seen)(request)


def test_activity_is_noted_once_a_minute(alice: User, django_assert_num_queries: Any) -> None:
    serve = middleware.activity(seen)
    with django_assert_num_queries(0):
        serve(request_of(alice))
    long_ago = timezone.now() - timedelta(minutes=2)
    alice.last_active_at = long_ago
    alice.save()
    with django_assert_num_queries(2):
        serve(request_of(alice))
    alice.refresh_from_db()
    assert alice.last_active_at > long_ago + timedelta(minutes=1)

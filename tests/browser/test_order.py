"""A whole case of moderation, from the report to the appeal; leaving and coming back; each as people do it."""

import time

from allauth.account.internal.flows.login import AUTHENTICATION_METHODS_SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from playwright.sync_api import Page, expect

from accounts.models import User
from games.models import Action, DataExport, Match, Status
from tests.browser.conftest import PHONE, Visit
from tests.games import cast
from tests.moderation import staff
from tests.site import Site, session_key


def log_in(page: Page, name: str) -> None:
    """Fill in the log-in form."""
    page.goto("/account/login/")
    page.locator("[name=login]").fill(name)
    page.locator("[name=password]").fill(cast.PASSWORD)
    page.locator("[name=password]").press("Enter")
    page.wait_for_url("**/mine/")


def desk(visit: Visit, site: Site, moderator: User) -> Page:
    """Open the queue as a moderator who logged in with the second factor."""
    staff.enrol(moderator)
    key = session_key(moderator)
    session = SessionStore(key)
    session[AUTHENTICATION_METHODS_SESSION_KEY] = [{"method": "mfa", "at": time.time(), "type": "totp"}]
    session["account_authentication_methods_user"] = str(moderator.pk)
    session.save()
    page = visit("/rules/")
    page.context.add_cookies([{"name": "sessionid", "value": key, "url": site.address}])
    page.goto("/admin/games/case/")
    return page


def test_a_case_from_the_report_to_the_appeal(site: Site, visit: Visit) -> None:
    ana, boris = cast.person("Ana-of-the-case"), cast.person("Boris-of-the-case")
    mira, nino = staff.moderator("Mira-of-the-case"), staff.moderator("Nino-of-the-case")
    assert not mira.is_superuser
    match = cast.start_match(ana, boris, cast.DAYS)
    one = visit(match.get_absolute_url(), ana)
    other = visit(match.get_absolute_url(), boris, viewport=PHONE)

    one.locator("#chat-text").fill("half typed")
    one.locator("#chat-text").focus()
    other.locator("#chat-text").fill("You play like a potato")
    other.locator("#chat-text").press("Enter")
    expect(one.locator("#chat-lines")).to_contain_text("potato")
    expect(one.locator("#chat-text")).to_have_value("half typed")
    expect(one.locator("#chat-text")).to_be_focused()
    expect(other.locator("#chat-text")).to_have_value("")

    one.locator("#chat-lines .chat-report").click()
    one.locator("input[value=chat]").check()
    one.get_by_role("button", name="Send the report").click()
    one.wait_for_url(f"**{match.get_absolute_url()}")

    page = desk(visit, site, mira)
    page.get_by_role("link", name=boris.username).click()
    page.get_by_role("button", name="Claim this case").click()
    form = page.locator("#measure-form")
    form.locator("input[value=suspend]").check()
    form.locator("[name=reason]").select_option("chat")
    form.locator("[name=why]").fill("Rude in the chat.")
    form.locator("[name=message]").fill("Please be kind.")
    form.locator("[name=hours]").fill("24")
    form.get_by_role("button", name="Do it").click()
    other.wait_for_url("**/standing/")
    expect(other.locator("main")).to_contain_text("Please be kind.")

    one.goto(match.get_absolute_url())
    expect(one.locator("#ask")).to_contain_text("stands still")
    one.goto("/standing/")
    expect(one.locator("main")).to_contain_text("have acted")

    other.get_by_text("Appeal against this").click()
    other.locator("textarea").fill("It was a joke among friends.")
    other.get_by_role("button", name="Send the appeal").click()
    expect(other.locator("main")).to_contain_text("waiting for an answer")

    second = desk(visit, site, nino)
    second.goto("/admin/games/appeal/")
    second.get_by_role("link", name=boris.username).click()
    expect(second.locator("#content-main")).to_contain_text("a joke among friends")
    second.locator("input[value=lift]").check()
    second.locator("[name=answer]").fill("So be it.")
    second.get_by_role("button", name="Answer").click()
    second.wait_for_url("**/admin/games/appeal/")

    other.goto(match.get_absolute_url())
    expect(other.locator("#ask")).not_to_contain_text("stands still")
    assert list(Action.objects.filter(subject=boris).order_by("pk").values_list("verb", flat=True)) == [
        "suspend",
        "lift",
    ]


def test_leaving_with_ones_data_and_coming_back(site: Site, visit: Visit) -> None:
    dora, emil = cast.person("Dora-who-leaves"), cast.person("Emil-who-stays")
    match = cast.start_match(dora, emil, cast.DAYS)
    page = visit("/rules/")
    log_in(page, dora.username)
    page.goto("/data/")
    page.get_by_role("button", name="Make a file with my data").click()
    end = time.monotonic() + 30
    while not DataExport.objects.filter(user=dora, made_at__isnull=False).exists():
        assert time.monotonic() < end
        time.sleep(0.1)
    page.reload()
    with page.expect_download() as download:
        page.locator("main a[download]").click()
    assert match.code in download.value.path().read_text(encoding="utf-8")

    page.goto("/close/")
    page.locator("[name=password]").fill(cast.PASSWORD)
    page.locator("[name=sure]").check()
    page.get_by_role("button", name="Close my account").click()
    page.wait_for_url("**/reopen/")
    assert Match.objects.get(pk=match.pk).status == Status.FINISHED
    stays = visit(match.get_absolute_url(), emil)
    expect(stays.locator("body")).not_to_contain_text("Dora-who-leaves")
    stays.goto("/@/Dora-who-leaves/")
    expect(stays.locator("h1")).not_to_contain_text("Dora")

    again = visit("/rules/")
    log_in(again, "dora-WHO-leaves")
    again.get_by_role("link", name="Take it back").click()
    again.get_by_role("button", name="Take my account back").click()
    expect(again.locator("main")).to_contain_text("Dora-who-leaves")

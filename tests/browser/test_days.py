"""People who play over days: a move that is sent later, a match to watch, a pause, a vacation."""

from datetime import date, timedelta

import pytest
from playwright.sync_api import expect

from tests.browser.people import PHONE, start
from tests.deployment import programs

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


@pytest.fixture
def pair(people, fresh_name):
    """Two whose lists are short, and whose vacation stands no clock of another test still."""
    both = people(fresh_name("ada")), people(fresh_name("bruno"), size=PHONE, dark=True)
    for person in both:
        person.join()
    return both


def test_what_was_entered_waits_in_the_browser_and_goes_when_signing_out(pair):
    ada, bruno = pair
    path = start(ada, bruno)
    ada.click("c3")
    expect(ada.page.locator("[data-confirm]")).to_be_visible()
    ada.go("/home/")
    row = ada.page.locator(".match-row", has=ada.page.locator(f'a.match-link[href="{path}"]'))
    expect(row).to_contain_text("Entered, not sent")
    ada.shoot("draft-in-my-matches")
    ada.go(path)
    ada.sees("You had entered this and not sent it.")
    ada.shoot("draft-wide")
    ada.confirm()
    bruno.sees_version(1)
    ada.go("/home/")
    expect(ada.page.get_by_text("Entered, not sent")).to_have_count(0)

    bruno.waits_for_turn()
    bruno.click("b2")
    expect(bruno.page.locator("[data-confirm]")).to_be_visible()
    kept = "() => Object.keys(localStorage).filter((key) => key.startsWith('draft:')).length"
    assert bruno.page.evaluate(kept) == 1
    bruno.context.clear_cookies()
    bruno.go("/")
    assert bruno.page.evaluate(kept) == 0


def test_the_page_after_says_that_a_move_was_not_sent(pair):
    ada, bruno = pair
    path = start(ada, bruno)
    ada.click("c3")
    expect(ada.page.locator("[data-confirm]")).to_be_visible()
    ada.go("/lobby/")
    hint = ada.page.locator("#messages")
    expect(hint).to_contain_text(f"Move not sent in DIE · vs {bruno.name}.")
    ada.shoot("draft-left")
    hint.get_by_role("link").click()
    ada.sees("You had entered this and not sent it.")
    assert ada.page.url.startswith(ada.site.url + path)
    ada.confirm()
    bruno.sees_version(1)
    ada.go("/lobby/")
    expect(hint).to_be_empty()


def test_what_was_entered_for_an_earlier_position_is_not_sent(pair):
    """The other one takes back and moves otherwise, while the page is away."""
    ada, bruno = pair
    path = start(ada, bruno)
    ada.click("c3")
    ada.confirm()
    bruno.waits_for_turn()
    bruno.click("b2")
    expect(bruno.page.locator("[data-confirm]")).to_be_visible()
    bruno.go("/home/")
    expect(bruno.page.get_by_text("Entered, not sent")).to_be_visible()
    ada.open_drawer()
    ada.press("Take back my move")
    ada.sees_version(2)
    ada.click("c1")
    ada.confirm()
    ada.sees_version(3)
    bruno.go(path)
    bruno.sees("The match has moved on since you entered a move: it was not sent, and is gone.")
    bruno.shoot("draft-gone-phone-dark")
    bruno.sees_version(3)
    bruno.waits_for_turn()
    expect(bruno.page.locator("[data-confirm]")).to_have_count(0)
    assert "?" not in bruno.page.url
    bruno.go("/home/")
    expect(bruno.page.get_by_text("Entered, not sent")).to_have_count(0)


def test_a_match_of_others_is_watched_live(people):
    ada, bruno, clara = people("sample-ada"), people("sample-bruno"), people("sample-clara")
    path = start(ada, bruno)
    clara.go(path)
    clara.open_drawer()
    clara.press("Watch this match")
    clara.sees("You'll find it under My matches, Watching.")
    clara.go("/watching/")
    row = clara.page.locator(".match-row", has=clara.page.locator(f'a[href="{path}"]'))
    expect(row).to_contain_text("No moves yet.")
    ada.click("c3")
    ada.confirm()
    expect(row).not_to_contain_text("No moves yet.")
    clara.shoot("watching-wide")


def talk(ada, bruno):
    ada.page.get_by_role("tab", name="Chat").click()
    ada.page.locator("#chat-text").fill("I shall be away soon.")
    ada.page.locator("#chat-text").press("Enter")
    expect(bruno.page.locator(".match-talk [data-chat-count]")).to_have_text("1 new")


def pause(ada, bruno, path):
    ada.go(f"{path}?ask=pause")
    ada.press("Offer a pause")
    bruno.sees(f"{ada.name} offers a pause.")
    bruno.press("Accept")
    ada.sees("Paused until")


def go_away(ada):
    ada.go("/account/vacation/")
    back = date.today() + timedelta(days=3)  # noqa: DTZ011 - the form is filled in by local clocks
    ada.page.locator("[name=end]").fill(back.isoformat())
    ada.shoot("vacation-form")
    ada.press("Go on vacation")
    ada.sees("You are on vacation until")


@pytest.fixture
def _members_for_long(site, pair):
    """Let everybody have been here for so long that they have days of vacation."""
    joined = "User.objects.update(date_joined=timezone.now() - timedelta(days=300))"
    told = programs.run(
        "manage.py",
        "shell",
        "--command",
        "from datetime import timedelta; from django.utils import timezone;"
        f" from accounts.models import User; {joined}",
        DJANGO_SETTINGS_MODULE="tests.browser.settings",
        VAR=str(site.folder),
    )
    assert told.returncode == 0, told.stderr


@pytest.mark.thorough
@pytest.mark.usefixtures("_members_for_long")
def test_two_people_talk_pause_go_away_and_come_back(pair):
    ada, bruno = pair
    path = start(ada, bruno)
    talk(ada, bruno)
    pause(ada, bruno, path)
    go_away(ada)
    bruno.go(path)
    bruno.sees("away, paused")
    bruno.shoot("away-phone-dark")

    ada.press("I’m back")
    ada.sees("A vacation lasts at least a day")
    ada.go(path)
    ada.press("End the pause")
    expect(ada.page.locator("#match-pause")).to_have_count(0)
    version = ada.version + 1
    ada.click("c3")
    ada.confirm()
    bruno.sees_version(version)
    bruno.waits_for_turn()

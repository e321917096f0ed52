"""A player who writes vile lines and then stays away: from the first report to the substitute."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.people import start
from tests.browser.test_chat import opens, write
from tests.browser.test_desk import make_moderator

pytestmark = pytest.mark.browser

PHONE = (390, 664)


@pytest.fixture
def gone(people, fresh_name):
    """The player who is going to leave, on a phone."""
    person = people(fresh_name("gone"), size=PHONE)
    person.join()
    return person


@pytest.fixture
def moderator(people, site):
    make_moderator(site, "sample-daniel")
    return people("sample-daniel", dark=True)


def act(moderator, case, action, **fields):
    """Do something about a case, by the form of its page."""
    moderator.go(case)
    moderator.page.locator(f"a[href*='?action={action}#']").click()
    for name, value in {"reason": "It is against our rules.", **fields}.items():
        moderator.page.locator(f"#id_{name}").fill(str(value))
    moderator.shoot(f"desk-{action}")
    moderator.page.locator(".form:has([name=action]) .btn-danger").click()
    moderator.sees("Done. It is in the log")


def told(person, words):
    """Follow what somebody was told."""
    person.go("/account/notices/")
    person.page.get_by_role("link", name=re.compile(words)).first.click()


def lines(person):
    return person.page.locator("#match-chat .chat-text")


def case_about(moderator, name):
    moderator.go("/desk/")
    moderator.page.get_by_role("link", name=name, exact=True).first.click()
    return moderator.page.url


@pytest.mark.thorough
def test_a_line_is_reported_hidden_and_shown_again(people, gone, moderator):
    ada = people("sample-ada")
    path = start(ada, gone)
    gone.page.locator("[data-drawer=chat]").first.click()
    write(gone, "You goose.")
    opens(ada)
    expect(lines(ada)).to_have_text(["You goose."])
    ada.page.locator(".chat-menu summary").click()
    ada.press("Report as abuse")
    ada.sees("Thank you. We’ll let you know the outcome.")
    case = case_about(moderator, gone.name)
    moderator.sees("“You goose.”")
    number = re.search(r"line (\d+), match", moderator.page.content())[1]
    act(moderator, case, "hide-line", line=number)
    moderator.sees(f"line {number}, match")
    moderator.shoot("desk-line-hidden")
    for person in (ada, gone):
        person.go(path)
        expect(person.page.locator("#match-chat")).not_to_contain_text("You goose.")
    act(moderator, case, "restore-line", line=number)
    ada.go(path)
    expect(ada.page.locator("#match-chat")).to_contain_text("You goose.")


def abandon(reporter, moderator, suspect, match):
    """Have a seat reported and called abandoned; return the case."""
    reporter.go(f"/report/player/{user_id(reporter, suspect.name)}/")
    reporter.page.locator("[name=kind][value=other]").check()
    reporter.page.locator("[name=text]").fill("Has not been seen for weeks, in any match.")
    reporter.press("Report")
    case = case_about(moderator, suspect.name)
    act(moderator, case, "abandon", match=match)
    return case


def choose_a_substitute(opponent):
    told(opponent, "choose what follows")
    opponent.shoot("abandoned-wide")
    opponent.page.locator("[value=substitute]").check()
    opponent.press("Choose")
    opponent.sees("There is nothing left to choose")


def take_the_seat(substitute, path):
    told(substitute, "Would you take over a seat?")
    substitute.shoot("substitute-phone-dark")
    substitute.press("Take the seat")
    substitute.page.wait_for_url(f"**{path}")
    substitute.waits_for_turn()


def test_a_seat_is_abandoned_and_taken_over_under_the_eyes_of_all(people, gone, moderator):
    ada, clara = people("sample-ada"), people("sample-clara", size=PHONE, dark=True)
    path = start(ada, gone)
    ada.click("c3")
    ada.confirm()
    gone.waits_for_turn()
    gone.click(gone.legal[0])
    match = number_of(path)
    case = abandon(ada, moderator, gone, match)
    choose_a_substitute(ada)
    act(moderator, case, "substitute", match=match, substitute="sample-clara")
    take_the_seat(clara, path)

    # Who left had begun to enter a move, and has not touched the page since.
    expect(gone.page.locator("#match")).not_to_have_attribute("data-seat", re.compile("."))
    expect(gone.page.locator("#match-board a.mark, #confirm")).to_have_count(0)
    expect(gone.page.locator("#match-head")).to_contain_text("Blue was played by")
    gone.shoot("abandoned-former-phone")

    clara.click(clara.legal[0])
    clara.confirm()
    ada.go(path)
    ada.waits_for_turn()
    told(gone, "plays on for")


@pytest.mark.thorough
def test_who_was_only_slow_says_so_on_a_phone(people, gone, moderator):
    ada = people("sample-ada", dark=True)
    path = start(ada, gone)
    moderator.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    moderator.go(f"/desk/?player={gone.name}")
    moderator.page.locator("[name=kind]").select_option("other")
    moderator.page.locator("#open [name=reason]").fill("Said to be gone.")
    moderator.shoot("desk-phone-dark")
    moderator.press("Open the case")
    act(moderator, moderator.page.url, "abandon", match=number_of(path))
    moderator.shoot("desk-case-phone-dark")
    told(gone, "is called abandoned")
    gone.shoot("abandoned-own-phone")
    gone.press("I’ll keep playing")
    gone.page.wait_for_url(f"**{path}")
    told(ada, "is back")
    ada.sees("The player is back")
    ada.shoot("abandoned-back-dark")


def number_of(path):
    """The number of the match at an address."""
    return path.strip("/").split("/")[-1]


def user_id(person, name):
    """The number of a player, as the link to report them has it."""
    text = person.context.request.get(f"/players/{name}/").text()
    return re.search(r"/report/player/(\d+)/", text)[1]

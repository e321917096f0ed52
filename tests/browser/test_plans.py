"""Moves planned by touch on a phone, kept from the other one, played in their turn, or stopped."""

import pytest
from playwright.sync_api import expect

from tests.browser.people import start
from tests.sampling import rest_thorough

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

PHONE = {"size": (390, 664), "touch": True}


def tap(person, mark):
    person.page.locator(f'#match-board a[data-mark="{mark}"]').tap()


def bar(person):
    return person.page.locator("#match-entry")


def move(person, mark):
    tap(person, mark)
    person.page.locator("[data-confirm]").tap()


def expect_heading(person, words):
    expect(person.page.locator("#action-head")).to_have_text(words)


def begin(red, blue):
    """Begin a match of DIE in which Red waits for Blue's second stone; return its path."""
    path = start(red, blue, size=5)
    for person, mark in ((red, "a1"), (blue, "i5"), (red, "c3")):
        person.go(path)
        move(person, mark)
        expect(person.page.locator("#action-head")).to_contain_text("to move")
    return path


def plan(person):
    """Plan e5, then c6, by touch."""
    bar(person).get_by_role("link", name="Plan ahead").tap()
    person.shoot("plan-begun")
    tap(person, "e5")
    expect_heading(person, "Place a stone on e5?")
    bar(person).get_by_role("link", name="Then …").tap()
    expect_heading(person, "Place a stone on e5, then …")
    tap(person, "c6")
    expect_heading(person, "Place a stone on e5, then place a stone on c6?")
    person.shoot("plan-entered")
    person.press("Keep this plan")
    expect(bar(person)).to_contain_text("You have planned e5, then c6.")
    person.shoot("plan-kept")


@pytest.mark.parametrize("script", rest_thorough([True, False]), ids=["script", "no script"])
def test_a_plan_is_tapped_together_and_played_in_its_turn(people, script):
    red = people("sample-ada", script=script, **PHONE)
    blue = people("sample-bruno", **PHONE)
    path = begin(red, blue)
    plan(red)
    blue.go(path)
    expect(bar(blue)).not_to_contain_text("planned")
    for mark, version in (("h4", 5), ("c6", 6)):
        move(blue, mark)
        blue.sees_version(version)
    stopped = "Your plan has stopped: c6 is taken."
    if not script:
        red.loads_until(path, stopped)
    expect(bar(red)).to_contain_text(stopped, timeout=30_000)
    red.shoot("plan-stopped")
    red.go(path)  # the drawer with the plan lies over the bar
    red.press("Dismiss")
    expect(bar(red)).not_to_contain_text("stopped")

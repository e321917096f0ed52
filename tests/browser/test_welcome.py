"""A player's first match of a game: the rules are open with goal and pictures, once."""

import pytest
from playwright.sync_api import expect

from tests.browser.people import PHONE, WIDE, start
from tests.sampling import rest_thorough

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


def rules(person):
    return person.page.locator("#drawer-rules")


def join_as_newcomer(person, name):
    """Make an account that has never played, on a device that knows no game."""
    person.name = name
    person.register()
    person.page.evaluate("localStorage.clear()")


def play(person, cell, version):
    person.click(cell)
    person.confirm()
    person.sees_version(version)


@pytest.mark.parametrize(
    ("size", "touch"), rest_thorough([(PHONE, True), (WIDE, False)], unpack=True)
)
def test_a_newcomer_sees_goal_and_pictures_until_they_have_got_it(people, fresh_name, size, touch):
    nora, bruno = people(size=size, touch=touch), people("sample-bruno")
    join_as_newcomer(nora, fresh_name("nora"))
    start(nora, bruno)
    expect(rules(nora).locator(".rules-goal")).to_be_visible()
    expect(rules(nora).locator(".rules-pictures figure")).to_have_count(3)
    met, text = nora.page.locator(".rules-met").bounding_box(), rules(nora).bounding_box()
    assert met["y"] >= text["y"] + text["height"]
    nora.page.get_by_role("button", name="Got it").click()
    expect(rules(nora)).to_be_hidden()
    nora.page.reload()
    expect(nora.page.locator("#match-board")).to_be_visible()
    expect(rules(nora)).to_be_hidden()


def test_who_has_got_it_by_keyboard_goes_on_on_the_board(people, fresh_name):
    nora, bruno = people(), people("sample-bruno")
    join_as_newcomer(nora, fresh_name("nora"))
    start(nora, bruno)
    nora.page.get_by_role("button", name="Got it").press("Enter")
    expect(nora.page.locator("#match-board a.mark:focus")).to_have_count(1)


def test_who_has_moved_in_the_game_is_no_newcomer_on_any_device(people, fresh_name):
    nora, bruno = people(), people("sample-bruno")
    join_as_newcomer(nora, fresh_name("nora"))
    start(nora, bruno)
    expect(rules(nora).locator(".rules-goal")).to_be_visible()
    play(nora, "c3", 1)
    start(nora, bruno)
    expect(nora.page.locator("#match-head")).to_have_attribute("data-version", "0")
    expect(nora.page.get_by_role("tab", name="Log")).to_have_attribute("aria-selected", "true")
    expect(rules(nora)).to_be_hidden()


def test_on_a_phone_the_rules_wait_for_what_happened(people, fresh_name):
    nora, bruno = people(size=PHONE, touch=True), people("sample-bruno")
    join_as_newcomer(nora, fresh_name("nora"))
    path = start(bruno, nora)
    nora.go("/home/")
    nora.page.evaluate("sessionStorage.clear()")
    play(bruno, "c3", 1)
    nora.go(path)
    expect(nora.page.locator(".board-stage")).to_have_count(1)
    expect(rules(nora)).to_be_hidden()
    nora.page.keyboard.press("Escape")
    expect(rules(nora).locator(".rules-goal")).to_be_visible()

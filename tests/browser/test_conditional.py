"""Two replies planned in one browser, played while the opponent moves in another."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.people import start_game
from tests.browser.test_pages import LOOKS, examine
from tests.sampling import rest_thorough

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

LINE = "h4\ne5\ni2\ng5"


def play(person, path, cell):
    person.go(f"{path}?word={cell}")
    person.page.locator("[data-confirm]").click()
    expect(person.page.locator("#match-log")).to_contain_text(f"stone on {cell}")


def plan(person, text):
    person.open_drawer()
    field = person.page.locator("#line")
    if not field.is_visible():
        person.page.locator(".plan-line summary").click()
    field.fill(text)
    person.press("Add this line")


@pytest.mark.thorough
@pytest.mark.parametrize("script", rest_thorough([True, False]), ids=["script", "no script"])
def test_two_replies_are_played_one_after_the_other(people, script):
    ada, bruno = people("sample-ada", script=script, size=(390, 664)), people("sample-bruno")
    path = start_game(ada, bruno, "die", size=5, moves=("a1", "i5", "c3"))
    plan(ada, LINE)
    ada.sees("If h4, then e5, if i2, then g5")
    log = bruno.page.locator("#match-log")
    for theirs, reply in (("h4", "e5"), ("i2", "g5")):
        play(bruno, path, theirs)
        expect(log).to_contain_text(f"stone on {reply}")
        expect(bruno.page.locator("#match-entry")).to_contain_text("Your turn")
    assert "Planned." not in bruno.page.content()
    ada.go(path)
    expect(ada.page.locator(".log-planned")).to_have_count(2)
    expect(ada.page.locator(".plan-lines")).to_have_count(0)


def think(person, mark):
    """Play a move on the board, and wait for its page."""
    page = person.page
    before = page.url
    page.locator(f'#match-board a[data-mark="{mark}"]').click()
    page.locator("#confirm [data-confirm]").click()
    expect(page).not_to_have_url(re.compile(f"^{re.escape(before)}"))


@pytest.mark.parametrize("look", rest_thorough(LOOKS))
def test_the_pages_of_plans_keep_nobody_out(people, look):
    ada = people("sample-ada", **LOOKS[look])
    path = start_game(ada, people("sample-bruno"), "die", size=5, moves=("a1", "i5", "c3"))
    for line in (LINE, "h4\ne5\ni1\ng3", "*\ng5"):
        ada.go(path)
        plan(ada, line)
    examine(ada, "plan", look)
    ada.go("/plans/")
    examine(ada, "plans", look)
    ada.go(f"{path}board/")
    think(ada, "h4")
    think(ada, "e5")
    examine(ada, "thinking", look)
    if ada.page.locator(".match-open").is_visible():
        ada.page.locator(".match-open").click()
    examine(ada, "thinking-lines", look)


@pytest.mark.parametrize("device", rest_thorough(["phone", "wide"]))
def test_a_line_from_the_private_board_is_played_while_the_opponent_moves(people, device):
    size = {"wide": (1280, 800), "phone": (390, 664)}[device]
    ada, bruno = people("sample-ada", size=size, touch=device == "phone"), people("sample-bruno")
    path = start_game(ada, bruno, "die", size=5, moves=("a1", "i5", "c3"))
    ada.open_drawer()
    ada.page.get_by_role("link", name="Think on a board").click()
    expect(ada.page.locator("#action-head")).to_have_text("Blue to move")
    for mark in ("h4", "e5", "i2", "g5"):
        think(ada, mark)
    if device == "phone":
        ada.page.locator(".match-open").click()
    ada.shoot(f"thinking-{device}")
    ada.press("Keep as conditional moves")
    ada.sees("Kept. The site plays your replies in this line as soon as they fit.")
    log = bruno.page.locator("#match-log")
    for theirs, reply in (("h4", "e5"), ("i2", "g5")):
        play(bruno, path, theirs)
        expect(log).to_contain_text(f"stone on {reply}")
        expect(bruno.page.locator("#match-entry")).to_contain_text("Your turn")
    expect(bruno.page.locator("#match-head")).to_have_attribute("data-version", "7")

"""Two replies planned in one browser, played while the opponent moves in another."""

import pytest
from playwright.sync_api import expect

from tests.browser.people import start_game

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


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
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

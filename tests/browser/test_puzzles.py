"""A puzzle from the front page on: a wrong try, then the win."""

import re

import pytest
from playwright.sync_api import expect

from games.kernel import registry
from games.study.lessons import start
from games.study.puzzles import as_lessons, puzzles
from tests.sampling import rest_thorough

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

NUMBER = next(n for n, one in enumerate(puzzles("die"), 1) if one.moves == 2)
PUZZLE = puzzles("die")[NUMBER - 1]


def click(page, mark):
    page.locator(f'#match-board [data-mark="{mark}"]').first.click()
    page.locator("#confirm [data-confirm]").click()


def wrong_cell():
    die = registry.get("die")
    moves = map(str, die.moves(start(die, as_lessons("die")[NUMBER - 1]), PUZZLE.seat))
    return next(text for text in moves if text not in PUZZLE.lines)


@pytest.mark.parametrize("size", rest_thorough([(390, 664), (1280, 800)]))
def test_somebody_fails_and_then_solves_a_puzzle(people, size):
    is_phone = size[0] < 600
    person = people("", size=size, touch=is_phone)
    page = person.page
    name = "phone" if is_phone else "wide"
    person.go("/")
    expect(page.locator(".home-puzzle")).to_be_visible()
    page.locator(".home-puzzle").scroll_into_view_if_needed()
    person.shoot(f"puzzle-home-{name}")
    page.locator(".home-puzzle").click()
    expect(page.locator(".lesson-task")).to_contain_text("You are")
    person.go("/games/die/puzzles/")
    person.shoot(f"puzzle-list-{name}")
    person.go(f"/games/die/puzzles/{NUMBER}/")
    click(page, wrong_cell())
    expect(page.locator("#action-head")).to_have_text("Not quite")
    person.shoot(f"puzzle-wrong-{name}")
    page.get_by_role("link", name="Show the solution").click()
    expect(page.locator(".lesson-task")).to_contain_text("Solution, move 0 of")
    page.locator("#step-forward").click()
    expect(page.locator(".lesson-task")).to_contain_text("Solution, move 1 of")
    person.shoot(f"puzzle-solution-{name}")
    page.get_by_role("link", name="Try it again").click()
    expect(page.locator("#action-head")).to_have_text("Your turn")
    ((first, branch),) = PUZZLE.lines.items()
    click(page, first)
    expect(page.locator(".lesson-task")).to_have_text("Right. Now win in one move.")
    person.shoot(f"puzzle-right-{name}")
    click(page, next(iter(branch.lines)))
    expect(page.locator("#action-head")).to_have_text(re.compile("Solved"))
    person.shoot(f"puzzle-solved-{name}")
    page.get_by_role("link", name="Next puzzle").click()
    expect(page.locator(".lesson-task")).to_be_visible()
    person.go("/games/die/puzzles/")
    person.sees("You have solved 1 of")

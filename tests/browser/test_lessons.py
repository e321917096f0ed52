"""A lesson of each game: a wrong try, its answer, the solution and the way on."""

import re

import pytest
from playwright.sync_api import expect

from tests.sampling import rest_thorough

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

WALKS = {
    "die": (5, "b1", ["d5"]),
    "dice-is-health": (6, "done", ["monster-1"]),
    "grim-reaper": (6, "b4-c4", ["b4", "d3"]),
    "precary-ice": (1, "place +12.0 +0", []),
    "simple-life-or-death": (8, "defend 2H", ["KD"]),
}
"""By game the number of a lesson, a wrong move to type, and marks to click that solve it."""


def enter(person, text, *, is_phone=False):
    page = person.page
    if is_phone:
        page.locator(".match-open").click()
    page.locator('[data-tab="more"]').click()
    page.locator("#typed").fill(text)
    page.locator("#typed").press("Enter")
    page.locator("#confirm [data-confirm]").click()


def walk(person, slug, *, is_phone=False):
    number, wrong, marks = WALKS[slug]
    page = person.page
    person.go(f"/games/{slug}/lessons/")
    page.locator(".lesson-list li").nth(number - 1).get_by_role("link").click()
    task = page.locator(".lesson-task")
    expect(task).to_be_visible()
    enter(person, wrong, is_phone=is_phone)
    expect(page.locator("#action-head")).to_have_text("Not quite")
    person.shoot(f"lesson-{slug}-wrong-{'phone' if is_phone else 'wide'}")
    page.get_by_role("link", name="Try again").click()
    expect(page.locator("#action-head")).to_have_text("Your turn")
    expect(page.locator("#news")).to_have_text(task.inner_text())
    for mark in marks:
        page.locator(f'#match-board [data-mark="{mark}"]').first.click()
    if marks:
        page.locator("#confirm [data-confirm]").click()
    else:
        page.locator('[data-tab="more"]').click()
        page.locator("#typed").fill("place 0")
        page.get_by_role("button", name="Release").click()
    expect(page.locator("#action-head")).to_have_text(re.compile("Solved"))
    person.shoot(f"lesson-{slug}-right-{'phone' if is_phone else 'wide'}")
    page.locator(".lesson-ways .btn-turn").click()
    expect(page).to_have_url(re.compile(f"/lessons/{number + 1}/$"))
    person.go(f"/games/{slug}/lessons/")
    expect(page.locator(".lesson-list li").nth(number - 1)).to_contain_text("Solved")


@pytest.mark.parametrize("slug", rest_thorough(WALKS))
def test_somebody_tries_a_wrong_move_and_then_solves_a_lesson(people, slug):
    walk(people(""), slug)


def test_a_lesson_on_a_phone(people):
    walk(people("", size=(390, 664), touch=True), "die", is_phone=True)


def test_a_click_that_leads_nowhere_is_answered_by_the_lesson(people):
    person = people("")
    person.go("/games/die/lessons/2/")
    person.page.locator('#match-board [data-mark="b2"]').click()
    expect(person.page.locator(".action-why")).to_contain_text("While a cell touches none")
    person.page.get_by_text("Hint").click()
    person.sees("The cells with a dot touch no red stone.")

"""A whole match between two people: by clicking, without script, by keyboard alone."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.people import start, start_by_hand

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

END = re.compile(r"^You (won|lost): (you|Red|Blue) ha(ve|s) no stones left$")


BEGUN = 14
"""An even number of moves, after which a match of the smallest size soon ends."""


def is_over(person):
    return person.page.locator("#action-head").filter(has_text=END).count() > 0


def play_out(first, second, make_move, most=80):
    """Let two play by turns until one has won; return how many moves that took."""
    mover, other = first, second
    for version in range(1, most):
        mover.waits_for_turn()
        make_move(mover)
        mover.sees_version(version)
        other.sees_version(version)
        if is_over(mover):
            expect(other.page.locator("#action-head")).to_have_text(END)
            return version
        mover, other = other, mover
    raise AssertionError("the match does not end")


@pytest.mark.steps
def test_two_people_join_play_by_clicking_and_step_through_the_record(people, fresh_name):
    ada, bruno = people(fresh_name("ada")), people(fresh_name("bruno"))
    for person in (ada, bruno):
        person.register()
    path = start_by_hand(ada, bruno)
    loads = []
    for person in (ada, bruno):
        person.page.on("load", lambda page: loads.append(page.url))

    def by_click(person):
        person.click(person.legal[0])
        expect(person.page.locator(".match-board-preview")).to_be_visible()
        person.confirm()

    moves = play_out(ada, bruno, by_click)
    assert loads == []

    ada.page.get_by_role("link", name="Review").click()
    ada.page.get_by_role("link", name="Step through").click()
    page = ada.page
    count = page.locator(".stepper-count")
    expect(count).to_have_text(f"0 of {moves}")
    page.get_by_role("link", name="Forward").click()
    expect(count).to_have_text(f"1 of {moves}")
    page.keyboard.press("End")
    expect(count).to_have_text(f"{moves} of {moves}")
    page.keyboard.press("ArrowLeft")
    expect(count).to_have_text(f"{moves - 1} of {moves}")
    assert page.url.endswith(f"{path}{moves - 1}/")
    expect(page.locator(".log-link[aria-current]")).to_have_attribute("data-n", str(moves - 1))
    page.reload()
    expect(count).to_have_text(f"{moves - 1} of {moves}")


@pytest.fixture
def plain(people):
    """Two whose browsers run no scripts."""
    return people("sample-ada", script=False), people("sample-clara", script=False)


def test_without_script_a_match_begins(plain):
    play_by_reloading(*plain, start_by_hand(*plain), most=2)


@pytest.mark.thorough
def test_without_script_a_match_ends(plain):
    ada, _ = plain
    moves = play_by_reloading(*plain, start(*plain, moves=[""] * BEGUN), begun=BEGUN)
    assert is_over(ada)
    ada.page.get_by_role("link", name="Review").click()
    ada.page.get_by_role("link", name="Step through").click()
    for number in (1, 2):
        ada.page.get_by_role("link", name="Forward").click()
        expect(ada.page.locator(".stepper-count")).to_have_text(f"{number} of {moves}")


def play_by_reloading(mover, other, path, *, begun=0, most=80):
    """Play by turns, each reloading the page; return the number of moves.

    They stop when the match has ended or has so many moves.
    """
    for version in range(begun, most):
        mover.go(path)
        if is_over(mover):
            other.go(path)
            return version
        choose_plainly(mover, by_list=version % 2 == 0)
        mover.sees("not played yet")
        mover.confirm()
        mover.sees_version(version + 1)
        mover, other = other, mover
    return most


def choose_plainly(person, *, by_list):
    """Choose a move without script: on the board, from the list, or among a few side by side."""
    few = person.page.locator(".action-few a")
    if not by_list:
        person.click(person.legal[0])
    elif few.count():
        few.first.click()
    else:
        person.page.locator("#choices").select_option(index=1)
        person.page.locator("[data-entry=list] button").click()


@pytest.mark.thorough
def test_by_keyboard_alone(people):
    bruno, daniel = people("sample-bruno"), people("sample-daniel")
    path = start_by_hand(bruno, daniel)
    bruno.go(path)

    def by_keys(person):
        page = person.page
        page.keyboard.press("ArrowDown")
        for _ in range(40):
            if page.locator("a.mark:focus").count():
                break
            page.keyboard.press("ArrowRight")
            if not page.locator("a.mark:focus").count():
                page.keyboard.press("ArrowDown")
        else:
            page.keyboard.press("m")
            page.keyboard.type(person.legal[0])
        page.keyboard.press("Enter")
        expect(page.locator("[data-confirm]")).to_be_focused()
        page.keyboard.press("Enter")

    play_out(bruno, daniel, by_keys)


def test_escape_undoes_and_typing_completes(people):
    ada, daniel = people("sample-ada"), people("sample-daniel")
    start(ada, daniel)
    page = ada.page
    page.keyboard.press("ArrowDown")
    mark = page.locator(".mark:focus").get_attribute("data-mark")
    page.keyboard.press("Enter")
    expect(page.locator("[data-confirm]")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#action-head")).to_have_text("Your turn")
    expect(page.locator(f'.mark[data-mark="{mark}"]')).to_be_focused()
    page.keyboard.press("m")
    page.keyboard.type("c")
    expect(page.locator("#typed")).to_have_value("c")
    expect(page.locator("#completions")).to_contain_text("c3")
    expect(page.locator(".mark-near")).to_have_count(5)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#action-head")).to_have_text("Place a stone on c2?")
    page.keyboard.press("Escape")
    page.locator("#typed").fill("zz")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("is no cell")
    expect(page.locator("#typed")).to_have_value("zz")
    assert ada.version == 0

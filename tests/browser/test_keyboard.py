"""The bar and the drawers of a match walked by keyboard alone, and looked at by axe."""

import random

import pytest
from playwright.sync_api import expect

from games.kernel import registry
from tests.browser import test_layout
from tests.browser.people import in_turn, start, start_game
from tests.browser.test_pages import examine
from tests.sampling import rest_thorough

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

LOOKS = {
    "wide": {"size": (1280, 800)},
    "phone": {"size": (390, 664), "touch": True},
}
MOST_TABS = 60
MOST_STOPS = 150


@pytest.fixture
def ada(request, people):
    """Somebody to move in a fresh match, at a screen of some size."""
    ada, bruno = people("sample-ada", **LOOKS[request.param]), people("sample-bruno")
    start(ada, bruno)
    ada.waits_for_turn()
    return ada


def focused(person):
    return person.page.locator(":focus")


def tab_to(person, locator):
    """Press Tab until the focus is there; every stop on the way can be seen."""
    for _ in range(MOST_TABS):
        person.page.keyboard.press("Tab")
        if locator.evaluate("element => element === document.activeElement"):
            return
    raise AssertionError(f"Tab does not come to {locator}")


def press(person, *keys):
    for key in keys:
        person.page.keyboard.press(key)


@pytest.mark.parametrize("ada", rest_thorough(["wide", "phone"]), indirect=True)
def test_a_move_is_entered_undone_and_confirmed_by_keyboard(ada):
    heading = ada.page.locator("#action-head")
    board = ada.page.locator("#match-board a.mark")
    tab_to(ada, board.and_(ada.page.locator("[tabindex='0']")))
    press(ada, "ArrowRight", "Enter")
    expect(heading).to_contain_text("Place a stone on")
    expect(focused(ada)).to_have_text("Confirm")
    press(ada, "Shift+Tab")
    expect(focused(ada)).to_have_text("Undo")
    press(ada, "Enter")
    expect(heading).to_have_text("Your turn")
    press(ada, "b", "Enter")
    expect(heading).to_contain_text("Place a stone on")
    press(ada, "Escape")
    expect(heading).to_have_text("Your turn")
    expect(focused(ada)).to_have_attribute("data-mark", "e2")
    press(ada, "Enter")
    expect(focused(ada)).to_have_text("Confirm")
    press(ada, "Enter")
    ada.sees_version(1)
    expect(focused(ada)).to_have_attribute("data-mark", "e2")


@pytest.mark.parametrize("ada", ["wide"], indirect=True)
def test_the_outline_of_the_mark_with_the_focus_is_above_all_others(ada):
    press(ada, "b", "ArrowRight", "ArrowDown")
    ring = ada.page.locator("#match-board .focus-ring")
    expect(ring).to_have_count(1)
    assert ring.evaluate("ring => ring.matches(':last-child')")
    mark = ada.page.locator("#match-board .mark:focus")
    lies, around = mark.bounding_box(), ring.bounding_box()
    for side, size in (("x", "width"), ("y", "height")):
        middle = lies[side] + lies[size] / 2
        assert abs(around[side] + around[size] / 2 - middle) < around[size] / 5
    press(ada, "m")
    expect(ring).to_have_count(0)


@pytest.mark.parametrize("ada", ["wide"], indirect=True)
def test_the_list_of_the_board_follows_what_is_entered(ada):
    ada.open_drawer()
    listed = ada.page.locator("#match-text .board-list")
    listed.locator("summary").click()
    items = listed.locator("li")
    expect(items.filter(has_text="c3, empty")).to_have_count(1)
    ada.click("c3")
    expect(ada.page.locator("#action-head")).to_contain_text("Place a stone on c3")
    expect(items.filter(has_text="c3, red stone")).to_have_count(1)
    expect(items.filter(has_text="c3, empty")).to_have_count(0)
    expect(items).to_have_count(ada.page.locator("#match-board .mark").count())


@pytest.mark.parametrize("ada", ["phone"], indirect=True)
def test_the_drawer_of_a_phone_gives_the_focus_back(ada):
    drawers, opener = ada.page.locator("#drawers"), ada.page.locator(".match-open")
    for close in (["Escape"], ["Shift+Tab", "Enter"]):
        opener.focus()
        press(ada, "Enter")
        expect(drawers).to_be_visible()
        expect(focused(ada)).to_have_text("More")
        press(ada, "ArrowLeft")
        expect(focused(ada)).to_have_text("Notes")
        press(ada, "ArrowLeft")
        expect(focused(ada)).to_have_text("Rules")
        expect(ada.page.locator("#drawer-rules")).to_contain_text("stone")
        press(ada, "ArrowRight", "ArrowRight", "Tab")
        assert drawers.evaluate("box => box.contains(document.activeElement)")
        press(ada, "Shift+Tab")
        expect(focused(ada)).to_have_text("More")
        press(ada, *close)
        expect(drawers).to_be_hidden()
        expect(opener).to_be_focused()


@pytest.mark.parametrize("ada", ["phone"], indirect=True)
def test_every_stop_of_the_drawer_is_seen(ada):
    ada.page.locator(".match-open").focus()
    press(ada, "Enter")
    seen = []
    for _ in range(MOST_TABS):
        box = focused(ada).bounding_box()
        if not ada.page.evaluate(
            "document.getElementById('drawers').contains(document.activeElement)"
        ):
            break
        seen.append(focused(ada).evaluate("element => element.textContent.trim() || element.id"))
        assert 0 <= box["y"] < 664, seen
        press(ada, "Tab")
    assert {"More", "typed", "Resign"} <= set(seen)


@pytest.mark.parametrize("ada", ["wide"], indirect=True)
def test_the_tabs_of_a_desktop_are_walked_by_arrows(ada):
    log, rules = (ada.page.get_by_role("tab", name=name, exact=True) for name in ("Log", "Rules"))
    tab_to(ada, log)
    press(ada, "ArrowRight", "ArrowRight")
    expect(rules).to_be_focused()
    expect(ada.page.locator("#drawer-rules")).to_contain_text("stone")
    expect(ada.page.locator("#drawer-log")).to_be_hidden()
    press(ada, "ArrowRight", "ArrowRight", "ArrowRight")
    expect(log).to_be_focused()
    expect(ada.page.locator("#drawer-log")).to_be_visible()


WANTED = """() => {
  const controls = "a[href], button, summary, input:not([type=hidden]), select";
  const places = `#match-entry :is(${controls}), #drawers [role=tab], .match-open`;
  return [...document.querySelectorAll(places)].filter((one) => {
    const group = one.type === "radio" ? [...document.getElementsByName(one.name)] : [];
    const entrance = group.find(({ checked }) => checked) ?? group[0] ?? one;
    return one.checkVisibility() && one.tabIndex >= 0 && entrance === one && !one.disabled;
  });
}"""
"""What of the bar and the drawers takes the focus."""

STOP = """() => {
  const { top, bottom } = document.activeElement.getBoundingClientRect();
  document.activeElement.dataset.stop = top < innerHeight && bottom > 0 ? "seen" : "unseen";
  return document.activeElement === document.body;
}"""
"""Note where the focus has come to, and whether that is in sight; say when it leaves the page."""

MISSED = f"""() => ({WANTED})().filter((one) => one.dataset.stop !== "seen")
  .map((one) => [one.dataset.stop, one.outerHTML.slice(0, 120)])"""


def mover_in(people, slug, look):
    """The player to move in a fresh match of a game."""
    pair = [people(f"sample-{name}", **LOOKS[look]) for name in ("ada", "bruno")]
    start_game(*pair, slug)
    return in_turn(pair)[0]


@pytest.mark.parametrize("look", rest_thorough(["wide", "phone"]))
@pytest.mark.parametrize("slug", rest_thorough(registry.titles()))
def test_tab_comes_to_all_of_the_bar_and_the_drawers(people, slug, look):
    mover = mover_in(people, slug, look)

    def walk():
        for _ in range(MOST_STOPS):
            press(mover, "Tab")
            if mover.page.evaluate(STOP):
                break
        assert mover.page.evaluate(f"({WANTED})().length") > 0
        assert mover.page.evaluate(MISSED) == []

    walk()
    test_layout.choose(mover, random.Random(slug))
    mover.page.reload()
    walk()


@pytest.mark.parametrize("look", rest_thorough(LOOKS))
@pytest.mark.parametrize("slug", rest_thorough(registry.titles()))
def test_bar_and_drawers_keep_nobody_out(people, slug, look):
    mover = mover_in(people, slug, look)
    mover.page.emulate_media(reduced_motion="reduce")  # no colour is looked at while it changes
    test_layout.choose(mover, random.Random(slug))
    expect(mover.page.locator("[data-confirm]")).to_be_visible()
    examine(mover, f"bar-{slug}", look)
    for name in ("log", "rules", "more"):
        if look != "wide":
            mover.open_drawer()
        tab = mover.page.locator(f"#tab-{name}")
        if tab.is_visible():
            tab.click()
            examine(mover, f"drawer-{name}-{slug}", look)


def test_what_is_asked_next_is_announced(people):
    person = people("")
    person.go("/games/grim-reaper/board/")
    news = person.page.locator("#news")
    person.page.locator('#match-board [data-mark="c3"]').focus()
    press(person, "Enter")
    expect(news).to_have_text("Male or female? How many turns?")
    press(person, "Escape")
    expect(news).to_have_text("Choose a square for a new piece.")

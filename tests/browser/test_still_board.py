"""The board is whole, large and still: the window decides its box, and a turn moves nothing."""

import random

import pytest
from playwright.sync_api import expect

from games.kernel import registry
from tests.browser.people import in_turn, start_game
from tests.browser.test_layout import SETTLED, fill
from tests.sampling import rest_thorough

pytestmark = [pytest.mark.browser, pytest.mark.steps, pytest.mark.xdist_group("browser")]

WIDE, LOW, PHONE = (1280, 800), (1366, 650), (390, 664)

LEAST = {WIDE: 680, LOW: 540}
"""The least length of the long side of a board without its panel."""

STEPS = 12
"""So many steps of a turn are looked at."""

PLACES = """() => {
  const picture = document.querySelector("#match-board .board-scroll > svg");
  const { a, d, e, f } = picture.getScreenCTM();
  const cells = [...picture.querySelectorAll(".mark:not([data-movable], [data-layer])")];
  const controls = [...document.querySelectorAll("#match-entry, .seat, .match-top")];
  const at = (element) => {
    const { left, top, bottom } = element.getBoundingClientRect();
    return [left, element.id === "match-entry" ? bottom : top];
  };
  const named = cells.map((cell) => [`cell ${cell.dataset.mark}`, at(cell)]);
  const placed = controls.map((one, number) => [one.id || `part ${number}`, at(one)]);
  return Object.fromEntries([
    ["picture", [a, d, e, f]],
    ...named,
    ...placed,
  ]);
}"""
"""Where the picture, each cell and each part of the page are; the action area grows upwards."""

CUT = """() => {
  const [area, said, bar] = ["", ">.action-said", ">.action-bar"].map((part) =>
    document.querySelector(`#match-entry${part}`));
  const { bottom, right } = said.getBoundingClientRect();
  const buttons = bar?.checkVisibility() ? bar.getBoundingClientRect() : null;
  const end = buttons && buttons.left < right ? buttons.top : Infinity;
  return bottom > Math.min(end, area.getBoundingClientRect().bottom) + 1 ? said.innerText : "";
}"""
"""What is asked, if the lower end of the action area or buttons below hide a part of it."""

SIZE = """() => {
  const picture = document.querySelector("#match-board .board-scroll > svg");
  const { width, height } = picture.viewBox.baseVal;
  const { a, d } = picture.getScreenCTM();
  const frame = picture.parentElement;
  return [Math.abs(a) * width, Math.abs(d) * height, frame.clientWidth, frame.clientHeight];
}"""


def places(person):
    person.page.evaluate(SETTLED)
    return person.page.evaluate(PLACES)


def moved(before, after):
    """The names of what has moved by more than half a pixel."""
    both = before.keys() & after.keys()
    return {
        name
        for name in both
        if any(abs(old - new) > 0.5 for old, new in zip(before[name], after[name], strict=True))
    }


def sizes_of(person):
    """Check that the board is as large as promised in every window."""
    for window in (WIDE, LOW, PHONE):
        person.page.set_viewport_size({"width": window[0], "height": window[1]})
        person.page.evaluate(SETTLED)
        wide, high, room, deep = person.page.evaluate(SIZE)
        assert wide <= room + 1, window
        assert high <= deep + 1, window
        if window in LEAST:
            assert max(wide, high) >= LEAST[window], (window, person.page.url)
        else:
            assert wide >= room - 1 or high >= deep - 1, (window, person.page.url)


def mover_of(people, slug, size, *, touch):
    """Begin a match; return who is to move, and the other."""
    pair = [people(f"sample-{name}", size=size, touch=touch) for name in ("ada", "bruno")]
    start_game(*pair, slug)
    return in_turn(pair)


def step(page, chance):
    """Go a step in entering a move; return whether there was one."""
    if page.locator(".hand-panel").count():
        page.locator(".hand-row .btn").first.click()
        return True
    if page.locator("#match-entry [data-entry=row]").count():
        fill(page)
        return True
    links = page.locator("#match-board a.mark:not(.mark-aside), #match-entry a[data-onward]")
    if not links.count():
        return False
    links.nth(chance.randrange(links.count())).dispatch_event("click")
    expect(page.locator("#match[aria-busy=true]")).to_have_count(0)
    return True


def nothing_moves(people, slug, size, *, touch):
    """Check that no cell and no control moves while a move is entered and drawers are opened.

    What is asked is read whole at each step.
    """
    person, _ = mover_of(people, slug, size, touch=touch)
    page, chance = person.page, random.Random(slug)
    first = places(person)
    assert not page.evaluate(CUT)
    for _ in range(STEPS):
        if page.locator("[data-confirm]").count() or not step(page, chance):
            break
        assert not moved(first, places(person)), page.url
        assert not page.evaluate(CUT)
    tabs = "[data-drawer=more]:visible, [data-tab]:visible"
    for at in range(page.locator(tabs).count()):
        page.locator(tabs).nth(at).click()
        assert not moved(first, places(person))
    if touch:
        page.locator(".drawer-close").click()
        assert not moved(first, places(person))


@pytest.mark.parametrize("slug", registry.titles())
def test_nothing_moves_in_a_turn_on_a_phone(people, slug):
    nothing_moves(people, slug, PHONE, touch=True)


@pytest.mark.parametrize("slug", rest_thorough(registry.titles()))
def test_nothing_moves_in_a_turn_in_a_wide_window(people, slug):
    nothing_moves(people, slug, WIDE, touch=False)


@pytest.mark.parametrize("slug", rest_thorough(registry.titles()))
def test_an_offer_moves_nothing(people, slug):
    person, other = mover_of(people, slug, WIDE, touch=False)
    first = places(person)
    other.open_drawer()
    other.page.locator("#match-actions").get_by_role("link", name="Offer a pause").click()
    other.press("Offer a pause")
    person.page.locator("#match-offer").wait_for()
    assert not moved(first, places(person))
    person.press("Decline")
    person.page.locator("#match-offer").wait_for(state="detached")
    assert not moved(first, places(person))


@pytest.mark.parametrize("slug", rest_thorough(registry.titles(), often=2))
def test_the_board_is_whole_and_large_from_the_opening_to_the_record(people, slug):
    person, other = mover_of(people, slug, WIDE, touch=False)
    path = person.page.url
    sizes_of(person)
    step(person.page, random.Random(slug))
    sizes_of(person)
    other.open_drawer()
    other.page.locator("#match-actions").get_by_role("link", name="Resign").click()
    other.press("Resign")
    other.page.locator(".action-result").wait_for()
    person.go(path)
    person.page.locator(".action-result").wait_for()
    sizes_of(person)
    person.go(f"{path}0/")
    sizes_of(person)

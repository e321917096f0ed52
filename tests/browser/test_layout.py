"""The page of a match in the window: what the next move needs stands there without scrolling.

On a phone what needs more room than the action area has opens over the lower part of the board:
that does not move for it.
"""

import itertools
import random

import pytest
from playwright.sync_api import expect

from games.kernel import registry
from tests.browser.people import in_turn, start_game
from tests.sampling import rest_thorough

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

WINDOWS = ((390, 664), (740, 360), (640, 400), (1280, 800))
"""A phone, the same on its side, a desktop enlarged to 200 %, a desktop."""

NEAR = 24
"""What begins within so many pixels of height stands in one row."""

TURNS = (1, 4)
"""Numbers of turns of each player that are entered at random, and looked at step by step."""

PLACES = """() => {
  const ends = (element) => {
    const { top, bottom, left, right } = element.getBoundingClientRect();
    return { top, bottom, left, right };
  };
  const box = (name) => ends(document.querySelector(name));
  const picture = document.querySelector("#match-board .board-scroll > svg");
  const { y, height } = picture.viewBox.baseVal;
  const { d, f } = picture.getScreenCTM();
  const area = document.getElementById("match-entry");
  const buttons = "[data-undo], [data-undo-all], [data-confirm]";
  return {
    wide: document.documentElement.scrollWidth,
    scrolled: scrollY,
    seats: box("#match-players"),
    board: box("#match-board .board-scroll"),
    drawn: f + d * (y + height),
    bar: box("#match-entry"),
    isSheet: area.clientHeight > parseFloat(getComputedStyle(area).minHeight),
    asked: box("#action-head"),
    buttons: [...document.querySelectorAll(buttons)].map(ends),
    cut: [...document.querySelectorAll(".seat-tally > span")].some(
      ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1,
    ),
    covered: [...document.querySelectorAll("#match-board a.mark")].some((one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect();
      return area.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
    }),
    overlong: document.documentElement.scrollHeight,
  };
}"""


SETTLED = """() => new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)));
})"""
"""Wait until a page has drawn itself for a new size of the window."""


def check(person):
    """Check where everything is, in every window."""
    for width, height in reversed(WINDOWS):
        person.page.set_viewport_size({"width": width, "height": height})
        person.page.evaluate(SETTLED)
        assert not misplaced(person, width, height), (person.page.url, width, height)


def misplaced(person, width, height):
    """What is not where it should be."""
    found = person.page.evaluate(PLACES)
    board, bar = found["board"], found["bar"]
    beside = bar["left"] >= board["right"] - 1
    wrong = {
        "the page is wider than the window": found["wide"] > width,
        "the page has scrolled": found["scrolled"] > 0,
        "the page has a pixel too many": found["overlong"] == height + 1,
        "a tap on the board hits the bar beside it": beside and found["covered"],
        "the players are out of sight": found["seats"]["bottom"] > height,
        "the bar ends below the window": bar["bottom"] > height + 1,
        "what is asked is out of sight": found["asked"]["bottom"] > height + 1,
        "the bar covers the board": (
            not beside and not found["isSheet"] and found["drawn"] > bar["top"] + 2
        ),
        "the board ends below the window": beside and board["bottom"] > height + 1,
        "the board is too small": board["bottom"] - board["top"] < 180,
        "a number of a player has its label cut": found["cut"],
        "a button is out of sight": any(one["bottom"] > height + 1 for one in found["buttons"]),
    }
    return [what for what, is_so in wrong.items() if is_so]


@pytest.mark.parametrize("turns", rest_thorough(TURNS))
@pytest.mark.parametrize("slug", rest_thorough(registry.titles()))
def test_the_next_move_needs_no_scrolling(people, slug, turns):
    chance = random.Random(slug)
    pair = [people(f"sample-{name}", size=WINDOWS[0], touch=True) for name in ("ada", "bruno")]
    path = start_game(*pair, slug)
    for _ in range(turns):
        for person in pair:
            person.go(path)
            check(person)
            if person.page.locator("#match-entry.action-turn").count():
                enter(person, chance)


SIDES = """() => {
  const named =
    ".action-back, .action-confirm, .match-back, .match-open, [data-undo], [data-undo-all]";
  const shown = [...document.querySelectorAll(named)].filter((one) => one.checkVisibility());
  return Object.fromEntries(shown.map((one) => {
    const { left, right, top } = one.getBoundingClientRect();
    return [one.className + Object.keys(one.dataset), [left, right, top]];
  }));
}"""
"""Where the parts of the bar and the head stand that the left hand has on the other side."""


@pytest.mark.parametrize("slug", rest_thorough(registry.titles()))
def test_the_left_hand_has_the_bar_mirrored(people, slug):
    pair = [people(f"sample-{name}", size=WINDOWS[0], touch=True) for name in ("ada", "bruno")]
    start_game(*pair, slug)
    mover, _ = in_turn(pair)
    choose(mover, random.Random(slug))
    for width, height in WINDOWS:
        mover.page.set_viewport_size({"width": width, "height": height})
        right = sides(mover, "")
        left = sides(mover, "left")
        assert not misplaced(mover, width, height), (mover.page.url, width, height)
        assert left.keys() == right.keys()
        assert "action-confirm" in right
        pairs = [
            (one, other)
            for one, other in itertools.combinations(right, 2)
            if beside(right[one], right[other]) and beside(left[one], left[other])
        ]
        assert pairs
        for one, other in pairs:
            is_before = right[one][0] < right[other][0]
            assert is_before != (left[one][0] < left[other][0]), (width, one, other)


def beside(one, other):
    """Whether two things stand in one row."""
    return abs(one[2] - other[2]) < NEAR and (one[1] <= other[0] + 1 or other[1] <= one[0] + 1)


def sides(person, hand):
    """Where things stand for a hand."""
    person.page.evaluate("hand => { document.documentElement.dataset.hand = hand; }", hand)
    person.page.evaluate(SETTLED)
    return person.page.evaluate(SIDES)


ANSWER = "#match-entry .action-answers [data-change] button"
"""A move that takes one click, such as a forced pass."""


def choose(person, chance, look=lambda: None):
    """Enter a move step by step by what the page links to; ``look`` is called after each step."""
    page = person.page
    steps = "#match-board a.mark:not(.mark-aside), #match-entry a[data-onward]"
    while not page.locator("[data-confirm]").count():
        if page.locator("[data-entry=row]").count():
            fill(page)
        else:
            addresses = [link.get_attribute("href") for link in page.locator(steps).all()]
            person.go(chance.choice(addresses))
        look()


def enter(person, chance):
    """Enter a move and play it."""
    version = person.version + 1
    answers = person.page.locator(ANSWER)
    if answers.count():
        answers.first.click()
    else:
        choose(person, chance, lambda: check(person))
        person.confirm()
    person.sees_version(version)


FILL = """(form) => {
  for (const { name } of form.querySelectorAll("[type=radio]")) {
    form.querySelector(`[name="${name}"]`).checked = true;
  }
  form.requestSubmit();
}"""
"""Choose the first of everything, and send it."""


def fill(page):
    """Send the form for numbers as it stands; a game may put its own controls in its place."""
    form = page.locator("[data-entry=row]").first
    form.evaluate(FILL)
    expect(page.locator("[data-confirm]")).to_be_visible()

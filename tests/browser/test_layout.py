"""The page of a match in the window: what the next move needs stands there without scrolling."""

import random

import pytest
from playwright.sync_api import expect

from games.kernel import registry

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

WINDOWS = ((390, 664), (740, 360), (640, 400), (1280, 800))
"""A phone, the same on its side, a desktop enlarged to 200 %, a desktop."""

TURNS = 4
"""So many turns of each player are entered at random, and looked at step by step."""

PLACES = """() => {
  const ends = (element) => {
    const { top, bottom, left, right } = element.getBoundingClientRect();
    return { top, bottom, left, right };
  };
  const box = (name) => ends(document.querySelector(name));
  const buttons = "[data-undo], [data-undo-all], [data-confirm]";
  return {
    wide: document.documentElement.scrollWidth,
    scrolled: scrollY,
    seats: box("#match-players"),
    board: box("#match-board .board-scroll"),
    bar: box("#match-entry"),
    asked: box("#ask-head"),
    buttons: [...document.querySelectorAll(buttons)].map(ends),
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
        "the players are out of sight": found["seats"]["bottom"] > height,
        "the bar ends below the window": bar["bottom"] > height + 1,
        "what is asked is out of sight": found["asked"]["bottom"] > height + 1,
        "the bar covers the board": not beside and board["bottom"] > bar["top"] + 2,
        "the board ends below the window": beside and board["bottom"] > height + 1,
        "the board is too small": board["bottom"] - board["top"] < 180,
        "a button is out of sight": any(one["bottom"] > height + 1 for one in found["buttons"]),
    }
    return [what for what, is_so in wrong.items() if is_so]


def start(host, guest, slug):
    """Begin a match of a game; return its path."""
    host.go(f"/games/{slug}/challenge/")
    host.page.locator("[name=audience][value=named]").check()
    host.page.locator("[name=players]").fill(guest.name)
    host.press("Send the challenge")
    host.page.wait_for_url("**/challenges/*/")
    return guest.accept(host.page.url.removeprefix(host.site.url))


@pytest.mark.parametrize("slug", registry.titles())
def test_the_next_move_needs_no_scrolling(people, slug):
    chance = random.Random(slug)
    pair = [people(f"sample-{name}", size=WINDOWS[0], touch=True) for name in ("ada", "bruno")]
    path = start(*pair, slug)
    for _ in range(TURNS):
        for person in pair:
            person.go(path)
            check(person)
            if person.page.locator("#match-entry.ask-turn").count():
                enter(person, chance)


def enter(person, chance):
    """Enter a move step by step by what the page links to, and play it."""
    page = person.page
    confirm = page.locator("[data-confirm]")
    steps = "#match-board a.mark:not(.mark-aside), #match-entry a[data-onward]"
    while not confirm.count():
        if page.locator("[data-entry=row] [type=number]").count():
            fill(page)
        else:
            addresses = [link.get_attribute("href") for link in page.locator(steps).all()]
            person.go(chance.choice(addresses))
        check(person)
    version = person.version + 1
    confirm.click()
    person.sees_version(version)


def fill(page):
    """Send the form for numbers as it stands; a game may put its own controls in its place."""
    form = page.locator("[data-entry=row]").first
    for choice in form.locator("[type=radio]").all()[:1]:
        choice.check()
    form.evaluate("form => form.requestSubmit()")
    expect(page.locator("[data-confirm]")).to_be_visible()

"""A match of Precary-Ice on two telephones: pieces are dragged by finger, let go, and watched."""

import re

import pytest
from playwright.sync_api import expect

from games.kernel.trace import unpack
from tests.browser.people import start_game

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

TELEPHONE = (360, 740)
ASIDE = 24
"""Millimetres from the axis at which a piece is brought in."""

CALM = 2.5
"""Pixels for which a finger moves a piece by a millimetre, where the board is smaller than that."""

FINE = 30
"""Pixels for which a finger moves a piece by the first millimetre."""


ROUND = {"rounds": 1, "pace": "free"}
"""The parameters of a match of one round at everybody's own speed."""


@pytest.fixture
def pair(people):
    """Two at a fresh match of one round, both to build."""
    red, orange = (
        people(name, size=TELEPHONE, touch=True) for name in ("sample-ada", "sample-clara")
    )
    start_game(red, orange, "precary-ice", **ROUND)
    return red, orange


def board(person):
    return person.page.locator("#match-board")


def sheet(person, colour):
    return person.page.locator(f'#match-board [aria-label^="{colour}’s sheet"]').last


def middle_of(person, part):
    box = person.page.locator(part).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(person, part, along):
    """Put a finger on a part of the board and move it so many pixels to the right."""
    person.page.locator(part).scroll_into_view_if_needed()
    x, y = middle_of(person, part)
    finger = person.page.context.new_cdp_session(person.page)
    for kind, at in (("Start", 0), *(("Move", along * step / 8) for step in range(1, 9))):
        point = {"x": x + at, "y": y}
        finger.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": [point]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def millimetre(person):
    """The pixels for which a finger moves the piece by a millimetre."""
    tower = person.page.locator(".tower:has(.hand)")
    return max(CALM, tower.evaluate("tower => tower.getScreenCTM().a"))


def holds(person, at, tilt):
    """The typed move says that the piece is held so many mm aside, tilted by so many degrees."""
    expect(person.page.locator("#typed")).to_have_value(f"place {at} {tilt}")


OUTCOMES = """
() => {
  globalThis.outcomes = [];
  const visible = (part) => part && getComputedStyle(part).visibility === "visible";
  const look = () => {
    const isFilm = document.querySelector("svg.film");
    const caption = document.querySelector(".board-caption");
    const result = document.querySelector(".board-result");
    if (isFilm && result && Number(getComputedStyle(result).opacity) > 0) {
      outcomes.push(["too early", result.textContent]);
    }
    if (isFilm && visible(caption)) {
      const { classList } = document.getElementById("match");
      outcomes.push([classList.contains("landed") ? "rest" : "fall", caption.textContent]);
    }
    requestAnimationFrame(look);
  };
  look();
}
"""
"""Notes in each frame of a film the caption, if it can be read, and whether all is at rest; and
the result of the match, which is to be told after the film."""


def release(person, other):
    """Release the piece, without a confirmation; both players watch it land or fall.

    The caption gives the outcome once it has been seen. The buttons beside the board stay where
    they are.
    """
    version = person.version + 1
    for each in (person, other):
        each.page.evaluate(OUTCOMES)
    person.press("Release")
    for each in (person, other):
        each.sees_version(version)
        expect(board(each).locator("svg.film")).to_be_visible()
        expect(each.page.locator("#ask-head")).to_be_hidden()
        assert board(each).locator(".board-scroll > svg:visible").count() == 1
    for each in (person, other):
        expect(board(each).locator(".board-stage")).to_have_count(0)
        expect(each.page.locator("#ask-head")).to_be_visible()
        told = each.page.evaluate("outcomes")
        assert told
        assert all(where == "rest" and "tower" in words for where, words in told), told
        assert each.page.locator(".tower-tools").count() == 1


def test_a_short_match_by_dragging_one_falls_and_the_record_shows_the_fall(pair):
    red, orange = pair
    sees_one_tower_alone_or_all(red)
    hang_over_the_tower(red)
    release(red, orange)
    for person in pair:
        expect(sheet(person, "Red")).to_have_attribute(
            "aria-label", re.compile(r"points; crossed off 6$")
        )
    drop_beside_the_tower(orange, red)
    expect(board(red).locator('[data-mark="tower-1"]').last).to_have_attribute(
        "aria-label", re.compile("Orange’s tower has fallen: 4 pieces")
    )
    assert red.page.locator(".hand").count() == 1
    drop_beside_the_tower(red, orange)
    for person in pair:
        expect(person.page.locator("#ask-head")).to_contain_text(re.compile("^You (won|lost): "))
    see_the_fall_again(orange)


def sees_one_tower_alone_or_all(person):
    """My tower is shown with its sheet, and not the other, unless all are asked for."""
    person.waits_for_turn()
    other = board(person).locator('.tower[data-seat="1"], .before[data-seat="1"]')
    for button, count in (("All towers", 2), ("My tower", 0)):
        person.press(button)
        expect(other.filter(visible=True)).to_have_count(count)
        expect(sheet(person, "Red")).to_be_visible()


def hang_over_the_tower(person):
    """Drag the piece over the middle of the tower; tilt it and hold it upright again."""
    person.waits_for_turn()
    button = person.page.get_by_role("button", name="Release")
    expect(button).to_have_attribute("aria-disabled", "true")
    button.dispatch_event("click")
    person.sees("Aim first")
    drag(person, ".hand-piece > use", -FINE - (ASIDE - 1) * millimetre(person))
    holds(person, "+0.0", "+0")
    drag(person, ".hand-grip", -50)
    holds(person, "+0.0", "+10")
    drag(person, ".hand-grip", 50)
    holds(person, "+0.0", "+0")
    drag(person, ".hand-piece > use", -6)
    holds(person, "-0.2", "+0")
    person.page.locator("[data-nudge=at1]").tap()
    holds(person, "-0.1", "+0")
    person.page.locator("[data-nudge=tilt1]").tap()
    holds(person, "-0.1", "-1")


def drop_beside_the_tower(person, other):
    drag(person, ".hand-piece > use", FINE + millimetre(person))
    holds(person, f"+{ASIDE + 2:.1f}", "+0")
    release(person, other)


def see_the_fall_again(person):
    """The record: the second placement is shown as it came about, on the way and once more."""
    page = person.page
    page.get_by_role("link", name="Review").tap()
    page.get_by_role("link", name="Step through").tap()
    page.get_by_role("link", name="Last").tap()
    page.locator('.log-link[data-n="0"]').tap()
    expect(page.locator(".stepper-count")).to_contain_text("0 of")
    expect(page.locator("svg.film")).to_have_count(0)
    see_the_total_written(page)
    page.get_by_role("link", name="Forward").tap()
    expect(page.locator("svg.film")).to_be_visible()
    expect(page.locator("svg.film")).to_have_count(0)
    expect(page.locator(".stepper-said")).to_contain_text("The tower falls")
    watch_it_fall(person)
    shows_no_motion_to_who_wants_none(page)
    ends_where_it_is_stored(page)


def see_the_total_written(page):
    """While the piece falls into place the pen writes; a tap ends the film."""
    page.get_by_role("link", name="Forward").tap()
    written = page.locator('.stage-panel:not(.film-waits) [data-seat="0"] .due > *')
    expect(written.nth(0)).to_have_attribute("visibility", "visible")
    expect(written.nth(1)).to_have_attribute("visibility", "visible")
    page.locator("svg.film").dispatch_event("click")
    assert page.locator("svg.film").count() == 0
    expect(page.locator(".stepper-said")).to_be_visible()


HEIGHTS = """
() => {
  globalThis.heights = [];
  const look = () => {
    const piece = document.querySelector('svg.film [data-seat="1"] .pieces > use:nth-child(4)');
    if (piece) {
      heights.push(Number(piece.getAttribute("transform").split(/[ )]/)[1]));
    }
    requestAnimationFrame(look);
  };
  look();
}
"""


def watch_it_fall(person):
    """Watch the placement again: its piece comes from above, and sinks by a centimetre at least."""
    page = person.page
    page.evaluate(HEIGHTS)
    person.press("Watch again")
    expect(page.locator("svg.film")).to_be_visible()
    expect(page.locator("svg.film")).to_have_count(0)
    heights = page.evaluate("heights")
    assert len(heights) > 10
    assert heights[0] - heights[-1] > 10


def shows_no_motion_to_who_wants_none(page):
    page.emulate_media(reduced_motion="reduce")
    page.get_by_role("link", name="Back").tap()
    expect(page.locator(".stepper-count")).to_contain_text("1 of")
    page.get_by_role("link", name="Forward").tap()
    expect(page.locator(".stepper-count")).to_contain_text("2 of")
    assert page.locator("svg.film").count() == 0


def ends_where_it_is_stored(page):
    """The last frame of the trace is what the drawing of the position shows."""
    path = re.sub(r"\d+/$", "", page.url)
    trace = page.request.get(f"{path}2/trace.json").json()
    log = page.request.get(f"{path}export.json").json()["log"]
    (heap,) = (event["pieces"] for event in log[1]["events"] if event["type"] == "fall")
    frames = unpack(trace)
    assert len(frames) > 10
    for body, (_, *place) in zip(frames[-1], heap, strict=True):
        assert body == pytest.approx(place, abs=0.02)


IN_THE_HAND = """() => {
  const ends = (part) => document.querySelector(part).getBoundingClientRect();
  const piece = ends(".hand-piece > use");
  return [piece.bottom, piece.top, ends("#match-board .board-scroll").top];
}"""
"""Where a piece that is held ends below, and where it and the board begin."""


def test_a_piece_is_seen_above_the_finger_that_holds_it(pair):
    red, _ = pair
    red.waits_for_turn()
    x, y = middle_of(red, ".hand-piece > use")
    finger = red.page.context.new_cdp_session(red.page)
    finger.send(
        "Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]}
    )
    below, top, board_top = red.page.evaluate(IN_THE_HAND)
    assert below <= y - 12
    assert top >= board_top - 1
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert red.page.evaluate(IN_THE_HAND)[0] > y


def test_an_arrow_that_is_held_repeats_until_it_is_let_go(pair):
    red, _ = pair
    red.waits_for_turn()
    arrow = red.page.locator("[data-nudge=at-1]")
    typed = red.page.locator("#typed")
    arrow.dispatch_event("pointerdown", {"button": 0})
    expect(typed).to_have_value(re.compile(r"^place \+(2[0-2]\.\d|23\.[0-5]) \+0$"))
    arrow.dispatch_event("pointerup")
    stopped = typed.input_value()
    red.page.wait_for_timeout(300)
    assert typed.input_value() == stopped


def test_without_script_two_numbers_are_filled_in(people):
    red, orange = (people(name, script=False) for name in ("sample-ada", "sample-clara"))
    start_game(red, orange, "precary-ice", **ROUND)
    page = orange.page
    page.locator(".ask-few a").filter(has_text="Place the").click()
    for number, told in (("-0.3", "left of the axis, upright?"), ("1", "tilted 1° to the left?")):
        page.locator("[data-entry=row] [type=number]").fill(number)
        page.locator("[data-entry=row] button").click()
        expect(page.locator("#ask-head")).to_contain_text(told)
    expect(page.locator("#match-board .held")).to_be_visible()
    orange.confirm()
    expect(page.locator(".log-move").first).to_have_text("place -0.3 +1")

"""A match of Precary-Ice on two telephones: pieces are dragged by finger, let go, and watched."""

import re

import pytest
from playwright.sync_api import expect

from games.kernel.trace import unpack
from tests.browser.people import start_game
from tests.sampling import rest_thorough

pytestmark = [pytest.mark.browser, pytest.mark.steps, pytest.mark.xdist_group("browser")]

TELEPHONE = (360, 740)
LOW = (390, 664)
"""A telephone whose browser shows its bars."""

ASIDE = 24
"""Millimetres from the axis at which a piece is brought in."""


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


class Finger:
    """A finger on the page of somebody."""

    def __init__(self, person):
        self.session = person.page.context.new_cdp_session(person.page)

    def touch(self, kind, *points):
        points = [{"x": x, "y": y} for x, y in points]
        touches = {"type": f"touch{kind}", "touchPoints": points}
        self.session.send("Input.dispatchTouchEvent", touches)

    def slide(self, x, y, along, down=0):
        """Put the finger down and move it by so many pixels, without lifting it."""
        self.touch("Start", (x, y))
        for step in range(1, 9):
            self.touch("Move", (x + along * step / 8, y + down * step / 8))

    def lift(self):
        self.touch("End")

    def tap(self, x, y):
        self.touch("Start", (x, y))
        self.lift()


def drag(person, part, along):
    """Put a finger on a part of the board and move it so many pixels to the right."""
    person.page.locator(part).scroll_into_view_if_needed()
    finger = Finger(person)
    finger.slide(*middle_of(person, part), along)
    finger.lift()


def millimetre(person):
    """The pixels that a millimetre is drawn as."""
    tower = person.page.locator(".tower:has(.hand)")
    return tower.evaluate("tower => tower.getScreenCTM().a")


def axis_of(person):
    """Where the axis of the tower with the hand is, and a height above its table."""
    tower = person.page.locator(".tower:has(.hand)")
    return tower.evaluate(
        "tower => { const { d, e, f } = tower.getScreenCTM(); return [e, f + 30 * d]; }"
    )


def is_in_sight(locator):
    """Whether all of an element can be seen and nothing lies over its middle."""
    return locator.evaluate(
        """part => {
          const { left, top, right, bottom } = part.getBoundingClientRect();
          const found = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
          const isWithin = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
          return isWithin && (part.contains(found) || found?.contains(part));
        }"""
    )


def holds(person, at, tilt):
    """The typed move says that the piece is held so many mm aside, tilted by so many degrees."""
    expect(person.page.locator("#typed")).to_have_value(f"place {at} {tilt}")


def is_clear_of(tools, shown):
    """Whether tools don't lie over what is on their left; both are on one line."""
    box = shown.bounding_box()
    return box["x"] + box["width"] <= tools.bounding_box()["x"] + 1


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
    if (isFilm && !visible(document.querySelector(".seat-tallies"))) {
      outcomes.push(["no counts", ""]);
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
"""Notes in each frame of a film the caption, if it can be read, and whether all is at rest; the
result of the match, which is to be told after the film; and whether the strips count nothing."""


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
        expect(each.page.locator("#action-head")).to_be_hidden()
        expect(each.page.locator(".steps-note")).to_have_text("Showing what happenedSkip")
        assert board(each).locator(".board-scroll > svg:visible").count() == 1
    for each in (person, other):
        expect(board(each).locator(".board-stage")).to_have_count(0)
        expect(each.page.locator("#action-head")).to_be_visible()
        told = each.page.evaluate("outcomes")
        assert told
        assert all(where == "rest" and "tower" in words for where, words in told), told
        assert each.page.locator(".tower-tools").count() == 1


@pytest.mark.thorough
def test_one_button_on_a_desktop_shows_the_opponents_placement_again(people):
    pair = [people(f"sample-{name}") for name in ("ada", "clara")]
    start_game(*pair, "precary-ice", moves=["place +0.0 +0"], **ROUND)
    mover, opponent = pair
    for person, shown, other in (
        (opponent, "Replay", "Watch again"),
        (mover, "Watch again", "Replay"),
    ):
        expect(person.page.get_by_role("button", name=shown)).to_be_visible()
        expect(person.page.get_by_role("button", name=other)).to_be_hidden()
        # the strips name the players; the heading names them for screen readers alone
        expect(person.page.locator("h1")).to_have_text(re.compile("Precary-Ice · vs"))


@pytest.mark.thorough
def test_a_click_on_the_piece_aims_it_and_all_towers_keep_their_scale(people):
    """The first click on the piece or its knob aims it; a later one leaves it as it was aimed."""
    pair = [people(f"sample-{name}") for name in ("ada", "clara")]
    start_game(*pair, "precary-ice", moves=["place +30.0 +0"], **ROUND)
    builder = pair[1]
    builder.press("All towers")
    shown = [board(person).locator(".board-scroll > svg") for person in pair]
    assert shown[0].get_attribute("viewBox") == shown[1].get_attribute("viewBox")
    piece = board(builder).locator(".hand-piece > use")
    builder.page.mouse.click(*middle_of(builder, ".hand-piece > use"))
    holds(builder, f"+{ASIDE:.1f}", "+0")
    expect(builder.page.get_by_role("button", name="Release")).to_be_enabled()
    column = board(builder).locator('[data-mark="tower-1"]')
    axis, y = axis_of(builder)
    builder.page.mouse.click(axis, y)
    holds(builder, "+0.0", "+0")
    builder.page.mouse.move(axis - 20 * millimetre(builder), y)
    assert column.evaluate("column => column.matches(':hover')")
    plain = column.evaluate("column => getComputedStyle(column.parentElement).fill")
    expect(column).to_have_css("fill", plain)
    box = piece.bounding_box()
    builder.page.mouse.click(box["x"] + box["width"] / 3, box["y"] + box["height"] - 3)
    holds(builder, "+0.0", "+0")


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
        expect(person.page.locator("#action-head")).to_contain_text(re.compile("^You (won|lost): "))
        assert is_in_sight(person.page.get_by_role("button", name="Watch again"))
        assert is_in_sight(board(person).locator(".board-scroll > svg"))
    watch_it_fall(red, seat=0)
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
    drag(person, ".hand-piece > use", -ASIDE * millimetre(person))
    holds(person, "+0.0", "+0")
    drag(person, ".hand-grip", -50)
    holds(person, "+0.0", "+10")
    drag(person, ".hand-grip", 50)
    holds(person, "+0.0", "+0")
    drag(person, ".hand-piece > use", -0.6 * millimetre(person))
    holds(person, "-0.6", "+0")
    person.page.locator("[data-nudge=at1]").tap()
    holds(person, "-0.1", "+0")
    person.sees("Moved 0.5 mm to the right.")
    person.page.locator("[data-nudge=tilt1]").tap()
    holds(person, "-0.1", "-1")
    person.sees("Tilted 1° to the right.")


def drop_beside_the_tower(person, other):
    """A piece that can only miss is asked about before it is dropped."""
    drag(person, ".hand-piece > use", 2 * millimetre(person))
    holds(person, f"+{ASIDE + 2:.1f}", "+0")
    version = person.version
    person.press("Release")
    person.sees("is not over your tower")
    assert person.version == version
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
    expect(page.locator(".stepper-said")).to_contain_text("tower falls")
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
(seat) => {
  globalThis.heights = [];
  const look = () => {
    const pieces = document.querySelectorAll(`svg.film [data-seat="${seat}"] .pieces > use`);
    const piece = [...pieces].at(-1);
    if (piece) {
      heights.push(Number(piece.getAttribute("transform").split(/[ )]/)[1]));
    }
    requestAnimationFrame(look);
  };
  look();
}
"""


def watch_it_fall(person, seat=1):
    """Watch the placement again: its piece comes from above, and sinks by a centimetre at least."""
    page = person.page
    page.evaluate(HEIGHTS, seat)
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


@pytest.mark.thorough
def test_a_piece_is_seen_above_the_finger_that_holds_it(pair):
    red, _ = pair
    red.waits_for_turn()
    x, y = middle_of(red, ".hand-piece > use")
    finger = Finger(red)
    finger.touch("Start", (x, y))
    below, top, board_top = red.page.evaluate(IN_THE_HAND)
    assert below <= y - 12
    assert top >= board_top - 1
    finger.lift()
    assert red.page.evaluate(IN_THE_HAND)[0] > y


def test_a_piece_follows_the_finger_pixel_by_pixel(pair):
    """Up and down as well, and where the finger lets go it stays."""
    red, _ = pair
    red.waits_for_turn()
    finger = Finger(red)
    x, y = middle_of(red, ".hand-piece > use")
    scale = millimetre(red)
    finger.slide(x, y, -70, down=-12)
    holds(red, f"{ASIDE - 70 / scale:+.1f}", "+0")
    assert middle_of(red, ".hand-piece > use")[0] == pytest.approx(x - 70, abs=0.5)
    finger.touch("Move", (x - 40, y + 50))
    holds(red, f"{ASIDE - 40 / scale:+.1f}", "+0")
    assert middle_of(red, ".hand-piece > use")[0] == pytest.approx(x - 40, abs=0.5)
    finger.lift()
    assert middle_of(red, ".hand-piece > use") == pytest.approx((x - 40, y), abs=0.5)


@pytest.mark.thorough
def test_a_tap_brings_the_piece_above_the_finger(pair):
    """No further than it may be held; and then an arrow moves it by a step that one can see."""
    red, _ = pair
    red.waits_for_turn()
    finger = Finger(red)
    axis, y = axis_of(red)
    far = 7 * millimetre(red)
    finger.tap(axis + far, y)
    holds(red, "+7.0", "+0")
    assert middle_of(red, ".hand-piece > use")[0] == pytest.approx(axis + far, abs=0.5)
    red.sees("It lands about here when you release it.")
    red.page.locator("[data-nudge=at-1]").tap()
    holds(red, "+6.5", "+0")
    seen = middle_of(red, ".hand-piece > use")[0]
    assert seen == pytest.approx(axis + far * 6.5 / 7, abs=0.3)
    assert axis + far - seen > 1
    finger.tap(axis + 40 * millimetre(red), y)
    holds(red, "+30.0", "+0")


@pytest.mark.thorough
def test_the_line_of_the_log_says_what_was_placed_and_its_outcome(pair):
    red, orange = pair
    red.waits_for_turn()
    Finger(red).tap(*axis_of(red))
    release(red, orange)
    for person, who, whose in ((red, "You place", "Your"), (orange, "Red places", "Red’s")):
        newest = person.page.locator("#match-newest")
        outcome = rf"{who} a \w+(: \d+ points\.|\. {whose} tower falls)"
        expect(newest).to_contain_text(re.compile(outcome))
        assert is_in_sight(newest)


@pytest.mark.parametrize("size", rest_thorough([LOW, (360, 640), (740, 340)]), ids=str)
def test_all_towers_with_both_sheets_and_the_way_back_are_in_sight(people, size):
    names = ("sample-ada", "sample-clara")
    pair = [people(name, size=size, touch=True) for name in names]
    start_game(*pair, "precary-ice", **ROUND)
    page = pair[0].page
    pair[0].waits_for_turn()
    assert is_in_sight(sheet(pair[0], "Red"))
    assert is_clear_of(page.locator(".tower-tools"), sheet(pair[0], "Red"))
    page.get_by_role("button", name="All towers").tap()
    for colour in ("Red", "Orange"):
        assert is_in_sight(sheet(pair[0], colour))
        assert is_clear_of(page.locator(".tower-tools"), sheet(pair[0], colour))
    back = page.get_by_role("button", name="My tower")
    assert is_in_sight(back)
    axis, y = axis_of(pair[0])
    Finger(pair[0]).tap(axis - 5 * millimetre(pair[0]), y)
    holds(pair[0], "-5.0", "+0")
    other = middle_of(pair[0], '.before[data-seat="1"]')[0]
    Finger(pair[0]).tap(other, y)
    holds(pair[0], "-5.0", "+0")
    back.tap()
    expect(page.locator('.before[data-seat="1"]')).to_be_hidden()
    holds(pair[0], "-5.0", "+0")


@pytest.mark.thorough
def test_an_arrow_that_is_held_repeats_evenly_until_it_is_let_go(pair):
    red, _ = pair
    red.waits_for_turn()
    page = red.page
    page.clock.install(time=0)
    page.clock.pause_at(1_000)
    finger = Finger(red)
    finger.touch("Start", middle_of(red, "[data-nudge=at-1]"))
    holds(red, "+23.5", "+0")
    page.clock.run_for(350)
    holds(red, "+23.0", "+0")
    for steps in range(1, 6):
        page.clock.run_for(80)
        holds(red, f"+{23 - steps / 2:.1f}", "+0")
    red.sees("Moved 3.5 mm to the left.")
    finger.lift()
    page.clock.run_for(1_000)
    holds(red, "+20.5", "+0")


@pytest.mark.thorough
def test_by_keys_the_next_turn_in_a_row_begins_with_the_hand(people):
    red, orange = (people(name) for name in ("sample-ada", "sample-clara"))
    start_game(red, orange, "precary-ice", **ROUND)
    hand = red.page.locator("#match-board .hand")
    hand.focus()
    for _ in range(2):
        expect(hand).to_be_focused()
        for _step in range(24):
            hand.press("Shift+ArrowLeft")
        holds(red, "+0.0", "+0")
        version = red.version
        red.page.locator(".hand-panel .btn-turn").focus()
        red.page.keyboard.press("Enter")
        red.sees_version(version + 1)
        expect(red.page.locator("#match-board svg.film")).to_have_count(0)
    expect(hand).to_be_focused()


@pytest.mark.thorough
def test_without_script_two_numbers_are_filled_in(people):
    red, orange = (people(name, script=False) for name in ("sample-ada", "sample-clara"))
    start_game(red, orange, "precary-ice", **ROUND)
    page = orange.page
    page.locator(".action-few a").filter(has_text="Place the").click()
    for number, told in (("-0.3", "left of the axis, upright?"), ("1", "tilted 1° to the left?")):
        page.locator("[data-entry=row] [type=number]").fill(number)
        page.locator("[data-entry=row] button").click()
        expect(page.locator("#action-head")).to_contain_text(told)
    expect(page.locator("#match-board .held")).to_be_visible()
    orange.confirm()
    expect(page.locator(".log-move").first).to_have_text("place -0.3 +1")

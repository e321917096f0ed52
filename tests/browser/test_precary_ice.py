"""A match of Precary-Ice on two telephones: pieces are dragged by finger, let go, and watched."""

import re

import pytest
from playwright.sync_api import expect

from games.kernel.trace import unpack

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

TELEPHONE = (360, 740)
PLACED = re.compile(r"place ([+-][\d.]+) ([+-]\d+)")


def challenge(host, guest):
    """Challenge somebody to one round at everybody's own speed; return the path."""
    page = host.page
    host.go("/games/precary-ice/challenge/")
    page.locator("[name=param-rounds]").fill("1")
    page.locator("[name=param-pace][value=free]").check()
    page.locator("[name=audience][value=named]").check()
    page.locator("[name=players]").fill(guest.name)
    page.locator("[name=seating][value=first]").check()
    host.press("Send the challenge")
    page.wait_for_url(re.compile(r"/challenges/\d+/$"))
    return page.url.removeprefix(host.site.url)


@pytest.fixture
def pair(people):
    """Two at a fresh match of one round, both to build."""
    red, orange = (
        people(name, size=TELEPHONE, touch=True) for name in ("sample-ada", "sample-clara")
    )
    orange.accept(challenge(red, orange))
    red.page.goto(orange.page.url)
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
    x, y = middle_of(person, part)
    finger = person.page.context.new_cdp_session(person.page)
    for kind, at in (("Start", 0), *(("Move", along * step / 8) for step in range(1, 9))):
        point = {"x": x + at, "y": y}
        finger.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": [point]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def held(person):
    """Where the piece is held: millimetres and degrees, as the fields say."""
    fields = (person.page.locator(name) for name in ("#hand-at", "#hand-tilt"))
    return tuple(float(field.input_value()) for field in fields)


def release(person, other):
    """Let go of the piece; both watch what comes of it."""
    person.press("Release")
    expect(person.page.locator("#ask-head")).to_have_text(re.compile(r"^Play place .*\?$"))
    version = person.version + 1
    # Chromium drops a tap on what has just been scrolled to, so the confirmation is clicked.
    person.confirm()
    for each in (person, other):
        each.sees_version(version)
        expect(board(each).locator("svg.film")).to_be_visible()
        assert board(each).locator("svg:visible").count() == 1
    for each in (person, other):
        expect(board(each).locator("svg.film")).to_have_count(0)
        expect(board(each)).not_to_have_attribute("aria-busy", "true")


def test_a_short_match_by_dragging_one_falls_and_the_record_shows_the_fall(pair):
    red, orange = pair
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
        expect(person.page.locator("#ask-head")).to_have_text("sample-ada won")
    see_the_fall_again(orange)


def hang_over_the_tower(person):
    """Drag the piece over the middle of the tower; tilt it and hold it upright again."""
    person.waits_for_turn()
    button = person.page.get_by_role("button", name="Release")
    expect(button).to_have_attribute("aria-disabled", "true")
    x, _ = middle_of(person, '.tower[data-seat="0"] .pieces')
    drag(person, ".hand-piece > use", x - middle_of(person, ".hand-piece > use")[0])
    at, tilt = held(person)
    assert (abs(at) < 1, tilt) == (True, 0)
    drag(person, ".hand-grip", -50)
    assert held(person) == (at, 10)
    drag(person, ".hand-grip", 50)
    assert held(person) == (at, 0)
    person.page.locator("#hand-at").fill("-0.2")
    assert PLACED.fullmatch(person.page.locator("#typed").input_value()).groups() == ("-0.2", "+0")


def drop_beside_the_tower(person, other):
    drag(person, ".hand-piece > use", 12)
    assert held(person)[0] > 20
    release(person, other)


def see_the_fall_again(person):
    """The record: the second placement is shown as it came about, on the way and once more."""
    page = person.page
    page.get_by_role("link", name="Step through it").tap()
    page.get_by_role("link", name="Last").tap()
    page.locator('.log-link[data-n="1"]').tap()
    expect(page.locator(".stepper-count")).to_contain_text("1 of")
    expect(page.locator("svg.film")).to_have_count(0)
    page.get_by_role("link", name="Forward").tap()
    expect(page.locator("svg.film")).to_be_visible()
    expect(page.locator("svg.film")).to_have_count(0)
    expect(page.locator(".stepper-said")).to_contain_text("Orange’s tower falls")
    watch_it_fall(person)
    shows_no_motion_to_who_wants_none(page)
    ends_where_it_is_stored(page)


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


def test_without_script_two_numbers_are_filled_in(people):
    red, orange = (people(name, script=False) for name in ("sample-ada", "sample-clara"))
    orange.accept(challenge(red, orange))
    page = orange.page
    page.locator(".ask-few a").filter(has_text="Place the").click()
    for number, move in (("-0.3", "place -0.3 +0"), ("1", "place -0.3 +1")):
        page.locator("[data-entry=row] [type=number]").fill(number)
        page.locator("[data-entry=row] button").click()
        expect(page.locator("#ask-head")).to_have_text(f"Play {move}?")
    expect(page.locator("#match-board .held")).to_be_visible()
    orange.confirm()
    expect(page.locator(".log-move").first).to_have_text("place -0.3 +1")

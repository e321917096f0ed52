"""What hands do on a board beside choosing, and what tells them of the turn."""

import pytest
from playwright.sync_api import expect

from tests.browser.people import in_turn, start, start_game
from tests.browser.test_steps import Connection

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

PHONE = {"size": (390, 664), "touch": True}
DESKTOP = (1280, 800)

SIGNALLED = """
window.signalled = [];
navigator.vibrate = (pulses) => { window.signalled.push("vibration"); return true; };
window.AudioContext = class {
  currentTime = 0;
  resume() {}
  createGain() {
    return { gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect() {} };
  }
  createOscillator() {
    const start = () => window.signalled.push("sound");
    return { frequency: {}, connect: (to) => to, start, stop() {} };
  }
};
"""


def mark(person, name):
    return person.page.locator(f'#match-board a[data-mark="{name}"]')


def requests(person):
    """The requests of a page for a part of the match, from now on."""
    found = []
    person.page.on("request", lambda one: "part=" in one.url and found.append(one.url))
    return found


def test_a_mouse_that_rests_shows_what_would_follow_and_the_click_asks_no_more(people):
    ada, bruno = people("sample-ada", size=DESKTOP), people("sample-bruno")
    start(ada, bruno)
    ada.waits_for_turn()
    ghost = ada.page.locator(".board-ghost")
    asked = requests(ada)
    mark(ada, "c3").hover()
    expect(ghost).to_be_visible()
    board = ada.page.locator("#match-board .board-scroll > svg").first.bounding_box()
    assert ghost.bounding_box() == pytest.approx(board, abs=1)
    assert len(asked) == 1
    expect(ada.page.locator("#action-head")).to_have_text("Your turn")
    ada.page.locator("#action-head").hover()
    expect(ghost).to_have_count(0)
    mark(ada, "c3").hover()
    expect(ghost).to_be_visible()
    mark(ada, "c3").click()
    expect(ada.page.locator("#action-head")).to_have_text("Place a stone on c3?")
    expect(ghost).to_have_count(0)
    assert len(asked) == 1
    ada.confirm()
    ada.sees_version(1)


def test_a_finger_asks_for_no_ghost(people):
    ada, bruno = people("sample-ada", **PHONE), people("sample-bruno")
    line = Connection(ada)
    start(ada, bruno)
    line.wait(lambda: line.is_live)
    mark(ada, "c3").tap()
    expect(ada.page.locator("#action-head")).to_have_text("Place a stone on c3?")
    assert len(line.steps) == 1
    assert line.requests == []


class Finger:
    """A finger on somebody's screen."""

    def __init__(self, person):
        self.device = person.context.new_cdp_session(person.page)

    def touch(self, x, y):
        self._send("touchStart", [{"x": x, "y": y}])

    def slide(self, x, y):
        self._send("touchMove", [{"x": x, "y": y}])

    def lift(self):
        self._send("touchEnd", [])

    def _send(self, kind, points):
        self.device.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def test_small_squares_are_enlarged_over_the_finger_which_chooses_as_it_lifts(people):
    pair = [people(f"sample-{name}", **PHONE) for name in ("ada", "bruno")]
    start_game(*pair, "simple-life-or-death")
    mover, _ = in_turn(pair)
    mover.page.locator('#match-board a.mark[data-mark^="stock-"]').first.tap()
    asked = mover.page.locator("#match-entry")
    expect(asked).to_contain_text("Choose a square for your")
    box = mark(mover, "d5").bounding_box()
    assert box["width"] < 40
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    finger, magnifier = Finger(mover), mover.page.locator(".board-magnifier")
    finger.touch(x, y)
    expect(magnifier).to_contain_text("d5")
    above = magnifier.bounding_box()
    assert above["y"] + above["height"] < y
    finger.slide(x, 20)
    expect(magnifier).to_contain_text("Lift to cancel")
    finger.lift()
    expect(magnifier).to_have_count(0)
    expect(asked).to_contain_text("Choose a square for your")
    finger.touch(x, y)
    expect(magnifier).to_contain_text("d5")
    finger.slide(x + box["width"], y)
    expect(magnifier).to_contain_text("e5")
    finger.lift()
    expect(mover.page.locator("#action-head")).to_contain_text("piece on e5?")
    expect(magnifier).to_have_count(0)


AT_THE_EDGE = """() => {
  const edge = document.querySelector(".board-edge[data-edge=bottom]").getBoundingClientRect().top;
  const marks = [...document.querySelectorAll("#match-board .board-scroll a.mark")];
  const middle = (mark) => {
    const { left, right, top, bottom } = mark.getBoundingClientRect();
    return [(left + right) / 2, (top + bottom) / 2];
  };
  const seen = marks.filter((mark) => {
    const [x, y] = middle(mark);
    return x > innerWidth / 2 && x < innerWidth - 4 && y < edge - 4;
  });
  const near = seen.reduce((low, mark) => (middle(mark)[1] > middle(low)[1] ? mark : low));
  return [near.dataset.mark, ...middle(near)];
}"""
"""The mark nearest to the lower edge of the frame, and its middle."""


def test_a_tap_at_the_edge_of_what_is_seen_hits_what_it_touches(people):
    pair = [people(f"sample-{name}", **PHONE) for name in ("ada", "bruno")]
    start_game(*pair, "simple-life-or-death")
    mover, _ = in_turn(pair)
    mover.page.locator('#match-board a.mark[data-mark^="stock-"]').first.tap()
    expect(mover.page.locator("#match-entry")).to_contain_text("Choose a square for your")
    for _ in range(3):
        mover.press("Zoom in")
    square, x, y = mover.page.evaluate(AT_THE_EDGE)
    mover.page.touchscreen.tap(x, y)
    expect(mover.page.locator("#action-head")).to_contain_text(f"piece on {square}?")


def test_sound_and_vibration_are_off_at_first_and_then_tell_of_the_turn(people):
    ada, bruno = people("sample-ada"), people("sample-bruno", **PHONE)
    bruno.context.add_init_script(SIGNALLED)
    path = start(ada, bruno)
    bruno.page.reload()

    def play(person):
        version = person.version + 1
        person.click(person.legal[0])
        person.confirm()
        for each in (ada, bruno):
            each.sees_version(version)

    play(ada)
    bruno.waits_for_turn()
    assert bruno.page.evaluate("signalled") == []
    bruno.open_drawer()
    bruno.page.get_by_text("Sound and vibration").tap()
    bruno.page.get_by_label("Play a sound").tap()
    bruno.page.get_by_label("Vibrate").tap()
    bruno.go(path)
    assert bruno.page.evaluate("signalled") == []
    play(bruno)
    play(ada)
    bruno.waits_for_turn()
    assert set(bruno.page.evaluate("signalled")) == {"sound", "vibration"}


def test_the_newest_line_of_the_log_stands_above_the_bar_and_opens_it(people):
    ada, bruno = people("sample-ada"), people("sample-bruno", **PHONE)
    start(ada, bruno)
    ada.click("c3")
    ada.confirm()
    newest = bruno.page.locator("#match-newest")
    expect(newest).to_have_text("Log: Red places a stone on c3.")
    box = newest.bounding_box()
    assert box["height"] >= 24
    assert box["y"] + box["height"] < bruno.page.locator("#action-head").bounding_box()["y"] + 1
    newest.tap()
    expect(bruno.page.locator("#match-log")).to_be_visible()
    expect(ada.page.locator("#match-newest")).to_be_hidden()
    ada.page.get_by_role("tab", name="Rules").click()
    expect(ada.page.locator("#match-newest")).to_be_visible()

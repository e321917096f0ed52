"""A board of 48 by 48 in a real browser: panned, zoomed, walked over, and the same after a swap."""

import pytest
from playwright.sync_api import expect

from tests.browser.people import PHONE, in_turn, start_game

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

SHOWN = """() => {
  const frame = document.querySelector(".board-view");
  const part = document.querySelector(".board-map-seen").getBoundingClientRect();
  return {
    wide: frame.querySelector("svg").getBoundingClientRect().width,
    left: frame.scrollLeft, top: frame.scrollTop, room: frame.clientWidth,
    part: part.width, page: scrollY,
  };
}"""


@pytest.fixture
def begin(people):
    """Begin on a wide board; return the first player: ``begin(shape=…, size=…, touch=…)``."""

    def _begin(shape=(48, 48), **how):
        pair = [people(name, **how) for name in ("sample-ada", "sample-clara")]
        width, height = shape
        start_game(*pair, "simple-life-or-death", width=width, height=height)
        person, _ = in_turn(pair)
        expect(person.page.locator(".board-view")).to_be_visible()
        return person

    return _begin


def shown(person):
    return person.page.evaluate(SHOWN)


def test_wheel_keys_buttons_and_map(begin):
    person = begin()
    page = person.page
    whole = shown(person)
    page.locator(".board-view").hover(position={"x": 200, "y": 150})
    page.mouse.wheel(0, -600)
    page.wait_for_function(f"() => ({SHOWN})().wide > {whole['wide']} * 1.5")
    near = shown(person)
    assert near["page"] == whole["page"], "the wheel has zoomed, not scrolled"
    assert near["part"] < whole["part"]

    page.mouse.down()
    page.mouse.move(150, page.viewport_size["height"] / 2, steps=4)
    page.mouse.up()
    assert shown(person)["left"] != near["left"]
    expect(page.locator("#confirm")).to_have_count(0)

    page.keyboard.press("0")
    assert shown(person)["wide"] == pytest.approx(whole["wide"])
    page.get_by_role("button", name="Zoom in").click()
    page.keyboard.press("+")
    page.get_by_role("button", name="Zoom in").click()
    before = shown(person)
    box = page.locator(".board-map").bounding_box()
    page.locator(".board-map").click(position={"x": box["width"] - 6, "y": 6})
    assert shown(person)["left"] > before["left"]
    assert shown(person)["top"] < before["top"]


def test_the_tab_key_comes_to_the_frame_and_arrows_pan_it(begin):
    person = begin()
    page = person.page
    for _ in range(5):
        page.keyboard.press("+")
    before, seen = shown(person), page.locator(".board-map-seen")
    place = seen.get_attribute("style")
    page.locator(".seats a").last.focus()
    page.keyboard.press("Tab")
    expect(page.get_by_role("region", name="Board")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(seen).not_to_have_attribute("style", place)
    assert shown(person)["top"] > before["top"]


def test_any_square_is_chosen_by_a_click_and_the_view_stays(begin):
    person = begin()
    page = person.page
    person.click(
        page.locator("#match-board [data-mark^=stock-][href]").first.get_attribute("data-mark")
    )
    expect(page.locator("a.mark[data-hidden]")).to_have_count(48 * 48)
    for _ in range(4):
        page.get_by_role("button", name="Zoom in").click()
    before = shown(person)
    person.click("x24")
    expect(page.locator("#action-head")).to_contain_text("x24")
    assert shown(person) == before
    person.confirm()
    person.sees_version(1)
    assert shown(person)["wide"] == before["wide"]
    expect(page.locator('#match-board [data-mark="x24"]')).to_be_in_viewport()


def test_the_mark_that_has_the_focus_stays_in_sight(begin):
    person = begin()
    page = person.page
    page.goto(f"{page.url}?word=place+S+")
    for _ in range(5):
        page.keyboard.press("+")
    page.locator('[data-mark="x24"]').focus()
    for _ in range(14):
        page.keyboard.press("ArrowLeft")
    focused = page.locator('[data-mark="j24"]')
    expect(focused).to_be_focused()
    frame, mark = page.locator(".board-view").bounding_box(), focused.bounding_box()
    assert frame["x"] <= mark["x"] <= frame["x"] + frame["width"] - mark["width"]


def test_on_a_telephone_the_whole_board_fits_and_is_zoomed_by_fingers(begin):
    person = begin(size=PHONE, touch=True)
    page = person.page
    whole = shown(person)
    assert whole["wide"] <= PHONE[0]
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    pinch(page)
    assert shown(person)["wide"] > whole["wide"] * 2
    for name in ("Zoom in", "Zoom out", "Whole board", "To the last move"):
        box = page.get_by_role("button", name=name).bounding_box()
        assert min(box["width"], box["height"]) >= 40


def test_a_finger_pans_the_board_and_chooses_nothing(begin):
    person = begin(size=PHONE, touch=True)
    page = person.page
    page.locator("#match-board [data-mark^=stock-][href]").first.tap()
    expect(page.locator("a.mark[data-hidden]")).to_have_count(48 * 48)
    for _ in range(4):
        page.get_by_role("button", name="Zoom in").tap()
    before = shown(person)
    page.clock.install()
    drag(page, -90, 0)
    page.wait_for_function(f"() => ({SHOWN})().left > {before['left'] + 40}")
    drag(page, 0, 90)
    page.wait_for_function(f"() => ({SHOWN})().top < {before['top'] - 40}")
    assert shown(person)["page"] == before["page"], "the board is dragged, not the page"
    expect(page.locator("#action-head")).to_have_text("Your turn")


def test_a_flat_board_has_room_on_a_telephone_and_keeps_its_coordinates_in_sight(begin):
    person = begin(shape=(42, 17), size=PHONE, touch=True)
    page = person.page
    frame = page.locator(".board-view").bounding_box()
    assert frame["height"] >= 280
    pinch(page)
    for left, top in ((0, 0), (300, 90), (2000, 2000)):
        page.evaluate(f"document.querySelector('.board-view').scrollTo({left}, {top})")
        rows, columns = (
            page.locator(f".board-edge[data-edge={edge}]").bounding_box()
            for edge in ("left", "bottom")
        )
        assert frame["x"] <= rows["x"] < frame["x"] + rows["width"]
        picture = page.locator(".board-view > svg").first.bounding_box()
        low = min(box["y"] + box["height"] for box in (frame, picture))
        assert -columns["height"] < columns["y"] + columns["height"] - low <= 1
        assert rows["y"] == pytest.approx(picture["y"])
        assert columns["x"] == pytest.approx(picture["x"])


def drag(page, right, down):
    """Move one finger over the board, while the page's clock stands still.

    However slowly it moves, it doesn't rest, which would open the magnifier.
    """
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 60)
    box = page.locator(".board-view").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    browser = page.context.new_cdp_session(page)

    def touch(kind, *points):
        browser.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", {"x": x, "y": y})
    for part in range(1, 11):
        touch("touchMove", {"x": x + right * part / 10, "y": y + down * part / 10})
        page.wait_for_timeout(20)
    touch("touchEnd")
    page.clock.resume()


def pinch(page):
    """Move two fingers on the board apart."""
    box = page.locator(".board-view").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + 60
    browser = page.context.new_cdp_session(page)

    def touch(kind, *places):
        points = [{"x": at, "y": y, "id": number} for number, at in enumerate(places)]
        browser.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", x - 20, x + 20)
    for apart in (30, 45, 60):
        touch("touchMove", x - apart, x + apart)
    touch("touchEnd")


def test_without_script_the_board_scrolls_and_squares_are_in_the_list(people, begin):
    address = begin().page.url
    for name in ("sample-ada", "sample-clara"):
        person = people(name, size=PHONE, script=False)
        person.page.goto(address)
        frame = person.page.locator(".board-scroll").bounding_box()
        board = person.page.locator(".board-scroll svg").bounding_box()
        assert board["width"] > frame["width"]
        person.page.goto(f"{address}?word=place+S+")
        if person.page.locator("#choices").count():
            person.page.locator("#choices").select_option(label="x24")
            person.page.locator("form:has(#choices) button").click()
            expect(person.page.locator("#action-head")).to_contain_text("on x24")

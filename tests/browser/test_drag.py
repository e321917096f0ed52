"""Pieces dragged to where they should go, by a mouse and by a finger."""

import pytest
from playwright.sync_api import expect

from tests.browser.people import in_turn, start_game

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

GAME = "simple-life-or-death"
STOCK = "#match-board a.mark[data-mark^=stock-]"
SQUARE = '#match-board a.mark[data-mark="d10"]'
CARRIED = ".board-carried"
STEPS = 8


@pytest.fixture
def mover(people):
    """The first player of a match of Simple Life or Death: ``mover(size=…, touch=…)``."""

    def _mover(**how):
        pair = [people(f"sample-{name}", **how) for name in ("ada", "bruno")]
        start_game(*pair, GAME)
        for person in pair:
            expect(person.page.locator("#action-head")).not_to_be_empty()
        return in_turn(pair)[0]

    return _mover


def middle(page, selector):
    box = page.locator(selector).first.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def on_the_way(begin, end):
    """Points from one to another, the end among them."""
    parts = [step / STEPS for step in range(1, STEPS + 1)]
    return [(begin[0] + (end[0] - begin[0]) * p, begin[1] + (end[1] - begin[1]) * p) for p in parts]


def finger(page):
    """A finger: ``touch(kind, *points)``."""
    browser = page.context.new_cdp_session(page)

    def touch(kind, *points):
        places = [{"x": x, "y": y} for x, y in points]
        browser.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})

    return touch


def test_a_mouse_drags_a_piece_from_the_stock_to_a_square(mover):
    page = mover(size=(1280, 900)).page
    page.mouse.move(*middle(page, STOCK))
    page.mouse.down()
    page.mouse.move(200, 200, steps=STEPS)
    expect(page.locator(CARRIED)).to_be_visible()
    page.mouse.move(*middle(page, SQUARE), steps=STEPS)
    page.mouse.up()
    expect(page.locator("#action-head")).to_contain_text("on d10")
    expect(page.locator("#confirm [data-confirm]")).to_be_visible()
    expect(page.locator(CARRIED)).to_have_count(0)


def test_a_finger_drags_a_piece_and_neither_board_nor_page_moves(mover):
    page = mover(size=(390, 664), touch=True).page
    touch, begin = finger(page), middle(page, STOCK)
    frame = page.locator(".board-scroll")
    touch("touchStart", begin)
    touch("touchMove", (begin[0], begin[1] - 20))
    touch("touchMove", (begin[0], begin[1] - 30))
    expect(page.locator(CARRIED)).to_be_visible()
    expect(page.locator(SQUARE)).to_be_visible()
    seen = frame.evaluate("frame => [frame.scrollLeft, frame.scrollTop, scrollY]")
    for point in on_the_way(begin, middle(page, SQUARE)):
        touch("touchMove", point)
    assert frame.evaluate("frame => [frame.scrollLeft, frame.scrollTop, scrollY]") == seen
    touch("touchEnd")
    expect(page.locator("#confirm [data-confirm]")).to_be_visible()


def test_what_is_dropped_beside_the_board_stays_chosen(mover):
    page = mover(size=(1280, 900)).page
    page.mouse.move(*middle(page, STOCK))
    page.mouse.down()
    page.mouse.move(*middle(page, "header"), steps=STEPS)
    page.mouse.up()
    expect(page.locator(CARRIED)).to_have_count(0)
    expect(page.locator("#match-board .mark[aria-current][data-mark^=stock-]")).to_have_count(1)
    expect(page.locator("#confirm")).to_have_count(0)
    page.locator(SQUARE).click()
    expect(page.locator("#action-head")).to_contain_text("on d10")

"""Pages around the matches on a phone: what to press is in sight, and nothing is cut off."""

import pytest

from games.kernel import registry
from tests.sampling import rest_thorough

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

PHONE = (390, 664)

COVERED = """(name) => {
  const button = document.querySelector(name).getBoundingClientRect();
  const fields = [...document.querySelectorAll("label, legend, input")];
  return fields.filter((one) => {
    const { top, bottom } = one.getBoundingClientRect();
    return top < button.bottom && bottom > button.top;
  }).map((one) => one.outerHTML);
}"""
"""The fields of which a button covers a part."""


@pytest.fixture
def visitor(people):
    return people(size=PHONE, touch=True)


@pytest.mark.parametrize("slug", rest_thorough(registry.titles(), often=2))
def test_the_button_that_starts_a_match_is_in_sight(visitor, slug):
    visitor.go(f"/play/?game={slug}")
    box = visitor.page.locator(".btn-large").bounding_box()
    assert 0 < box["y"] < box["y"] + box["height"] <= PHONE[1]
    assert visitor.page.evaluate(COVERED, ".form-play .btn-large") == []


IN_WINDOW = """(selector) => {
  const { left, right } = document.querySelector(selector).getBoundingClientRect();
  return left >= 0 && right <= innerWidth && left < right;
}"""


@pytest.mark.parametrize("path", ["/lobby/", "/players/sample-bruno/", "/events/"])
def test_menus_lie_in_the_window(people, path):
    reader = people("sample-ada", size=PHONE, touch=True)
    reader.go(path)
    for width, height in ((360, 740), PHONE, (740, 360)):
        reader.page.set_viewport_size({"width": width, "height": height})
        reader.page.locator("main [data-menu] summary").tap()
        reader.page.wait_for_function(IN_WINDOW, arg="main .menu-list")
        reader.page.locator("main [data-menu] summary").tap()


@pytest.mark.parametrize("slug", rest_thorough(registry.titles(), often=2))
def test_the_steps_of_a_record_are_in_sight_below_its_board(visitor, slug):
    path = visitor.site.begin("sample-ada", "sample-bruno", game=slug, moves=("",))
    visitor.go(f"{path}1/")
    steps = visitor.page.locator(".stepper-nav").bounding_box()
    assert steps["y"] + steps["height"] <= PHONE[1]
    board = visitor.page.locator("#match-board").bounding_box()
    assert board["y"] + board["height"] <= steps["y"] + 1


def test_the_chosen_game_comes_first_and_the_row_of_games_scrolls(visitor):
    visitor.go("/play/?game=simple-life-or-death")
    row = visitor.page.locator(".picks").evaluate("one => [one.scrollWidth, one.clientWidth]")
    assert row[0] > row[1]
    chosen = visitor.page.locator(".pick[aria-current]").bounding_box()
    assert chosen["x"] + chosen["width"] <= PHONE[0]


@pytest.mark.parametrize("slug", rest_thorough(registry.titles(), often=2))
def test_a_game_is_named_above_its_board_and_can_be_started_at_once(visitor, slug):
    visitor.go(f"/games/{slug}/")
    name = visitor.page.get_by_role("heading", level=1).bounding_box()
    board = visitor.page.locator(".game-head svg").first.bounding_box()
    start = visitor.page.get_by_role("link", name="Start a match").bounding_box()
    assert name["y"] + name["height"] <= board["y"]
    assert start["y"] + start["height"] <= PHONE[1]


def test_names_stay_in_sight_while_a_wide_table_scrolls(visitor):
    """A ladder with columns as of a tournament of many."""
    visitor.go("/games/die/ratings/?show=all")
    visitor.page.evaluate("""() => document.querySelector("main > .wrap").insertAdjacentHTML(
      "beforeend",
      `<div class="scroll"><table class="list list-named">
      <thead><tr><th>1</th><th><span>Spieler</span></th></tr></thead>
      <tbody><tr><td>1</td><th>ada</th>
      ${"<td>12345</td>".repeat(20)}</tr></tbody></table></div>`)""")
    scroll, head, name = (
        visitor.page.locator(f".scroll:last-child{part}") for part in ("", " span", " tbody th")
    )
    assert head.evaluate("one => one.getClientRects().length") == 1, "no letter in another line"
    scroll.evaluate("one => { one.scrollLeft = 300; }")
    assert name.bounding_box()["x"] == scroll.bounding_box()["x"]
    assert visitor.page.evaluate("document.documentElement.scrollWidth") == PHONE[0]

"""On a phone: titles are read whole, fingers have room, and drawers take the full height."""

import pytest
from playwright.sync_api import expect

from games.kernel import registry
from tests.browser.people import in_turn, start_game
from tests.sampling import rest_thorough

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

PHONE = (390, 664)
LONGEST_TITLE_FIRST = sorted(
    registry.titles(), key=lambda slug: len(registry.get(slug).meta.name), reverse=True
)
FINGER = 40
"""The least width and height of what a finger is to hit."""

CUT = """() => [...document.querySelectorAll("#match-head h1")]
  .filter((one) => one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.textContent)"""

SMALL = f"""() => [...document.querySelectorAll(
  "#match-entry :is(.btn, .action-pick label), .match-top > a, .board-panel .btn, " +
  "#drawers :is(.btn, .drawer-tabs a, summary, .log-link, .section-head a, .match-links a)")]
  .filter((one) => one.checkVisibility() && !one.matches(".visually-hidden"))
  .map((one) => [one.textContent.trim(), one.getBoundingClientRect()])
  .filter(([, {{ width, height }}]) => Math.min(width, height) < {FINGER} - 0.5)
  .map(([text, {{ width, height }}]) => [text, width, height])"""


def mover_of(people, slug):
    pair = [people(f"sample-{name}", size=PHONE, touch=True) for name in ("ada", "bruno")]
    start_game(*pair, slug)
    return in_turn(pair)


@pytest.mark.parametrize("slug", rest_thorough(LONGEST_TITLE_FIRST))
def test_titles_are_whole_and_drawers_full_until_the_end(people, slug):
    person, _ = mover_of(people, slug)
    page = person.page
    assert not page.evaluate(CUT)
    assert not page.evaluate(SMALL)
    person.open_drawer()
    for name in ("Log", "Rules", "More"):
        page.get_by_role("tab", name=name).tap()
        assert not page.evaluate(SMALL)
    page.locator("#match-actions").get_by_role("link", name="Resign").click()
    person.press("Resign")
    page.locator(".action-result").wait_for()
    assert not page.evaluate(CUT)
    person.open_drawer()
    box = page.locator("#drawers").bounding_box()
    assert (box["y"], box["y"] + box["height"]) == (FINGER, PHONE[1])


def test_who_is_placed_and_for_how_long_stand_beside_each_other(people):
    person, _ = mover_of(people, "grim-reaper")
    page = person.page
    page.locator('#match-board a.mark[data-mark="d4"]').dispatch_event("click")
    expect(page.locator("#match-entry .action-pick label")).to_have_count(12)
    assert not page.evaluate(SMALL)
    before = page.locator("#match-entry .action-pick").last.bounding_box()
    page.locator("#match-entry .action-pick label").first.tap()
    page.locator("#match-entry .action-pick label").last.tap()
    expect(page.locator("[data-confirm]")).to_be_visible()
    assert page.locator("#match-entry .action-pick").last.bounding_box() == before


def test_the_action_area_says_all_that_others_did_since_ones_own_move(people, site):
    moves = ("M4b2", "M4e5", "pass")
    path = site.begin("sample-ada", "sample-bruno", game="grim-reaper", moves=moves)
    person = people("sample-ada", size=PHONE, touch=True)
    person.go(path)
    newest = person.page.locator("#match-newest")
    expect(newest).to_be_visible()
    expect(newest).to_have_text("Log: Blue places a male with 4 life turns on e5.")


def test_the_form_of_a_piece_grows_upwards_and_a_bar_of_words_is_one_row(people, site):
    path = site.begin(
        "sample-ada",
        "sample-bruno",
        game="grim-reaper",
        moves=("M1b2", "M4e5", "pass", "pass", "M4a6"),
    )
    person = people("sample-ada", size=PHONE, touch=True)
    person.go(path)
    page, area = person.page, person.page.locator("#match-entry")
    page.locator('#match-board a.mark[data-mark="d4"]').dispatch_event("click")
    page.locator("#match-entry .action-pick label").first.wait_for()
    asked = area.bounding_box()
    expect(page.locator("#match-newest")).to_be_hidden()
    page.locator("#match-entry .action-pick label").first.tap()
    page.locator("#match-entry .action-pick label").last.tap()
    page.locator("[data-confirm]").wait_for()
    preview = area.bounding_box()
    assert preview["y"] + preview["height"] == asked["y"] + asked["height"]
    words = page.locator("#match-entry :is([data-undo], [data-undo-all], [data-confirm])")
    assert words.all_inner_texts() == ["Undo", "Start over", "Confirm"]
    assert len({one.bounding_box()["y"] for one in words.all()}) == 1


OUT_OF_SIGHT = """() => {
  const panel = document.querySelector(".board-panel").getBoundingClientRect();
  const isBeyond = ({ left, right, top, bottom }) =>
    top < panel.top || bottom > panel.bottom || left < panel.left || right > panel.right;
  return [...document.querySelectorAll(".board-panel .cards [data-mark], .board-panel a.mark")]
    .map((one) => [one.dataset.mark, one.getBoundingClientRect()])
    .filter(([, box]) => isBeyond(box))
    .map(([name, box]) => [name, box.toJSON(), panel.toJSON()]);
}"""

ROWS_OF_HAND = """() => new Set(
  [...document.querySelectorAll(".board-panel .cards [data-mark]")]
    .map((one) => one.getBoundingClientRect().top)).size"""

STOCKS = """() => [...document.querySelectorAll(".board-panel [data-mark^=stock-]")]
  .map((one) => one.getBoundingClientRect().toJSON())"""


def test_the_hand_is_whole_and_the_stocks_stay_where_they_are(people):
    """Three players: the stocks of two stand above the hand."""
    players = [f"sample-{name}" for name in ("ada", "bruno", "clara")]
    everybody = [people(name, size=PHONE, touch=True) for name in players]
    path = everybody[0].site.begin(*players, game="simple-life-or-death")
    for person in everybody:
        person.go(path)
        assert not person.page.evaluate(OUT_OF_SIGHT)
        assert person.page.evaluate(ROWS_OF_HAND) == 1
        own = person.page.locator(".seat-own").bounding_box()
        assert 0 <= own["x"] < own["x"] + own["width"] <= PHONE[0]
    (mover,) = (one for one in everybody if one.page.locator("#match-entry.action-turn").count())
    before = mover.page.evaluate(STOCKS)
    row = {box["y"] for box in before[:6]}
    sizes = {(box["width"], box["height"]) for box in before}
    assert (len(before), len(row), len(sizes)) == (9, 1, 1)
    mover.page.locator("#match-board a.mark[data-mark^=stock-]").first.tap()
    mover.page.locator("#match-board .mark[aria-current][data-mark^=stock-]").wait_for()
    assert mover.page.evaluate(STOCKS) == before


@pytest.mark.parametrize("slug", ["precary-ice", "dice-is-health", "simple-life-or-death"])
def test_the_ranks_of_three_players_are_in_sight_together(people, site, slug):
    ada = people("sample-ada", size=PHONE, touch=True)
    path = site.begin("sample-ada", "sample-bruno", "sample-clara", game=slug)
    for name in ("bruno", "clara"):
        other = people(f"sample-{name}", script=False)
        other.go(f"{path}?ask=resign")
        other.press("Resign")
    ada.go(path)
    expect(ada.page.locator(".seat-rank")).to_have_text(["won", "3rd", "2nd"])
    strips = "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)"
    assert ada.page.evaluate(f"{strips}(document.getElementById('match-players'))") == 0


def test_back_closes_a_drawer_before_it_leaves_the_match(people):
    person, _ = mover_of(people, "die")
    page, address = person.page, person.page.url
    is_open = page.locator("#drawers.drawers-open")
    person.open_drawer()
    page.go_back()
    expect(is_open).to_have_count(0)
    assert page.url == address
    page.go_forward()
    expect(is_open).to_have_count(1)
    page.locator(".drawer-close").tap()
    expect(is_open).to_have_count(0)
    page.go_back()
    assert page.url != address
    page.goto(address)
    person.open_drawer()
    page.reload()
    expect(is_open).to_have_count(0)


def test_what_is_entered_in_a_drawer_stays_once_that_is_closed(people):
    person, _ = mover_of(people, "die")
    page, mark = person.page, person.legal[0]
    person.open_drawer()
    page.locator("#typed").fill(mark)
    page.locator("#typed").press("Enter")
    expect(page.locator("[data-confirm]")).to_be_visible()
    expect(page.locator("#drawers.drawers-open")).to_have_count(0)
    page.reload()
    expect(page.locator("#typed")).to_have_value(mark)

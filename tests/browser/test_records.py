"""Records in a browser: playback and its speed, the log that follows, the board seen otherwise."""

import re

import pytest
from playwright.sync_api import expect

from tests.sampling import rest_thorough

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

INSTANT = "document.getElementById('match').dataset.speed = '1000'"
"""All that takes time is over at once."""

NOTE_ROLLS = """
  window.rolled = [];
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) {
      for (const node of addedNodes) {
        if (node.className === "rolls") { window.rolled.push(node.children.length); }
      }
    }
  }).observe(document.getElementById("match"), { childList: true, subtree: true });
"""


@pytest.fixture
def reader(people):
    return people()


def open_record(person, game, number=0):
    """Open the oldest match of a game, a sample; return the number of its last entry."""
    person.go(f"/archive/?game={game}")
    path = person.page.locator(".match-link").last.get_attribute("href")
    person.go(f"{path}{number}/")
    return int(person.page.locator("#position").get_attribute("data-last"))


def count(person):
    return person.page.locator(".stepper-count")


def test_playback_goes_to_the_end_and_the_log_follows(reader):
    last = open_record(reader, "die")
    reader.go(re.sub(r"\d+/$", f"{last - 5}/", reader.page.url))
    reader.page.evaluate(INSTANT)
    reader.press("Play")
    expect(count(reader)).to_have_text(f"{last} of {last}")
    expect(reader.page.locator(".log-link[aria-current]")).to_have_attribute("data-n", str(last))
    expect(reader.page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    reader.press("Play")
    expect(count(reader)).not_to_have_text(f"{last} of {last}")


def test_the_speed_is_chosen_and_a_step_stops_playback(reader):
    last = open_record(reader, "die")
    choice = reader.page.get_by_label("Speed")
    expect(choice).to_have_value("1")
    choice.select_option("½×")
    expect(reader.page.locator("#match")).to_have_attribute("data-speed", "0.5")
    reader.press("Play")
    expect(reader.page.get_by_role("button", name="Pause")).to_be_visible()
    reader.page.get_by_role("slider", name="Position").fill(str(last - 1))
    expect(count(reader)).to_have_text(f"{last - 1} of {last}")
    expect(reader.page.get_by_role("button", name="Play", exact=True)).to_be_visible()


@pytest.mark.steps
def test_the_dice_of_an_entry_fall_as_one_comes_to_it(reader):
    open_record(reader, "dice-is-health")
    rows = reader.page.locator("#match-log li[data-dice]")
    entry = int(rows.first.get_attribute("value"))
    dice = rows.first.get_attribute("data-dice").split(" ")
    reader.go(re.sub(r"\d+/$", f"{entry - 1}/", reader.page.url))
    reader.page.evaluate(NOTE_ROLLS)
    reader.page.evaluate(INSTANT)
    reader.page.get_by_role("link", name="Forward", exact=True).click()
    reader.page.wait_for_function("count => window.rolled.includes(count)", arg=min(len(dice), 12))
    reader.page.get_by_role("link", name="Back", exact=True).click()
    expect(count(reader)).to_contain_text(f"{entry - 1} of")
    assert len(reader.page.evaluate("window.rolled")) == 1


def corners(person):
    """Where the ends of the row a of the board are seen."""
    boxes = [
        person.page.locator(f'#match-board [data-mark="{mark}"]').bounding_box()
        for mark in ("a1", "a5")
    ]
    return [(round(box["x"]), round(box["y"])) for box in boxes]


def test_the_board_is_turned_and_mirrored_and_stays_so(reader):
    open_record(reader, "die", 4)
    before = corners(reader)
    mirror = reader.page.get_by_role("button", name="Mirror")
    mirror.click()
    expect(mirror).to_have_attribute("aria-pressed", "true")
    assert corners(reader) == before[::-1]
    reader.page.get_by_role("link", name="Forward", exact=True).click()
    expect(count(reader)).to_contain_text("5 of")
    assert corners(reader) == before[::-1]
    reader.page.get_by_role("button", name="Turn").click()
    assert [x for x, _ in corners(reader)] == [x for x, _ in before]
    assert corners(reader)[0][1] != before[0][1]
    mirror.click()
    reader.page.get_by_role("button", name="Turn").click()
    assert corners(reader) == before


def test_arrow_keys_walk_over_a_mirrored_board_as_it_is_seen(reader):
    open_record(reader, "die", 4)
    reader.page.get_by_role("button", name="Mirror").click()
    board = reader.page.locator("#match-board")
    board.locator('[data-mark="e9"]').focus()
    reader.page.keyboard.press("ArrowRight")
    expect(board.locator('[data-mark="e8"]')).to_be_focused()


@pytest.fixture
def member(people):
    return people("sample-ada")


def test_a_comment_stands_with_its_position_and_stays_when_one_steps(member):
    open_record(member, "die", 3)
    page = member.page
    page.get_by_text("Write a comment").click()
    page.get_by_label("Comment", exact=True).fill("Why not 5. instead?")
    member.press("Comment")
    said = page.locator("#comments .chat-text", has_text="Why not")
    expect(said).to_be_visible()
    expect(page.locator(".log-row", has=page.locator("[data-n='3']"))).to_contain_text("1 comment")
    page.keyboard.press("ArrowRight")
    expect(count(member)).to_contain_text("4")
    expect(said).to_have_count(0)
    page.keyboard.press("ArrowLeft")
    said.get_by_role("link", name="5.").click()
    expect(count(member)).to_contain_text("5 of")


def test_positions_are_kept_and_change_places(member):
    page = member.page
    for number in (1, 2):
        open_record(member, "die", number)
        page.get_by_role("link", name="Bookmark").click()
        member.press("Bookmark")
    rows = page.locator(".match-list h3")
    expect(rows).to_have_text(["DIE: after 2", "DIE: after 1"])
    page.get_by_role("button", name="Move down").first.click()
    expect(rows).to_have_text(["DIE: after 1", "DIE: after 2"])
    page.get_by_role("button", name="Remove").last.click()
    expect(rows).to_have_text(["DIE: after 1"])


@pytest.mark.parametrize("script", rest_thorough([True, False]))
def test_a_file_that_is_too_large_is_refused_by_the_site_and_not_the_browser(people, script):
    ada = people("sample-ada", script=script)
    ada.go("/imported/")
    field = ada.page.locator("input[type=file]")
    large = {"name": "large.json", "mimeType": "application/json", "buffer": b" " * 1_200_000}
    field.set_input_files(large)
    if script:
        said = field.evaluate("field => field.validationMessage")
        assert said == "The file is too large: it may have 1 MB at most."
    ada.press("Import")
    expect(ada.page.get_by_role("heading", name="That is too large")).to_be_visible()
    ada.sees("Files may have 1 MB at most.")
    ada.shoot("too-large")

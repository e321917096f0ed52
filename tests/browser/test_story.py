"""What happens on a board is shown in steps, which never stand between a player and the match."""

from uuid import uuid4

import pytest
from playwright.sync_api import expect

from tests.browser.people import PHONE, in_turn, start, start_game
from tests.browser.test_pages import grave

pytestmark = [pytest.mark.browser, pytest.mark.steps, pytest.mark.xdist_group("browser")]

HOLD = """
window.held = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (...how) {
  const animation = animate.apply(this, how);
  if (this.closest(".board-stage")) {
    animation.pause();
    window.held.push(animation);
  }
  return animation;
};
"""
"""Lets no animation of a step go on by itself."""

FINISH = "window.held.splice(0).forEach((animation) => animation.finish())"


def stage(person):
    return person.page.locator(".board-stage")


def shows_step(person, number):
    """The step of an entry is shown; nobody has to be quick to see it."""
    expect(stage(person)).to_have_attribute("data-n", str(number))


def finish_step(person, number):
    """Let what is shown of a step come to its end, part after part."""
    while person.page.evaluate("document.querySelector('.board-stage')?.dataset.n ?? ''") == str(
        number
    ):
        person.page.evaluate(FINISH)
        person.page.wait_for_timeout(20)


def stones(person):
    """How many stones the frame of a step shows, those that fall or leave among them."""
    return stage(person).locator("[data-at] > .piece").count()


def play(person, cell, version):
    person.click(cell)
    person.confirm()
    person.sees_version(version)


@pytest.fixture
def pair(people):
    """Ada and Bruno at a match of DIE; Ada is to move. Only Bruno's steps are held."""
    ada, bruno = people("sample-ada"), people("sample-bruno")
    bruno.page.add_init_script(HOLD)
    return ada, bruno, start(ada, bruno)


def test_steps_are_shown_one_after_the_other(pair, people):
    ada, bruno, path = pair
    clara = people("sample-clara")
    clara.page.add_init_script(HOLD)
    clara.go(path)
    for version, person, cell in ((1, ada, "c3"), (2, bruno, "a1"), (3, ada, "e1")):
        if person is bruno:
            shows_step(bruno, version - 1)
            bruno.page.keyboard.press("Escape")
        play(person, cell, version)
    clara.sees_version(3)
    for version in (1, 2, 3):
        shows_step(clara, version)
        assert stones(clara) in (version - 1, version)
        numbers = clara.page.locator("#match-players .seat-tally b")
        expect(numbers).to_have_text([str(version // 2), str((version - 1) // 2)])
        finish_step(clara, version)
    expect(stage(clara)).to_have_count(0)


def test_a_tap_only_skips(pair):
    ada, bruno, path = pair
    play(ada, "c3", 1)
    shows_step(bruno, 1)
    prompt = bruno.page.locator(".steps-note")
    expect(prompt.get_by_text("Showing what happened")).to_be_visible()
    expect(bruno.page.locator(".board-caption")).to_have_text("Red places a stone on c3.")
    expect(bruno.page.locator("#news")).to_have_text("Red places a stone on c3. Your turn.")
    box = bruno.page.locator('.board-scroll [data-mark="a1"]').bounding_box()
    bruno.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(stage(bruno)).to_have_count(0)
    assert bruno.page.url.endswith(path)
    expect(bruno.page.locator("#action-head")).to_have_text("Your turn")
    expect(bruno.page.locator("#match-newest")).to_have_text("Log: Red places a stone on c3.")
    why = bruno.page.get_by_text("You skipped the animation. Now you can move.")
    expect(why).to_be_visible()
    play(bruno, "a1", 2)
    bruno.page.keyboard.press("Escape")
    ada.sees_version(2)
    ada.page.keyboard.press("Escape")
    play(ada, "e1", 3)
    shows_step(bruno, 3)
    prompt.get_by_role("button", name="Skip").click()
    expect(stage(bruno)).to_have_count(0)
    expect(prompt).to_have_count(0)
    expect(why).to_have_count(0)


def test_what_a_preview_has_shown_does_not_come_again(pair):
    ada, bruno, _ = pair
    play(ada, "c3", 1)
    shows_step(bruno, 1)
    bruno.page.keyboard.press("Escape")
    bruno.page.evaluate("window.held.length = 0")
    play(bruno, "a1", 2)
    shows_step(bruno, 2)
    expect(stage(bruno).locator('[data-at="a1"] .piece')).to_have_count(1)
    moving = "window.held.filter(({ effect }) => !effect.target.matches('.board-stage')).length"
    assert bruno.page.evaluate(moving) == 0


def test_the_frame_of_the_last_move_waits_for_its_stone(pair):
    ada, bruno, _ = pair
    play(ada, "c3", 1)
    shows_step(bruno, 1)
    frame = stage(bruno).locator(".last-move").last
    expect(frame).to_have_css("opacity", "0")
    bruno.page.evaluate("window.held.forEach((animation) => animation.finish())")
    expect(frame).to_have_css("opacity", "1")


def test_the_strips_count_what_the_steps_have_shown(pair):
    ada, bruno, _ = pair
    play(ada, "c3", 1)
    shows_step(bruno, 1)
    counts = bruno.page.locator("#match-players .seat-tally")
    expect(counts).to_have_text(["0 stones", "0 stones"])
    bruno.page.keyboard.press("Escape")
    expect(counts).to_have_text(["1 stone", "0 stones"])


def test_what_is_asked_can_be_answered_while_steps_are_shown(pair):
    ada, bruno, _ = pair
    play(ada, "c3", 1)
    shows_step(bruno, 1)
    bruno.open_drawer()
    bruno.page.locator("#typed").fill("a1")
    bruno.page.locator("#typed").press("Enter")
    expect(bruno.page.locator("#action-head")).to_have_text("Place a stone on a1?")
    expect(stage(bruno)).to_have_count(0)
    bruno.confirm()
    bruno.sees_version(2)


def test_nothing_of_a_step_keeps_people_out(people):
    """On a phone the panel beside the board, with its buttons, is part of the step."""
    pair = [people(f"sample-{name}", size=PHONE, touch=True) for name in ("ada", "bruno")]
    for person in pair:
        person.page.add_init_script(HOLD)
    start_game(*pair, "simple-life-or-death")
    mover, other = in_turn(pair)
    while not mover.page.locator("[data-confirm]").count():
        mover.page.locator("#match-board a.mark, a[data-onward]").first.dispatch_event("click")
        expect(mover.page.locator("#match[aria-busy=true]")).to_have_count(0)
    version = mover.version + 1
    mover.confirm()
    shows_step(other, version)
    assert grave(other.page) == []


TEXT_AT = """caption => {
  const text = document.createRange();
  text.selectNodeContents(caption);
  const { left, top } = text.getBoundingClientRect();
  return [left, top];
}"""


def test_a_caption_on_a_phone_covers_nothing_of_the_board(people):
    ada, bruno = people("sample-ada"), people("sample-bruno", size=PHONE, touch=True)
    bruno.page.add_init_script(HOLD)
    start(ada, bruno)
    play(ada, "c3", 1)
    shows_step(bruno, 1)
    caption = bruno.page.locator(".board-caption").bounding_box()
    board = bruno.page.locator(".board-scroll").bounding_box()
    assert caption["y"] >= board["y"] + board["height"] - 1
    assert caption["y"] + caption["height"] <= PHONE[1] + 1
    middle = caption["x"] + caption["width"] / 2, caption["y"] + caption["height"] / 2
    over = bruno.page.evaluate("at => document.elementFromPoint(...at).className", middle)
    assert over == "board-caption"
    text = bruno.page.locator(".board-caption").evaluate(TEXT_AT)
    line = bruno.page.locator("#match-newest").bounding_box()
    assert text == pytest.approx([line["x"], line["y"]], abs=2), (
        "the line of the log is there later"
    )


def test_the_result_waits_for_the_last_step(pair):
    ada, bruno, _ = pair
    ada.post(f"{pair[2]}resign/", page=f"{pair[2]}?ask=resign", version=0, submission=str(uuid4()))
    shows_step(bruno, 1)
    result = bruno.page.locator(".board-result")
    expect(result).to_have_css("animation-name", "none")
    bruno.page.keyboard.press("Escape")
    expect(stage(bruno)).to_have_count(0)
    expect(result).to_have_css("animation-name", "board-result")
    expect(result).not_to_have_css("display", "none")
    # It is not shown again, not even in another tab.
    bruno.page.evaluate("sessionStorage.clear()")
    bruno.go(pair[2])
    expect(result).to_have_css("display", "none")
    expect(stage(bruno)).to_have_count(0)


def test_who_wants_no_motion_sees_results(pair):
    ada, bruno, _ = pair
    bruno.page.emulate_media(reduced_motion="reduce")
    play(ada, "c3", 1)
    bruno.sees_version(1)
    expect(bruno.page.locator("#news")).to_have_text("Red places a stone on c3. Your turn.")
    assert bruno.page.evaluate("window.held.length") == 0
    expect(bruno.page.locator('.mark-fresh[data-mark="c3"]')).to_have_count(1)


def test_steps_can_be_switched_off(pair):
    ada, bruno, _ = pair
    bruno.open_drawer()
    bruno.page.get_by_label("Animation").select_option("off")
    play(ada, "c3", 1)
    bruno.sees_version(1)
    expect(bruno.page.locator('.mark-fresh[data-mark="c3"]')).to_have_count(1)
    assert bruno.page.evaluate("window.held.length") == 0


def test_who_comes_back_sees_what_happened_and_may_see_it_again(pair):
    ada, bruno, path = pair
    fresh = bruno.page.locator("#match-board .mark-fresh")
    play(ada, "c3", 1)
    shows_step(bruno, 1)
    bruno.page.keyboard.press("Escape")
    play(bruno, "a1", 2)
    expect(fresh).to_have_count(0)
    bruno.go("/home/")
    play(ada, "e1", 3)
    bruno.go(path)
    shows_step(bruno, 3)
    bruno.page.keyboard.press("Escape")
    expect(fresh).to_have_attribute("data-mark", "e1")
    bruno.go(path)
    expect(fresh).to_have_attribute("data-mark", "e1")
    expect(stage(bruno)).to_have_count(0)
    bruno.press("Replay")
    shows_step(bruno, 3)
    finish_step(bruno, 3)
    expect(stage(bruno)).to_have_count(0)
    play(bruno, "e3", 4)
    expect(fresh).to_have_count(0)

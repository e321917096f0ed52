"""A board to think on, on a desktop and on a phone: clicks, keys, a variation, saving."""

import re

import pytest
from playwright.sync_api import expect

from tests.sampling import rest_thorough

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

REST = 100
"""Milliseconds for which a finger rests before it is lifted."""

SIZES = {"wide": {"size": (1280, 800)}, "phone": {"size": (390, 664), "touch": True}}


def play(person, mark):
    page = person.page
    before = page.url
    page.locator(f'#match-board a[data-mark="{mark}"]').click()
    page.locator("#confirm [data-confirm]").click()
    expect(page).not_to_have_url(re.compile(f"^{re.escape(before)}"))


def expect_at(person, number):
    expect(person.page).to_have_url(re.compile(f"/{number}/$"))


@pytest.mark.parametrize("device", rest_thorough(SIZES))
def test_somebody_plays_both_sides_goes_back_and_tries_another_move(people, device):
    person = people("", **SIZES[device])
    person.go("/games/die/")
    person.page.get_by_role("link", name="Try it on a board").click()
    expect(person.page.locator("#action-head")).to_have_text("Red to move")
    person.page.evaluate("window.isSame = true")
    play(person, "c3")
    play(person, "a1")
    expect_at(person, 2)
    current = person.page.locator('#study-list [aria-current="step"]')
    expect(current).to_have_attribute("id", "node-2")
    person.page.evaluate("document.getElementById('study-list').isKept = true")
    person.page.keyboard.press("ArrowLeft")
    expect_at(person, 1)
    expect(current).to_have_attribute("id", "node-1")
    assert person.page.evaluate("document.getElementById('study-list').isKept")
    play(person, "i5")
    if device == "phone":
        person.page.locator(".match-open").click()
    lines = person.page.locator("#drawer-lines .study-line code")
    expect(lines).to_have_text(["c3", "a1", "i5"])
    person.shoot(f"board-{device}")
    person.page.get_by_role("button", name="Make this the main line").click()
    expect(person.page.locator("#drawer-lines .study-line code")).to_have_text(["c3", "i5", "a1"])
    person.page.keyboard.press("Home")
    expect_at(person, 0)
    expect(person.page.locator("#news")).to_have_text("The start.")
    person.page.get_by_role("link", name="Forward").focus()
    for number in (1, 2):
        person.page.keyboard.press("Enter")
        expect_at(person, number)
    expect(person.page.locator("#news")).to_have_text("Blue places a stone on i5.")
    stone = person.page.locator('#match-board [data-mark="i5"]')
    expect(stone).to_have_attribute("aria-label", re.compile("blue stone"))
    person.page.go_back()
    expect_at(person, 1)
    expect(stone).not_to_have_attribute("aria-label", re.compile("stone"))
    assert person.page.evaluate("window.isSame"), "A page was loaded."


def drawn(person, *labels):
    expect(person.page.locator(".shape-list span")).to_have_text(labels)


def test_the_right_mouse_button_marks_places_and_draws_arrows(people):
    person = people("", size=SIZES["wide"]["size"])
    page = person.page
    person.go("/games/die/board/")
    address = page.url

    def middle(mark):
        box = page.locator(f'#match-board [data-mark="{mark}"]').bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    page.mouse.move(*middle("c3"))
    page.mouse.click(*middle("c3"), button="right")
    drawn(person, "Green circle on c3")
    page.keyboard.down("Shift")
    page.mouse.move(*middle("a1"))
    page.mouse.down(button="right")
    page.mouse.move(*middle("e5"))
    page.mouse.up(button="right")
    page.keyboard.up("Shift")
    drawn(person, "Green circle on c3", "Red arrow from a1 to e5")
    assert page.url != address
    page.reload()
    drawn(person, "Green circle on c3", "Red arrow from a1 to e5")
    play(person, "c3")
    expect(page.locator(".shape-list")).to_have_count(0)


def test_what_is_drawn_while_a_position_is_on_its_way_leaves_the_page_at_rest(people):
    person = people("")
    page, match = person.page, person.page.locator("#match")
    person.go("/games/die/board/")
    play(person, "c3")
    page.route(re.compile(r"/0/\?"), lambda _: None)  # never answered
    page.keyboard.press("ArrowLeft")
    expect(match).to_have_attribute("aria-busy", "true")
    page.locator('#match-board [data-mark="a1"]').click(button="right")
    drawn(person, "Green circle on a1")
    expect(match).not_to_have_attribute("aria-busy", "true")


def test_a_finger_and_the_keyboard_draw_with_the_tool(people):
    person = people("", **SIZES["phone"])
    page = person.page
    person.go("/games/die/board/")
    page.get_by_role("button", name="Draw").tap()
    cell = page.locator('#match-board [data-mark="e5"]')
    cell.tap()
    expect(page.get_by_text("From e5: choose it again, or where the arrow ends.")).to_be_visible()
    cell.tap()
    expect(page.locator('#match-board circle[stroke="var(--c-green)"]')).to_have_count(1)
    page.locator(".shape-tool .choice").nth(1).click()
    page.locator('#match-board [data-mark="c3"]').focus()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    drawn(person, "Green circle on e5", "Red arrow from c3 to c4")
    page.keyboard.press("Escape")
    expect(page.locator(".shape-tool")).to_have_count(0)
    play(person, "e5")


def swipe(page, start, end):
    """Drag a finger over the board from one mark to another, and rest there before lifting it."""
    boxes = [
        page.locator(f'#match-board [data-mark="{mark}"]').bounding_box() for mark in (start, end)
    ]
    (x, y), (far_x, far_y) = ((b["x"] + b["width"] / 2, b["y"] + b["height"] / 2) for b in boxes)
    touch = page.context.new_cdp_session(page)
    points = [(x, y), ((x + far_x) / 2, (y + far_y) / 2), (far_x, far_y)]
    for kind, (left, top) in zip(("touchStart", "touchMove", "touchMove"), points, strict=True):
        at = [{"x": left, "y": top}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})
    # A finger that is lifted in full flight flings, and Chromium takes the next tap as its end.
    page.wait_for_timeout(REST)
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_a_finger_drags_arrows_while_the_tool_is_on(people):
    person = people("", **SIZES["phone"])
    page = person.page
    person.go("/games/die/board/")
    page.get_by_role("button", name="Draw").tap()
    swipe(page, "c3", "e5")
    drawn(person, "Green arrow from c3 to e5")
    page.locator('#match-board [data-mark="e5"]').tap()
    expect(page.get_by_text("From e5: choose it again, or where the arrow ends.")).to_be_visible()
    swipe(page, "a1", "c3")
    drawn(person, "Green arrow from c3 to e5", "Green arrow from a1 to c3")
    page.get_by_role("button", name="Done").tap()
    expect(page.get_by_role("button", name="Draw")).to_be_visible()


@pytest.mark.parametrize("device", rest_thorough(SIZES))
def test_two_people_pass_the_device_on_and_a_cover_hides_their_cards(people, device):
    person = people("", **SIZES[device])
    page = person.page
    person.go("/games/simple-life-or-death/")
    page.get_by_role("link", name="Play on this device").click()
    page.get_by_label("Name of Red").fill("Ada")
    page.get_by_label("Name of Orange").fill("Bea")
    page.get_by_role("button", name="Start").click()
    head, marks = page.locator("#action-head"), page.locator("#match-board [data-mark]")
    expect(head).to_have_text(re.compile("Pass the device to (Ada|Bea)"))
    first = head.inner_text().split()[-1]
    assert not cards(marks)
    person.shoot(f"cover-{device}")
    page.get_by_role("button", name="Show my cards").click()
    expect(head).to_have_text(f"{first} to move")
    assert len(cards(marks)) == 10
    person.shoot(f"uncovered-{device}")
    page.go_back()
    expect(head).to_have_text(f"Pass the device to {first}")
    assert not cards(marks)


def cards(marks):
    names = marks.evaluate_all("all => all.map((mark) => mark.dataset.mark)")
    return [name for name in names if re.fullmatch("[2-9TJQKA][CDHS]", name)]


@pytest.mark.thorough
def test_without_script_all_that_is_beside_the_board_is_whole(people, site):
    player, plain = people(""), people("sample-ada", script=False, size=SIZES["wide"]["size"])
    player.go("/games/die/board/")
    for mark in ("c3", "a1", "i5"):
        play(player, mark)
    expect_at(player, 3)
    match = site.begin("sample-ada", "sample-bruno", game="die", moves=["c3", "a1", "i5"])
    for address in (player.page.url, "/games/grim-reaper/board/", match):
        plain.go(address)
        for drawer in plain.page.locator("#drawers > .drawer").all():
            assert drawer.evaluate("it => it.scrollHeight <= it.clientHeight")
        # The drawers scroll, and the page doesn't.
        root = plain.page.locator("html")
        assert root.evaluate("it => it.scrollHeight <= it.clientHeight")


def put(person, device, mark):
    """Put the chosen piece on a space: with the keyboard on a desktop, with a finger on a phone."""
    space = person.page.locator(f'#editor-board a[data-mark="{mark}"]')
    if device == "phone":
        space.tap()
    else:
        space.focus()
        person.page.keyboard.press("Enter")


def at_the_editor(people, device, slug):
    """Open the editor of a game as a visitor."""
    person = people("", **SIZES[device])
    person.go(f"/games/{slug}/board/")
    person.go(person.page.locator('a[href$="/edit/"]').first.get_attribute("href"))
    return person


@pytest.mark.parametrize("device", rest_thorough(SIZES))
def test_somebody_puts_a_position_together_and_plays_from_it(people, device):
    person = at_the_editor(people, device, "die")
    page = person.page
    verdict, stones = page.locator("#editor-verdict"), page.locator("#spaces")
    put(person, device, "c3")
    expect(stones).to_have_value("c3 r")
    expect(page.locator("#editor-board .mark[tabindex='0']")).to_have_count(1)
    if device != "phone":
        page.keyboard.press("ArrowRight")
        expect(page.locator("#editor-board [data-mark=c4]")).to_be_focused()
        expect(page.locator("#editor-board > svg > :last-child")).to_have_class("focus-ring")
    expect(verdict).to_contain_text("Blue cannot have lost a stone in 2 moves.")
    page.get_by_role("radio", name="Blue stone").check()
    put(person, device, "e5")
    expect(page.locator('#editor-board [data-mark="e5"]')).to_have_attribute(
        "aria-label", re.compile("blue stone")
    )
    expect(verdict).to_have_text("A match can reach this position.")
    page.get_by_role("radio", name="Empty").check()
    put(person, device, "c3")
    expect(stones).to_have_value("e5 b")
    page.get_by_role("button", name="Undo").click()
    expect(stones).to_have_value("c3 r\ne5 b")
    put(person, device, "c3")
    expect(stones).to_have_value("e5 b")
    page.get_by_role("radio", name="Red stone").check()
    put(person, device, "c3")
    expect(verdict).to_have_text("A match can reach this position.")
    page.get_by_label("Moves so far, at least").fill("1")
    page.get_by_role("button", name="Start a board").click()
    expect(page.locator("#action-head")).to_have_text("Red to move")
    assert not person.complaints


@pytest.mark.parametrize("device", rest_thorough(SIZES))
def test_somebody_drops_pieces_on_a_tower(people, device):
    person = at_the_editor(people, device, "precary-ice")
    page = person.page
    lines, place = page.locator("#spaces"), page.locator("[name=aim]").first
    tower = page.locator('#editor-board a[data-mark="tower-1"]')
    first, word = lines.input_value(), r"[QDP]:\S+"
    page.get_by_role("radio", name="Queen").check()
    tower.scroll_into_view_if_needed()
    box = tower.bounding_box()
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    if device == "phone":
        page.touchscreen.tap(*middle)
    else:
        page.mouse.move(*middle)
        expect(place).to_have_value(re.compile(r"-?0\.\d"))
        page.mouse.click(*middle)
        page.mouse.move(0, 0)
    expect(lines).to_have_value(re.compile(rf"tower-1( {word}){{3}} Q:\S+$"))
    expect(place).to_have_value("0")
    one = lines.input_value()
    page.get_by_role("radio", name="Drone").check()
    place.fill("9")
    tower.focus()
    page.keyboard.press("Enter")
    expect(lines).to_have_value(re.compile(rf"tower-1( {word}){{5}} fell"))
    expect(page.locator("#news")).to_contain_text("Orange’s tower has fallen")
    page.get_by_role("button", name="Undo").click()
    expect(lines).to_have_value(one)
    page.get_by_role("radio", name="Take the last piece away").check()
    page.get_by_label("Space for the chosen piece").select_option("Orange’s tower")
    tower.focus()
    page.keyboard.press("Enter")
    expect(lines).to_have_value(re.compile(rf"tower-1( {word}){{3}}$"))
    assert first.split("\n")[0] == lines.input_value().split("\n")[0]
    page.get_by_role("button", name="Start a board").click()
    expect(page.locator("#action-head")).to_have_text("Red to move")
    assert not person.complaints


def test_the_expert_answers_without_a_reload(people, fresh_name):
    # The sample players may have a running match in this position.
    asker = people(fresh_name("asker"))
    asker.join()
    asker.go("/games/die/board/")
    page = asker.page
    page.evaluate("window.isSame = true")
    page.locator('[data-tab="explorer"]').click()
    page.get_by_role("button", name="Show the three best moves").click()
    expect(page.locator("#expert[data-thinking]")).to_be_visible()
    moves = page.locator(".expert-moves button")
    expect(moves).to_have_count(3, timeout=60_000)
    expect(page.locator("#news")).to_have_text("The expert has answered.")
    assert page.evaluate("window.isSame")
    moves.first.click()
    expect_at(asker, 1)
    expect(page.get_by_role("button", name="Show the three best moves")).to_be_visible()

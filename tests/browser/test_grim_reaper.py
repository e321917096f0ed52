"""A match of Grim Reaper on two telephones: placing, moving, giving birth and passing by touch."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.people import WIDE, start_game

pytestmark = [pytest.mark.browser, pytest.mark.steps, pytest.mark.xdist_group("browser")]

PHONES = {"window": (360, 740), "touch": True}
DESKS = {"window": WIDE}
BOTH = "Give birth to a female on b4 and a male on c3?"
WITHIN_TWO_STEPS = "a1 a2 a3 a4 b1 b3 b4 c1 c3 c4 d1 d3 d4 e1 e2"
"""The vacant squares around the child on c2, once both families have theirs."""

FAMILIES = (
    ("M6b2", "Red places a male with 6 life turns on b2."),
    ("M6e5", "You place a male with 6 life turns on e5."),
    ("pass", "You have no births this turn."),
    ("pass", "Red has no births this turn."),
    ("F6e3", "You place a female with 6 life turns on e3."),
    ("F6d2", "Red places a female with 6 life turns on d2."),
    ("+Fc2", "Red gives birth to a female on c2."),
)
"""The first moves of ``raise_families`` as they are written and told to Blue."""


@pytest.fixture
def sit_down(people):
    """Two at a match, Red first: ``sit_down(size=…, span=…)``, on telephones or at desks."""

    def _sit_down(*, window, size=6, span=6, touch=False, moves=()):
        names = ("sample-ada", "sample-clara")
        red, blue = (people(name, size=window, touch=touch) for name in names)
        start_game(red, blue, "grim-reaper", moves=moves, **lives(size, span))
        return red, blue

    return _sit_down


@pytest.fixture
def pair(sit_down):
    """Two with telephones at a fresh match with lives of 6 and a reserve of 12, Red first."""
    return sit_down(size=6, **PHONES)


def lives(size, span):
    """The parameters of a match with lives of so many turns, and two of them in reserve."""
    return {"size": size, "male_span": span, "female_span": span, "reserve": 2}


def tap(person, mark):
    press(person, person.page.locator(f'#match-board [data-mark="{mark}"]'))


def tap_choice(person, words):
    press(person, person.page.locator(".action-few a").filter(has_text=words))


def press(person, what):
    """Touch something, or click it where nothing can be touched."""
    if person.touches:
        what.tap()
    else:
        what.click()


def take_up(person, mark):
    """Tap a piece, and wait until it is in hand."""
    tap(person, mark)
    expect(person.page.locator(f'.mark[aria-current][data-mark="{mark}"]')).to_have_count(1)


def dots(person):
    return person.page.locator("#match-board a.mark:not(.mark-aside)")


def confirm(person, other):
    """Confirm the move shown; both players see it without reloading the page."""
    version = person.version + 1
    press(person, person.page.locator("[data-confirm]"))
    for each in (person, other):
        each.sees_version(version)


def place(person, other, sex, life, mark):
    """Place a piece by one form: its sex and its life turns, which go on once both are chosen."""
    tap(person, mark)
    form = person.page.locator("#match-entry [data-entry=row]")
    expect(form.locator("[type=radio]").first).to_be_focused()
    form.get_by_label(f"A {sex}").check()
    lives = form.get_by_role("radiogroup", name="Turns to live")
    if lives.count():
        lives.get_by_label(str(life), exact=True).check()
    else:
        expect(form).to_contain_text("Turns to live: 1 to")
        form.locator("[type=range]").fill(str(life))
        expect(form.locator("[type=number]")).to_have_value(str(life))
        press(person, form.get_by_role("button", name="Next"))
    expect(person.page.locator("#action-head")).to_contain_text(
        f"with {life} life turns on {mark}?"
    )
    confirm(person, other)


def pass_births(person, other):
    version = person.version + 1
    press(person, person.page.get_by_role("button", name="No births possible. Pass", exact=True))
    for each in (person, other):
        each.sees_version(version)


def give_birth(person, other, mark, sex):
    """Give birth on the one square where that is possible."""
    expect(dots(person)).to_have_count(1)
    tap(person, mark)
    choices = person.page.locator(".action-few a")
    expect(choices).to_have_count(2)
    tap_choice(person, f"A {sex}")
    expect(person.page.locator(".match-board-preview")).to_be_visible()
    confirm(person, other)


def raise_families(red, blue):
    """Play turns 1 and 2: a couple each, and a child of each."""
    place(red, blue, "male", 6, "b2")
    place(blue, red, "male", 6, "e5")
    pass_births(blue, red)
    pass_births(red, blue)
    place(blue, red, "female", 6, "e3")
    place(red, blue, "female", 6, "d2")
    give_birth(red, blue, "c2", "female")
    give_birth(blue, red, "e4", "male")


def test_a_short_match_by_touch_and_its_record(pair):
    red, blue = pair
    raise_families(red, blue)
    move_and_think_again(red, blue)
    red.open_drawer()
    red.page.get_by_role("link", name="Resign").tap()
    red.page.get_by_role("button", name="Resign").tap()
    expect(red.page.locator("#action-head")).to_have_text("You lost by resignation")
    expect(blue.page.locator("#action-head")).to_have_text("You won by resignation")
    step_through(blue)


def move_and_think_again(red, blue):
    """Move a newborn two steps, take that back, and move it another way."""
    for target in ("a3", "c4"):
        take_up(red, "c2")
        assert " ".join(sorted(red.legal)) == WITHIN_TWO_STEPS
        tap(red, target)
        expect(red.page.locator("#action-head")).to_contain_text(f"from c2 to {target}?")
        confirm(red, blue)
        if target == "a3":
            version = red.version + 1
            red.open_drawer()
            red.press("Take back my move")
            blue.sees_version(version)
            red.waits_for_turn()


def step_through(person):
    page = person.page
    page.get_by_role("link", name="Review").tap()
    page.get_by_role("link", name="Step through").tap()
    for number, (move, story) in enumerate(FAMILIES, 1):
        page.get_by_role("link", name="Forward").tap()
        expect(page.locator(".stepper-count")).to_contain_text(f"{number} of")
        expect(page.locator(".stepper-said")).to_contain_text(story)
        expect(page.locator(".stepper-said code")).to_have_text(move)
    expect(page.locator('#match-board [data-mark="c2"]')).to_have_attribute(
        "aria-label", re.compile("red female, 6 life turns left, just born")
    )


@pytest.mark.thorough
def test_a_contested_square_says_why_when_it_is_touched(sit_down):
    moves = ("M6b2", "M6c3", "pass", "pass", "F6c1", "F6d2")
    red, blue = sit_down(moves=moves, **PHONES)
    tap(red, "c2")
    expect(red.page.locator(".board-told")).to_contain_text("nobody can be born here")
    pass_births(red, blue)


@pytest.mark.thorough
def test_a_click_on_another_piece_takes_that_one_up(sit_down):
    red, blue = sit_down(moves=("M6b2", "M6e5", "pass", "pass", "F6e3"), **PHONES)
    take_up(red, "b2")
    aside = red.page.locator("#match-board a.mark-aside")
    expect(aside.and_(red.page.locator('[data-mark="b2"]'))).to_have_attribute(
        "aria-label", re.compile(", chosen: click to undo$")
    )
    tap(red, "f6")
    expect(red.page.locator("#match-entry")).to_contain_text("f6:")
    take_up(red, "b2")
    tap(red, "b3")
    expect(red.page.locator("#action-head")).to_contain_text("from b2 to b3?")
    tap(red, "c1")
    expect(red.page.locator("#action-head")).to_contain_text("from b2 to c1?")
    place(red, blue, "female", 2, "f6")


TWO_MOTHERS = (
    *("M12b3", "M12f6", "pass", "pass"),
    *("M12f1", "F12d3", "+Fc3", "pass"),
    *("c3-b5", "f6-f5", "pass"),
)
"""Moves after which Red can give birth on b4 by the mother on b5 and on c3 by the one on d3."""


@pytest.mark.thorough
def test_several_births_are_one_move_and_every_mother_bears_once(sit_down):
    red, blue = sit_down(span=12, moves=TWO_MOTHERS, **DESKS)
    assert red.legal == ["b4", "c3"]
    expect(red.page.locator(".action-prompt")).to_contain_text(
        "a male, because you have fewer males."
    )
    expect(red.page.locator(".action-few")).to_contain_text("A female on c3")
    tap(red, "c3")
    expect(red.page.locator("#action-head")).to_have_text("Give birth to a male on c3?")
    expect(dots(red)).to_have_count(1)
    assert red.legal == ["b4"], "d3 bears no other child"
    tap(red, "b4")
    tap_choice(red, "A female on b4")
    expect(red.page.locator("#action-head")).to_have_text(BOTH)
    confirm(red, blue)
    for mark, sex in {"b4": "female", "c3": "male"}.items():
        label = re.compile(f"red {sex}, 11 life turns left")
        expect(blue.page.locator(f'[data-mark="{mark}"]')).to_have_attribute("aria-label", label)


@pytest.mark.thorough
def test_births_are_typed_with_completion_and_listed_whole(sit_down):
    red, _ = sit_down(span=12, moves=TWO_MOTHERS, **DESKS)
    field = red.page.locator("#typed")
    red.open_drawer()
    field.press_sequentially("+mB4")
    completions = red.page.locator("#completions")
    expect(completions).to_contain_text("A male on c3")
    field.press("Escape")
    red.page.get_by_role("link", name="List of all moves").click()
    choices = red.page.locator("#choices")
    expect(choices.locator("option").last).to_have_text("pass")
    texts = choices.locator("option").all_text_contents()[1:]
    assert {"+Mb4", "+Fc3", "+Fb4,Mc3"} < set(texts)
    assert len(texts) == 9
    choices.select_option("+Fb4,Mc3")
    expect(red.page.locator("#action-head")).to_have_text(BOTH)


def test_what_comes_next_is_above_the_fold(sit_down):
    red, _ = sit_down(**DESKS)
    box = red.page.locator("#match-board svg").first.bounding_box()
    assert box["y"] + box["height"] <= WIDE[1]


def test_the_larger_board_fits_a_telephone(sit_down):
    red, blue = sit_down(size=8, **PHONES)
    assert red.page.evaluate("document.documentElement.scrollWidth") <= 360
    box = red.page.locator('#match-board [data-mark="h8"]').bounding_box()
    assert min(box["width"], box["height"]) >= 24
    place(red, blue, "female", 6, "h8")


@pytest.mark.thorough
def test_a_placement_is_one_form_without_script(people):
    host, guest = people("sample-ada"), people("sample-clara", script=False)
    start_game(host, guest, "grim-reaper", **lives(6, 6))
    place_first(host)
    guest.page.reload()
    guest.click("a1")
    guest.page.get_by_label("A female").check()
    guest.page.get_by_label("4", exact=True).check()
    guest.press("Next")
    expect(guest.page.locator("#action-head")).to_have_text(
        "Place a female with 4 life turns on a1?"
    )
    guest.confirm()
    guest.sees_version(2)


def place_first(person):
    person.open_drawer()
    person.page.locator("#typed").fill("m3f6")
    person.page.keyboard.press("Enter")
    person.confirm()
    person.sees_version(1)

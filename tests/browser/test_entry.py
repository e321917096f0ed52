"""Move entry of Simple Life or Death: aiming on the board, opening stacks, attack upon attack."""

import re

import pytest
from playwright.sync_api import expect

from games.titles.simple_life_or_death.components import Card
from tests.browser.people import in_turn, start_game

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

PHONE = {"size": (360, 740), "touch": True}
DIRECTIONS = {"n", "ne", "e", "se", "s", "sw", "w", "nw"}


@pytest.fixture
def table(people):
    """Two at a fresh match: ``table(combat=…)`` gives the one to begin, then the other."""

    def _table(combat="2d6", **how):
        pair = [people(name, **how) for name in ("sample-ada", "sample-bruno")]
        start_game(*pair, "simple-life-or-death", combat=combat)
        return in_turn(pair)

    return _table


def letter(person):
    """The letter of a player's colour: a stock is clicked by it."""
    stock = person.page.locator('#match-board a.mark[data-mark^="stock-"]').first
    return stock.get_attribute("data-mark")[-2]


def asks(person, words):
    expect(person.page.locator("#match-entry")).to_contain_text(words)


def play(person, other):
    """Confirm what is shown; both see it."""
    version = person.version + 1
    person.confirm()
    for each in (person, other):
        each.sees_version(version)


def place(person, other, size, square):
    person.click(f"stock-{letter(person)}{size}")
    asks(person, "Choose a square for your")
    person.click(square)
    expect(person.page.locator("#action-head")).to_contain_text(
        re.compile(rf"piece on {square}[?,]")
    )
    play(person, other)


def duties(person):
    return person.page.locator(".action-requirements li")


def begin_beside(first, second):
    """Let the first have two pieces, the second two beside one of them; the second may attack."""
    place(first, second, "S", "c7")
    place(first, second, "M", "c3")
    place(second, first, "S", "d7")
    place(second, first, "M", "d7")


@pytest.mark.thorough
def test_a_piece_is_aimed_by_an_arrow_with_a_die(table):
    first, second = table()
    expect(duties(first)).to_have_count(2)
    expect(first.page.locator(".duty-done")).to_have_count(0)
    place(first, second, "S", "c7")
    expect(first.page.locator(".duty-done")).to_have_text(re.compile("Place a piece"))
    first.click("c7")
    asks(first, "Choose a direction and a die: the d4 moves 1–4 squares, the d6 1–6.")
    arrows = {f"to-{direction}-{die}" for direction in DIRECTIONS for die in ("d4", "d6")}
    assert arrows <= set(first.legal)
    first.click("to-e-d4")
    expect(first.page.locator("#action-head")).to_contain_text("east with a d4?")
    first.click("to-e-d6")
    expect(first.page.locator("#action-head")).to_contain_text("east with a d6?")
    expect(first.page.locator("#match-board svg").first).to_contain_text("6")
    asks(first, "Roll 1–6: d7–i7 (always).")
    play(first, second)


@pytest.mark.thorough
def test_a_stack_opens_by_keyboard_and_says_what_is_carried(table):
    first, second = table()
    place(first, second, "S", "c7")
    own = letter(first)
    place(first, second, "M", "c7")
    place(second, first, "S", "k11")
    place(second, first, "S", "m11")
    place(first, second, "L", "h3")
    page = first.page
    assert page.locator(f'[data-mark="{own}M1"]').count() == 0
    page.locator('[data-mark="c7"]').focus()
    page.keyboard.press("Enter")
    low = page.locator(f'[data-mark="{own}S1"]')
    expect(low).to_be_focused()
    expect(low).to_have_attribute("aria-label", re.compile("with 1 piece on it"))
    page.keyboard.press("ArrowUp")
    expect(page.locator(f'[data-mark="{own}M1"]')).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    asks(first, "Choose a direction and a die: the d4 moves 1–4 squares, the d6 1–6.")
    expect(page.locator(f'[data-mark="{own}M1"]')).to_have_count(0)


def test_the_board_shows_what_is_entered_so_far_while_the_next_move_is(table):
    first, second = table()
    own, heading = letter(first), first.page.locator("#action-head")
    placed = first.page.locator('#match-board [data-mark="c7"][aria-label*="small"]')
    first.click(f"stock-{own}S")
    asks(first, "Choose a square for your")
    first.click("c7")
    expect(heading).to_have_text("Place a small piece on c7?")
    buttons = first.page.locator("#match-entry :is(.action-back, .action-confirm) > .btn")
    boxes = [one.bounding_box() for one in buttons.all()]
    middles = {round(box["y"] + box["height"] / 2) for box in boxes}
    assert (len(boxes), len(middles)) == (4, 1)
    first.page.get_by_role("link", name="Add next move").click()
    expect(heading).to_have_text("Your turn")
    first.sees("Confirm sends this move together with the last one.")
    expect(placed).to_be_visible()
    assert first.version == 0
    first.click(f"stock-{own}M")
    asks(first, "Choose a square for your")
    expect(placed).to_be_visible()
    first.click("e7")
    expect(heading).to_have_text("Place a small piece on c7, then place a medium piece on e7?")
    first.page.locator("[data-undo]").click()
    asks(first, "Choose a square for your")
    expect(placed).to_be_visible()
    first.click("f7")
    first.confirm()
    for each in (first, second):
        each.sees_version(2)


def attack(person, other):
    """Attack what stands on c7 with the piece in hand."""
    asks(person, "To attack, choose")
    person.click("c7")
    expect(person.page.locator("#action-head")).to_contain_text("Attack ")
    play(person, other)


def test_one_attack_follows_another_without_loading_the_page(table):
    first, second = table()
    begin_beside(first, second)
    loads = []
    second.page.on("load", lambda page: loads.append(page.url))
    second.click("d7")
    second.page.locator('a.mark[data-mark$="S1"][data-layer="d7"]').click()
    attack(second, first)
    if second.page.locator("#action-head").text_content() == "Your turn":
        second.click("d7")
        attack(second, first)
    assert loads == []


def test_cards_are_chosen_in_the_hand(table):
    first, second = table(combat="cards")
    begin_beside(first, second)
    second.click("d7")
    second.page.locator('a.mark[data-layer="d7"]').first.click()
    asks(second, "To attack, choose")
    second.click("c7")
    asks(second, "Choose a black card (♣ ♠) to attack")
    cards = second.legal
    assert cards
    assert all(card[1] in "CS" for card in cards)
    second.page.locator(f'[data-mark="{cards[0]}"]').focus()
    if len(cards) > 1:
        second.page.keyboard.press("ArrowRight")
        focused = second.page.locator(".mark:focus").get_attribute("data-mark")
        assert focused != cards[0]
    second.click(cards[-1])
    expect(second.page.locator("#action-head")).to_contain_text(Card(cards[-1]).sign)
    play(second, first)


@pytest.mark.thorough
def test_many_choices_are_looked_at_by_kind_on_a_telephone(table):
    first, second = table(**PHONE)
    kinds = first.page.get_by_role("group", name="Kinds of moves")
    place(first, second, "S", "c7")
    expect(kinds).to_have_count(0)
    first.click("c7")
    expect(kinds.get_by_role("link")).to_have_count(len(DIRECTIONS))
    rows = {link.bounding_box()["y"] for link in kinds.get_by_role("link").all()}
    assert len(rows) == 1, "one row holds all directions"
    kinds.get_by_text("E", exact=True).click()
    expect(kinds.locator("[aria-current]")).to_have_text("E")
    assert {mark for mark in first.legal if mark.startswith("to-")} == {"to-e-d4", "to-e-d6"}
    assert first.page.evaluate("document.documentElement.scrollWidth") <= 360

"""Simple Life or Death between three browsers: placing, a roll, an attack and its defence.

Whatever reaches a browser, pages, fragments and pushes, is kept and read through: it never holds
a card that another one has in hand.
"""

import re

import pytest
from playwright.sync_api import expect

from tests.deployment.programs import eventually

pytestmark = [pytest.mark.browser, pytest.mark.steps, pytest.mark.xdist_group("browser")]

SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
CARD = re.compile("[2-9TJQKA][CDHS]")
WATCH_DICE = """
window.fallen = [];
new MutationObserver((changes) => {
  for (const box of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
    if (box.classList?.contains("rolls")) {
      const [{ effect }] = box.getAnimations();
      const { duration } = effect.getTiming();
      window.fallen.push({ duration, dice: [...box.children].map((die) => die.dataset.sides) });
    }
  }
}).observe(document, { childList: true, subtree: true });
"""


class Seat:
    """A player at a machine, with all that has reached it of the match."""

    def __init__(self, person):
        self.person = person
        self.page = person.page
        self.got = []
        self.page.add_init_script(WATCH_DICE)

    def open(self, address):
        """Look at the match, and from now on keep what comes."""
        self.page.on("requestfinished", self._keep)
        self.page.on("websocket", self._listen)
        self.page.goto(address)

    def _keep(self, request):
        """Read an answer as soon as it is there: the browser forgets what pages before it got."""
        answer = request.response()
        kind = answer.headers.get("content-type", "")
        if re.search(r"/(matches|api)/", answer.url) and re.search("html|json|svg", kind):
            self.got.append(answer.text())

    def _listen(self, line):
        line.on("framereceived", lambda payload: self.got.append(str(payload)))

    @property
    def texts(self):
        """What has come, without random tokens and outlines, which look like cards by chance."""
        return [re.sub(r'value="\w{40,}"| d=\\?"[^"]*"', "", text) for text in self.got]

    @property
    def hand(self):
        """The cards that lie open before this player alone."""
        marks = self.page.locator("#match-board [data-mark]").all()
        names = [mark.get_attribute("data-mark") for mark in marks]
        return {name for name in names if CARD.fullmatch(name)}

    @property
    def is_asked(self):
        return self.page.get_by_role("heading", name="Your turn").count() > 0

    def says(self, text):
        """Type a move and confirm it."""
        before = self.person.version
        field = self.page.locator("#typed")
        self.person.open_drawer()
        field.fill(text)
        field.press("Enter")
        self.confirm(before)

    def confirm(self, before):
        self.page.locator("[data-confirm]").click()
        expect(self.page.locator("#match-head")).not_to_have_attribute("data-version", str(before))

    def sees(self, version):
        self.person.sees_version(version)


def holds(text, card):
    """Whether a text names a card, as programs or as people write it."""
    written = card.replace("T", "10")[:-1] + SIGNS[card[-1]]
    whole_word = rf"(?<![0-9A-Za-z]){card}(?![0-9A-Za-z])"
    return re.search(whole_word, text) or re.search(rf"(?<!\d){written}", text)


def test_a_card_is_found_however_it_is_written():
    assert holds("attack oS1 rM1 2H", "2H")
    assert holds('{"hand": ["TC"]}', "TC")
    assert holds("the 10♣", "TC")
    assert not holds("{} 12H 2Hx 110♣ QD", "2H")
    assert not holds("{} 110♣", "TC")


@pytest.fixture
def seats(people):
    """Three at a fresh match, in seat order."""
    names = ("sample-ada", "sample-bruno", "sample-clara")
    found = [Seat(people(name)) for name in names]
    host, *guests = found
    page = host.page
    host.person.go("/games/simple-life-or-death/challenge/?settings=open")
    page.locator("[name=seats]").fill("3")
    page.locator("[name=audience][value=named]").check()
    page.locator("[name=players]").fill(", ".join(names[1:]))
    host.person.press("Send the challenge")
    page.wait_for_url(re.compile(r"/challenges/\d+/$"))
    path = page.url.removeprefix(host.person.site.url)
    # Who stays on the page of the challenge would be brought to the match while it is opened.
    host.person.go("/games/")
    early, late = guests
    early.person.go(path)
    early.person.press("Accept")
    expect(early.page.get_by_role("button", name="Accept", exact=True)).to_have_count(0)
    early.person.go("/games/")
    late.person.go(path)
    late.person.press("Accept")
    late.page.wait_for_url(re.compile(r"/matches/\d+/$"))
    match = late.page.url
    for seat in found:
        seat.open(match)
    order = host.page.locator("#match-players .player a").all_text_contents()
    return sorted(found, key=lambda seat: order.index(seat.person.name))


def letter(seat, seats):
    return "roy"[seats.index(seat)]


def in_turn(seats):
    """The seats in the order in which they move, the one chosen by the dice first."""
    expect(seats[0].page.locator("#action-head")).to_be_visible()
    at = next(at for at, seat in enumerate(seats) if seat.is_asked)
    return [*seats[at:], *seats[:at]]


def all_see(seats, version):
    for seat in seats:
        seat.sees(version)


def test_a_turn_with_a_roll_and_an_attack_tells_nobody_anothers_cards(seats):
    first, second, third = in_turn(seats)
    hands = {seat: seat.hand for seat in seats}
    assert all(len(hand) >= 2 for hand in hands.values())
    third.page.emulate_media(reduced_motion="reduce")
    place_by_clicking(first, letter(first, seats), "h8")
    all_see(seats, 1)
    first.says(f"move {letter(first, seats)}S1 e d4")
    all_see(seats, 2)
    assert [dice_seen(seat) for seat in (first, second)] == [["4"], ["4"]]
    assert third.page.evaluate("window.fallen") == []
    attack_and_answer(seats, first, second, hands)


def attack_and_answer(seats, first, second, hands):
    """Let the second attack the only piece there is; the first answers, if there is a red card."""
    own, target = f"{letter(second, seats)}S1", f"{letter(first, seats)}S1"
    expect(second.page.get_by_role("heading", name="Your turn")).to_be_visible()
    second.says(f"place S {where(second, target)}")
    all_see(seats, 3)
    black = next(card for card in sorted(hands[second]) if card[1] in "CS")
    second.says(f"attack {own} {target} {black}")
    all_see(seats, 4)
    shown = set() if first.is_asked else {black}
    nobody_sees_anothers(seats, hands, shown)
    if first.is_asked:
        red = next(card for card in sorted(hands[first]) if card[1] in "DH")
        first.says(f"defend {red}")
        all_see(seats, 5)
        nobody_sees_anothers(seats, hands, {black, red})


def where(seat, piece):
    """The square of the only small piece of a colour, by its label."""
    colour = {"r": "red", "o": "orange", "y": "yellow"}[piece[0]]
    mark = seat.page.locator(f'#match-board .mark[aria-label*=": small {colour} piece"]')
    return mark.get_attribute("data-mark")


def place_by_clicking(seat, colour, square):
    """Choose a size and click a square."""
    before = seat.person.version
    expect(seat.page.get_by_role("heading", name="Your turn")).to_be_visible()
    seat.person.click(f"stock-{colour}S")
    expect(seat.page.locator(f'a.mark[data-mark="{square}"]')).to_be_visible()
    seat.person.click(square)
    seat.confirm(before)


def dice_seen(seat):
    """The dice that fell on a page, after the step before; none for longer than a second."""
    eventually(lambda: seat.page.evaluate("window.fallen.length"))
    (roll,) = seat.page.evaluate("window.fallen")
    assert roll["duration"] <= 1000
    return roll["dice"]


def nobody_sees_anothers(seats, hands, shown):
    """Read all that has come through, for every card that only others hold."""
    for reader in seats:
        others = set().union(*(hands[seat] for seat in seats if seat is not reader))
        secret = others - hands[reader] - reader.hand - shown
        assert secret
        for text in reader.texts:
            assert not [card for card in secret if holds(text, card)]
    assert all(any("version" in text for text in seat.texts) for seat in seats)


PHONE = {"size": (390, 664), "touch": True}
COVERED = """() => {
  const top = document.getElementById("match-entry").getBoundingClientRect().top;
  const cards = [...document.querySelectorAll(".board-panel .cards:not(.piles)")];
  return cards.map((card) => card.getBoundingClientRect().bottom - top).filter((over) => over > 0);
}"""
"""How far the action area covers cards of the hand."""


def test_on_a_phone_the_hand_is_seen_while_a_card_is_chosen(people, site):
    names = ("sample-ada", "sample-bruno")
    moves = ("place S h8", "place S a1", "place S i9", "place S p16", "end", "place S b1")
    path = site.begin(*names, game="simple-life-or-death", moves=moves)
    pair = [people(name, **PHONE) for name in names]
    for person in pair:
        person.go(path)
    mover = next(one for one in pair if one.page.locator("#match-entry.action-turn").count())
    mover.page.locator('#match-board a.mark[data-mark="h8"]').tap()
    prompt = mover.page.locator("#match-entry .action-prompt")
    expect(prompt).to_contain_text("To attack")
    mover.page.locator('#match-board a.mark[data-mark="i9"]').tap()
    expect(prompt).to_contain_text("Choose a black card")
    assert mover.page.evaluate(COVERED) == []
    mover.page.locator(".board-panel .cards a.mark").first.tap()
    expect(mover.page.locator("[data-confirm]")).to_be_visible()
    assert mover.page.evaluate(COVERED) == []


def test_on_a_phone_the_zoom_bar_lies_over_the_board_and_not_over_the_hand(people, site):
    ada = people("sample-ada", **PHONE)
    ada.go(site.begin("sample-ada", "sample-bruno", game="simple-life-or-death"))
    ada.page.get_by_role("button", name="Zoom in").tap()
    bar = ada.page.locator(".board-zoomed").bounding_box()
    panel = ada.page.locator(".board-panel").bounding_box()
    assert bar["y"] + bar["height"] <= panel["y"]
    # The top row scrolls out from under the bar.
    ada.page.locator(".board-scroll").evaluate("frame => frame.scrollTo(0, 0)")
    board = ada.page.locator(".board-scroll > svg").first.bounding_box()
    assert board["y"] >= bar["y"] + bar["height"] - 8, "but for the frame of the board"


CARDS = """() => [...document.querySelectorAll(".board-panel .cards")].map((card) => {
  const { left, top } = card.getBoundingClientRect();
  return [Math.round(left), Math.round(top)];
})"""


def test_on_a_phone_cards_stand_where_they_do_with_and_without_the_line_of_a_preview(people, site):
    ada = people("sample-ada", **PHONE)
    ada.go(site.begin("sample-ada", "sample-bruno", game="simple-life-or-death"))
    ada.page.get_by_role("button", name="Zoom in").wait_for()
    before = ada.page.evaluate(CARDS)
    # Steps are drawn without it.
    ada.page.locator(".panel-told").evaluate("line => line.remove()")
    assert ada.page.evaluate(CARDS) == before != []


def test_a_click_on_an_empty_square_is_answered_before_a_piece_is_chosen(people, site):
    names = ("sample-ada", "sample-bruno")
    path = site.begin(*names, game="simple-life-or-death")
    pair = [people(name) for name in names]
    for person in pair:
        person.go(path)
    mover = next(one for one in pair if one.page.locator("#match-entry.action-turn").count())
    mover.page.locator(".board-scroll > svg").first.click()
    why = mover.page.locator(".action-why")
    expect(why).to_have_text("Choose a piece in your stock to place.")
    mover.click("stock-rS" if mover is pair[0] else "stock-oS")
    expect(why).to_have_text("")

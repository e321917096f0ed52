"""Dice Is Health between two browsers: movements clicked step by step, a sacrifice, a fight."""

import random
import re

import pytest
from playwright.sync_api import expect

from games.kernel.options import Choice
from games.titles.dice_is_health import TITLE
from tests.browser.people import in_turn, start_game

pytestmark = [pytest.mark.browser, pytest.mark.steps, pytest.mark.xdist_group("browser")]

TRIES = 150
"""So many movements are thought of, the best of which is made."""

ROUNDS = 40
"""Chance may withhold a fight for long, if rarely: one match in sixty took more than twelve."""

GAME = "dice-is-health"
SEED = 3
"""Of the dice of a match with a sacrifice and a fight early on."""

PAID, FOUGHT = "spends? a die", "beats? .* against"
"""What the log says of a sacrifice, and of a fight with dice."""

WATCH = """
window.moved = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (...how) {
  if (this.dataset.piece) {
    window.moved.push(this.dataset.piece);
  }
  return animate.apply(this, how);
};
"""


WATCH_FIGHTS = """
window.fights = [];
new MutationObserver((changes) => {
  for (const { target } of changes) {
    if (target.matches(".board-stage .throw[display=inline]") && Number(target.dataset.after)) {
      const parts = [...target.ownerSVGElement.querySelectorAll("[data-piece]")];
      const walks = parts.flatMap((part) => part.getAnimations());
      window.fights.push(walks.map((walk) => walk.currentTime < walk.effect.getTiming().duration));
    }
  }
}).observe(document, { attributeFilter: ["display"], subtree: true });
"""
"""Notes for each throw after which somebody steps away which walks are not at their end."""

WATCH_CAPTIONS = """
window.captions = [];
const look = () => {
  const caption = document.querySelector(".watching .board-caption");
  if (caption?.textContent) {
    const thrown = document.querySelector(".board-stage .throw[display=inline] > text");
    const isDecided = Boolean(thrown) && !thrown.hasAttribute("visibility");
    const { color, visibility } = getComputedStyle(caption);
    const isRead = color !== "rgba(0, 0, 0, 0)" && visibility === "visible";
    window.captions.push([isRead, isDecided]);
    window.covers ||= !isRead && visibility === "visible";
  }
  requestAnimationFrame(look);
};
look();
"""
"""Notes in each frame of a fight whether the caption can be read, and whether it is decided."""

LOST_SEED = 52
LOST = (
    "P>i1 P>i2 P>o2 P>o3 F+ F+ P>o4 P>o5 M1>o12 F+ F+ F+",
    "done",
    "P>i10 P>i11 P>i12 P>i13 P>o13 F+ F+ F+ F+ F+ F+ P>o12 M1>o13 M1>i13 M1>i14 M1>i15 M1>i16",
    "done",
    "P>o4 P>o3 P>o2 P>o1 P>o0 F+ F+ P>o17 M1>i17",
    "done",
    "P>o13 P>o14 P>o15 P>o16 P>o17 P>o0 F- F- F- F- F- M1>i16 M1>o16 M1>o17 M1>o0",
)
"""After them the next move, with these dice, is a fight that is lost, and a step away."""

STANDING = """
[...document.querySelectorAll("#match-board .standing [data-piece]")]
  .map(({ dataset }) => dataset.way.split(";").at(-1).split(" ")[0])
"""
"""The spaces on which pieces stand."""


class Seat:
    """A player at a machine, who plays by what the options say and clicks it together."""

    def __init__(self, person, seat):
        self.person, self.page, self.seat = person, person.page, seat
        self.chance = random.Random(seat)
        self.page.add_init_script(WATCH)

    @property
    def state(self):
        address = f"/api/v1{self.page.url.removeprefix(self.person.site.url).partition('?')[0]}"
        view = self.page.request.get(address).json()["view"]
        return TITLE.load(view, len(view["players"]), {"rounds": view["rounds"]})

    @property
    def moved(self):
        """The parts of the board that have been seen to move since this was last asked."""
        return self.page.evaluate("window.moved.splice(0)")

    def forget(self):
        """Count no movement seen so far."""
        self.page.evaluate("window.moved.length = 0")

    def options(self, state, words):
        return TITLE.options(state, self.seat, "".join(words))

    def movement(self, state):
        """The words of a movement towards dice and monsters."""
        walks = [self.walk(state) for _ in range(TRIES)]
        return max(walks, key=lambda words: self.worth(state, words))

    def walk(self, state):
        words = []
        while not (found := self.options(state, words)).complete:
            words.append(self.chance.choice(found.next).text)
        return words

    def worth(self, state, words):
        after = self.options(state, words).view
        own = after.players[self.seat]
        return 2 * own.dice + 3 * (own.at in after.monsters and own.dice > 0)

    def enter(self, words):
        """Enter a move word by word: on the board what stands there, the rest in letters."""
        state, field = self.state, self.page.locator("#typed")
        for count, word in enumerate(words):
            offered = self.options(state, words[:count]).next
            choice = next(one for one in offered if isinstance(one, Choice) and one.text == word)
            typed = "".join(words[: count + 1]).strip()
            if choice.marks:
                self.choose(choice.marks[0])
            else:
                self.person.open_drawer()
                field.fill(typed)
                field.press("Enter")
            expect(field).to_have_value(re.compile(rf"^{re.escape(typed)}\s*$"))
        self.person.confirm()

    def choose(self, mark):
        """Click a part of the board; a space below a piece is chosen by keyboard."""
        if mark in self.page.evaluate(STANDING):
            self.page.locator(f'#match-board [data-mark="{mark}"]').focus()
            self.page.keyboard.press("Enter")
        else:
            self.person.click(mark)

    def answer(self, state):
        """The words for whatever is asked after the movement: walls are paid for once."""
        offered = [choice.text for choice in self.options(state, []).next]
        wanted = ("done",) if re.search(PAID, told(self)) else ("wall", "done")
        return [next((text for text in wanted if text in offered), offered[0])]


@pytest.fixture
def seats(people):
    """A match between two, who both look at it."""
    both = Seat(people("sample-ada"), 0), Seat(people("sample-bruno"), 1)
    start_game(*(seat.person for seat in both), GAME, seed=SEED)
    return both


def told(seat):
    return seat.page.locator("#match-log").inner_text()


def test_two_players_through_turns_with_a_sacrifice_and_a_fight(seats):
    ada, bruno = seats
    version = 0
    while not all(re.search(words, told(ada)) for words in (PAID, FOUGHT)):
        state = ada.state
        mover, other = (ada, bruno) if state.mover == ada.seat else (bruno, ada)
        assert state.round < ROUNDS
        mover.person.waits_for_turn()
        other.forget()
        mover.enter(mover.movement(state) if state.phase == "move" else mover.answer(state))
        version += 1
        for seat in seats:
            seat.person.sees_version(version)
        if state.phase == "move":
            assert {"fan", f"player-{mover.seat}"} <= set(other.moved)


def watch_a_lost_fight(people, script):
    """Let Ada, whose page runs a script, look at a fight that somebody loses; return her."""
    ada, bruno = people("sample-ada"), people("sample-bruno")
    ada.page.add_init_script(script)
    start_game(ada, bruno, GAME, seed=LOST_SEED, moves=LOST)
    bruno.open_drawer()
    bruno.page.locator("#typed").fill("done")
    bruno.page.locator("#typed").press("Enter")
    bruno.confirm()
    ada.sees_version(len(LOST) + 1)
    return ada


@pytest.mark.thorough
def test_a_fight_is_shown_before_the_loser_steps_away(people):
    ada = watch_a_lost_fight(people, WATCH_FIGHTS)
    expect(ada.page.locator("#match-log .log-row").first).to_contain_text("away to")
    ada.page.wait_for_function("() => fights.length > 0")
    (walks,) = ada.page.evaluate("fights")
    assert any(walks)


@pytest.mark.thorough
def test_the_caption_waits_for_the_dice_of_the_fight(people):
    ada = watch_a_lost_fight(people, WATCH_CAPTIONS)
    ada.page.wait_for_function("() => captions.some(([isRead]) => isRead)")
    found = ada.page.evaluate("captions")
    assert [False, False] in found
    assert [True, False] not in found
    assert not ada.page.evaluate("window.covers")


@pytest.mark.thorough
def test_whoever_wants_no_motion_sees_none(seats):
    ada, bruno = seats
    bruno.page.emulate_media(reduced_motion="reduce")
    ada.enter(ada.walk(ada.state))
    bruno.person.sees_version(1)
    assert bruno.moved == []
    assert "fan" in ada.moved


def a_turn(people, **how):
    """Somebody whose turn it is in a match that has just begun, and what they may choose."""
    pair = [people(f"sample-{name}", **how) for name in ("ada", "bruno")]
    start_game(*pair, GAME)
    mover, _ = in_turn(pair)
    return mover, offered(mover)


def offered(mover):
    """By mark the text that a click on it adds."""
    path = mover.page.url.removeprefix(mover.site.url)
    typed = mover.page.locator("#typed").input_value()
    address = f"/api/v1{path.partition('?')[0]}options/"
    choices = mover.page.request.get(address, params={"typed": typed}).json()["next"]
    return {choice["marks"][0]: choice["text"] for choice in choices if choice["marks"]}


@pytest.mark.thorough
def test_the_mouse_shows_the_way_that_a_click_would_walk(people):
    mover, ways = a_turn(people)
    taken = mover.page.evaluate(STANDING)
    space = next(to for to, text in ways.items() if text.startswith("P>") and to not in taken)
    mover.page.locator(f'#match-board [data-mark="{space}"]').hover()
    expect(mover.page.locator(".board-ghost")).to_have_count(1)
    mover.page.locator("#action-head").hover()
    expect(mover.page.locator(".board-ghost")).to_have_count(0)


@pytest.mark.thorough
def test_each_space_in_reach_shows_how_far_it_is(people):
    mover, ways = a_turn(people)
    lengths = [text.count(">") for text in ways.values() if re.match("P>.", text)]
    dots = mover.page.locator("#match-board svg > g[fill='var(--c-target)'] text")
    assert sorted(map(int, dots.all_text_contents())) == sorted(lengths)


@pytest.mark.thorough
def test_a_click_walks_the_only_piece_that_gets_there_without_choosing_it(people):
    mover, ways = a_turn(people)
    taken = mover.page.evaluate(STANDING)
    space, text = next(
        (to, text) for to, text in ways.items() if re.match("M.>.", text) and to not in taken
    )
    mover.click(space)
    expect(mover.page.locator("#typed")).to_have_value(text)
    prompt = mover.page.locator("#match-entry .action-prompt").inner_text()
    expect(mover.page.locator("#news")).to_have_text(prompt)
    mover.page.locator('[data-tab="more"]').click()
    expect(mover.page.locator("#choices")).to_be_visible()
    mover.page.locator("#typed").fill("nowhere")
    mover.page.locator("#typed").press("Enter")
    expect(mover.page.locator("#action-error")).to_contain_text("is no move")
    expect(mover.page.locator("#typed")).to_have_value("nowhere")


PHONE = {"size": (390, 664), "touch": True}


def taps(person, mark):
    person.page.locator(f'#match-board [data-mark="{mark}"]').tap()


def test_a_tap_counts_once(people):
    mover, _ = a_turn(people, **PHONE)
    typed = mover.page.locator("#typed")
    taps(mover, "fan-")
    expect(typed).to_have_value("F- ")
    taps(mover, "fan-")
    expect(typed).to_have_value("F- F- ")
    taps(mover, "monster-1")
    expect(typed).to_have_value("F- F- M1>")
    # A second click would have come by now.
    mover.page.wait_for_timeout(600)
    expect(typed).to_have_value("F- F- M1>")


def test_a_tap_out_of_reach_says_why_and_keeps_what_was_entered(people):
    mover, ways = a_turn(people, **PHONE)
    near = next(to for to, text in ways.items() if re.fullmatch("P>[oi][0-9]+ ", text))
    taps(mover, near)
    expect(mover.page.locator("#typed")).to_have_value(ways[near])
    far = next(
        to for to in ways if re.match("[oi]", to) and to not in offered(mover) and to != near
    )
    taps(mover, far)
    expect(mover.page.locator(".action-why")).to_contain_text("can’t reach")
    expect(mover.page.locator("#typed")).to_have_value(ways[near])

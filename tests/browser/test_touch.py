"""Every game on a phone by touch alone: all that the next move needs is tapped, unscrolled."""

import random

import pytest
from playwright.sync_api import expect

from games.kernel import registry
from tests.browser.people import start_game
from tests.sampling import rest_thorough

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser"), pytest.mark.slow]

PHONE = {"size": (390, 664), "touch": True, "steps": False}

MOVES = (6, 16)
"""Numbers of moves that are made of each match, unless it ends before."""

MOST_MOVES = 100
"""So many moves end a match of DIE of size 3, however aimless."""

MOST_TAPS = 60
"""So many taps enter a move at most, however aimlessly."""

IN_REACH = """() => {
  const board = "#match-board a.mark:not(.mark-aside)";
  const bar = "a[data-onward], button, .action-rest > summary, label:has([type=radio])";
  const found = [...document.querySelectorAll(`${board}, #match-entry :is(${bar})`)];
  const not = "[disabled], [aria-disabled=true], [name=order]";
  const offered = found.filter((one) => !one.matches(not));
  return offered.flatMap((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const hit = document.elementFromPoint(x, y);
    const isHit = hit && one.contains(hit);
    const name = one.dataset.mark ?? one.textContent.trim() ?? one.className;
    return isHit ? [{ name, x, y, confirms: one.matches("[data-confirm]") }] : [];
  });
}"""
"""What can be chosen and is hit by a tap in its middle, in the window as it stands; no orders."""

QUIET = """() =>
  !document.querySelector("#match[aria-busy], .board-stage, #match-entry .action-sending")"""
"""Whether nothing is under way on the page, and no step is shown, which a tap would only skip."""


class Hand:
    """Somebody's finger on a phone; it taps what it sees, and never scrolls the page."""

    def __init__(self, person, chance):
        self.person, self.page, self.chance = person, person.page, chance

    @property
    def is_asked(self):
        return self.page.locator("#match-entry.action-turn").count() > 0

    def tap(self, target):
        self.page.touchscreen.tap(target["x"], target["y"])
        self.page.wait_for_function(QUIET)
        assert self.page.evaluate("[scrollX, scrollY, visualViewport.scale]") == [0, 0, 1]

    def move(self):
        """Tap a move together and confirm it."""
        version, tapped = self.person.version, []
        while self.person.version == version:
            assert len(tapped) < MOST_TAPS, tapped
            self.page.wait_for_function(QUIET)
            found = self.page.evaluate(IN_REACH)
            assert found, (self.page.url, tapped)
            target = self.choice(found, tapped)
            tapped.append(target["name"])
            self.tap(target)

    def choice(self, found, tapped):
        """What to tap: Confirm, else what has been tapped least."""
        confirming = [one for one in found if one["confirms"]]
        least = min(tapped.count(one["name"]) for one in found)
        fresh = [one for one in found if tapped.count(one["name"]) == least]
        return self.chance.choice(confirming or fresh)


def sit_down(people, slug, **how):
    """Let two people look at a match that has begun; return their hands."""
    pair = [people(f"sample-{name}", **PHONE) for name in ("ada", "bruno")]
    start_game(*pair, slug, **how)
    return [Hand(person, random.Random(person.name)) for person in pair]


def play(hands, moves):
    """Make so many moves, or as many as there are until the end."""
    for _ in range(moves):
        hand = next((hand for hand in hands if hand.is_asked), None)
        if hand is None:
            return
        hand.move()
        for other in hands:
            other.person.sees_version(hand.person.version)
            other.page.wait_for_function(QUIET)
            expect(other.page.locator(".action-error")).to_have_count(0)


@pytest.mark.parametrize("moves", rest_thorough(MOVES))
@pytest.mark.parametrize("slug", rest_thorough(registry.titles(), often=2))
def test_a_match_is_played_by_touch_alone(people, slug, moves):
    hands = sit_down(people, slug)
    play(hands, moves)
    assert hands[0].person.version >= moves or not any(hand.is_asked for hand in hands)


@pytest.mark.thorough
def test_a_match_is_played_to_its_end_by_touch_alone(people):
    hands = sit_down(people, "die", size=3)
    play(hands, MOST_MOVES)
    results = [hand.page.locator("#action-head").text_content() for hand in hands]
    assert sorted(result.partition(":")[0] for result in results) == ["You lost", "You won"]
    winner = hands[[result.startswith("You won") for result in results].index(True)]
    rematch = winner.page.get_by_role("button", name="Rematch").bounding_box()
    assert rematch["y"] + rematch["height"] <= PHONE["size"][1]

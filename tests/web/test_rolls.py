"""Dice on the page of a match: each entry's are there to be shown, and no drawn card is."""

import random
import re

import pytest

from games.matches import selectors
from games.matches.log import lines, log_entries
from tests.match_driver import begin, fresh_cache

__all__ = ["fresh_cache"]

DICE = re.compile(r'<li class="log-row[^>]*? value="(\d+)" data-dice="([^"]*)"')


@pytest.fixture
def played(people):
    """A match in which pieces have come on and gone their ways, some way on."""
    match_driver = begin("simple-life-or-death", people)
    chance = random.Random(5)
    for _ in range(40):
        at = match_driver.snapshot
        moves = list(map(str, at.title.moves(at.state, at.actors[0])))
        ways = [text for text in moves if not text.startswith("place")]
        match_driver.play(chance.choice(ways or moves))
    return match_driver


def shown(match_driver, seat):
    page = match_driver.client(seat).get(match_driver.page).content.decode()
    return {int(number): dice for number, dice in DICE.findall(page)}


def test_the_log_has_the_dice_of_each_entry(played):
    entries = selectors.log(played.match)[-log_entries.MIN_RECENT :]
    rolled = {
        entry.number: " ".join(f"{sides}:{face}" for sides, face in dice)
        for entry in entries
        if (dice := lines.dice(played.snapshot, entry))
    }
    assert rolled
    for seat in (0, 1, 2, None):
        assert shown(played, seat) == rolled


def test_what_was_drawn_of_the_pack_is_no_die(played):
    for entry in selectors.log(played.match):
        rolled = [event for event in entry.events if event["type"] == "roll"]
        expected = [
            (sides, face)
            for event in rolled
            for sides, face in zip(event["dice"], event["rolls"], strict=True)
        ]
        assert list(lines.dice(played.snapshot, entry)) == expected

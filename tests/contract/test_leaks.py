"""The tests of secrecy find what they are for: a toy that leaks, in a dozen ways, one at a time."""

import random

import pytest

from tests.contract.equivalence import differences
from tests.contract.interfaces import House
from tests.contract.random_play import random_play
from tests.contract.reference import Sample
from tests.contract.scenarios import pairs
from tests.example_games import hands, hands_indistinguishable
from tests.example_games.leaks import LEAKS

INTERFACES = {
    "a field of the view": (
        "anybody: /api/v1/matches/",
        "player: /api/v1/matches/",
        "engine: view",
        "stream to anybody",
        "stream to a player",
    ),
    "a public event": (
        "export.json",
        "export.txt",
        "log/",
        "letter",
        "0/",
        "part=live",
        "archive",
        "record/",
    ),
    "the number of events": ("export.json",),
    "the moves there are": (
        "typed: ",
        "options: ",
        "engine: ",
        "part=entry",
        "part=live",
        "stream to a player",
    ),
    "a refusal": ("typed: ", "options: ", "preview: "),
    "the label of the drawing": ("board.svg", "thumbnail", "letter", "part=record"),
    "a shape of the drawing": (
        "board.svg",
        "board.png",
        "thumbnail",
        "letter",
        "part=record",
        "engine: svg",
    ),
    "a line of the log": ("export.txt", "log/", "part=live", "archive", "letter"),
    "the label of a choice": ("typed: ", "entered: ", "options: ", "engine: ", "part=entry"),
    "the number of choices": ("typed: ", "entered: ", "options: ", "engine: ", "part=entry"),
    "why a mark leads nowhere": ("explained: ",),
    "the text of a move": ("export.json", "export.txt", "log/", "part=live", "part=record"),
    "the length of a hidden text": ("export.json", "export.txt", "log/", "part=live"),
}
"""Where each leak comes out, at the least; the names are those of ``interfaces.py``."""


def found_pairs(title, seed, most=4):
    record = random_play(title, Sample(2, {}), seed)
    return pairs(record, hands_indistinguishable, random.Random(seed), most=most, length=3)


def by_the_rules(title, seeds=6):
    """What differs by the rules, somewhere."""
    pairs_ = (pair for seed in range(seeds) for pair in found_pairs(title, seed))
    return {name for pair in pairs_ for name in differences(pair)}


def at_the_interfaces(house, wanted=("nothing",), seeds=3):
    """What differs at the interfaces, until all that is wanted was found."""
    found = set()
    for seed in range(seeds):
        for pair in found_pairs(house.title, seed, most=2):
            found |= set(house.differences(pair))
            if not missing(found, wanted):
                return found
    return found


def missing(found, wanted):
    return [action for action in wanted if not any(action in name for name in found)]


@pytest.mark.slow
def test_a_toy_that_leaks_nothing_looks_alike_by_the_rules():
    assert by_the_rules(hands.TITLE) == set()


@pytest.mark.thorough  # the worlds of every game look alike at every door, too
def test_a_toy_that_leaks_nothing_looks_alike_at_the_interfaces(db, monkeypatch):
    assert at_the_interfaces(House(hands.TITLE, monkeypatch)) == set()


@pytest.mark.slow
@pytest.mark.parametrize("leak", LEAKS)
def test_every_leak_is_found_by_the_rules(leak):
    assert by_the_rules(LEAKS[leak])


@pytest.mark.slow
@pytest.mark.parametrize("leak", LEAKS)
def test_every_leak_is_found_at_the_interfaces(leak, db, monkeypatch):
    wanted = INTERFACES[leak]
    found = at_the_interfaces(House(LEAKS[leak], monkeypatch, parts=wanted), wanted)
    assert not missing(found, wanted), sorted(found)

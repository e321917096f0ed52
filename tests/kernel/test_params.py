"""Parameters: complete, of the schema, and in its order."""

from dataclasses import replace

import pytest

from games.kernel.errors import BadParams
from games.kernel.params import complete, for_match
from tests.example_games.heap import META, TITLE

SCHEMA = {
    "type": "object",
    "properties": {
        "size": {"type": "integer", "minimum": 3, "maximum": 12, "default": 5},
        "order": {"enum": ["up", "down"], "default": "up"},
        "tilt": {"type": "number", "minimum": 0, "default": 0.5},
        "random": {"type": "boolean", "default": False},
    },
}
GAME = replace(META, params=SCHEMA)


def test_what_is_left_out_has_its_default():
    whole = complete(GAME, {"random": True, "size": 7})
    assert whole == {"size": 7, "order": "up", "tilt": 0.5, "random": True}
    assert list(whole) == ["size", "order", "tilt", "random"]


def test_completing_twice_changes_nothing_and_the_raw_ones_stay():
    raw = {"size": 12}
    assert complete(GAME, complete(GAME, raw)) == complete(GAME, raw)
    assert raw == {"size": 12}


def test_a_whole_number_is_whole_however_it_was_written():
    assert repr(complete(GAME, {"size": 7.0})["size"]) == "7"


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ({"size": 2}, "size: 2 is less than the minimum of 3"),
        ({"size": 13}, "size: 13 is greater"),
        ({"size": "5"}, "size: '5' is not of type 'integer'"),
        ({"size": True}, "size: true is not of type 'integer'"),
        ({"size": 5.5}, "size: 5.5 is not"),
        ({"size": None}, "size: null is not"),
        ({"size": [5]}, "size: "),
        ({"order": "sideways"}, "order: 'sideways' is not one of"),
        ({"random": 1}, "random: 1 is not of type 'boolean'"),
        ({"colour": "red"}, "no parameter 'colour'. It has: size, order, tilt, random"),
        ({5: 5}, "no parameter '5'"),
        (None, "Parameters are an object"),
        ([], "Parameters are an object"),
        ("size", "Parameters are an object"),
    ],
)
def test_what_the_game_does_not_offer_is_named(raw, words):
    with pytest.raises(BadParams) as refused:
        complete(GAME, raw)
    assert words in str(refused.value)


def test_numbers_of_seats():
    assert [for_match(TITLE, seats, {}) for seats in (2, 3, 4)] == [complete(META, {})] * 3
    for seats in (1, 5, 0, -2, True, 2.0, "2", None, [2]):
        with pytest.raises(BadParams, match=r"Heap is for 2 to 4 players, not"):
            for_match(TITLE, seats, {})


def test_a_game_refuses_parameters_for_a_number_of_seats():
    assert for_match(TITLE, 3, {"free": True}) == {"heap": 10, "free": True}
    with pytest.raises(BadParams, match=r"^Only two or three can play at any time\.$"):
        for_match(TITLE, 4, {"free": True})
    with pytest.raises(BadParams, match="free: 1 is not of type"):
        for_match(TITLE, 4, {"free": 1})

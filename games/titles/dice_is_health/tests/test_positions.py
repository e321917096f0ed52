"""Dice Is Health, Strength, and Money: positions that load, and those that are refused."""

import pytest

from games.kernel.errors import BrokenPosition
from games.titles.dice_is_health import TITLE
from games.titles.dice_is_health.tests.fixtures import load, position

RED, BLUE = ("i0", 1, 0), ("i9", 1, 0)
PARTING = {"chooser": 0, "piece": 0, "part": "players", "monster": None}


def refused(*players, **fields):
    """Return why a position is refused."""
    data = position(players, **fields)
    with pytest.raises(BrokenPosition) as broken:
        TITLE.read_position(data, len(players), {"rounds": 100})
    return str(broken.value)


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"phase": "spend"},
        {"phase": "walls", "pending": {"count": 6}},
        {"phase": "fight", "monsters": ["i1"]},
        {"phase": "rampage", "pending": {"monster": 1}, "monsters": ["i1"], "fought": [[1, 1]]},
        {"phase": "over", "result": [1, 1]},
        {"phase": "over", "result": [2, 1]},
    ],
)
def test_positions_come_back_as_they_were(fields):
    data = position([RED, BLUE], **fields)
    assert TITLE.dump(load(RED, BLUE, **fields)) == data


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"fan": 6}, "`int` <= 5 - at `$.fan`"),
        ({"round": 101}, "never played"),
        ({"rounds": 99}, "rounds is 100"),
        ({"turn": 2}, "seats are 0 to 1"),
        ({"roll": [3, 2, 1]}, "sorted"),
        ({"roll": None}, "roll before the movement"),
        ({"roll": [0, 1, 2]}, "`int` >= 1 - at `$.roll[0]`"),
        ({"monsters": []}, "1 to 8 monsters"),
        ({"monsters": ["o5"] * 9}, "1 to 8 monsters"),
        ({"monsters": ["o18"]}, "at `$.monsters[0]`"),
        ({"walls": {"o10": 0}}, "No monster stands on a wall"),
        ({"walls": {"o2": 0}}, "not marked"),
        ({"pickups": ["o0"]}, "held or lie"),
        ({"pickups": ["o2", "o0"]}, "in order"),
        ({"pickups": ["o1"]}, "Dice lie on outer spaces"),
        ({"dropped": [1]}, "not in"),
        ({"pending": {"count": 1}}, "cannot be pending"),
        ({"fought": [[0, 1]]}, "Nobody has fought"),
        ({"phase": "walls", "pending": {"count": 7}}, "`int` <= 6 - at `$.count`"),
        ({"phase": "walls", "pending": None}, "cannot be pending"),
        ({"phase": "fight"}, "fewer than two answers"),
        ({"phase": "fight", "monsters": ["i0", "i1"]}, "fight before anything else"),
        ({"phase": "challenge"}, "fewer than two answers"),
        ({"phase": "rampage", "pending": {"monster": 2}}, "no monster 2"),
        ({"phase": "go", "pending": PARTING}, "Nobody steps away"),
        ({"phase": "over"}, "result when it is over"),
        ({"phase": "over", "result": [2, 2]}, "cannot have ended"),
        ({"result": [1, 1]}, "result when it is over"),
    ],
)
def test_what_no_match_can_have_come_to_is_refused(fields, reason):
    assert reason in refused(RED, BLUE, **fields)


@pytest.mark.parametrize(
    ("players", "fields", "reason"),
    [
        ([("o1", 1, 0), BLUE], {"walls": {"o1": 1}}, "somebody else's wall"),
        ([("i0", 4, 0), BLUE], {"pickups": []}, "`$.players[0].dice`"),
        ([("i0", 1, 2), ("i9", 1, 1)], {}, "2 trinkets circulate"),
        ([("i0", 3, 1), BLUE], {}, "won already"),
        ([("i0", 0, 0), BLUE], {"phase": "spend"}, "nothing to spend"),
        ([RED, (None, 0, 0)], {}, "not in"),
        ([RED, (None, 1, 0), BLUE], {}, "has nothing left"),
        ([RED, (None, 0, 0), BLUE], {"walls": {"o1": 1}}, "its walls are gone"),
        ([RED, (None, 0, 0), BLUE], {"turn": 1}, "who is out"),
        ([RED, (None, 0, 0), (None, 0, 0)], {}, "as long as two"),
        ([(None, 0, 0)] * 3, {}, "The last seat"),
        ([("i0", 3, 1), BLUE], {"phase": "over", "result": [1, 1]}, "cannot have ended"),
        ([("i0", 3, 1), BLUE], {"phase": "over", "result": [2, 1]}, "cannot have ended"),
        ([RED, ("i0", 1, 0), ("i1", 1, 0)], {"phase": "challenge"}, "fight before anything else"),
        (
            [RED, BLUE],
            {"phase": "strip", "pending": {"winner": 0, "loser": 1, "count": 1}},
            "fewer than two answers",
        ),
        (
            [RED, BLUE],
            {"phase": "strip", "pending": {"winner": 1, "loser": 1, "count": 1}},
            "fight of the mover",
        ),
    ],
)
def test_who_has_or_stands_what_cannot_be_is_refused(players, fields, reason):
    assert reason in refused(*players, **fields)


def test_homes_follow_the_formula():
    data = position([RED, BLUE])
    data["players"][0]["home"] = "i1"
    with pytest.raises(BrokenPosition, match="not the home of Red"):
        TITLE.read_position(data, 2, {"rounds": 100})


def test_fewer_dice_lie_only_after_a_drop():
    held = [RED, (None, 0, 0), BLUE]
    assert TITLE.dump(load(*held, pickups=["o0", "o2", "o3", "o5", "o6", "o8", "o9"]))
    assert "held or lie" in refused(*held, pickups=["o0", "o2", "o3", "o5", "o6", "o8"])


def test_a_round_that_no_match_comes_to_is_refused():
    data = position([RED, BLUE], rounds=0, round=10**30)
    with pytest.raises(BrokenPosition, match="round"):
        TITLE.read_position(data, 2, {"rounds": 0})


@pytest.mark.parametrize("pending", [{}, [], 3, "x", {"count": "1"}, {"winner": 0, "loser": 1}])
def test_what_is_pending_has_the_fields_of_its_phase(pending):
    data = position([RED, BLUE], phase="walls", pending=pending)
    with pytest.raises(BrokenPosition):
        TITLE.load(data, 2, {"rounds": 100})

"""Positions from JSON: whatever no match can have come to is refused."""

import copy

import pytest

from games.kernel.errors import BrokenPosition
from games.kernel.params import complete
from games.titles.precary_ice import TITLE
from games.titles.precary_ice.meta import META
from games.titles.precary_ice.tests.fixtures import drop, place, start

PARAMS = complete(META, {})


def running():
    """Return the position of three in round 1: one leads, one has fallen, one is to move."""
    state, _ = place(start(3, [6]), 0, 1)
    state, _ = place(state, 1, 1, ms=2_000)
    return TITLE.dump(state)


def changed(path, value):
    data = copy.deepcopy(running())
    inside = data
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = value
    return data


def test_a_sound_position_is_read():
    data = running()
    assert TITLE.dump(TITLE.read_position(data, 3, PARAMS)) == data


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("rounds",), 1),
        (("incidents",), 0),
        (("hand",), "steady"),
        (("round",), 5),
        (("round",), 2),
        (("starter",), 1),
        (("turn",), None),
        (("turn",), 1),
        (("turn",), 0),
        (("in",), [True, True, False]),
        (("dropped",), [2]),
        (("result",), [3, 2, 1]),
        (("scores",), [[6], [6], [6]]),
        (("towers", 0, "sheet"), [6]),
        (("towers", 0, "sheet"), [6, 8]),
        (("towers", 0, "sheet"), [9]),
        (("towers", 0, "left"), [9, 9, 9]),
        (("towers", 0, "done"), True),
        (("towers", 0, "fallen"), True),
        (("towers", 0, "next"), "P"),
        (("towers", 0, "pieces"), []),
        (("towers", 0, "pieces", 0), ["Q", 0, float("inf"), 0]),
        (("towers", 0, "pieces", 0), ["Q", 0, -1, 0]),
        (("towers", 0, "pieces", 0), ["X", 0, 1, 0]),
        (("towers", 0, "pieces", 0), ["Q", 0, True, 0]),
        (("towers", 1, "sheet"), [6, 7, 8]),
        (("towers", 1, "done"), False),
        (("towers", 2, "die"), 6),
        (("towers", 2, "die"), None),
        (("towers", 2, "next"), None),
        (("towers", 2, "next"), ["P"]),
    ],
    ids=str,
)
def test_what_no_match_can_have_come_to_is_refused(path, value):
    with pytest.raises(BrokenPosition):
        TITLE.read_position(changed(path, value), 3, PARAMS)


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        (("starter",), 3, "The seats are 0 to 2"),
        (("turn",), 5, "The seats are 0 to 2"),
        (("dropped",), [3], "The seats are 0 to 2"),
        (("turn",), 6, "`$.turn`"),
        (("towers",), [], "towers has 0 values for 3 seats"),
        (("scores",), [[], []], "scores has 2 values for 3 seats"),
        (("in",), [True, True], "in has 2 values for 3 seats"),
        (("result",), [1, 2], "result has 2 values for 3 seats"),
        (("pace",), "free", "pace is 'turns' in this match"),
        (("scores", 0), [71], "`$.scores[0][0]`"),
        (("towers", 1, "pieces", 0), ["P\n", 0, 1, 0], "`$.towers[1].pieces[0][0]`"),
        (("towers", 1, "pieces", 0), ["P", 0, float("nan"), 0], "`$.towers[1].pieces[0][2]`"),
        (("towers", 1, "pieces", 0), ["P", 0, 1], "`$.towers[1].pieces[0]`"),
        (("towers", 1, "die"), 7, "`$.towers[1].die`"),
        (("towers", 1, "fallen"), None, "`$.towers[1].fallen`"),
    ],
    ids=str,
)
def test_what_has_not_the_shape_of_a_position_is_not_loaded(path, value, words):
    with pytest.raises(BrokenPosition) as refused:
        TITLE.load(changed(path, value), 3, PARAMS)
    assert words in str(refused.value)


def test_a_fall_may_or_may_not_have_been_written():
    TITLE.read_position(changed(("towers", 1, "sheet"), [6]), 3, PARAMS)


def test_the_first_three_pieces_cannot_have_fallen():
    data = changed(("towers", 1, "pieces"), running()["towers"][1]["pieces"][:3])
    data["towers"][1] |= {"left": [9, 9, 9], "sheet": [6]}
    with pytest.raises(BrokenPosition, match="is not that of QDP"):
        TITLE.read_position(data, 3, PARAMS)


def test_nobody_builds_on_alone():
    state, _ = drop(start(3), 0, 1)
    data = TITLE.dump(state)
    data |= {"dropped": [0, 1], "in": [False, False, True], "turn": 2, "starter": 2}
    data["towers"][2] |= {key: data["towers"][1][key] for key in ("die", "next")}
    data["towers"][1] = data["towers"][0]
    with pytest.raises(BrokenPosition, match="all but one"):
        TITLE.read_position(data, 3, PARAMS)


def test_positions_after_drops_and_ends_are_read():
    state, _ = drop(start(4), 0, 1)
    for seat, rolls in ((2, ()), (1, (1,))):
        state, _ = drop(state, seat, *rolls) if seat != 1 else drop(state, seat)
        data = TITLE.dump(state)
        assert TITLE.dump(TITLE.read_position(data, 4, PARAMS)) == data
    assert state.ranks == (4, 2, 3, 1)
    for ranks in ([1, 2], [2, 1], [1, 1]):
        data = {**TITLE.dump(start()), "result": ranks}
        assert TITLE.dump(TITLE.read_position(data, 2, PARAMS)) == data

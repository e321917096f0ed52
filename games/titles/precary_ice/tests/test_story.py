"""The log of a match, word for word."""

import pytest

from games.kernel.contract import Event
from games.titles.precary_ice.story import describe

PLACED = {"piece": "Q", "at": -1.5, "tilt": 3, "tremor": [0.42, -1.06]}


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (Event("place", 0, PLACED), ""),
        (Event("stand", 0, {"total": 9}), "Red’s tower stands: 9 points."),
        (
            Event("fall", 1, {"ms": 1004, "written": True, "total": 31, "pieces": []}),
            "Orange’s tower falls, slowly enough to write down 31 points.",
        ),
        (
            Event("fall", 1, {"ms": 176, "written": False, "total": 28, "pieces": []}),
            "Orange’s tower falls at once: 28 points.",
        ),
        (
            Event("bonus", 2, {"total": 70, "pieces": [["Q", 0.0, 12.0, 0.0]] * 30}),
            "All 30 pieces stand! Yellow has 70 points.",
        ),
        (Event("die", 3, {"die": 5, "piece": "D"}), "Green rolls 5: a drone comes next."),
        (Event("die", 3, {"die": None, "piece": "P"}), "Green has only pawns left."),
        (
            Event("round", None, {"round": 2, "scores": [31, None, 40], "starter": 2}),
            "Round 2 is over: Red 31 and Yellow 40. Yellow starts round 3.",
        ),
        (
            Event("round", None, {"round": 3, "scores": [31, 40], "starter": None}),
            "Round 3 is over: Red 31 and Orange 40.",
        ),
        (Event("round", None, {"round": 1, "scores": [31, 40], "starter": None}), ""),
        (
            Event("end", None, {"ending": "played-out", "ranks": [2, 1], "sums": [80, 91]}),
            "Orange wins: Orange 91 points, Red 80 points.",
        ),
        (
            Event("end", None, {"ending": "closed", "ranks": [1, 1], "sums": [50, 50]}),
            "The match is a draw: Red 50 points, Orange 50 points.",
        ),
        (Event("turn", 0), ""),
    ],
)
def test_what_happened_is_told(event, line):
    assert describe(event, None) == line

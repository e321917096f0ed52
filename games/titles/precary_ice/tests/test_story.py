"""The log of a match, word for word."""

import pytest

from games.kernel.contract import TurnEnded
from games.titles.precary_ice import events
from games.titles.precary_ice.pieces import Placed
from games.titles.precary_ice.story import describe


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (events.Released(0, "Q", -1.5, 3, (0.42, -1.06)), "Red places a queen."),
        (events.Stood(0, 9), "The tower stands: 9 points."),
        (
            events.Fell(1, ms=1004, written=True, total=31, pieces=()),
            "The tower falls, slowly enough to write down 31 points.",
        ),
        (
            events.Fell(1, ms=176, written=False, total=28, pieces=()),
            "The tower falls at once: 28 points.",
        ),
        (
            events.Completed(2, 70, (Placed("Q", 0.0, 12.0, 0.0),) * 30),
            "All 30 pieces stand! Yellow has 70 points.",
        ),
        (events.PieceDue(3, 5, "D"), "Green rolls 5: a drone."),
        (events.PieceDue(3, None, "P"), "Green has only pawns left."),
        (
            events.RoundEnded(round=2, scores=(31, None, 40), starter=2),
            "Round 2 is over: Red 31 and Yellow 40. Yellow starts round 3.",
        ),
        (
            events.RoundEnded(round=3, scores=(31, 40), starter=None),
            "Round 3 is over: Red 31 and Orange 40.",
        ),
        (events.RoundEnded(round=1, scores=(31, 40), starter=None), ""),
        (
            events.Ended(ending="played-out", ranks=(2, 1), sums=(80, 91)),
            "Orange wins: Orange 91 points, Red 80 points.",
        ),
        (
            events.Ended(ending="closed", ranks=(1, 1), sums=(50, 50)),
            "The match is a draw: Red 50 points, Orange 50 points.",
        ),
        (TurnEnded(0), ""),
    ],
)
def test_what_happened_is_told(event, line):
    assert describe(event, None) == line

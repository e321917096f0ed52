"""The log of a match, word for word."""

import pytest

from games.kernel.contract import TurnEnded
from games.titles.precary_ice import events
from games.titles.precary_ice.pieces import Placed
from games.titles.precary_ice.story import describe, news


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (events.Released(0, "Q", -1.5, 3, (0.42, -1.06)), "Red places a queen."),
        (events.Stood(0, 9), "Red’s tower stands: 9 points."),
        (
            events.Fell(1, ms=1004, written=True, total=31, pieces=()),
            "Orange’s tower falls, slowly enough to write down 31 points.",
        ),
        (
            events.Fell(1, ms=176, written=False, total=28, pieces=()),
            "Orange’s tower falls at once: 28 points.",
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


def placed(seat, *outcome):
    return [events.Released(seat, "Q", -1.5, 3, (0.42, -1.06)), *outcome]


ROUND_OVER = events.RoundEnded(round=1, scores=(17, 16), starter=1)
ALL = (Placed("Q", 0.0, 12.0, 0.0),) * 30
FELL = events.Fell(1, ms=176, written=False, total=16, pieces=())


@pytest.mark.parametrize(
    ("seen", "line"),
    [
        (
            [*placed(1, events.Stood(1, 9)), events.PieceDue(0, 2, "P")],
            "Orange places a queen: 9 points. You roll 2: a pawn.",
        ),
        (placed(0, events.Stood(0, 9)), "You place a queen: 9 points."),
        (placed(1, FELL), "Orange places a queen. Orange’s tower falls at once: 16 points."),
        (
            [*placed(1, FELL), ROUND_OVER, events.PieceDue(1, 6, "Q")],
            "Round 1 is over: you 17 and Orange 16. Orange starts round 2.",
        ),
        (
            [*placed(1, FELL), ROUND_OVER, *placed(1, events.Stood(1, 9))],
            (
                "Round 1 is over: you 17 and Orange 16. Orange starts round 2."
                " Orange places a queen: 9 points."
            ),
        ),
        (
            placed(1, events.Stood(1, 60), events.Completed(1, 70, ALL)),
            "All 30 pieces stand! Orange has 70 points.",
        ),
        ([events.PieceDue(1, 6, "Q")], ""),
    ],
)
def test_the_news_of_some_moves(seen, line):
    assert news(seen, 0) == line

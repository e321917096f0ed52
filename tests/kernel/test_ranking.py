"""Results: ranks by seat."""

import pytest

from games.kernel.ranking import DRAWN, WON_BY, rank


@pytest.mark.parametrize(
    ("points", "best", "dropped", "ranks"),
    [
        ([5, 7], [0, 1], [], (2, 1)),
        ([5, 5], [0, 1], [], (1, 1)),
        ([3, 9, 9, 1], [0, 1, 2, 3], [], (3, 1, 1, 4)),
        ([0, 0, 0], [1], [], (2, 1, 2)),
        ([1, 8, 2, 9], [0, 2], [], (2, 3, 1, 3)),
        ([1, 8, 2, 9], [0, 2], [3, 1], (2, 3, 1, 4)),
        ([9, 8, 1, 2], [2], [0], (4, 2, 1, 2)),
        ([9, 8, 7], [1], [2, 0], (2, 1, 3)),
    ],
)
def test_the_best_by_points_then_the_others_then_who_dropped(points, best, dropped, ranks):
    assert rank(points, best, dropped) == ranks


def test_results_of_two():
    assert [rank([0, 0], [winner], []) for winner in (0, 1)] == list(WON_BY)
    assert rank([0, 0], [0, 1], []) == DRAWN

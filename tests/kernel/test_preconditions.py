"""Guards: a match that is over takes nothing more, and a move is made by whose it is."""

import pytest

from games.kernel.errors import IllegalMove, MatchOver, NotYourTurn
from games.kernel.preconditions import check_drop, check_mover, check_running
from tests.example_games.heap import META


def test_what_may_go_on():
    check_running(None)
    check_drop(1, dropped=(0, 2), ranks=None, meta=META)
    check_mover("roll", 1, mover=1, ranks=None, meta=META)


def test_nothing_comes_after_the_end():
    ranks = (1, 2, 2)
    with pytest.raises(MatchOver):
        check_running(ranks)
    with pytest.raises(MatchOver):
        check_drop(1, dropped=(1,), ranks=ranks, meta=META)
    with pytest.raises(MatchOver, match="roll comes too late"):
        check_mover("roll", 0, mover=1, ranks=ranks, meta=META)


def test_nobody_drops_out_twice():
    with pytest.raises(IllegalMove, match="Blue has dropped out already"):
        check_drop(1, dropped=(2, 1), ranks=None, meta=META)


def test_a_move_is_made_by_whose_it_is():
    with pytest.raises(NotYourTurn, match="It is Green's move, not seat 0's"):
        check_mover("roll", 0, mover=2, ranks=None, meta=META)

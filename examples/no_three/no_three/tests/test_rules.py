"""Rules of the game that a few moves show."""

import pytest
from no_three import TITLE

from tests.title_driver import TitleDriver

DRIVER = TitleDriver(TITLE)
START = DRIVER.start(3, {"size": 3}, ())


def test_a_line_puts_its_player_out_and_the_others_play_on():
    state, events = DRIVER.play(START, "a1", "e1", "c1", "a2", "e2", "c3", "a3")
    assert [event.type for event in events[-3:]] == ["place", "out", "turn"]
    assert (state.out, state.mover, state.ranks) == ((0,), 1, None)
    assert [TITLE.next_turn(state, seat) is state for seat in range(3)] == [False, True, False]


def test_the_log_beside_the_board_names_no_player_twice():
    _, events = DRIVER.play(START, "a1", "e1", "c1", "a2", "e2", "c3", "a3")
    assert [TITLE.headline(event, None) for event in events[-3:]] == [
        "a3",
        "Out with a line of three",
        "",
    ]


def test_a_player_reads_how_many_safe_cells_a_move_leaves():
    state, _ = DRIVER.play(START, "a1", "e1", "c1", "a2", "e2", "c3")
    forecasts = [TITLE.options(state, 0, cell).forecast for cell in ("a3", "b1", "d4")]
    assert forecasts == [
        "",
        "Then you have 11 safe cells left.",
        "Then you have 11 safe cells left.",
    ]


@pytest.mark.parametrize(("cell", "words"), [("a1", "a1 is taken"), ("a4", "a4 isn't on")])
def test_a_refusal_names_the_rule(cell, words):
    state, _ = DRIVER.play(START, "a1")
    assert DRIVER.refusal(state, cell).startswith(words)

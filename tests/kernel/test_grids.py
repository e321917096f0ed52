"""Boards in drawings: cells in reading order, with middles that keep their distances."""

import math
from itertools import pairwise

from games.kernel.grids import HexGrid, SquareGrid, corners
from games.kernel.hexgrid import hex_board


def test_squares_are_read_from_the_top_row_each_from_the_left():
    grid = SquareGrid(columns=3, rows=2, side=10, margin=5)
    assert list(grid.places) == ["a2", "b2", "c2", "a1", "b1", "c1"]
    assert (grid.width, grid.height) == (40, 30)
    assert grid.places["a2"] == (10, 10)
    assert grid.places["c1"] == (30, 20)


def test_columns_beyond_z_have_two_letters():
    grid = SquareGrid(columns=28, rows=1, side=10, margin=5)
    assert list(grid.places)[-3:] == ["z1", "aa1", "ab1"]


def placed(text):
    attrs = dict(text.attrs)
    return text.children, attrs["x"], attrs["y"]


def test_coordinates_are_below_columns_and_beside_rows():
    grid = SquareGrid(columns=2, rows=3, side=10, margin=5)
    letters = list(map(placed, grid.letters(38)))
    numbers = list(map(placed, grid.numbers(2, 1)))
    assert letters == [(("a",), 10, 38), (("b",), 20, 38)]
    assert numbers == [(("1",), 2, 31), (("2",), 2, 21), (("3",), 2, 11)]


def test_neighbours_of_a_hexagon_are_as_far_away_as_a_cell_is_wide():
    grid, board = HexGrid(size=3, across=20, margin=15), hex_board(3)
    for cell in board.cells:
        here = grid.places[str(cell)]
        for near in board.neighbours(cell):
            assert math.isclose(math.dist(here, grid.places[str(near)]), 20, abs_tol=0.02)


def test_hexagons_are_read_from_the_top_row_and_keep_the_margin():
    grid = HexGrid(size=2, across=20, margin=15)
    assert list(grid.places) == ["c1", "c2", "b1", "b2", "b3", "a1", "a2"]
    assert min(x for x, _ in grid.places.values()) == 15
    assert max(x for x, _ in grid.places.values()) == grid.width - 15
    assert next(iter(grid.places.values()))[1] == 15


def test_corners_go_round_from_the_top():
    (x, y), *_ = found = corners((1, 2), 10)
    assert math.isclose(x, 1, abs_tol=1e-9)
    assert math.isclose(y, -8)
    assert all(math.isclose(math.dist(*pair), 10) for pair in pairwise(found))

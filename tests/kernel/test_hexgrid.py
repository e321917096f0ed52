"""Hexagonal boards: the bits agree with the cells one by one."""

import random

import pytest

from games.kernel.hexgrid import Cell, HexBoard, hex_board

SIZES = (1, 2, 3, 5, 12, 13)


def names(cells):
    return {str(cell) for cell in cells}


@pytest.mark.parametrize("size", SIZES)
def test_boards_have_as_many_cells_as_a_hexagon(size):
    board = hex_board(size)
    assert len(board.cells) == 3 * size * (size - 1) + 1
    assert board.all.bit_count() == len(board.cells)
    assert tuple(board.cells_of(board.all)) == board.cells == tuple(sorted(board.cells))


@pytest.mark.parametrize("size", [0, 14, -1])
def test_boards_of_other_sizes_have_no_letters(size):
    with pytest.raises(ValueError, match="1 to 13 cells"):
        HexBoard(size)


def test_neighbours_of_a_small_board_by_hand():
    board = hex_board(3)
    assert names(board.neighbours(Cell.read("c3"))) == {"c2", "c4", "b2", "b3", "d2", "d3"}
    assert names(board.neighbours(Cell.read("a1"))) == {"a2", "b1", "b2"}
    assert names(board.neighbours(Cell.read("c1"))) == {"c2", "b1", "d1"}
    assert names(board.neighbours(Cell.read("c5"))) == {"c4", "b4", "d4"}
    assert names(board.neighbours(Cell.read("d2"))) == {"d1", "d3", "c2", "c3", "e1", "e2"}
    assert names(board.neighbours(Cell.read("e3"))) == {"e2", "d3", "d4"}


@pytest.mark.parametrize("size", SIZES)
def test_neighbours_are_as_the_notation_says(size):
    """Row above: numbers i and i+1 while it is longer, i−1 and i once it is shorter."""
    board = hex_board(size)
    for cell in board.cells:
        row, i = cell.row, cell.number
        step_up = 0 if row < size - 1 else -1
        step_down = -1 if row <= size - 1 else 0
        around = {Cell(row, i - 1), Cell(row, i + 1)}
        around |= {Cell(row + 1, i + step_up), Cell(row + 1, i + 1 + step_up)}
        around |= {Cell(row - 1, i + step_down), Cell(row - 1, i + 1 + step_down)}
        assert set(board.neighbours(cell)) == {near for near in around if near in board}


def test_texts_and_cells_both_ways():
    for cell in hex_board(13).cells:
        assert Cell.read(str(cell)) == cell
    for text in ("", "a", "a0", "a01", "a100", "A1", "1a", "a1 ", "é1", "a１"):
        assert Cell.read(text) is None


@pytest.mark.parametrize("size", [2, 3, 5])
def test_floods_and_groups_agree_with_a_walk(size):
    rng, board = random.Random(size), hex_board(size)
    for _ in range(100):
        cells = board.set_of(rng.sample(board.cells, rng.randrange(len(board.cells))))
        walked = walk(board, set(board.cells_of(cells)))
        assert [set(board.cells_of(group)) for group in board.groups(cells)] == walked
        start = board.bit(rng.choice(board.cells))
        reached = set(board.cells_of(board.flood(start, cells)))
        assert reached in ([set()] if not start & cells else walked)


def walk(board, cells):
    """Return connected groups, found one cell at a time, in the order of their lowest cells."""
    found = []
    while cells:
        todo, group = [min(cells)], set()
        while todo:
            cell = todo.pop()
            if cell in cells:
                cells.remove(cell)
                group.add(cell)
                todo.extend(board.neighbours(cell))
        found.append(group)
    return found


def test_directions_are_the_neighbours_one_way_each():
    rng, board = random.Random(1), hex_board(4)
    for _ in range(50):
        cells = board.set_of(rng.sample(board.cells, 9))
        ways = board.directions(cells)
        for cell in board.cells:
            friends = sum(bool(way & board.bit(cell)) for way in ways)
            assert friends == (board.around(board.bit(cell)) & cells).bit_count()

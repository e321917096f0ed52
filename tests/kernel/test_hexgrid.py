"""Hexagonal boards: the bits agree with the cells one by one."""

import random

import pytest

from games.kernel.errors import BrokenPosition
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


def sets(board, rng, count):
    """Return disjoint random sets of cells."""
    owners = {cell: rng.randrange(count + 1) for cell in board.cells}
    return tuple(board.set_of(c for c in board.cells if owners[c] == k) for k in range(count))


@pytest.mark.parametrize("size", SIZES)
def test_sets_are_written_in_rows_and_read_again(size):
    board, rng = hex_board(size), random.Random(size)
    for letters in ("x", "rb", "rgw", "abcdefghi"):
        found = sets(board, rng, len(letters))
        rows = board.rows_of(found, letters)
        assert board.sets_of(rows, letters) == found
        for cell in board.cells:
            owner = [k for k, cells in enumerate(found) if board.bit(cell) & cells]
            letter = rows[board.rows - 1 - cell.row][cell.number - 1]
            assert letter == (letters[owner[0]] if owner else ".")


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (["..", "..."], "other lengths"),
        (["..", "..", ".."], "other lengths"),
        (["..", ".q.", ".."], "'q' is no letter"),
        (["..", "1..", ".."], "'1' is no letter"),
    ],
)
def test_other_rows_are_refused(rows, words):
    with pytest.raises(BrokenPosition, match=words):
        hex_board(2).sets_of(rows, "rb")


def straight(board, cell, length):
    """Yield the lines of ``length`` cells that begin with a cell, one for each of three ways."""
    for step in (0, 1, 2):
        line = [cell]
        while len(line) < length:
            row, number = line[-1]
            lean = 0 if row < board.size - 1 else -1
            line.append(
                Cell(row, number + 1) if step == 0 else Cell(row + 1, number + lean + step - 1)
            )
        if all(one in board for one in line):
            yield line


@pytest.mark.parametrize("size", [2, 3, 5, 13])
@pytest.mark.parametrize("length", [1, 2, 3, 4])
def test_lines_and_what_completes_them_are_those_found_one_by_one(size, length):
    board, rng = hex_board(size), random.Random(size)
    for share in (0.2, 0.5, 0.8):
        cells = {cell for cell in board.cells if rng.random() < share}
        every = [line for cell in board.cells for line in straight(board, cell, length)]
        whole = {cell for line in every if cells.issuperset(line) for cell in line}
        missing = [set(line) - cells for line in every]
        last = {cell for left in missing if len(left) == 1 for cell in left}
        held = board.set_of(cells)
        assert set(board.cells_of(board.lines(held, length))) == whole
        assert set(board.cells_of(board.completions(held, length))) == last


def test_lines_of_a_small_board_by_hand():
    board = hex_board(3)
    row = board.set_of(map(Cell.read, ("c2", "c3", "c5", "a1", "b2")))
    assert names(board.cells_of(board.lines(row, 3))) == {"a1", "b2", "c3"}
    assert names(board.cells_of(board.completions(row, 4))) == {"c4", "d3"}

"""The die table, the pen rule, the sheet and the tower that is rebuilt from it."""

import pytest
from msgspec.structs import replace

from games.titles.precary_ice.pieces import exact
from games.titles.precary_ice.tests.fixtures import built
from games.titles.precary_ice.tower import NEW, PEN_TIME, reconstructed, told_by


@pytest.mark.parametrize(
    ("sizes", "told"),
    [("PDQ", "PPDDQQ"), ("PD", "PPPDDD"), ("PQ", "PPPQQQ"), ("DQ", "DDDQQQ")],
)
def test_the_die_tells_the_size(sizes, told):
    assert "".join(told_by(sizes, die) for die in range(1, 7)) == told


@pytest.mark.parametrize("size", "PDQ")
def test_of_the_last_size_no_die_is_needed(size):
    assert told_by(size, None) == size


def test_a_tower_begins_with_queen_drone_pawn_and_six():
    assert NEW.letters == "QDP"
    assert NEW.left == (9, 9, 9)
    assert NEW.sheet == (6,)
    assert not NEW.done


def test_a_piece_that_stands_is_written_and_taken_from_the_stock():
    tower = built("QDPQDPP")
    assert tower.sheet == (6, 9, 11, 12, 13)
    assert tower.left == (7, 8, 8)
    assert (tower.die, tower.next, tower.done) == (None, None, False)


@pytest.mark.parametrize(
    ("ms", "sheet"),
    [(0, (6, 9)), (PEN_TIME - 1, (6, 9)), (PEN_TIME, (6, 9, 11)), (PEN_TIME + 1, (6, 9, 11))],
)
def test_a_fall_counts_the_new_total_only_if_there_was_time_to_write_it(ms, sheet):
    fallen = built("QDPQ").due(3).collapsed(exact("QDPQD"), ms)
    assert fallen.sheet == sheet
    assert (fallen.done, fallen.fallen, fallen.next, fallen.die) == (True, True, None, None)
    assert fallen.left == (9, 8, 8)


def test_all_thirty_pieces_are_sixty_points_and_ten_more():
    letters = "QDP" + "Q" * 9 + "D" * 9 + "P" * 9
    tower = built(letters)
    assert (len(tower.pieces), tower.total, tower.done) == (30, 60, True)
    assert tower.rewarded().sheet[-2:] == (60, 70)


@pytest.mark.parametrize(
    ("sheet", "letters"),
    [
        ((6,), "QDP"),
        ((6, 7), "QDPP"),
        ((6, 9, 11, 12, 15), "QDPQDPQ"),
        ((6, 8, 10, 12, 13, 14, 17), "QDPDDDPPQ"),
    ],
)
def test_the_crossed_off_numbers_tell_the_pieces(sheet, letters):
    assert reconstructed(sheet) == letters


def test_a_rebuilt_tower_stands_on_its_axis_and_keeps_its_sheet():
    leaning = tuple(piece._replace(x=piece.x + 1, angle=0.1) for piece in exact("QDPQP"))
    tower = replace(built("QDPQP"), pieces=leaning).due(2).rebuilt()
    assert tower == built("QDPQP")
    assert (tower.left, tower.sheet) == ((8, 9, 8), (6, 9, 10))


def test_every_piece_raises_an_exact_tower_by_as_much():
    tips = [y for _, _, y, _ in ((p.letter, p.x, p.y, p.angle) for p in exact("PPPP"))]
    assert tips[1] - tips[0] == pytest.approx(7.0)
    assert tips[3] - tips[0] == pytest.approx(21.0)

"""Towers stand, lean, slide and fall; the same every time, without a jolt."""

import time
from math import radians
from statistics import median

import pytest

from games.kernel.trace import pack
from games.titles.precary_ice import physics
from games.titles.precary_ice.physics import Scene
from games.titles.precary_ice.pieces import PIECES, Placed, exact

pytestmark = pytest.mark.slow

LETTERS = "QDP" * 10
simulate = physics.let_go.__wrapped__


def grown(count, seed=0):
    """Return a tower that was really built, a bit off the axis this way and that."""
    tower = exact("QDP")
    for n in range(len(tower), count):
        aside = ((n * 7 + seed) % 5 - 2) * 0.15
        settled = simulate(tower, LETTERS[n], aside, 0.0)
        assert settled.ms is None
        tower = settled.pieces
    return tower


@pytest.fixture
def sleepless(monkeypatch):
    """Keep towers awake from the beginning, as if a feather had touched them."""
    monkeypatch.setattr(Scene, "_put_to_sleep", lambda _scene: None)


def test_a_piece_over_the_axis_stands_where_it_belongs():
    settled = simulate(exact("QDP"), "Q", 0.0, 0.0)
    assert settled.ms is None
    for found, wanted in zip(settled.pieces, exact("QDPQ"), strict=True):
        assert found.letter == wanted.letter
        assert found[1:] == pytest.approx(wanted[1:], abs=0.1)


@pytest.mark.parametrize("letter", "PDQ")
def test_every_size_stands_on_every_size(letter):
    for below in "PDQ":
        assert simulate(exact(f"QDP{below}"), letter, 0.3, 0.01).ms is None


def test_a_piece_held_a_bit_aside_slips_into_its_seat_and_leans():
    (*_, last) = simulate(exact("QDP"), "D", 1.5, 0.0).pieces
    assert 0.2 < abs(last.x) < 1.5
    assert 0 < abs(last.angle) < radians(15)


def test_a_piece_that_slides_off_is_a_fall_though_the_tower_stands():
    settled = simulate(exact("QDP"), "P", 8.0, 0.0)
    assert settled.ms is not None
    assert settled.ms < 400
    for found, before in zip(settled.pieces, exact("QDP"), strict=False):
        assert found.y == pytest.approx(before.y, abs=1.0)


def test_a_piece_beside_the_tower_drops_on_the_table_at_once():
    settled = simulate(exact("QDP"), "Q", 30.0, 0.0)
    assert settled.ms is not None
    assert settled.ms < 60
    assert settled.pieces[-1].y < PIECES["Q"].height


def test_a_leaning_tower_collapses_slowly():
    bent = tuple(
        piece._replace(x=piece.x + 0.02 * n**2, angle=-0.012 * n)
        for n, piece in enumerate(exact(LETTERS[:12]))
    )
    settled = simulate(bent, "Q", 6.0, 0.0)
    assert settled.ms is not None
    assert settled.ms > 300
    assert sum(piece.y < 40 for piece in settled.pieces) > 3


def test_the_same_numbers_give_the_same_outcome():
    tower = grown(10)
    first = simulate(tower, "D", 1.2, 0.05)
    assert simulate(tower, "D", 1.2, 0.05) == first
    assert simulate(exact("QDP"), "P", 7.0, 0.0) == simulate(exact("QDP"), "P", 7.0, 0.0)
    assert simulate(tower, "D", 1.2, 0.05) == first


def test_a_tower_is_rebuilt_from_its_numbers_without_a_jolt(sleepless):
    tower = grown(12)
    scene = Scene(tower)
    frames = [scene.advance() for _ in range(45)]
    for frame in (frames[0], frames[-1]):
        for piece, (x, y, angle) in zip(tower, frame, strict=True):
            assert (x, y) == pytest.approx((piece.x, piece.y), abs=0.12)
            assert angle == pytest.approx(piece.angle, abs=0.006)
    assert scene.touched is None


@pytest.mark.thorough
def test_a_tower_of_thirty_that_is_rebuilt_a_hundred_times_stays_as_it_is():
    tower = exact(LETTERS)
    for _ in range(100):
        scene = Scene(tower)
        frame = [scene.advance() for _ in range(3)][-1]
        assert scene.touched is None
        tower = tuple(Placed(letter, *at) for letter, at in zip(LETTERS, frame, strict=True))
    assert tower == exact(LETTERS)


def test_a_tower_that_is_touched_gives_way():
    scene = Scene(exact(LETTERS[:6]))
    before = scene.frame
    scene.add("Q", 9.0, 0.0)
    while scene.frame[:6] == before and scene.clock < 100:
        scene.advance()
    assert 10 < scene.clock < 100


def test_the_last_frame_is_where_the_pieces_stay():
    settled = simulate(exact("QDP"), "P", 3.0, 0.2)
    assert list(settled.frames[-1]) == [piece[1:] for piece in settled.pieces]
    assert len(settled.frames) > 14


def test_the_trace_of_a_collapse_is_some_kilobytes():
    settled = simulate(exact(LETTERS[:12]), "Q", 15.0, 0.3)
    assert len(pack(settled.frames, 30)["data"]) < 10_000


@pytest.mark.thorough
@pytest.mark.timeout(900)
def test_an_exact_tower_of_thirty_stands_for_a_minute(sleepless):
    tower = exact(LETTERS)
    scene = Scene(tower)
    while scene.clock < 60_000:
        frame = scene.advance()
    for piece, (x, y, angle) in zip(tower, frame, strict=True):
        assert (x, y) == pytest.approx((piece.x, piece.y), abs=0.5)
        assert angle == pytest.approx(0, abs=0.01)
    assert scene.touched is None


@pytest.mark.thorough
def test_a_placement_over_twenty_five_pieces_costs_less_than_half_a_second():
    tower, costs = exact(LETTERS[:25]), []
    for n in range(9):
        began = time.process_time()
        simulate(tower, "PDQ"[n % 3], (n - 4) * 1.5, radians(n - 4))
        costs.append(time.process_time() - began)
    assert median(costs) <= 0.4
    assert max(costs) <= 2

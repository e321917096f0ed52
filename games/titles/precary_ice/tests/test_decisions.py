"""Where to hold a piece: how chances are worked out from few drops, and what proves a puzzle."""

import random

import pytest

from games.kernel import registry
from games.kernel.decisions import MARGIN
from games.kernel.dice import RecordedDice
from games.kernel.params import complete
from games.study.lessons import start
from games.study.puzzles import as_lessons, puzzles
from games.titles.precary_ice import TITLE, decisions, physics
from games.titles.precary_ice.decisions import QUANTILES, SLIPS, Drops, dropped, rivals
from games.titles.precary_ice.moves import Place, parse
from games.titles.precary_ice.placement import spread
from games.titles.precary_ice.tower import NEW

QUESTIONS = registry.decisions(TITLE)
TOWER = NEW.due(1)
PARAMS = complete(TITLE.meta, {})

PROVED = puzzles("precary-ice")
CHECKED = range(0, len(PROVED), 10)


def setup():
    """Return a position in which a pawn is due."""
    return TITLE.setup(2, PARAMS, RecordedDice([1]))


@pytest.fixture
def leaning(monkeypatch):
    """Replace physics: the tower stands between two edges that move with the tilt. Count drops."""
    drops = []

    def stands(tower, letter, x, angle):
        drops.append((x, angle))
        return -2.0 - 9 * angle < x < 7.4 - 12 * angle

    monkeypatch.setattr(physics, "stands", stands)
    return drops


@pytest.mark.parametrize("place", [-30, -24, -17, 25, 27, 61, 74, 88])
def test_few_drops_count_like_all(leaning, place):
    state = setup()
    every = dropped(state, 0, place / 10)
    assert len(leaning) == SLIPS**2
    leaning.clear()
    hand = spread("normal", len(state.towers[0].pieces))
    assert decisions._chance(Drops(state.towers[0]), hand, 25, place) == every
    assert len(leaning) < 90


def test_the_middle_of_the_interval_is_right(leaning):
    answer = QUESTIONS.answer(setup(), 0, {})
    assert answer is None  # the axis and the tip are both right
    interval = decisions._interval(Drops(TOWER), 0.0)
    assert interval.low == pytest.approx(-2.0, abs=decisions.CLOSE)
    assert interval.high == pytest.approx(7.4, abs=decisions.CLOSE)


def test_drops_are_made_once(leaning):
    drops = Drops(TOWER)
    assert drops.stands(1.0)
    assert drops.stands(1.0)
    assert len(leaning) == 1


def test_only_the_place_counts_and_close_places_are_the_same():
    state = setup()
    right = Place(-60, 0)
    assert QUESTIONS.is_right(state, 0, right, Place(-60, 15))
    assert QUESTIONS.is_right(state, 0, right, Place(-4, 0))
    assert not QUESTIONS.is_right(state, 0, right, Place(-3, 0))
    assert rivals(TOWER, -60) == [-117, -3]
    assert rivals(TOWER, -280) == [-223]


@pytest.mark.slow
def test_a_drop_stands_as_the_game_finds():
    tower = NEW.due(1)
    for x in (-9.0, -3.0, 0.0, 4.0, 12.0):
        settled = physics.let_go(tower.pieces, tower.next, x, 0.02)
        assert physics.stands(tower.pieces, tower.next, x, 0.02) == (settled.ms is None)


@pytest.mark.slow
def test_the_same_seed_gives_the_same_leaning_tower():
    def first():
        return next(QUESTIONS.positions(2, random.Random("a")))

    state, seat, params = first()
    assert (state, seat, params) == first()
    assert abs(state.towers[seat].tip[0]) > decisions._same(state.towers[seat]) / 10
    assert TITLE.read_position(TITLE.dump(state), 2, PARAMS) == state


def test_tremors_are_symmetric():
    assert sum(QUANTILES) == pytest.approx(0)
    assert len(QUANTILES) == SLIPS


@pytest.mark.thorough
@pytest.mark.timeout(600)
@pytest.mark.parametrize("number", CHECKED)
def test_all_drops_prove_a_puzzle(number):
    """One in ten, by 400 drops for the right place and for each rival."""
    puzzle = PROVED[number]
    state = start(TITLE, as_lessons("precary-ice")[number])
    right = parse(puzzle.right).tenths
    best = dropped(state, puzzle.seat, right / 10)
    others = [
        dropped(state, puzzle.seat, at / 10) for at in rivals(state.towers[puzzle.seat], right)
    ]
    assert best - max(others) >= MARGIN
    assert best == pytest.approx(puzzle.best, abs=0.05)
    assert max(others) == pytest.approx(puzzle.second, abs=0.05)

"""How bots and reviews see a position: the points to come, and the average of some trials."""

import pytest
from msgspec.structs import replace

from games.bots.appraising import MIN_TRIALS, TRIAL, appraise
from games.bots.questions import Appraisal
from games.kernel import registry
from games.kernel.params import complete
from games.titles.precary_ice import TITLE
from games.titles.precary_ice.tests.fixtures import drop, start
from games.titles.precary_ice.tower import NEW

PARAMS = complete(TITLE.meta, {})


def chance(move, simulations):
    """Return Red's chance before the first placement, or after a certain one on average."""
    state = start()
    terms = (TITLE.meta.slug, TITLE.meta.rules_version, PARAMS, 2)
    return appraise(Appraisal(*terms, TITLE.dump(state), simulations, move)).values[0]


@pytest.mark.slow
def test_with_enough_simulations_a_placement_is_tried():
    best, edge = (chance(move, MIN_TRIALS * TRIAL) for move in ("", "place +8.0 +0"))
    assert edge < best - 0.1


def test_with_fewer_a_position_is_only_looked_at():
    few = MIN_TRIALS * TRIAL - 1
    assert chance("", few) == chance("place +8.0 +0", few) == 0.5


def in_last_round(red, blue):
    """Return Red's chance in the last round, after its tower fell with some points."""
    towers = [replace(NEW, sheet=(points,)) for points in (red, blue)]
    fallen = replace(towers[0], done=True, fallen=True)
    state = replace(start(rounds=1), towers=(fallen, towers[1]), turn=1)
    return registry.heuristics(TITLE).evaluate(state, 2)[0]


def test_who_builds_on_is_ahead_of_a_low_tower_that_fell():
    assert in_last_round(26, 26) < 0.05
    assert in_last_round(26, 20) < 0.15
    assert in_last_round(60, 20) > 0.7


def test_who_has_dropped_out_has_no_chance():
    state, _ = drop(start(3), 1)
    red, orange, yellow = registry.heuristics(TITLE).evaluate(state, 3)
    assert (orange, red + yellow) == (0, pytest.approx(1))

"""What building feels like: see ``bench/feel.py`` for all builders and hands."""

from concurrent.futures import ProcessPoolExecutor
from functools import partial
from statistics import median

import pytest

from bench.builders import build
from games.titles.precary_ice.meta import NORMAL

pytestmark = pytest.mark.slow

TYPICAL = 39
"""The middle of the medians that are wanted, 36 to 42; of five hundred towers it was 41."""

SEEDS = range(160, 200)
"""Forty towers of which half are higher than that, so that the bounds are equally far."""

THOUGHTFUL = "thoughtful, half beyond"


@pytest.mark.thorough
@pytest.mark.timeout(900)
def test_a_thoughtful_builder_comes_about_as_far_as_on_a_table():
    with ProcessPoolExecutor(2) as pool:
        towers = list(pool.map(partial(build, THOUGHTFUL, NORMAL), SEEDS))
    assert median(tower.score for tower in towers) == pytest.approx(TYPICAL, abs=4)


def test_a_round_of_a_builder_is_the_same_every_time():
    assert build("at random", NORMAL, 3) == build("at random", NORMAL, 3)

"""The hand: it holds a piece where the player aims, and trembles as it lets go."""

from collections.abc import Mapping
from functools import cache
from statistics import NormalDist
from typing import NamedTuple

from games.kernel.dice import Dice
from games.titles.precary_ice.meta import NORMAL, SHAKY, STEADY

SIDES = 1000
"""Sides of the die of which a tremor is a roll."""

GROWTH = 0.1
START = 3


class Spread(NamedTuple):
    """One standard deviation of the tremor: in mm, and in degrees."""

    place: float
    tilt: float


SPREADS: Mapping[str, Spread] = {
    STEADY: Spread(0.35, 1.05),
    NORMAL: Spread(0.5, 1.5),
    SHAKY: Spread(0.8, 2.4),
}
"""How a hand trembles over the first three pieces."""


def spread(hand: str, pieces: int) -> Spread:
    """Return how a hand trembles over a tower of so many pieces: the higher, the more."""
    place, tilt = SPREADS[hand]
    more = 1 + GROWTH * (pieces - START)
    return Spread(place * more, tilt * more)


def tremble(dice: Dice, hand: str, pieces: int) -> tuple[float, float]:
    """Roll what the hand adds to a place, in mm, and to a tilt, in degrees."""
    place, tilt = spread(hand, pieces)
    return place * quantile(dice.roll(SIDES)), tilt * quantile(dice.roll(SIDES))


@cache
def quantile(face: int) -> float:
    """Return the standard normal quantile that a roll stands for."""
    return NormalDist().inv_cdf((face - 0.5) / SIDES)

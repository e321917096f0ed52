"""Simulated builders who show how the physics behave, one tower at a time.

The thoughtful builder holds a piece beyond the axis by half the lean of the tip, or, more simply,
over the axis. The best known one compensates all of it. The careless one always holds it over the
tip of the last piece, and the random one anywhere within four millimetres of the axis.
"""

import random
from collections.abc import Callable, Mapping
from math import radians, sin
from typing import NamedTuple, TypeAlias

from games.titles.precary_ice import physics, placement
from games.titles.precary_ice.pieces import PIECES, Placed
from games.titles.precary_ice.tower import NEW, SIDES, Tower

Aim: TypeAlias = Callable[[Placed, random.Random], float]
"""Where a builder holds the next piece, in mm from the axis, over the last one."""

ASTRAY = 4.0


class Round(NamedTuple):
    """The result of a tower: its score, and if it fell the milliseconds it took."""

    score: int
    ms: int | None


def tip_of(piece: Placed) -> float:
    """Return the distance of a piece's tip from the axis."""
    size = PIECES[piece.letter]
    return piece.x - sin(piece.angle) * (size.top - size.centre)


BUILDERS: Mapping[str, Aim] = {
    "thoughtful, half beyond": lambda last, _: -tip_of(last) / 2,
    "thoughtful, on the axis": lambda _last, _: 0.0,
    "best known, all beyond": lambda last, _: -tip_of(last),
    "careless": lambda last, _: tip_of(last),
    "at random": lambda _, rng: rng.uniform(-ASTRAY, ASTRAY),
}


def build(builder: str, steadiness: str, seed: int) -> Round:
    """Build one tower, until it falls or has all pieces."""
    rng, tower = random.Random(f"{builder} {steadiness} {seed}"), NEW
    while not tower.done:
        die = rng.randint(1, SIDES) if len(tower.sizes) > 1 else None
        tower, ms = _placed(tower.due(die), BUILDERS[builder], steadiness, rng)
    return Round(tower.total if tower.fallen else tower.rewarded().total, ms)


def _placed(
    tower: Tower, aim: Aim, steadiness: str, rng: random.Random
) -> tuple[Tower, int | None]:
    """Return a tower with the next piece, and when it fell."""
    place, tilt = placement.spread(steadiness, len(tower.pieces))
    at = round(aim(tower.pieces[-1], rng), 1) + place * _tremor(rng)
    settled = physics.let_go(tower.pieces, tower.next or "", at, radians(tilt * _tremor(rng)))
    if settled.ms is None:
        return tower.built(settled.pieces), None
    return tower.collapsed(settled.pieces, settled.ms), settled.ms


def _tremor(rng: random.Random) -> float:
    return placement.quantile(rng.randint(1, placement.SIDES))

"""The arithmetic of ratings: Bradley–Terry in full, by openskill, on a scale of points.

A strength is a normal distribution. After a match, each player's strength moves by the results
against every other player (Weng and Lin, "A Bayesian Approximation Method for Online Ranking",
JMLR 12, 2011, algorithm 1). This is the only one of openskill's models that treats ties as draws
between each two players.

Everything here is a function of its arguments alone, so the same matches in the same order give
the same numbers to the last digit.
"""

import math
from collections.abc import Sequence
from datetime import timedelta
from typing import Any, NamedTuple

from openskill.models import BradleyTerryFull

START = 1500.0
"""The initial rating."""

MAX_DEVIATION = 250.0
"""The initial uncertainty, which is also the maximum."""

ESTABLISHED = 150.0
"""A rating is provisional while its uncertainty is greater than this."""

CHANCE = MAX_DEVIATION / 2
"""How much chance affects one match (beta of the model).

With this, a player who is 200 points stronger wins about three matches of four.
"""

DRIFT = MAX_DEVIATION / 100
"""What each match adds to the uncertainty, since players learn (tau of the model)."""

FORGETTING = 35.0
"""What each day of absence adds to the square of the uncertainty.

A rating of ±100 is provisional again after a year.
"""

DAY = timedelta(days=1)


class Strength(NamedTuple):
    """A rating: the estimate ``mu``, and ``sigma``, its standard deviation, both in points."""

    mu: float = START
    sigma: float = MAX_DEVIATION

    @property
    def is_provisional(self) -> bool:
        return self.sigma > ESTABLISHED


class Entrant(NamedTuple):
    """A player of a match: the strength before it, and the place, 1 for the first.

    With ``is_half`` the match changes rating and uncertainty only half as much.
    """

    strength: Strength
    place: int
    is_half: bool = False


def after_absence(strength: Strength, span: timedelta) -> Strength:
    """Return a strength after a period without rated matches: the uncertainty has grown."""
    days = max(span / DAY, 0)
    grown = math.sqrt(strength.sigma**2 + FORGETTING * days)
    return strength._replace(sigma=min(grown, MAX_DEVIATION))


def known_for(strength: Strength) -> timedelta:
    """Return how long a strength stays established without a rated match."""
    return max((ESTABLISHED**2 - strength.sigma**2) / FORGETTING, 0) * DAY


def _gamma(*_: Any) -> float:
    """Return how fast the uncertainty falls.

    In simulated matches of two, 1 states the error of the ratings correctly. The library's default
    is a third too large. With up to six players the error is up to half as large again.
    """
    return 1.0


_MODEL = BradleyTerryFull(
    mu=START, sigma=MAX_DEVIATION, beta=CHANCE, tau=DRIFT, gamma=_gamma, limit_sigma=False
)


def rate(entrants: Sequence[Entrant]) -> list[Strength]:
    """Return the strengths after a match of two or more, in the order of ``entrants``."""
    teams = [[_MODEL.rating(*entrant.strength)] for entrant in entrants]
    rated = _MODEL.rate(teams, ranks=[float(entrant.place) for entrant in entrants])
    return [
        _half_way(entrant.strength, Strength(new.mu, new.sigma))
        if entrant.is_half
        else Strength(new.mu, new.sigma)
        for entrant, (new,) in zip(entrants, rated, strict=True)
    ]


def _half_way(old: Strength, new: Strength) -> Strength:
    spread = math.sqrt((old.sigma**2 + new.sigma**2) / 2)
    return Strength((old.mu + new.mu) / 2, spread)

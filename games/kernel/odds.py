"""Exact chances of one throw of dice to beat another, and chances in words."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

from games.kernel.language import gettext, pgettext

SELDOM = Fraction(1, 20)
"""Smaller chances are worded as "one in n", their complements as "all but one in n"."""

MAX_DENOMINATOR = 10
"""The largest denominator of other chances."""

CLOSE = Fraction(1, 60)
"""Maximum absolute error of a chance in words."""


@cache
def sums(sides: tuple[int, ...]) -> dict[int, int]:
    """Return how many ways lead to each sum of some dice."""
    ways_by_sum = {0: 1}
    for count in sides:
        longer: dict[int, int] = {}
        for total, ways in ways_by_sum.items():
            for face in range(1, count + 1):
                longer[total + face] = longer.get(total + face, 0) + ways
        ways_by_sum = longer
    return ways_by_sum


@cache
def chance_to_beat(
    own: tuple[int, ...], other: tuple[int, ...], *, rolls_again: bool = False
) -> Fraction:
    """Return the chance that the sum of ``own`` dice is higher than that of ``other`` dice.

    Dice are given by their sides. With ``rolls_again`` ties are rolled again, otherwise they are
    lost. Without own dice the chance is 0.
    """
    if not own:
        return Fraction(0)
    wins = ties = total = 0
    for one, ways in sums(own).items():
        for two, more in sums(other).items():
            total += ways * more
            wins += ways * more * (one > two)
            ties += ways * more * (one == two)
    return Fraction(wins, total - ties if rolls_again else total)


def in_words(chance: Fraction) -> str:
    """Word a chance: ``always``, ``1 in 2``, ``about 1 in 6``.

    It stands after a colon or in brackets.
    """
    if chance in (0, 1):
        return pgettext("chance", "always") if chance else pgettext("chance", "never")
    if chance.denominator <= MAX_DENOMINATOR:
        rounded = chance
    elif chance <= SELDOM:
        rounded = Fraction(1, round(1 / chance))
    elif chance >= 1 - SELDOM:
        rounded = 1 - Fraction(1, round(1 / (1 - chance)))
    else:
        rounded = _nearest(chance)
    # Translators: a chance, as in "Your chance: 1 in 6".
    exact, near = gettext("{wins} in {throws}"), gettext("about {wins} in {throws}")
    words = exact if rounded == chance else near
    return words.format(wins=rounded.numerator, throws=rounded.denominator)


def _nearest(chance: Fraction) -> Fraction:
    """Return the simplest fraction that is close enough to a chance."""
    simple: Sequence[Fraction] = [
        Fraction(round(chance * count), count) for count in range(2, MAX_DENOMINATOR + 1)
    ]
    return next(
        (near for near in simple if abs(near - chance) <= CLOSE),
        min(simple, key=lambda near: abs(near - chance)),
    )

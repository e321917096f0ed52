"""Tie-breaks: what each one counts, in a sentence, and their usual order.

The numbers are worked out in ``standings.py``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class TieBreak:
    """A tie-break: its name in lists, the short one of its column, and what it counts."""

    name: str
    column: str
    sentence: str


DIRECT, BERGER, HARD_WINS = "direct", "berger", "hard-wins"
BUCHHOLZ, CUT_ONE, MEDIAN = "buchholz", "buchholz-cut-1", "buchholz-median"
WINS, PROGRESSIVE = "wins", "progressive"

TIE_BREAKS: Mapping[str, TieBreak] = {
    BUCHHOLZ: TieBreak(
        "Buchholz",
        "Buchholz",
        "The points of all your opponents. A bye counts as an opponent with your own points.",
    ),
    CUT_ONE: TieBreak(
        "Buchholz cut 1", "Cut 1", "The points of all your opponents except the weakest one."
    ),
    MEDIAN: TieBreak(
        "Median Buchholz",
        "Median",
        "The points of all your opponents except the strongest and the weakest one.",
    ),
    BERGER: TieBreak(
        "Sonneborn–Berger",
        "S–B",
        "The points of everybody you beat, and half the points of everybody you drew with.",
    ),
    DIRECT: TieBreak(
        "Direct encounter", "Direct", "Your points against the others with the same points."
    ),
    WINS: TieBreak("Wins", "Wins", "The number of matches that you won, without byes."),
    PROGRESSIVE: TieBreak(
        "Progressive score",
        "Progr.",
        "Your points after each round, added up: early wins count more.",
    ),
    HARD_WINS: TieBreak(
        "Hard wins",
        "Hard wins",
        "Your wins from the harder seat, the one that scores least in this tournament.",
    ),
}
"""The tie-breaks that an organiser can choose from."""

USUAL = (DIRECT, BERGER, HARD_WINS)
"""The order without a choice, as in round robins and in tournaments of earlier releases."""

USUAL_OF_SWISS = (BUCHHOLZ, BERGER, DIRECT, HARD_WINS)

MOST = 4
"""How many tie-breaks an organiser may choose."""


def chosen(keys: Sequence[str] | None) -> tuple[str, ...]:
    """Return the tie-breaks of a tournament in their order."""
    return USUAL if keys is None else tuple(key for key in keys if key in TIE_BREAKS)


def names_of(keys: Sequence[str] | None) -> list[str]:
    return [TIE_BREAKS[key].name for key in chosen(keys)]

"""Tie-breaks: what each one counts, in a sentence, and their usual order.

The numbers are worked out in ``standings.py``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext_lazy
from django_stubs_ext import StrOrPromise


@dataclass(frozen=True)
class TieBreak:
    """A tie-break: its name in lists, the short one of its column, and what it counts."""

    name: StrOrPromise
    column: StrOrPromise
    sentence: StrOrPromise


DIRECT, BERGER, HARD_WINS = "direct", "berger", "hard-wins"
BUCHHOLZ, CUT_ONE, MEDIAN = "buchholz", "buchholz-cut-1", "buchholz-median"
WINS, PROGRESSIVE = "wins", "progressive"

TIE_BREAKS: Mapping[str, TieBreak] = {
    BUCHHOLZ: TieBreak(
        gettext_lazy("Buchholz"),
        gettext_lazy("Buchholz"),
        gettext_lazy(
            "The points of all your opponents. A bye counts as an opponent with your own points."
        ),
    ),
    CUT_ONE: TieBreak(
        gettext_lazy("Buchholz cut 1"),
        gettext_lazy("Cut 1"),
        gettext_lazy("The points of all your opponents except the weakest one."),
    ),
    MEDIAN: TieBreak(
        gettext_lazy("Median Buchholz"),
        gettext_lazy("Median"),
        gettext_lazy("The points of all your opponents except the strongest and the weakest one."),
    ),
    BERGER: TieBreak(
        gettext_lazy("Sonneborn–Berger"),
        gettext_lazy("S–B"),
        gettext_lazy(
            "The points of everybody you beat, and half the points of everybody you drew with."
        ),
    ),
    DIRECT: TieBreak(
        gettext_lazy("Direct encounter"),
        gettext_lazy("Direct"),
        gettext_lazy("Your points against the others with the same points."),
    ),
    WINS: TieBreak(
        gettext_lazy("Wins"),
        gettext_lazy("Wins"),
        gettext_lazy("The number of matches that you won, without byes."),
    ),
    PROGRESSIVE: TieBreak(
        gettext_lazy("Progressive score"),
        gettext_lazy("Progr."),
        gettext_lazy("Your points after each round, added up: early wins count more."),
    ),
    HARD_WINS: TieBreak(
        gettext_lazy("Hard wins"),
        gettext_lazy("Hard wins"),
        gettext_lazy(
            "Your wins from the harder seat, the one that scores least in this tournament."
        ),
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
    return [str(TIE_BREAKS[key].name) for key in chosen(keys)]

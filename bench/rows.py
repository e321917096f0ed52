"""Rows of the table that the bench prints."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import quantiles
from typing import ClassVar, Protocol

HEADINGS = ("what", "measured", "floor", "ratio", "goal", "")
DIGITS = 3


class Cells(Protocol):
    """A row of a table, and the headings of its columns."""

    headings: ClassVar[Sequence[str]]

    def cells(self) -> Sequence[str]:
        """Return the row as texts, one a column."""


@dataclass(frozen=True)
class Row:
    """One measurement.

    ``floor`` was measured in the same run, on the same machine, in the same unit. ``goal`` is the
    goal in words, ``reached`` whether it is reached (``None``: no goal). If both were measured
    several times in turn, ``ratio`` is the median of the turns' ratios.
    """

    headings: ClassVar[Sequence[str]] = HEADINGS

    what: str
    measured: float
    unit: str
    floor: float
    floor_is: str
    goal: str = ""
    reached: bool | None = None
    ratio: float | None = None

    def cells(self) -> Sequence[str]:
        """Return the row as texts, one a column."""
        verdict = {True: "reached", False: "MISSED", None: ""}[self.reached]
        return (
            self.what,
            f"{short(self.measured)} {self.unit}",
            f"{short(self.floor)} {self.floor_is}",
            self._ratio(),
            self.goal,
            verdict,
        )

    def _ratio(self) -> str:
        """Return the measurement as a multiple of the floor. Empty if that is zero."""
        if self.ratio is None and not self.floor:
            return "–"
        return f"{short(self.ratio or self.measured / self.floor)} ×"


def short(number: float) -> str:
    """Return a number with three significant digits."""
    return f"{number:,.0f}" if number >= 10 ** (DIGITS - 1) else f"{number:.{DIGITS}g}"


def print_table(section: str, rows: Iterable[Cells]) -> None:
    """Print at least one row, below the name of the section."""
    found = list(rows)
    lines = [found[0].headings, *(row.cells() for row in found)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    print(f"\n{section}\n")
    for line in lines:
        print(
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        )


def percentile(times: Sequence[float], percent: int) -> float:
    """Return the value below which ``percent`` percent of the times are."""
    return quantiles(times, n=100)[percent - 1]

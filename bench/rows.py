"""Tables that the bench prints, and their figures."""

import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import quantiles

HEADINGS = ("what", "measured", "floor", "ratio", "goal", "")
"""The columns of most sections."""

WHOLE = 100
"""From this number on no decimal places are shown."""

SHOWN = 5
"""Maximum number of printed sentences about one thing."""

Row = Sequence[str]


def row(
    what: str,
    measured: float,
    unit: str = "",
    *,
    floor: float = 0.0,
    floor_is: str = "",
    goal: str = "",
    reached: bool | None = None,
) -> Row:
    """Return a row of the usual columns.

    :param floor: measured in the same run and unit; 0 if there is none.
    """
    return (
        what,
        f"{short(measured)} {unit}",
        f"{short(floor)} {floor_is}" if floor else "",
        f"{short(measured / floor)} ×" if floor else "",
        goal,
        {True: "reached", False: "MISSED", None: ""}[reached],
    )


def short(number: float) -> str:
    """Return a number with three significant digits."""
    return f"{number:,.0f}" if number >= WHOLE else f"{number:.3g}"


def print_table(section: str, headings: Row, rows: Iterable[Row]) -> None:
    """Print rows below the name of their section."""
    lines = [headings, *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    print(f"\n{section}\n")
    for line in lines:
        cells = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        print("  ".join(cells).rstrip())


class Timer:
    """Measures how long something takes that is done once."""

    def __init__(self) -> None:
        self._began, self._used = time.perf_counter(), time.process_time()

    def rows(self) -> Iterator[Row]:
        """Yield rows of the time since the beginning."""
        yield row("the whole of it", time.perf_counter() - self._began, "s")
        used = time.process_time() - self._used
        yield row("time of a core, without the database's", used, "s")


def promises(broken: Mapping[str, Sequence[str]]) -> Iterator[Row]:
    """Yield a row for each promise, and print some sentences about how it was broken."""
    for what, sentences in broken.items():
        for sentence in sentences[:SHOWN]:
            print(f"{what}: {sentence}", file=sys.stderr)
        yield row(what, len(sentences), goal="none", reached=not sentences)


def percentile(times: Sequence[float], percent: int) -> float:
    """Return the value below which ``percent`` percent of the times are."""
    return quantiles(times, n=100)[percent - 1]

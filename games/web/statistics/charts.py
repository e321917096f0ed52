"""Charts as SVG in the colours of the page, drawn by leather, which writes only attributes."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from math import ceil
from xml.etree import ElementTree as ET

import leather
from django.utils.safestring import SafeString, mark_safe
from leather import theme

from accounts import dates

WIDTH, HEIGHT = 480, 240
ROW = 34
"""Height of a bar with its gap."""

LABELS = 6
"""Maximum number of labels below columns. Further ones are left out."""

MAX_LABEL_LENGTH = 16
"""Maximum letters of a label beside a bar. The table has all of them."""

COLOUR = "var(--color-link)"
DATES = (
    (timedelta(days=400), dates.brief_month, 5),
    (timedelta(days=5), dates.brief_day_of_year, 5),
    (timedelta(), dates.brief_day_and_time, 3),
)
"""How dates are written below a chart that covers at least so much time, and how many."""

NUMBERED = 4
"""Maximum number of lines across a chart."""

theme.background_color = "none"
theme.margin = 0.05
theme.tick_color = "var(--line)"
theme.zero_color = "var(--line-strong)"
theme.label_color = "var(--ink-soft)"
theme.tick_font_family = "inherit"
theme.tick_font_size = 15
theme.tick_font_char_width = 8


def columns(items: Sequence[tuple[str, int]], label: str, *, unit: str = "") -> SafeString:
    """Return a column chart of numbers by label. ``label`` describes it."""
    names = [name for name, _ in items]
    step = ceil(len(items) / LABELS)
    chart = leather.Chart()
    # A label that comes twice would be one column.
    chart.add_columns(
        [(str(at), number) for at, (_, number) in enumerate(items)], fill_color=COLOUR
    )
    chart.add_x_axis(tick_formatter=lambda at, _, __: names[int(at)] if not int(at) % step else "")
    top, ticks = _scale(max(number for _, number in items))
    chart.add_y_scale(0, top)
    chart.add_y_axis(ticks=ticks, tick_formatter=lambda number, _, __: f"{number}{unit}")
    return _svg(chart, HEIGHT, label)


def bars(
    items: Sequence[tuple[str, int]], label: str, *, unit: str = "", most: int = 0
) -> SafeString:
    """Return a bar chart of numbers by label. ``label`` describes it.

    The axis ends at ``most``, or above it if a number is greater.
    """
    names = [_short(name) for name, _ in items]
    chart = leather.Chart()
    chart.add_bars([(number, str(at)) for at, (_, number) in enumerate(items)], fill_color=COLOUR)
    chart.add_y_axis(tick_formatter=lambda at, _, __: names[int(at)])
    top, ticks = _scale(max(most, *(number for _, number in items)))
    chart.add_x_scale(0, top)
    chart.add_x_axis(ticks=ticks, tick_formatter=lambda number, _, __: f"{number}{unit}")
    return _svg(chart, ROW * (len(items) + 1) + 8, label)


def line(points: Sequence[tuple[datetime, int]], label: str) -> SafeString:
    """Return a chart of a number over time, in order. ``label`` describes it."""
    begin, end = points[0][0], points[-1][0]
    # Of matches that ended at the same moment, the chart shows a line upwards.
    span = max(end - begin, timedelta(minutes=1))
    chart = leather.Chart()
    placed = [((moment - begin) / span, number) for moment, number in points]
    chart.add_line(placed, stroke_color=COLOUR, width=2)
    written, count = next((written, count) for least, written, count in DATES if span >= least)

    def date_at(at: float, *_: object) -> str:
        return written(begin + at * span)

    chart.add_x_scale(0, 1)
    # not at the ends, where half a date would be cut
    chart.add_x_axis(ticks=[(at + 0.5) / count for at in range(count)], tick_formatter=date_at)
    low, high = min(number for _, number in points), max(number for _, number in points)
    ticks = _between(low, high)
    chart.add_y_scale(ticks[0], ticks[-1])
    chart.add_y_axis(ticks=ticks, tick_formatter=_whole)
    return _svg(chart, HEIGHT, label)


def _whole(number: float, *_: object) -> str:
    return f"{number:.0f}"


def _between(low: int, high: int) -> list[int]:
    """Return the numbers along an axis from below the lowest value to above the highest."""
    widths = (width * 10**zeros for zeros in range(9) for width in (20, 50, 100))
    step = next(width for width in widths if high - low <= width * (NUMBERED - 1))
    first = low // step * step
    last = max(ceil(high / step) * step, first + step)
    return list(range(first, last + 1, step))


def _short(name: str) -> str:
    return name if len(name) <= MAX_LABEL_LENGTH else f"{name[: MAX_LABEL_LENGTH - 1]}…"


def _scale(greatest: int) -> tuple[int, list[int]]:
    """Return the end of an axis from 0 for numbers up to one, and the numbers along it."""
    steps = (digit * 10**zeros for zeros in range(12) for digit in (1, 2, 5))
    step = next(step for step in steps if greatest <= step * NUMBERED)
    top = max(ceil(greatest / step), 1) * step
    return top, list(range(0, top + 1, step))


def _svg(chart: leather.Chart, height: int, label: str) -> SafeString:
    attributes = {"viewBox": f"0 0 {WIDTH} {height}", "role": "img", "aria-label": label}
    root = ET.Element("svg", attributes)
    root.append(chart.to_svg_group(WIDTH, height))
    # ElementTree escapes all texts and attributes.
    return mark_safe(ET.tostring(root, encoding="unicode"))  # noqa: S308

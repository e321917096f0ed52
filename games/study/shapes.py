"""Marks and arrows that people draw on a board.

A shape is written with its colour and the names of marks of the drawing: ``green c3`` is a mark on
c3, ``red c3>e5`` an arrow. Each colour has a figure and a dash of its own, for readers who can't
tell the colours apart.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import cos, dist, radians, sin
from statistics import median
from typing import Annotated, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from msgspec import Meta

from games.kernel import svg
from games.kernel.errors import GameError
from games.kernel.svg import Drawing, Element, Node, Point

MAX_SHAPES = 32
"""Maximum number of marks and arrows in one position."""

Shapes = Annotated[
    tuple[
        Annotated[
            str,
            Meta(
                pattern=r"^(green|red|blue|yellow) [A-Za-z0-9_+-]{1,20}(>[A-Za-z0-9_+-]{1,20})?\Z",
                max_length=60,
            ),
        ],
        ...,
    ],
    Meta(max_length=MAX_SHAPES),
]

SIZE = 0.36
"""The radius of a mark, as a fraction of the distance between neighbours on the board."""

LEAST_RADIUS = 4.0


class Style(NamedTuple):
    """How shapes of a colour are drawn: the figure and sign of marks, and the dash of arrows.

    The labels are for people: of the style, of a mark at a place and of an arrow. The lengths of
    ``dash`` are in line widths.
    """

    figure: str
    sign: str
    label: str
    mark_label: str
    arrow_label: str
    dash: tuple[float, ...] = ()


STYLES: Mapping[str, Style] = {
    "green": Style(
        "circle",
        "○",
        gettext_noop("Green circle"),
        gettext_noop("Green circle on {place}"),
        gettext_noop("Green arrow from {place} to {end}"),
    ),
    "red": Style(
        "cross",
        "✕",
        gettext_noop("Red cross"),
        gettext_noop("Red cross on {place}"),
        gettext_noop("Red arrow from {place} to {end}"),
        (4, 1.5),
    ),
    "blue": Style(
        "square",
        "□",
        gettext_noop("Blue square"),
        gettext_noop("Blue square on {place}"),
        gettext_noop("Blue arrow from {place} to {end}"),
        (1.5, 1.2),
    ),
    "yellow": Style(
        "triangle",
        "△",
        gettext_noop("Yellow triangle"),
        gettext_noop("Yellow triangle on {place}"),
        gettext_noop("Yellow arrow from {place} to {end}"),
        (4, 1.2, 1, 1.2),
    ),
}
"""The style of each colour."""


class Shape(NamedTuple):
    """A mark on ``start``. With an ``end``, an arrow."""

    colour: str
    start: str
    end: str = ""

    def __str__(self) -> str:
        return f"{self.colour} {self.start}" + (f">{self.end}" if self.end else "")

    @property
    def label(self) -> str:
        """Its kind and place, in words."""
        style = STYLES[self.colour]
        text = style.arrow_label if self.end else style.mark_label
        return _(text).format(place=self.start, end=self.end)


def read(text: str) -> Shape:
    """Parse a valid text."""
    colour, _space, place = text.partition(" ")
    start, _arrow, end = place.partition(">")
    return Shape(colour, start, end)


def places(drawing: Drawing) -> dict[str, Point]:
    """Return the middle of each mark of a board that a shape can be drawn on, by name."""
    return svg.middles_of(drawing.board)


def drawn(shapes: Sequence[str], colour: str, start: str, end: str, on: Drawing) -> tuple[str, ...]:
    """Add a shape. The same one again removes it, and another colour replaces it.

    :param end: the end of an arrow. Empty for a mark.
    :raises GameError: there is no such colour or place, or there are too many shapes.
    """
    if colour not in STYLES:
        raise GameError(_("Choose a colour: {colours}.").format(colours=", ".join(STYLES)))
    names = {name.casefold(): name for name in places(on)}
    start, end = (_place(names, typed) if typed else "" for typed in (start, end))
    if not start:
        raise GameError(_("Say which place you want to mark."))
    made = Shape(colour, start, end if end != start else "")
    others = tuple(text for text in shapes if read(text)[1:] != made[1:])
    if str(made) in shapes:
        return others
    if len(others) >= MAX_SHAPES:
        raise GameError(
            _("A position has at most {most} marks and arrows. Remove one first.").format(
                most=MAX_SHAPES
            )
        )
    return (*others, str(made))


def _place(names: Mapping[str, str], typed: str) -> str:
    place = names.get(typed.strip().casefold())
    if place is None:
        raise GameError(
            _("There is no place called “{place}” on this board.").format(place=typed.strip()[:20])
        )
    return place


# --- Drawing --------------------------------------------------------------------------------------


def with_shapes(drawing: Drawing, shapes: Sequence[str]) -> Drawing:
    """Draw shapes above a drawing. Those whose places it doesn't have are left out."""
    middles = places(drawing)
    every = [read(text) for text in shapes]
    shown = [s for s in every if s.start in middles and (not s.end or s.end in middles)]
    if not shown:
        return drawing
    radius = _radius(list(middles.values()))
    marks = [_mark(shape, middles[shape.start], radius) for shape in shown if not shape.end]
    arrows = [
        _arrow(shape, middles[shape.start], middles[shape.end], radius)
        for shape in shown
        if shape.end
    ]
    above = svg.group(*arrows, *marks, opacity=0.85, pointer_events="none", stroke_linejoin="round")
    changed = replace(drawing, children=(*drawing.children, above))
    changed.__dict__["marks"] = drawing.marks  # a shape isn't a mark
    return changed


def _radius(middles: Sequence[Point]) -> float:
    """Return the radius of marks. Consecutive marks in reading order are mostly neighbours."""
    apart = [dist(*pair) for pair in pairwise(middles)]
    return max(LEAST_RADIUS, SIZE * median([far for far in apart if far > 1] or [1]))


def _mark(shape: Shape, middle: Point, radius: float) -> Element:
    width = radius * 0.26
    figure = FIGURES[STYLES[shape.colour].figure](middle, radius)
    outer: dict[str, svg.Value] = {"stroke": svg.INK, "stroke_width": width * 1.6}
    inner: dict[str, svg.Value] = {"stroke": svg.hue_role(shape.colour), "stroke_width": width}
    return svg.group(figure(**outer), figure(**inner), fill="none")


def _arrow(shape: Shape, start: Point, end: Point, radius: float) -> Element:
    far = dist(start, end)
    along = ((end[0] - start[0]) / far, (end[1] - start[1]) / far) if far else (0.0, -1.0)
    width = radius * 0.32
    tail = _ahead(start, along, radius * 0.25)
    tip = _ahead(end, along, -radius * 0.15)
    neck = _ahead(tip, along, -width * 3)
    sides = [_ahead(neck, (-along[1], along[0]), side) for side in (width * 1.7, -width * 1.7)]
    dash = " ".join(f"{width * part:.2f}" for part in STYLES[shape.colour].dash) or None

    def shaft(**attrs: svg.Value) -> Node:
        return svg.line(tail, neck, **attrs)

    def head(**attrs: svg.Value) -> Node:
        return svg.polygon((tip, *sides), **attrs)

    colour = svg.hue_role(shape.colour)
    edge = width + _edge(radius)
    return svg.group(
        shaft(stroke=svg.INK, stroke_width=edge),
        head(fill=svg.INK, stroke=svg.INK, stroke_width=_edge(radius)),
        shaft(stroke=colour, stroke_width=width, **({"stroke_dasharray": dash} if dash else {})),
        head(fill=colour),
    )


def _edge(radius: float) -> float:
    """Return how much wider than a line its outline is, both sides together."""
    return max(1.0, radius * 0.12)


def _ahead(point: Point, along: Point, far: float) -> Point:
    return (round(point[0] + along[0] * far, 2), round(point[1] + along[1] * far, 2))


def _circle(middle: Point, radius: float) -> Callable[..., Node]:
    return lambda **attrs: svg.circle(*middle, round(radius, 2), **attrs)


def _polygon(
    angles: Sequence[float], scale: float
) -> Callable[[Point, float], Callable[..., Node]]:
    def figure(middle: Point, radius: float) -> Callable[..., Node]:
        turned = map(radians, angles)
        corners = [_ahead(middle, (cos(at), sin(at)), radius * scale) for at in turned]
        return lambda **attrs: svg.polygon(corners, **attrs)

    return figure


def _cross(middle: Point, radius: float) -> Callable[..., Node]:
    x, y = middle
    far = round(radius * 0.75, 2)
    d = f"M{x - far} {y - far}l{2 * far} {2 * far}m0 {-2 * far}l{-2 * far} {2 * far}"
    return lambda **attrs: svg.path(d, stroke_linecap="round", **attrs)


FIGURES: Mapping[str, Callable[[Point, float], Callable[..., Node]]] = {
    "circle": _circle,
    "cross": _cross,
    "square": _polygon((45, 135, 225, 315), 1.15),
    "triangle": _polygon((30, 150, 270), 1.15),
}
"""Functions that draw each figure around a middle. Their results take stroke attributes."""

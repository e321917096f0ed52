"""What is lit on the board: the ways of the last move, and where it fought, took and built."""

import math
from collections.abc import Iterator, Mapping, Sequence

from games.kernel import svg
from games.kernel.svg import Element, Point
from games.kernel.views import Json
from games.titles.dice_is_health import shapes
from games.titles.dice_is_health.events import (
    BUILT,
    DUELLED,
    FOUGHT,
    PICKED_UP,
    SPAWNED,
    STEPPED,
    STRIPPED,
    SUMMONED,
    WENT_HOME,
)
from games.titles.dice_is_health.layout import corner, middle
from games.titles.dice_is_health.scene import Scene
from games.titles.dice_is_health.spaces import Space
from games.titles.dice_is_health.ways import FAN

ASIDE = 7
"""How far beside a player's way the way of a monster is drawn."""


def beneath(scene: Scene) -> Iterator[Element]:
    """Yield the ways of pieces that moved, below all pieces."""
    for part, places in scene.ways.items():
        if part != FAN and len(set(places)) > 1:
            yield from _way(places, is_player=part.startswith("player"))


def _way(places: Sequence[str], *, is_player: bool) -> Iterator[Element]:
    spaces = [Space.read(name) for name in places]
    aside = 0 if is_player else ASIDE
    points = [_beside(space, aside) for space in spaces]
    yield svg.group(
        svg.polyline(points, stroke_dasharray="2 4.5"),
        svg.circle(*points[0], 5, stroke_dasharray="2 3.2"),
        stroke=svg.LAST if is_player else svg.INK_SOFT,
        stroke_width=2.4 if is_player else 1.8,
    )


def _beside(space: Space, aside: float) -> Point:
    x, y = middle(space)
    part = 1 + aside / math.hypot(x, y)
    return x * part, y * part


def above(scene: Scene) -> Iterator[Element]:
    """Yield frames around what is new, and signs of fights, above all pieces."""
    for event in scene.told:
        if event.type in (PICKED_UP, SPAWNED, SUMMONED, STEPPED):
            yield _frame(event.data["to" if event.type == STEPPED else "at"])
        elif event.type == WENT_HOME:
            yield _frame(event.data["to"])
        elif event.type in (BUILT, STRIPPED):
            yield from map(_frame, event.data["spaces"])
        elif event.type in (FOUGHT, DUELLED):
            yield _clash(event.data)


def _frame(name: str) -> Element:
    space = Space.read(name)
    part = shapes.TILES[space.is_inner]
    return shapes.turned(part, space.sector, stroke=svg.LAST, stroke_width=2.6)


def _clash(data: Mapping[str, Json]) -> Element:
    """Return the sign of a fight: a burst between the two spaces, or in a corner of the one."""
    here, there = (Space.read(data[end]) for end in ("at", "from"))
    if here == there:
        x, y = corner(here)
    else:
        (x0, y0), (x1, y1) = middle(here), middle(there)
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
    reach = [(8.5 if at % 2 else 3.6, at * math.pi / 8) for at in range(16)]
    corners = [(x + far * math.sin(angle), y + far * math.cos(angle)) for far, angle in reach]
    return svg.polygon(corners, fill=svg.DANGER, stroke=svg.CELL, stroke_width=1)

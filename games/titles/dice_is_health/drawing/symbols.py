"""Geometry of the board, and the look of pieces, dice and signs.

The middle of the board is the origin, sector 0 is at the top. Each symbol is drawn around a middle
of its own. Every player has a shape and a letter besides the colour. Monsters have numbers.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from games.kernel import svg
from games.kernel.svg import Element, Id, Point, Role, Value
from games.kernel.symbols import read_symbols
from games.titles.dice_is_health.board import INNER, RING, SECTOR, WALL_SPACES, Space
from games.titles.dice_is_health.meta import META

# --- Geometry -----------------------------------------------------------------------------------

WIDTH = 432
MIDDLE = WIDTH / 2
RIM = 214.0
"""The radius of the rim."""

NUMBERS = 206.0
"""The radius of the numbers of the sectors."""

DEGREES = 360 / RING
"""The angle of a sector."""

WALL = 11.0
"""The thickness of a wall, at the outer edge of its space."""

TOKEN = 28.0
"""The size of a token."""


class Band(NamedTuple):
    """A ring between two circles, by their radii."""

    inside: float
    outside: float


OUTER_BAND = Band(144, 198)
INNER_BAND = Band(74, 124)
RADII = {"o": sum(OUTER_BAND) / 2, "i": sum(INNER_BAND) / 2}
"""The radius of the middles of the spaces, by ring."""

CORNER = svg.SIGNED_DOT + 1
"""The distance of a dot in the corner of a space from the edge of its ring."""

CENTRE = 71.0
"""The radius of the panel in the centre, on which the dice are drawn."""


class Placement(NamedTuple):
    """The middle of a token, and its scale."""

    at: Point
    scale: float


def is_inner(space: Space) -> bool:
    return space in INNER


def band(space: Space) -> Band:
    return INNER_BAND if is_inner(space) else OUTER_BAND


def point(radius: float, sector: float) -> Point:
    """Return a point by its distance from the middle and its sector, which may be fractional."""
    angle = math.radians(sector * DEGREES)
    return radius * math.sin(angle), -radius * math.cos(angle)


@cache
def middle(space: Space) -> Point:
    return point(RADII[space[0]], SECTOR[space])


@cache
def corner(space: Space) -> Point:
    """Return a point beside a token in the middle of a space, where a dot with a sign fits."""
    inside, outside = band(space)
    radius = outside - CORNER if is_inner(space) else inside + CORNER
    return point(radius, SECTOR[space] + (0.25 if is_inner(space) else 0.3))


def absolute(at: Point) -> Point:
    """Convert a point to the coordinates of the whole drawing."""
    return round(at[0] + MIDDLE, 1), round(at[1] + MIDDLE, 1)


GRIDS = {
    False: ((1, 1), (2, 1), (2, 2), (3, 2), (3, 3), (4, 3), (4, 4)),
    True: ((1, 1), (1, 2), (2, 2), (2, 3), (3, 3), (3, 4), (4, 4)),
}
"""Columns and rows for growing numbers of tokens, on the outer and on the inner ring."""


@lru_cache(svg.CACHE_SIZE)
def places(space: Space, count: int) -> Sequence[Placement]:
    """Return the places of ``count`` tokens on a space, row by row from the middle outwards."""
    if not count:
        return ()
    columns, rows = next(grid for grid in GRIDS[is_inner(space)] if math.prod(grid) >= count)
    inside, outside = band(space)
    outside -= WALL if space in WALL_SPACES else 0
    inside, outside = inside + 3, outside - 2
    across = (12 if is_inner(space) else 18) * 3 / columns
    along = (outside - inside) / rows
    scale = min(1.0, across / TOKEN, along / TOKEN)
    places = []
    for at in range(count):
        row, column = divmod(at, columns)
        in_row = min(columns, count - row * columns)
        radius = inside + (row + 0.5) * along
        aside = (column - (in_row - 1) / 2) * across
        x, y = point(radius, SECTOR[space])
        angle = math.radians(SECTOR[space] * DEGREES)
        places.append(Placement((x + aside * math.cos(angle), y + aside * math.sin(angle)), scale))
    return places


# --- Symbols ------------------------------------------------------------------------------------

BASELINE_OFFSET = 0.36
"""The distance of a baseline below the middle of the text, as a fraction of its size."""

OUTLINES: tuple[tuple[Point, ...], ...] = (
    (),
    ((-0.88, -0.88), (0.88, -0.88), (0.88, 0.88), (-0.88, 0.88)),
    ((0, -1.22), (1.2, 0.88), (-1.2, 0.88)),
    ((0, -1.25), (1.2, 0), (0, 1.25), (-1.2, 0)),
)
"""The corners of the shape of each seat, for a radius of 1. Red is a circle."""

LETTER_OFFSETS = (0, 0, 0.25, 0)
"""The offset of the letter in each shape, downwards, as a fraction of the radius."""

RADIUS = 11.0

ART = read_symbols(Path(__file__).with_name("symbols.svg"))
MONSTER = Id("monster")
DIE = Id("die")
TRINKET = Id("trinket")
HOUSE = Id("house")
BLADES = Id("blades")
BRIDGES = Id("bridges")
TILES: Mapping[bool, Id] = {False: Id("outer"), True: Id("inner")}
SITES: Mapping[bool, Id] = {False: Id("outer-site"), True: Id("inner-site")}
WALLS: Mapping[bool, Id] = {False: Id("outer-wall"), True: Id("inner-wall")}


def hue(seat: int) -> Role:
    return svg.hue_role(META.colours[seat].name.lower())


def on_hue(seat: int) -> Role:
    """Return the colour that is legible on a player's."""
    return svg.on_hue_role(META.colours[seat].name.lower())


def letter(seat: int) -> str:
    return META.colours[seat].letter.upper()


def text_at(at: Point, text: str, size: float, **attrs: Value | None) -> Element:
    """Return a line of text that is vertically centred."""
    return svg.text(at[0], at[1] + size * BASELINE_OFFSET, text, font_size=size, **attrs)


def placed(part: Id, at: Point, scale: float = 1, **attrs: Value | None) -> Element:
    """Return a part at a point, scaled."""
    where = f"translate({at[0]:.1f} {at[1]:.1f})" + (f" scale({scale:.2f})" if scale != 1 else "")
    return svg.use(part, 0, 0, transform=where, **attrs)


def on_space(parts: Mapping[bool, Id], space: Space, **attrs: Value | None) -> Element:
    """Return a part of a ring, drawn for sector 0, on a space."""
    turn = f"rotate({SECTOR[space] * DEGREES:.4g})"
    return svg.use(parts[is_inner(space)], 0, 0, transform=turn, **attrs)


def piece_id(seat: int) -> Id:
    return Id(f"piece-{META.colours[seat].letter}")


@cache
def all_parts(seats: int) -> Element:
    """Return the parts that are drawn repeatedly, for this number of players."""
    rings = (*ring_parts(OUTER_BAND, inner=False), *ring_parts(INNER_BAND, inner=True))
    fan = bridges(INNER_BAND.outside - 3, OUTER_BAND.inside + 3)
    return svg.element("defs", *_parts(seats), *rings, fan, *faces())


def _parts(seats: int) -> Iterator[Element]:
    """Yield all of them except the spaces, the bridges and the faces of dice."""
    for seat in range(seats):
        yield svg.group(_outline(seat), _letter(seat), id=piece_id(seat))
    for part in (MONSTER, DIE, TRINKET, BLADES, HOUSE):
        yield svg.group(*ART[part.name], id=part)


def _inked(width: float) -> dict[str, Value]:
    return {"stroke": svg.INK, "stroke_width": width, "stroke_linejoin": "round"}


def _outline(seat: int) -> Element:
    paint = {"fill": hue(seat), **_inked(1.3)}
    if not OUTLINES[seat]:
        return svg.circle(0, 0, RADIUS, **paint)
    return svg.polygon([(x * RADIUS, y * RADIUS) for x, y in OUTLINES[seat]], **paint)


def _letter(seat: int) -> Element:
    at = (0, LETTER_OFFSETS[seat] * RADIUS)
    return text_at(at, letter(seat), 12, fill=on_hue(seat), font_weight="bold")


def monster(number: int) -> Iterator[Element]:
    """Yield a monster with its number."""
    yield svg.use(MONSTER, 0, 0)
    yield text_at((0, 3.2), str(number), 11, fill=svg.CELL, font_weight="bold")


# --- Dice that were rolled ----------------------------------------------------------------------

_LOW = -7.5
_HIGH = 7.5
_DIAGONAL = ((_LOW, _LOW), (_HIGH, _HIGH))
_CORNERS = (*_DIAGONAL, (_LOW, _HIGH), (_HIGH, _LOW))
PIPS: tuple[tuple[Point, ...], ...] = (
    (),
    ((0, 0),),
    _DIAGONAL,
    (*_DIAGONAL, (0, 0)),
    _CORNERS,
    (*_CORNERS, (0, 0)),
    (*_CORNERS, (_LOW, 0), (_HIGH, 0)),
)
"""The places of the pips of each number on a die of 28 units."""


def faces() -> Iterator[Element]:
    """Yield a die per number of pips, including 0. The die takes its fill, pips their stroke."""
    for pips, places in enumerate(PIPS):
        face = svg.rect(-14, -14, 28, 28, rx=6, stroke=svg.SHADOW, stroke_width=1.2)
        dots = "".join(f"M{x:g} {y:g}h0.01" for x, y in places)
        drawn = svg.path(dots, stroke_width=5.8, stroke_linecap="round")
        yield svg.group(face, drawn, id=Id(f"pips-{pips}"))


def rolled(
    pips: int, at: Point, size: float = 28, seat: int | None = None, **attrs: Value | None
) -> Element:
    """Return a die with this number of pips, in the colour of its seat, if any."""
    paint = {"fill": svg.SHINE, "stroke": svg.SHADOW}
    if seat is not None:
        paint = {"fill": hue(seat), "stroke": on_hue(seat)}
    return placed(Id(f"pips-{pips}"), at, size / 28, **paint, **attrs)


# --- The fan ----------------------------------------------------------------------------------

ARROW_WIDTH = 32.0
"""The width of the touch area of an inner arrow."""

FOLD = 3
"""The number of bridges of the fan."""


def bridges(near: float, far: float) -> Element:
    """Return the fan's bridges, one upwards, between two circles around it."""
    planks = "".join(f"M-11 {-y:g}H11" for y in range(int(near) + 4, int(far), 5))
    wood = (
        svg.rect(-11, -far, 22, far - near, fill=svg.CELL),
        svg.rect(-11, -far, 22, far - near, fill=svg.hue_role("orange"), fill_opacity=0.55),
        svg.path(planks, stroke=svg.INK_SOFT, stroke_width=0.8),
        svg.path(f"M-11 {-near:g}V{-far:g}M11 {-near:g}V{-far:g}", **_inked(2.4)),
    )
    turns = (f"rotate({360 / FOLD * at:g})" for at in range(FOLD))
    return svg.group(*(svg.group(*wood, transform=turn) for turn in turns), id=BRIDGES)


def touch_area(x: float, *, is_outer: bool) -> str:
    """Return the touch area of the arrow at ``x`` in the centre, as a path.

    The arrows share the centre below the dice, side by side.
    """
    side = math.copysign(1, x)
    near, top = (ARROW_WIDTH, 6.0) if is_outer else (0.0, 20.0)
    far = math.sqrt(CENTRE**2 - top**2) if is_outer else ARROW_WIDTH
    upper = f"M{side * near:g} {top:g}H{side * far:.2f}"
    outside = "" if is_outer else f"V{math.sqrt(CENTRE**2 - far**2):.2f}"
    arc = f"A{CENTRE:g} {CENTRE:g} 0 0 {int(side > 0)}"
    return f"{upper}{outside}{arc} {side * near:g} {math.sqrt(CENTRE**2 - near**2):.2f}Z"


# --- Rings ------------------------------------------------------------------------------------


def sector(ring: Band, half: float = 0.5) -> str:
    """Return the outline of a space in sector 0 as a path."""
    x0, y0 = point(ring.inside, half)
    x1, y1 = point(ring.outside, half)
    return (
        f"M{-x1:.2f} {y1:.2f}A{ring.outside:g} {ring.outside:g} 0 0 1 {x1:.2f} {y1:.2f}"
        f"L{x0:.2f} {y0:.2f}A{ring.inside:g} {ring.inside:g} 0 0 0 {-x0:.2f} {y0:.2f}Z"
    )


def ring_parts(ring: Band, *, inner: bool) -> Iterator[Element]:
    """Yield a space of a ring, the foundations for a wall, and a wall."""
    yield svg.path(sector(ring), id=TILES[inner])
    site = sector(Band(ring.outside - WALL, ring.outside - 2.5), 0.45)
    dashed: dict[str, Value] = {"stroke": svg.INK_SOFT, "stroke_dasharray": "2 2.2"}
    yield svg.path(site, fill="none", **dashed, id=SITES[inner])
    yield svg.group(*_wall(ring), id=WALLS[inner])


def _wall(ring: Band) -> Iterator[Element]:
    """Yield a battlement along the outer edge of a space, in the colour of its owner."""
    low, high = ring.outside - WALL - 1, ring.outside - 1
    teeth = "".join(_tooth(high, at * 0.184) for at in (-2, -1, 0, 1, 2))
    yield svg.path(sector(Band(low, high - 4), 0.46) + teeth, **_inked(0.9))
    joints = "".join(_joint(low, high - 4, at) for at in (-0.3, -0.15, 0.15, 0.3))
    yield svg.path(joints, stroke=svg.INK, stroke_width=0.7)


def _tooth(high: float, at: float) -> str:
    ends = ((high - 4.5, -0.07), (high, -0.07), (high, 0.07), (high - 4.5, 0.07))
    corners = [point(radius, at + aside) for radius, aside in ends]
    return "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in corners) + "Z"


def _joint(low: float, high: float, at: float) -> str:
    x0, y0 = point(low, at)
    x1, y1 = point(high, at)
    return f"M{x0:.2f} {y0:.2f}L{x1:.2f} {y1:.2f}"

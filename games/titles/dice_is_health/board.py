"""The board, drawn: two rings and the fan between them, and below it a table of the players.

What moves, the fan and the pieces, is drawn as moving parts, so that pages can show how it came
to where it is.
"""

from collections.abc import Iterator, Sequence

from games.kernel import svg
from games.kernel.contract import Event
from games.kernel.svg import Drawing, Element, Mark, Node, Stop
from games.kernel.views import View
from games.titles.dice_is_health import lights, shapes
from games.titles.dice_is_health.events import monster_mark, player_mark
from games.titles.dice_is_health.hub import hub
from games.titles.dice_is_health.layout import (
    DEGREES,
    HUB,
    INNER,
    MIDDLE,
    NUMBERS,
    OUTER,
    RIM,
    WALL,
    WIDTH,
    absolute,
    band,
    corner,
    middle,
    point,
)
from games.titles.dice_is_health.scene import Scene
from games.titles.dice_is_health.spaces import RING, SPACES, WALL_SPACES, Space
from games.titles.dice_is_health.table import height, table
from games.titles.dice_is_health.ways import FAN, unwound

BESIDE_DICE, BESIDE_TRINKETS = 7.5, 12.0
"""How far from each other a piece has its dice and trinkets."""


def draw(view: View, recent: Sequence[Event]) -> Drawing:
    """Return the board as seen, with the events of the last move lit on it."""
    scene = Scene(view, recent)
    total = WIDTH + height(scene)
    children = (
        svg.element("defs", *_parts(scene)),
        svg.rect(0, 0, WIDTH, total, rx=8, fill=svg.BOARD),
        svg.group(*_board(scene), transform=f"translate({MIDDLE:g} {MIDDLE:g})"),
        svg.group(*table(scene), transform=f"translate(0 {WIDTH})"),
    )
    return Drawing(WIDTH, total, children, scene.label)


def _parts(scene: Scene) -> Iterator[Element]:
    yield from shapes.parts(len(scene.players))
    yield from shapes.ring_parts(OUTER, is_inner=False)
    yield from shapes.ring_parts(INNER, is_inner=True)
    yield shapes.bridges(INNER.outside - 3, OUTER.inside + 3)


def _board(scene: Scene) -> Iterator[Node]:
    yield from _ground()
    inner = (space for space in SPACES if space.is_inner)
    outer = (space for space in SPACES if not space.is_inner)
    rings = [(outer, svg.CELL), (inner, svg.CELL_ALT)]
    for spaces, fill in rings:
        marks = (_space(scene, space) for space in spaces)
        yield svg.group(*marks, fill=fill, stroke=svg.BOARD, stroke_width=2)
    yield from _fan(scene)
    yield from hub(scene)
    quiet: dict[str, svg.Value] = {"fill": "none", "pointer_events": "none"}
    yield svg.group(*lights.beneath(scene), **quiet, stroke_linecap="round")
    yield svg.group(*lights.above(scene), **quiet)
    yield svg.group(*_dice(scene), pointer_events="none")
    yield svg.group(*_pieces(scene), fill="none", class_="standing")


def _ground() -> Iterator[Node]:
    """Yield the rim with the numbers of the sectors, the water and the hub."""
    yield svg.circle(0, 0, RIM, fill=svg.BOARD_EDGE)
    yield svg.circle(0, 0, OUTER.inside, fill=svg.CELL)
    yield svg.circle(0, 0, OUTER.inside, fill=svg.hue_role("blue"), fill_opacity=0.34)
    yield svg.group(*_ripples(), fill="none", stroke=svg.CELL, stroke_opacity=0.75)
    yield svg.circle(0, 0, HUB, fill=svg.BOARD)
    numbers = (shapes.words(point(NUMBERS, at), str(at), 12) for at in range(RING))
    yield svg.group(*numbers, fill=svg.INK)


def _ripples() -> Iterator[Element]:
    for radius, lengths in ((129, "16 29.02"), (134, "24 33.04 9 27.5"), (139.5, "14 34.7")):
        yield svg.circle(0, 0, radius, stroke_dasharray=lengths, stroke_linecap="round")


# --- Spaces -----------------------------------------------------------------------------------


def _space(scene: Scene, space: Space) -> Mark:
    tile = shapes.turned(shapes.TILES[space.is_inner], space.sector)
    built = tuple(_built(scene, space))
    drawn = (tile, svg.group(*built, stroke="none")) if built else (tile,)
    at = corner(space) if scene.tokens.get(space) else middle(space)
    return svg.mark(str(space), scene.label_of(space), *drawn, at=absolute(at))


def _built(scene: Scene, space: Space) -> Iterator[Element]:
    """Yield what belongs to a space: a home, the mark for a wall, a wall."""
    owner = scene.walls.get(space)
    host = scene.homes.get(space, owner)
    if host is not None:
        tile = shapes.TILES[space.is_inner]
        yield shapes.turned(tile, space.sector, fill=shapes.hue(host), fill_opacity=0.2)
    if space in scene.homes:
        at = point(INNER.inside + 8, space.sector)
        yield shapes.placed(shapes.HOUSE, at, 0.95, fill=shapes.hue(scene.homes[space]))
    elif owner is not None:
        wall = shapes.WALLS[space.is_inner]
        yield shapes.turned(wall, space.sector, fill=shapes.hue(owner))
        badge = point(band(space).outside - WALL / 2, space.sector)
        yield shapes.placed(shapes.piece_id(owner), badge, 0.66)
    elif space in WALL_SPACES:
        yield shapes.turned(shapes.SITES[space.is_inner], space.sector)


# --- The fan ----------------------------------------------------------------------------------


def _fan(scene: Scene) -> Iterator[Node]:
    """Yield the fan, its blades on the hub and its bridges over the moat, and where it stood."""
    places = [int(at) for at in scene.ways.get(FAN, [str(scene.view["fan"])])]
    turns = [turn * DEGREES for turn in unwound(places)]
    if turns[0] != turns[-1]:
        yield svg.group(svg.use(shapes.BRIDGES, 0, 0), opacity=0.28, transform=_turn(turns[0]))
    way: list[Stop] = [(str(at), turn) for at, turn in zip(places, turns, strict=True)]
    blades = shapes.placed(shapes.BLADES, (0, 0), HUB / 16, fill=svg.CELL_EDGE, fill_opacity=0.4)
    yield svg.moving(FAN, way, blades, svg.use(shapes.BRIDGES, 0, 0), pointer_events="none")


def _turn(degrees: float) -> str:
    return f"rotate({degrees:g})"


# --- Dice and pieces --------------------------------------------------------------------------


def _dice(scene: Scene) -> Iterator[Element]:
    for place in scene.dice.values():
        yield shapes.placed(shapes.DIE, place.at, place.scale)


def _pieces(scene: Scene) -> Iterator[Mark]:
    for number in range(1, len(scene.view["monsters"]) + 1):
        name = monster_mark(number)
        label = f"monster {number} on {scene.standing[name][0]}"
        yield _piece(scene, name, label, shapes.monster(number))
    for seat, player in enumerate(scene.players):
        if player["in"]:
            drawn = _armed(seat, player["dice"], player["trinkets"])
            yield _piece(scene, player_mark(seat), scene.player_label(seat), drawn)


def _piece(scene: Scene, name: str, label: str, drawn: Iterator[Element]) -> Mark:
    """Return a piece that moves, where it stands on its space."""
    space, place = scene.standing[name]
    before = [Space.read(at) for at in scene.ways.get(name, [""])[:-1]]
    way: list[Stop] = [*((str(at), middle(at)) for at in before), (str(space), place.at)]
    halo = svg.circle(0, 0, 14)
    scaled = svg.group(
        halo, *drawn, transform=f"scale({place.scale:.2f})" if place.scale < 1 else None
    )
    x, y = absolute(place.at)
    aside = 9 * place.scale
    moving = svg.moving(name, way, scaled)
    return svg.mark(name, label, moving, at=(x + aside, y - aside), on=str(space))


def _armed(seat: int, dice: int, trinkets: int) -> Iterator[Element]:
    """Yield a player's piece with its dice below and its trinkets above."""
    yield svg.use(shapes.piece_id(seat), 0, 0)
    for x in _row(dice, BESIDE_DICE):
        yield svg.rect(x - 3.1, 8.6, 6.2, 6.2, rx=1.4, fill=svg.SHINE, stroke=svg.SHADOW)
    for x in _row(trinkets, BESIDE_TRINKETS):
        yield shapes.placed(shapes.TRINKET, (x, -11), 0.72)


def _row(count: int, beside: float) -> Iterator[float]:
    """Yield how far from the middle each of so many things in a row stands."""
    for at in range(count):
        yield (at - (count - 1) / 2) * beside

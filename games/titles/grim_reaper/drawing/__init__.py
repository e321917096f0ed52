"""The drawing of Grim Reaper.

Beside the board are the turn and the next five events. The edges of the board have the colour of
the side that must join them. The last step is highlighted, with lines from newborns to all possible
parents; so is a winning chain.
"""

import math
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain, pairwise
from typing import NamedTuple

from games.kernel import svg
from games.kernel.contract import Event
from games.kernel.grids import SquareGrid
from games.kernel.svg import Drawing, Element, Mark, Node, Point
from games.titles.grim_reaper.drawing import symbols, upcoming
from games.titles.grim_reaper.drawing.scene import MARGIN, Scene
from games.titles.grim_reaper.drawing.symbols import RADIUS, SQUARE
from games.titles.grim_reaper.events import Aged, Born, Moved
from games.titles.grim_reaper.squares import Square
from games.titles.grim_reaper.state import BLUE, RED, Piece, Position, State, state_of

EDGE = 6
CORNER = 18


def draw(view: Position, recent: Sequence[Event]) -> Drawing:
    """Draw the board as seen, with the events of the last step highlighted."""
    scene = Scene(state_of(view), recent)
    grid = scene.grid
    marks = [
        _shown(square, middle, scene.label_of(square), _content(scene, square))
        for square, middle in zip(map(Square.parse, grid.places), grid.places.values(), strict=True)
    ]
    above: dict[str, svg.Value] = {"stroke": svg.LAST, "pointer_events": "none"}
    children = (
        _parts(),
        svg.rect(0, 0, grid.width, grid.height, rx=8, fill=svg.BOARD),
        *_edges(grid.width),
        svg.group(*_coordinates(grid), fill=svg.INK_SOFT, font_size=13 * scene.scale),
        svg.group(*marks, fill=svg.CELL),
        svg.moves(tuple(map(str, scene.way(e))) for e in recent if isinstance(e, Moved)),
        svg.group(*_trails(scene), **above, fill="none", stroke_width=2.5, class_=svg.LAST_MOVE),
        svg.group(*_chain(scene), **above, stroke_width=7, stroke_linecap="round"),
        *_before_ageing(scene),
    )
    return Drawing(grid.width, grid.height, children, scene.label, _panel(scene.state))


@cache
def _parts() -> Element:
    return svg.element("defs", *symbols.parts())


# --- Squares ----------------------------------------------------------------------------------


class Content(NamedTuple):
    """The content of a square: a frame if it changed, a gravestone, a contest, a piece."""

    is_changed: bool
    is_rip: bool
    is_contested: bool
    piece: Piece | None
    is_dying: bool

    def at(self, middle: Point) -> Iterator[Element]:
        """Draw it around the middle of its square."""
        x, y = middle
        if self.is_changed:
            edge = SQUARE - 4
            corner = x - edge / 2, y - edge / 2
            frame = svg.rect(*corner, edge, edge, rx=4, stroke=svg.LAST, stroke_width=2.5)
            yield svg.group(frame, class_=svg.LAST_MOVE)
        if self.is_rip:
            yield symbols.gravestone(middle, is_small=bool(self.piece or self.is_contested))
        if self.is_contested:
            yield svg.use(symbols.CONTESTED, x, y)
        if self.piece:
            yield from symbols.piece(middle, self.piece)
        if self.is_dying:
            yield from symbols.dying(middle)

    def target(self, middle: Point) -> Point | None:
        """Return where a dot hides nothing: beside a sign, and nowhere on a piece."""
        x, y = middle
        if self.piece:
            return None
        return (x + CORNER, y + CORNER) if self.is_rip or self.is_contested else middle


def _content(scene: Scene, square: Square) -> Content:
    piece = scene.state.piece(square) if scene.taken >> square & 1 else None
    return Content(
        is_changed=square in scene.changed,
        is_rip=bool(scene.state.rip >> square & 1),
        is_contested=bool(scene.contested >> square & 1),
        piece=piece,
        is_dying=piece is not None and piece.life == 1 and not scene.is_over,
    )


@lru_cache(svg.CACHE_SIZE)
def _shown(square: Square, middle: Point, label: str, content: Content) -> Mark:
    x, y = middle
    ground = svg.rect(x - SQUARE / 2, y - SQUARE / 2, SQUARE, SQUARE, stroke=svg.CELL_EDGE)
    nodes: tuple[Node, ...] = (ground, *content.at(middle))
    if content.is_contested:
        nodes = (svg.group(svg.element("title", label), *nodes),)
    is_taken = content.piece is not None
    target = content.target(middle)
    return svg.mark(str(square), label, *nodes, at=target, is_movable=is_taken)


# --- What the last step did -------------------------------------------------------------------


def _trails(scene: Scene) -> Iterator[Element]:
    """Yield lines to new pieces from their former squares, or from their parents."""
    for event in scene.recent:
        if isinstance(event, Moved):
            way = [scene.middle(square) for square in scene.way(event)]
            yield svg.circle(*way[0], RADIUS / 2, stroke_dasharray="3 3")
            first = _towards(way[0], way[1], RADIUS / 2)
            last = _towards(way[-1], way[-2], RADIUS + 3)
            yield svg.polyline((first, *way[1:-1], last), stroke_linejoin="round")
        elif isinstance(event, Born):
            child = scene.middle(event.square)
            for parent in dict.fromkeys(chain.from_iterable(event.couples)):
                yield _line(scene.middle(parent), child, RADIUS, RADIUS + 1)


def _line(start: Point, end: Point, before: float, after: float) -> Element:
    """Return a line between two points that keeps clear of both."""
    return svg.line(_towards(start, end, before), _towards(end, start, after))


def _towards(start: Point, end: Point, distance: float) -> Point:
    """Return the point at a distance from one point towards another."""
    part = distance / math.dist(start, end)
    return start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1])


def _before_ageing(scene: Scene) -> Iterator[Element]:
    """Yield pieces as they entered the board, hidden, if all aged by the same step.

    Pages that animate the step show them before pieces age and die.
    """
    if not any(isinstance(event, Aged) for event in scene.recent):
        return
    for event in scene.recent:
        if isinstance(event, Born):
            newcomer = Piece(event.seat, event.sex, event.life)
            symbol = symbols.piece(scene.middle(event.square), newcomer)
            yield svg.group(*symbol, display="none", data_passing=str(event.square))


def _chain(scene: Scene) -> Iterator[Element]:
    """Yield links between the pieces of a winning chain, and from its ends to the edges."""
    if not scene.chain:
        return
    first, last = scene.middle(scene.chain[0]), scene.middle(scene.chain[-1])
    reach = SQUARE / 2
    if scene.state.sides[RED] >> scene.chain[0] & 1:
        start, end = (first[0], first[1] + reach), (last[0], last[1] - reach)
    else:
        start, end = (first[0] - reach, first[1]), (last[0] + reach, last[1])
    yield _line(start, first, 0, RADIUS + 4)
    yield _line(last, end, RADIUS + 4, 0)
    for here, there in pairwise(map(scene.middle, scene.chain)):
        yield _line(here, there, RADIUS + 2, RADIUS + 2)


# --- Around the board -------------------------------------------------------------------------


def _edges(width: int) -> Iterator[Element]:
    """Yield the sides of the board in the colours that must join them, Blue's hollow."""
    length = width - 2 * MARGIN
    sides = (MARGIN - EDGE, MARGIN + length)
    for y in sides:
        yield svg.rect(MARGIN, y, length, EDGE, fill=svg.seat_role(RED))
    for x in sides:
        inner = (x + 1, MARGIN + 1, EDGE - 2, length - 2)
        yield svg.rect(*inner, fill=svg.CELL, stroke=svg.seat_role(BLUE), stroke_width=2)


def _coordinates(grid: SquareGrid) -> Iterator[Element]:
    yield from grid.letters(grid.height - 4)
    yield from grid.numbers(MARGIN / 2 - EDGE / 2, 4.5)


def _panel(state: State) -> tuple[Drawing, ...]:
    """Return the turn and the upcoming events. After the end only the turn."""
    cards = upcoming.panel(state.turn_number, state.step)
    return cards if state.ranks is None else cards[:1]

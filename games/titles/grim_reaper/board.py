"""The board of Grim Reaper, drawn.

Above it stand the two peoples with their reserves, below it the next five things that happen.
Its edges have the colour of the side that joins them. What the last step did is lit, newborns
are tied to all who may be their parents, and a winning chain is shown.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from games.kernel import svg
from games.kernel.contract import Event
from games.kernel.svg import Drawing, Element, Mark, Node, Point
from games.kernel.views import View
from games.titles.grim_reaper import agenda, shapes, squares, words
from games.titles.grim_reaper.population import BLUE, RED, Sex
from games.titles.grim_reaper.rules import BORN, MOVE
from games.titles.grim_reaper.scene import MARGIN, NATURAL, Scene
from games.titles.grim_reaper.shapes import RADIUS, SQUARE
from games.titles.grim_reaper.squares import Square, square

EDGE = 6
CORNER = 18
FOOT = agenda.HEIGHT + 12


def draw(view: View, recent: Sequence[Event]) -> Drawing:
    """Return the board as seen, with the events of the last step lit on it."""
    scene = Scene(view, recent)
    below = scene.bottom + MARGIN
    height = round(below + FOOT * scene.scale)
    marks = [_mark(scene, spot) for spot in _reading_order(scene.size)]
    children = (
        svg.element("defs", *shapes.parts()),
        svg.rect(0, 0, scene.width, height, rx=8, fill=svg.BOARD),
        svg.group(*_head(scene), transform=f"scale({scene.scale:.3f})"),
        *_edges(scene),
        svg.group(*_coordinates(scene), fill=svg.INK_SOFT, font_size=13 * scene.scale),
        svg.group(*marks, fill=svg.CELL),
        svg.group(*_trails(scene), fill="none", stroke=svg.LAST, stroke_width=2.5),
        svg.group(*_chain(scene), stroke=svg.LAST, stroke_width=7, stroke_linecap="round"),
        svg.group(*_foot(scene), transform=f"translate(0 {below:.2f}) scale({scene.scale:.3f})"),
    )
    return Drawing(scene.width, height, children, scene.label)


def _reading_order(size: int) -> list[Square]:
    """Return the squares from the top row to the bottom, each from the left."""
    spots = squares.each(squares.board(size))
    return sorted(spots, key=lambda spot: (-squares.row(spot), squares.column(spot)))


# --- Squares ----------------------------------------------------------------------------------


def _mark(scene: Scene, spot: Square) -> Mark:
    x, y = scene.middle(spot)
    label = scene.label_of(spot)
    ground = svg.rect(x - SQUARE / 2, y - SQUARE / 2, SQUARE, SQUARE, stroke=svg.CELL_EDGE)
    shown: tuple[Node, ...] = (ground, *_content(scene, spot))
    if scene.contested >> spot & 1:
        shown = (svg.group(svg.element("title", label), *shown),)
    return svg.mark(squares.name_of(spot), label, *shown, at=_target(scene, spot))


def _target(scene: Scene, spot: Square) -> Point | None:
    """Return where a dot hides nothing: beside a sign, and nowhere on a piece."""
    if scene.population.taken >> spot & 1:
        return None
    x, y = scene.middle(spot)
    has_sign = (scene.graves | scene.contested) >> spot & 1
    return (x + CORNER, y + CORNER) if has_sign else (x, y)


def _content(scene: Scene, spot: Square) -> Iterator[Element]:
    """Yield what stands on a square: a frame if it is new, a grave, a contest, a piece."""
    x, y = scene.middle(spot)
    is_taken = scene.population.taken >> spot & 1
    if spot in scene.fresh:
        edge = SQUARE - 4
        corner = x - edge / 2, y - edge / 2
        yield svg.rect(*corner, edge, edge, rx=4, stroke=svg.LAST, stroke_width=2.5)
    if scene.graves >> spot & 1:
        yield shapes.tomb((x, y), is_aside=bool(is_taken or scene.contested >> spot & 1))
    if scene.contested >> spot & 1:
        yield svg.use(shapes.RIVALS, x, y)
    if is_taken:
        found = scene.population.piece(spot)
        yield from shapes.piece((x, y), found)
        if found.life == 1 and not scene.is_over:
            yield from shapes.doom((x, y))


# --- What the last step did -------------------------------------------------------------------


def _trails(scene: Scene) -> Iterator[Element]:
    """Yield lines to what is new from where it came, or from its parents."""
    for event in scene.recent:
        if event.type == MOVE:
            origin, target = (scene.middle(square(event.data[end])) for end in ("from", "to"))
            yield svg.circle(*origin, RADIUS / 2, stroke_dasharray="3 3")
            yield _line(origin, target, RADIUS / 2, RADIUS + 3)
        elif event.type == BORN:
            child = scene.middle(square(event.data["square"]))
            for parent in {name for couple in event.data["couples"] for name in couple}:
                yield _line(scene.middle(square(parent)), child, RADIUS, RADIUS + 1)


def _line(start: Point, end: Point, before: float, after: float) -> Element:
    """Return a line between two points that keeps clear of both."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    away = before / math.hypot(dx, dy)
    near = 1 - after / math.hypot(dx, dy)
    ends = [(start[0] + part * dx, start[1] + part * dy) for part in (away, near)]
    return svg.line(*ends)


def _chain(scene: Scene) -> Iterator[Element]:
    """Yield links between the pieces of a winning chain, and from its ends to the edges."""
    if not scene.chain:
        return
    first, last = scene.middle(scene.chain[0]), scene.middle(scene.chain[-1])
    reach = SQUARE / 2
    if scene.population.sides[RED] >> scene.chain[0] & 1:
        start, end = (first[0], first[1] + reach), (last[0], last[1] - reach)
    else:
        start, end = (first[0] - reach, first[1]), (last[0] + reach, last[1])
    yield _line(start, first, 0, RADIUS + 4)
    yield _line(last, end, RADIUS + 4, 0)
    for here, there in pairwise(map(scene.middle, scene.chain)):
        yield _line(here, there, RADIUS + 2, RADIUS + 2)


# --- Around the board -------------------------------------------------------------------------


def _edges(scene: Scene) -> Iterator[Element]:
    """Yield the sides of the board in the colours that are to join them, Blue's hollow."""
    length, left, top = scene.size * SQUARE, MARGIN, scene.top
    for y in (top - EDGE, scene.bottom):
        yield svg.rect(left, y, length, EDGE, fill=svg.seat_role(RED))
    for x in (left - EDGE, left + length):
        inner = (x + 1, top + 1, EDGE - 2, length - 2)
        yield svg.rect(*inner, fill=svg.CELL, stroke=svg.seat_role(BLUE), stroke_width=2)


def _coordinates(scene: Scene) -> Iterator[Element]:
    for at in range(scene.size):
        name = squares.name_of(Square(at * (squares.STRIDE + 1)))
        yield svg.text(scene.point(at, 0)[0], scene.bottom + MARGIN - 4, name[0])
        yield svg.text(MARGIN / 2 - EDGE / 2, scene.point(0, at)[1] + 4.5, name[1])


def _head(scene: Scene) -> Iterator[Element]:
    """Yield the people of each side with its reserve, and the turn between them."""
    yield svg.text(NATURAL / 2, 21, f"Turn {scene.view['turn']}", fill=svg.INK_SOFT, font_size=13)
    for seat, x in ((RED, MARGIN - EDGE), (BLUE, NATURAL - 124)):
        name, reserve = words.name_of(seat), scene.view["reserve"][seat]
        yield _words(x, 21, name, weight="bold")
        yield _words(x, 38, f"reserve {reserve}")
        for sex, along in ((Sex.MALE, 46), (Sex.FEMALE, 82)):
            yield shapes.small(seat, sex, (x + along, 16.5), 0.33)
            yield _words(x + along + 9, 21, str(scene.count(seat, sex)))


def _words(x: float, y: float, words: str, weight: str | None = None) -> Element:
    return svg.text(
        x, y, words, text_anchor="start", fill=svg.INK, font_size=14, font_weight=weight
    )


def _foot(scene: Scene) -> Iterator[Element]:
    """Yield what happens next, or how the match came out."""
    if scene.is_over:
        outcome = words.outcome(scene.view["result"])
        yield svg.text(NATURAL / 2, 30, outcome, fill=svg.INK, font_size=17, font_weight="bold")
    else:
        coming = agenda.agenda(scene.view["turn"], scene.view["step"])
        yield from agenda.strip(coming, MARGIN - EDGE, 3, NATURAL - 2 * (MARGIN - EDGE))

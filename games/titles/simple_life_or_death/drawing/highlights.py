"""Highlights on the board: the last move, what waits for an answer, and the entry overlay."""

import math
from collections.abc import Iterator, Sequence

from games.kernel import svg
from games.kernel.contract import Event
from games.kernel.svg import Element, Mark, Point
from games.titles.simple_life_or_death.components import OFF, Direction, Square
from games.titles.simple_life_or_death.drawing.symbols import CELL, extent, middle
from games.titles.simple_life_or_death.entry import EntryView, Selection
from games.titles.simple_life_or_death.position import SeatView
from games.titles.simple_life_or_death.transition import ATTACKED, FOUGHT, LANDED, PLACED, ROLLED

CLEAR = 11
"""How far a line keeps from the middle of a square."""

DISTANCE = 25.0
"""How far from the middle of a piece its arrows stand, along a row or column."""


def beneath(view: SeatView, recent: Sequence[Event]) -> Iterator[Element]:
    """Yield the paths of pieces that moved, below all pieces."""
    for event in recent:
        if event.type == LANDED or (event.type == ROLLED and view.pending):
            yield _path(view, event)


def above(view: SeatView, recent: Sequence[Event]) -> Iterator[Element]:
    """Yield frames, arrows and crosses, above all pieces."""
    for event in recent:
        if event.type == PLACED:
            yield _frame(view, event.data["square"], svg.LAST)
        elif event.type == LANDED:
            if event.data["to"] != OFF:
                yield _frame(view, event.data["to"], svg.LAST)
        elif event.type in (ATTACKED, FOUGHT):
            yield from _attack(view, event)
    for end in view.landing.ends if view.landing else ():
        if end != OFF:
            yield _frame(view, end, svg.TARGET)
    if view.attack:
        yield _frame(view, view.squares[view.attack.target], svg.DANGER)


def _path(view: SeatView, event: Event) -> Element:
    """Return where a piece came from, and a dashed line to where it stopped or may stop."""
    data = event.data
    start, end = data.get("at", data.get("from")), data.get("to") or data["ends"][-1]
    points = middle(view.board, start), _end_point(view, start, end, data["direction"])
    drawn = [svg.circle(*points[0], CLEAR - 2)]
    if line := _between(*points, CLEAR):
        drawn.append(svg.line(*line))
    return svg.group(*drawn, stroke=svg.LAST, stroke_width=1.6, stroke_dasharray="4 3", fill="none")


def _end_point(view: SeatView, start: Square, end: Square, direction: str) -> Point:
    """Return the end of a path; one that leads off the board ends in the frame."""
    if end != OFF:
        return middle(view.board, end)
    found = Direction[direction.upper()]
    x, y = middle(view.board, [start, *view.board.line(start, found)][-1])
    return (x + found.value[0] * CELL, y - found.value[1] * CELL)


def _attack(view: SeatView, event: Event) -> Iterator[Element]:
    """Yield an arrow from the attacker to its target, and a cross where that one fell."""
    start, end = (middle(view.board, event.data[name]) for name in ("from", "at"))
    drawn = []
    if line := _between(start, end, CELL / 4):
        drawn += [svg.line(*line), svg.circle(*line[1], 3, fill=svg.DANGER, stroke="none")]
    if event.data.get("won"):
        drawn.append(svg.path(f"M{end[0] - 8} {end[1] - 8}l16 16m-16 0l16-16"))
    else:
        yield _frame(view, event.data["at"], svg.DANGER)
    yield svg.group(*drawn, stroke=svg.DANGER, stroke_width=2.4, stroke_linecap="round")


def _between(start: Point, end: Point, clear: float) -> tuple[Point, Point] | None:
    """Return the line between two points that keeps clear of both; none if they are too near."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = math.hypot(dx, dy)
    if length <= 2 * clear:
        return None
    part = clear / length
    return (start[0] + part * dx, start[1] + part * dy), (end[0] - part * dx, end[1] - part * dy)


def _frame(view: SeatView, square: Square, colour: svg.Role) -> Element:
    x, y = middle(view.board, square)
    side = CELL - 2
    return svg.rect(x - side / 2, y - side / 2, side, side, rx=2, stroke=colour, stroke_width=2.2)


# --- The entry overlay ------------------------------------------------------------------------


def arrows(view: SeatView) -> Iterator[Mark]:
    """Yield an arrow for each direction around a selected piece, seen where it can be chosen."""
    if not isinstance(view, EntryView):
        return
    x, y = middle(view.board, view.selection.at)
    for turn, direction in enumerate(Direction):
        right, up = direction.value
        at = (x + right * DISTANCE, y - up * DISTANCE)
        placed = f"translate({at[0]:g} {at[1]:g}) rotate({45 * turn})"
        ground = svg.circle(*at, 10.5, stroke=svg.INK_SOFT, stroke_width=0.8)
        arrow = svg.path("M0-7l6 9h-4v5h-4v-5h-4z", transform=placed, fill=svg.TARGET)
        label = f"arrow to the {direction.described}"
        yield svg.mark(direction.mark, label, ground, arrow, is_hidden=True)


def results(view: SeatView) -> Iterator[Element]:
    """Yield the results of the dice on the squares where they end."""
    if isinstance(view, EntryView):
        for end, totals in view.selection.ends:
            yield from _result(view, view.selection, end, totals)


def _result(view: SeatView, selection: Selection, end: Square, totals: str) -> Iterator[Element]:
    x, y = _end_point(view, selection.at, end, selection.direction)
    y -= CELL / 2 if end in view.stacks else 0
    width, edge = 5.2 * len(totals) + 7, extent(view.board)[0]
    x = min(max(x, width / 2 + 1), edge - width / 2 - 1)
    colour = svg.DANGER if end == OFF else svg.INK
    yield svg.rect(x - width / 2, y - 6.5, width, 13, rx=6.5, fill=colour)
    yield svg.text(x, y + 3.2, totals, fill=svg.CELL, font_size=9, font_weight="bold")

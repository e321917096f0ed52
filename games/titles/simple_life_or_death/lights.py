"""What is lit on the board: the last move, and what waits for an answer."""

import math
from collections.abc import Iterator

from games.kernel import svg
from games.kernel.contract import Event
from games.kernel.svg import Element, Point
from games.titles.simple_life_or_death.moves import OFF
from games.titles.simple_life_or_death.position import DEFEND, LAND
from games.titles.simple_life_or_death.scene import CELL, Scene
from games.titles.simple_life_or_death.squares import Direction, Square
from games.titles.simple_life_or_death.transition import ATTACKED, FOUGHT, LANDED, PLACED, ROLLED

CLEAR = 11
"""How far a line keeps from the middle of a square."""


def beneath(scene: Scene) -> Iterator[Element]:
    """Yield the ways of pieces that moved, below all pieces."""
    for event in scene.recent:
        if event.type in (ROLLED, LANDED):
            yield from _way(scene, event)


def above(scene: Scene) -> Iterator[Element]:
    """Yield frames, arrows and crosses, above all pieces."""
    for event in scene.recent:
        if event.type == PLACED:
            yield _frame(scene, event.data["square"], svg.LAST)
        elif event.type == LANDED:
            if event.data["to"] != OFF:
                yield _frame(scene, event.data["to"], svg.LAST)
        elif event.type in (ATTACKED, FOUGHT):
            yield from _strike(scene, event)
    pending = scene.view["pending"]
    if pending and pending["kind"] == LAND:
        for end in pending["ends"]:
            if end != OFF:
                yield _frame(scene, end, svg.TARGET)
    if pending and pending["kind"] == DEFEND:
        yield _frame(scene, str(scene.where(pending["target"])), svg.DANGER)


def _way(scene: Scene, event: Event) -> Iterator[Element]:
    """Yield where a piece came from, and a dashed line to where it stopped or may stop."""
    if event.type == ROLLED and not scene.view["pending"]:
        return
    start = Square.read(event.data["at" if event.type == ROLLED else "from"])
    drawn = [svg.circle(*scene.middle(start), CLEAR - 2)]
    if line := _between(scene.middle(start), _beyond(scene, start, event), CLEAR):
        drawn.append(svg.line(*line))
    yield svg.group(*drawn, stroke=svg.LAST, stroke_width=1.6, stroke_dasharray="4 3", fill="none")


def _beyond(scene: Scene, start: Square, event: Event) -> Point:
    """Return the end of a way; one that leads off the board ends in the frame."""
    end = event.data["to"] if event.type == LANDED else event.data["ends"][-1]
    if end != OFF:
        return scene.middle(Square.read(end))
    direction = Direction[event.data["direction"].upper()]
    last = [start, *scene.board.line(start, direction)][-1]
    return scene.middle(last.step(direction))


def _strike(scene: Scene, event: Event) -> Iterator[Element]:
    """Yield an arrow from the attacker to its target, and a cross where that one fell."""
    start, end = (scene.middle(Square.read(event.data[name])) for name in ("from", "at"))
    drawn = []
    if line := _between(start, end, CELL / 4):
        drawn += [svg.line(*line), svg.circle(*line[1], 3, fill=svg.DANGER, stroke="none")]
    if event.data.get("won"):
        x, y = end[0] - 8, end[1] - 8
        drawn.append(svg.path(f"M{x} {y}l16 16m-16 0l16-16"))
    else:
        yield _frame(scene, event.data["at"], svg.DANGER)
    yield svg.group(*drawn, stroke=svg.DANGER, stroke_width=2.4, stroke_linecap="round")


def _between(start: Point, end: Point, clear: float) -> tuple[Point, Point] | None:
    """Return the line between two points that keeps clear of both; none if they are too near."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = math.hypot(dx, dy)
    if length <= 2 * clear:
        return None
    part = clear / length
    return (start[0] + part * dx, start[1] + part * dy), (end[0] - part * dx, end[1] - part * dy)


def _frame(scene: Scene, name: str, colour: svg.Role) -> Element:
    x, y = scene.middle(Square.read(name))
    side = CELL - 2
    return svg.rect(x - side / 2, y - side / 2, side, side, rx=2, stroke=colour, stroke_width=2.2)

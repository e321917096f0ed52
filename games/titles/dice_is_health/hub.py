"""The hub of the board: what is left of each die, the last fight, or what is asked."""

import textwrap
from collections.abc import Iterator

from games.kernel import svg
from games.kernel.contract import Event
from games.kernel.svg import Element, Id, Node, Point
from games.titles.dice_is_health import shapes
from games.titles.dice_is_health.events import DUELLED, FAN_DOWN, FAN_UP, name_of
from games.titles.dice_is_health.layout import absolute
from games.titles.dice_is_health.scene import Scene

COLUMNS = (-38, 0, 38)
"""Where the dice of the monsters, the fan and the player lie."""

ARROWS = {FAN_DOWN: (-21, 41), FAN_UP: (21, 41)}
LINE = 17
"""How many letters fit beside each other."""


def hub(scene: Scene) -> Iterator[Node]:
    """Yield what lies in the middle of the rings."""
    if scene.is_movement:
        yield from _dice(scene)
        yield svg.group(*map(_arrow, ARROWS), fill=svg.CELL)
    elif scene.fight:
        yield from _fight(scene.fight)
    else:
        yield from _words(scene.next)


# --- The dice of a movement ---------------------------------------------------------------------


def _dice(scene: Scene) -> Iterator[Node]:
    signs = (shapes.MONSTER, shapes.BLADES, shapes.piece_id(scene.view["turn"]))
    for x, sign, rolled, left in zip(COLUMNS, signs, scene.view["roll"], scene.left, strict=True):
        yield _sign(sign, (x, -38))
        yield svg.group(shapes.rolled(left, (x, -9)), opacity=None if left else 0.35)
        if left < rolled:
            yield shapes.words((x, 13), f"of {rolled}", 11, fill=svg.INK)


def _sign(sign: Id, at: Point) -> Element:
    if sign == shapes.BLADES:
        return shapes.placed(sign, at, 0.75, fill=svg.INK)
    return shapes.placed(sign, at, 0.8)


def _arrow(name: str) -> Node:
    """Return the button that turns the fan one way: an arrow around a half circle."""
    x, y = ARROWS[name]
    is_up = name == FAN_UP
    label = "the fan, a sector " + ("up, clockwise" if is_up else "down, anticlockwise")
    arc = svg.path("M-6.5 4A7.6 7.6 0 1 1 6.5 4", fill="none", stroke=svg.INK, stroke_width=2.2)
    tip = svg.path("M2.6 2.4H10.8L5.6 8.6Z", fill=svg.INK)
    turned = svg.group(arc, tip, transform=None if is_up else "scale(-1 1)")
    button = svg.circle(0, 0, 15, stroke=svg.CELL_EDGE, stroke_width=1.2)
    drawn = svg.group(button, turned, transform=f"translate({x} {y})")
    return svg.mark(name, label, drawn, at=absolute((x, y)))


# --- Fights and words ---------------------------------------------------------------------------


def _fight(fight: Event) -> Iterator[Node]:
    """Yield both sides' dice of the last round of a fight, and their sums."""
    rounds, seat = fight.data["rounds"], fight.seat or 0
    if fight.type == DUELLED:
        winner = name_of(fight.data["winner"])
        own, others = rounds[-1]["mover"], rounds[-1]["other"]
        other: Node = _sign(shapes.piece_id(fight.data["other"]), (-52, -25))
    else:
        winner = name_of(seat) if fight.data["won"] else f"Monster {fight.data['monster']}"
        own, others = rounds[-1]["player"], rounds[-1]["monster"]
        face = shapes.monster(fight.data["monster"])
        other = svg.group(*face, transform="translate(-52 -25) scale(0.8)")
    yield other
    yield from _row(others, -25, is_best=sum(others) > sum(own))
    yield _sign(shapes.piece_id(seat), (-52, 6))
    yield from _row(own, 6, is_best=sum(own) > sum(others))
    after = " after a tie" if len(rounds) > 1 else ""
    yield shapes.words((0, 34), f"{winner} wins", 13, fill=svg.INK, font_weight="bold")
    if after:
        yield shapes.words((0, 49), after.strip(), 12, fill=svg.INK)


def _row(dice: list[int], y: float, *, is_best: bool) -> Iterator[Node]:
    for at, pips in enumerate(dice):
        yield shapes.rolled(pips, (-28 + 24 * at, y), 21)
    weight = "bold" if is_best else None
    yield shapes.words((53, y), str(sum(dice)), 18, fill=svg.INK, font_weight=weight)


def _words(said: str) -> Iterator[Node]:
    first, _, rest = said.partition(" ")
    lines = textwrap.wrap(rest, LINE)
    top = -9 * len(lines)
    yield shapes.words((0, top), first, 17, fill=svg.INK, font_weight="bold")
    for at, line in enumerate(lines, 1):
        yield shapes.words((0, top + 18 * at), line, 14, fill=svg.INK)

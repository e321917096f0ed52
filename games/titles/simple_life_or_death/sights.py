"""What the board shows while a move is entered: arrows, results on a way, an opened stack."""

from collections.abc import Iterator

from games.kernel import svg
from games.kernel.svg import Element, Mark, Point
from games.titles.simple_life_or_death import shapes, words
from games.titles.simple_life_or_death.aim import AIM
from games.titles.simple_life_or_death.moves import OFF
from games.titles.simple_life_or_death.pieces import Piece, Stack
from games.titles.simple_life_or_death.scene import CELL, Scene
from games.titles.simple_life_or_death.squares import Direction, Square

DISTANCE = 25.0
"""How far from the middle of a piece its arrows stand, along a row or column."""

LEVEL, LEVEL_WIDTH = 28, 76
"""How high and wide each piece of an opened stack is."""


def arrow_mark(direction: Direction) -> str:
    """Return the name of the arrow that points in a direction."""
    return f"to-{direction}"


def arrows(scene: Scene) -> Iterator[Mark]:
    """Yield an arrow for each direction around a piece in hand, seen where it can be chosen."""
    if not (aim := scene.view.get(AIM)):
        return
    x, y = scene.middle(Square.read(aim["at"]))
    for turn, direction in enumerate(Direction):
        right, up = direction.value
        at = (x + right * DISTANCE, y - up * DISTANCE)
        name, label = arrow_mark(direction), f"arrow to the {words.DIRECTIONS[direction]}"
        yield svg.mark(name, label, *_arrow(at, turn), is_hidden=True)


def _arrow(at: Point, turn: int) -> Iterator[Element]:
    placed = f"translate({at[0]:g} {at[1]:g}) rotate({45 * turn})"
    yield svg.circle(*at, 10.5, stroke=svg.INK_SOFT, stroke_width=0.8)
    yield svg.path("M0-7l6 9h-4v5h-4v-5h-4z", transform=placed, fill=svg.TARGET)


def results(scene: Scene) -> Iterator[Element]:
    """Yield the results of the dice on the squares where they end."""
    aim = scene.view.get(AIM, {})
    for name, totals in aim.get("ends", ()):
        if name == OFF:
            x, y = _beyond(scene, aim)
        else:
            x, y = scene.middle(Square.read(name))
            y -= CELL / 2 if Square.read(name) in scene.stacks else 0
        width = 5.2 * len(totals) + 7
        x = min(max(x, width / 2 + 1), scene.width - width / 2 - 1)
        colour = svg.DANGER if name == OFF else svg.INK
        yield svg.rect(x - width / 2, y - 6.5, width, 13, rx=6.5, fill=colour)
        yield svg.text(x, y + 3.2, totals, fill=svg.CELL, font_size=9, font_weight="bold")


def _beyond(scene: Scene, aim: dict[str, str]) -> Point:
    """Return the place in the frame where a way leaves the board."""
    start, direction = Square.read(aim["at"]), Direction[aim["direction"].upper()]
    last = [start, *scene.board.line(start, direction)][-1]
    return scene.middle(last.step(direction))


# --- Stacks -----------------------------------------------------------------------------------


def levels(scene: Scene) -> Iterator[Mark]:
    """Yield the pieces of every stack one above the other, seen while it is open."""
    for square, stack in scene.stacks.items():
        if len(stack) > 1:
            yield from _levels(scene, square, stack)


def _levels(scene: Scene, square: Square, stack: Stack) -> Iterator[Mark]:
    x, y = scene.middle(square)
    left = x + CELL if x + CELL + LEVEL_WIDTH < scene.width else x - CELL - LEVEL_WIDTH
    top = min(max(y - LEVEL * len(stack) / 2, 0), scene.bottom - LEVEL * len(stack))
    for height, piece in enumerate(stack):
        corner = (left, top + LEVEL * (len(stack) - 1 - height))
        drawn = _level(piece, corner)
        label = f"{words.piece(piece)}{_load(stack[height + 1 :])}"
        yield svg.mark(str(piece), label, *drawn, is_hidden=True, layer=str(square))


def _load(carried: Stack) -> str:
    return f", with {words.listed(list(map(str, carried)))} on it" if carried else ", on top"


def _level(piece: Piece, corner: Point) -> Iterator[Element]:
    x, y = corner
    yield svg.rect(x, y, LEVEL_WIDTH, LEVEL, stroke=svg.INK, stroke_width=1)
    yield shapes.piece(piece, (x + 17, y + LEVEL / 2))
    at = (x + 34, y + LEVEL / 2 + 4.5)
    letters = svg.text(*at, str(piece), text_anchor="start", font_size=13, font_weight="bold")
    yield svg.group(letters, fill=svg.INK)

"""The board, drawn: squares and stacks, what was done last, and below it the table.

Empty squares have no element of their own, but for those to which a move may lead: a board has
up to 2,304 of them.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from games.kernel import svg
from games.kernel.contract import Event
from games.kernel.svg import Drawing, Element, Id, Mark, Node
from games.kernel.views import DictView, View
from games.titles.simple_life_or_death import lights, shapes, sights, table, words
from games.titles.simple_life_or_death.moves import OFF
from games.titles.simple_life_or_death.pieces import Stack
from games.titles.simple_life_or_death.position import DEFEND, LAND
from games.titles.simple_life_or_death.scene import CELL, MARGIN, Scene
from games.titles.simple_life_or_death.squares import COLUMNS, Board, Square

BLOCK = 8
"""Every so many squares a line is stronger, as if chessboards lay side by side."""

CORNER = 8.5
"""How far from the middle of a square a dot hides no piece, to the left and down."""

SPOT = Id("spot")


def draw(view: View, recent: Sequence[Event]) -> Drawing:
    """Return the table as seen, with the events of the last move lit on it."""
    scene = Scene(view, recent)
    below, height = table.below(scene)
    spot = svg.rect(0.6 - CELL / 2, 0.6 - CELL / 2, CELL - 1.2, CELL - 1.2, id=SPOT)
    children: tuple[Node, ...] = (
        svg.element("defs", spot, *shapes.parts(scene.seats)),
        *_ground(scene),
        svg.group(*_coordinates(scene), fill=svg.INK_SOFT, font_size=10),
        svg.group(*lights.beneath(scene)),
        svg.group(*_marks(scene), fill=svg.CELL),
        svg.group(*lights.above(scene), fill="none", pointer_events="none"),
        svg.group(*sights.arrows(scene), fill=svg.CELL, fill_opacity=0.85),
        svg.group(*sights.results(scene), pointer_events="none"),
        svg.group(*sights.levels(scene), fill=svg.CELL),
        svg.group(*below, transform=_beneath(scene), data_fold=scene.bottom),
    )
    total = scene.bottom + height * scene.scale
    return Drawing(scene.width, round(total), children, _label(scene))


def _beneath(scene: Scene) -> str:
    return f"translate(0 {scene.bottom}) scale({scene.scale:.4g})"


def _ground(scene: Scene) -> Iterator[Node]:
    """Yield the frame, which stands for leaving the board, the ground and its lines."""
    width, height = scene.board.width * CELL, scene.board.height * CELL
    frame = (
        f"M0 0h{scene.width}v{scene.bottom}h{-scene.width}z"
        f"M{MARGIN} {MARGIN}v{height}h{width}v{-height}z"
    )
    edge = svg.path(frame)
    yield svg.group(svg.mark(OFF, "the frame: off the board", edge), fill=svg.BOARD)
    yield svg.rect(MARGIN, MARGIN, width, height, fill=svg.CELL)
    thin, thick = _lines(scene.board)
    yield svg.path(thin, stroke=svg.CELL_EDGE, stroke_width=0.6)
    yield svg.path(thick, stroke=svg.CELL_EDGE, stroke_width=1.6, stroke_linecap="square")


@cache
def _lines(board: Board) -> tuple[str, str]:
    """Return the lines between squares, thin ones and strong ones, as two paths."""
    down, along = f"v{board.height * CELL}", f"h{board.width * CELL}"
    drawn = {False: "", True: ""}
    for at in range(board.width + 1):
        drawn[at % BLOCK == 0] += f"M{MARGIN + at * CELL} {MARGIN}{down}"
    for at in range(board.height + 1):
        up = MARGIN + (board.height - at) * CELL
        drawn[at % BLOCK == 0] += f"M{MARGIN} {up}{along}"
    return drawn[False], drawn[True]


def _coordinates(scene: Scene) -> Iterator[Element]:
    for at in range(scene.board.width):
        yield svg.text(MARGIN + at * CELL + CELL / 2, scene.bottom - 6, COLUMNS[at])
    for at in range(scene.board.height):
        y = MARGIN + (scene.board.height - 1 - at) * CELL + CELL / 2 + 3.5
        yield svg.text(MARGIN / 2, y, str(at + 1))


# --- Squares ----------------------------------------------------------------------------------


def _marks(scene: Scene) -> Iterator[Mark]:
    """Yield a mark for every square, by row from the top, each from the left."""
    empty = _empty(scene.board)
    for square, mark in empty.items():
        stack = scene.stacks.get(square)
        yield _stack(scene, square, stack) if stack else mark


@cache
def _empty(board: Board) -> Mapping[Square, Mark]:
    """Return the marks of a board without pieces, in reading order."""
    scene = Scene(DictView({"width": board.width, "height": board.height}), ())
    order = sorted(board.squares(), key=lambda square: (-square.row, square.column))
    return {
        square: svg.mark(
            str(square),
            f"{square}, empty",
            svg.use(SPOT, *scene.middle(square)),
            at=scene.middle(square),
            is_hidden=True,
        )
        for square in order
    }


def _stack(scene: Scene, square: Square, stack: Stack) -> Mark:
    middle = scene.middle(square)
    drawn = shapes.stack(stack, middle) if len(stack) > 1 else [shapes.piece(stack[0], middle)]
    label = f"{square}: {_described(stack)}"
    corner = (middle[0] - CORNER, middle[1] + CORNER)
    return svg.mark(str(square), label, svg.use(SPOT, *middle), *drawn, at=corner)


def _described(stack: Stack) -> str:
    if len(stack) == 1:
        return words.piece(stack[0])
    return f"stack of {len(stack)}, from the bottom {'; '.join(map(words.piece, stack))}"


def _label(scene: Scene) -> str:
    """Return in words what is on the table, and what it waits for."""
    standing = ", ".join(
        f"{words.name_of(seat)} {sum(p.seat == seat for s in scene.stacks.values() for p in s)}"
        for seat in range(scene.seats)
    )
    size = f"Board of {scene.board.width} by {scene.board.height} squares"
    return f"{size}. Pieces on it: {standing}. {_next(scene)}"


def _next(scene: Scene) -> str:
    view = scene.view
    if scene.is_over:
        winners = [words.name_of(s) for s, rank in enumerate(view["result"]) if rank == 1]
        return f"{words.listed(winners)} {'has' if len(winners) == 1 else 'have'} won."
    mover, pending = words.name_of(view["turn"]), view["pending"]
    if view["phase"] == LAND:
        return f"{mover} chooses where {pending['piece']} stops."
    if view["phase"] == DEFEND:
        return f"{pending['attacker']} attacks {pending['target']}, which may be defended."
    return f"{mover} to move."

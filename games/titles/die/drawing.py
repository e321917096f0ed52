"""The drawing of DIE.

Cells are hexagons standing on a corner. Red stones carry a ring, Blue's a lozenge. The last move is
highlighted: its cell, and the cells that stones left. At the end these are the winner's last group.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache

from games.kernel import svg
from games.kernel.contract import Event, Ranks, Seat
from games.kernel.formatting import counted
from games.kernel.hexgrid import Cell, HexBoard, hex_board
from games.kernel.svg import Drawing, Element, Id, Mark, Point
from games.titles.die.events import Placed, Removed
from games.titles.die.meta import META
from games.titles.die.state import Position

WIDTH = 36
"""Width of a cell. All other sizes follow from it."""

RADIUS = WIDTH / math.sqrt(3)
RISE = RADIUS * 1.5
STONE = WIDTH * 0.4
GROUND = WIDTH * 2.35
MARGIN = WIDTH * 1.25

NAMES = {"r": "red", "b": "blue"}
PARTS = {".": Id("e"), "r": Id("r"), "b": Id("b")}


def draw(view: Position, recent: Sequence[Event]) -> Drawing:
    """Draw the board as seen, with the events of the last move highlighted."""
    board = hex_board(view.size)
    stones = "".join(view.rows)
    last = {event.cell for event in recent if isinstance(event, Placed)}
    removed = [event for event in recent if isinstance(event, Removed)]
    gone = {cell: event.owner for event in removed for cell in event.cells}
    news = dict.fromkeys(last, ", just placed")
    for name, owner in gone.items():
        news[name] = f", a {META.colours[owner].name.lower()} stone was just removed"
    places = zip(_places(board.size), stones, strict=True)
    marks = [_mark(name, at, stone, news.get(name, "")) for (name, at), stone in places]
    children = (
        *_frame(board.size),
        svg.group(*marks, fill=svg.CELL, stroke_width=1.5),
        svg.group(
            *_highlights(board, last, gone, view.result),
            pointer_events="none",
            class_=svg.LAST_MOVE,
        ),
        *(_passing(board, name, gone[name]) for name in last & gone.keys()),
    )
    width = (board.rows - 1) * WIDTH + 2 * MARGIN
    height = (board.rows - 1) * RISE + 2 * MARGIN
    return Drawing(round(width), round(height), children, _label(view, stones))


def _middle(board: HexBoard, row: float, number: float) -> Point:
    """Return the middle of a cell. Labels use rows and numbers beyond the edge."""
    indent = abs(row - (board.size - 1)) / 2
    x = MARGIN + (number - 1 + indent) * WIDTH
    y = MARGIN + (board.rows - 1 - row) * RISE
    return (round(x, 2), round(y, 2))


@cache
def _places(size: int) -> tuple[tuple[str, Point], ...]:
    """Return the names of cells with their middles, in the order in which views have their stones.

    That is from the top row to the bottom, each from the left.
    """
    board = hex_board(size)
    order = sorted(board.cells, key=lambda cell: (-cell.row, cell.number))
    return tuple((str(cell), _middle(board, cell.row, cell.number)) for cell in order)


@cache
def _frame(size: int) -> tuple[Element, ...]:
    """Return what is the same on every board of a size: parts, ground, letters and numbers."""
    board = hex_board(size)
    labels = svg.group(*_letters(board), *_numbers(board), fill=svg.INK_SOFT, font_size=14)
    return (svg.element("defs", *_parts()), *_ground(board), labels)


@lru_cache(svg.CACHE_SIZE)
def _mark(name: str, at: Point, stone: str, news: str) -> Mark:
    words = f"{name}, {NAMES[stone]} stone" if stone in NAMES else f"{name}, empty"
    return svg.mark(name, words + news, svg.use(PARTS[stone], *at), at=at)


def _parts() -> Iterator[Element]:
    """Yield the parts that are drawn repeatedly: an empty cell, and one with each colour's stone.

    The cell itself takes the fill of its mark, so that a page can tint it. Pages move only the
    piece.
    """
    cell = svg.polygon(_hexagon(RADIUS), stroke=svg.CELL_EDGE)
    yield svg.group(cell, id=PARTS["."])
    for seat, colour in enumerate(META.colours):
        piece = svg.group(*_stone(Seat(seat)), class_="piece")
        yield svg.group(cell, piece, id=PARTS[colour.letter])


def _stone(seat: Seat) -> Iterator[Element]:
    """Yield a stone around the origin: its shadow, its disc and its sign."""
    ring = svg.circle(0, 0, STONE * 0.52, fill="none", stroke=svg.on_seat_role(0), stroke_width=2.4)
    reach = STONE * 0.5
    lozenge = svg.polygon(
        [(0, -reach), (reach, 0), (0, reach), (-reach, 0)], fill=svg.on_seat_role(1)
    )
    yield svg.circle(1, 2, STONE, fill=svg.SHADOW, fill_opacity=0.22)
    yield svg.circle(0, 0, STONE, fill=svg.seat_role(seat))
    yield (ring, lozenge)[seat]


def _passing(board: HexBoard, name: str, owner: Seat) -> Element:
    """Return a stone that one move placed and removed. Step animations show it in between."""
    x, y = _middle_of(board, name)
    hidden = {"class_": "piece", "display": "none", "data_passing": name}
    return svg.group(*_stone(owner), transform=f"translate({x:g} {y:g})", **hidden)


def _hexagon(radius: float) -> list[Point]:
    turns = [math.radians(30 + 60 * k) for k in range(6)]
    return [(radius * math.cos(turn), radius * math.sin(turn)) for turn in turns]


def _ground(board: HexBoard) -> Iterator[Element]:
    """Yield the board below the cells, its edge first."""
    top = board.rows - 1
    middle = board.size - 1
    size = board.size
    corners = ((0, 1), (0, size), (middle, board.rows), (top, size), (top, 1), (middle, 1))
    shape = [_middle(board, row, number) for row, number in corners]
    for colour, width in ((svg.BOARD_EDGE, GROUND + 3), (svg.BOARD, GROUND)):
        yield svg.polygon(
            shape, fill=colour, stroke=colour, stroke_width=width, stroke_linejoin="round"
        )


def _letters(board: HexBoard) -> Iterator[Element]:
    """Yield the letter of each row, left of it."""
    for row in range(board.rows):
        x, y = _middle(board, row, 0.05)
        yield svg.text(x, y + 4.5, str(Cell(row, 1))[0])


def _numbers(board: HexBoard) -> Iterator[Element]:
    """Yield the number of each slanted line of cells, at both its ends."""
    for number in range(1, board.rows + 1):
        beyond = max(0, number - board.size)
        for row, step in ((beyond, 1), (board.rows - 1 - beyond, -1)):
            x, y = _middle(board, row, number)
            yield svg.text(x + WIDTH * 0.5, round(y + step * RISE, 2) + 4.5, str(number))


def _highlights(
    board: HexBoard, last: set[str], gone: Mapping[str, Seat], ranks: Ranks | None
) -> Iterator[Element]:
    """Yield the highlights of the last move, above all cells."""
    for name, owner in gone.items():
        yield _ghost(board, name, owner, has_won=ranks is not None and ranks[owner] == 1)
    yield from (_halo(board, name) for name in last)


def _ghost(board: HexBoard, name: str, owner: Seat, *, has_won: bool) -> Element:
    """Return a dashed ring in its owner's colour for a removed stone. Thick if that won."""
    colour = svg.seat_role(owner)
    return svg.circle(
        *_middle_of(board, name),
        STONE - 1,
        fill=colour,
        fill_opacity=0.15,
        stroke=colour,
        stroke_width=4 if has_won else 2.5,
        stroke_dasharray="4 3.5",
    )


def _halo(board: HexBoard, name: str) -> Element:
    """Return the outline of the cell of the last placement."""
    x, y = _middle_of(board, name)
    around = [(x + dx, y + dy) for dx, dy in _hexagon(RADIUS - 1)]
    return svg.polygon(around, fill="none", stroke=svg.LAST, stroke_width=3.5)


def _middle_of(board: HexBoard, name: str) -> Point:
    cell = Cell.read(name) or board.cells[0]
    return _middle(board, cell.row, cell.number)


def _label(view: Position, stones: str) -> str:
    counts = [stones.count(colour.letter) for colour in META.colours]
    colours = [colour.name for colour in META.colours]
    standing = ", ".join(
        counted(count, f"{name.lower()} stone") for count, name in zip(counts, colours, strict=True)
    )
    words = f"Board of size {view.size}: {standing}."
    ranks = view.result
    if ranks is None:
        return f"{words} {colours[view.mover]} to move."
    return f"{words} {'Drawn' if ranks[0] == ranks[1] else colours[ranks.index(1)] + ' has won'}."

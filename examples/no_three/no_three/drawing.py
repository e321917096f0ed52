"""The board of No Three, drawn."""

import math
from collections.abc import Collection, Sequence

from games.kernel import svg
from games.kernel.hexgrid import Cell, Cells, HexBoard
from games.kernel.svg import Drawing, Element, Mark

RADIUS = 30
WIDTH = RADIUS * math.sqrt(3)
RISE = RADIUS * 1.5
MARGIN = 12
STONE = 17
SIDES = (0, 4, 3)
"""The sides of the sign on the stones of each seat; 0 is a ring."""

COLOURS = ("red", "blue", "green")


def draw(board: HexBoard, stones: Sequence[Cells], last: Collection[str]) -> Drawing:
    """Return the board with its stones; the cells in ``last`` are highlighted."""
    cells = sorted(board.cells, key=lambda cell: (-cell.row, cell.number))
    marks = [_mark(board, cell, stones, is_last=str(cell) in last) for cell in cells]
    width = round(board.rows * WIDTH + 2 * MARGIN)
    height = round((board.rows - 1) * RISE + 2 * RADIUS + 2 * MARGIN)
    empty = (board.all & ~sum(stones)).bit_count()
    return Drawing(width, height, tuple(marks), f"{len(cells)} cells, {empty} empty.")


def _mark(board: HexBoard, cell: Cell, stones: Sequence[Cells], *, is_last: bool) -> Mark:
    indent = abs(cell.row - board.size + 1) / 2
    x = round(MARGIN + WIDTH * (cell.number - 0.5 + indent), 1)
    y = round(MARGIN + RADIUS + RISE * (board.rows - 1 - cell.row), 1)
    edge = {"stroke": svg.LAST if is_last else svg.CELL_EDGE, "stroke_width": 4 if is_last else 2}
    shapes = [svg.polygon(_corners(x, y, RADIUS - 3, 6), fill=svg.CELL, **edge)]
    owner = next((seat for seat, own in enumerate(stones) if own & board.bit(cell)), None)
    content = "empty"
    if owner is None:
        shapes.append(svg.text(x, y + 22, str(cell), fill=svg.INK_SOFT, font_size=11))
    else:
        shapes += (svg.circle(x, y, STONE, fill=svg.seat_role(owner)), _sign(owner, x, y))
        content = f"a {COLOURS[owner]} stone"
    words = f"{cell}, {content}{', just placed' if is_last else ''}"
    return svg.mark(str(cell), words, svg.group(*shapes), at=(x, y))


def _sign(seat: int, x: float, y: float) -> Element:
    if not SIDES[seat]:
        ink = svg.on_seat_role(seat)
        return svg.circle(x, y, STONE / 2, fill="none", stroke=ink, stroke_width=3)
    return svg.polygon(_corners(x, y, STONE * 0.55, SIDES[seat]), fill=svg.on_seat_role(seat))


def _corners(x: float, y: float, radius: float, count: int) -> list[tuple[float, float]]:
    turns = [2 * math.pi * at / count - math.pi / 2 for at in range(count)]
    return [
        (round(x + radius * math.cos(turn), 1), round(y + radius * math.sin(turn), 1))
        for turn in turns
    ]

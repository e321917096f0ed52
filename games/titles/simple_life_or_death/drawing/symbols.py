"""Geometry of squares, and the look of pieces and cards, each around a middle of its own.

Every colour has a shape of its own, so that nobody needs to tell colours apart. The size of a piece
is shown by its scale and by its letter.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from games.kernel import svg
from games.kernel.grids import SquareGrid
from games.kernel.svg import Element, Id, Point, Role
from games.kernel.symbols import read_symbols
from games.titles.simple_life_or_death import components
from games.titles.simple_life_or_death.components import Board, Card, Piece, Size, Square
from games.titles.simple_life_or_death.meta import META
from games.titles.simple_life_or_death.state import Stack

CELL = 24
"""The side of a square. All else on the board follows from it."""

MARGIN = 14
"""The frame around the squares, with their coordinates."""


@cache
def grid(board: Board) -> SquareGrid:
    return SquareGrid(board.width, board.height, CELL, MARGIN)


def extent(board: Board) -> tuple[int, int]:
    """Return the width and height of a board with its frame."""
    return grid(board).width, grid(board).height


def middle(board: Board, square: Square) -> Point:
    return grid(board).places[square]


# --- Pieces -----------------------------------------------------------------------------------

RADII: Mapping[Size, float] = {Size.SMALL: 7.8, Size.MEDIUM: 9.4, Size.LARGE: 11.2}
"""The radius of a piece, before a correction for its corners."""

LETTERS: Mapping[Size, float] = {Size.SMALL: 10.5, Size.MEDIUM: 12, Size.LARGE: 14}
"""The size of the letter on a piece."""

LOW = 2
STACKED, STACKED_HIGH = 0.76, 0.66
"""The scales of pieces in a stack of ``LOW`` pieces, and in a higher one."""

LAYERS = 5
"""The most pieces of a stack that are drawn."""

RIM, RIMS = 4.4, 8.6
"""The most of a piece that is seen below the one on it, and of all those below the top."""

FOOT = 10.8
"""How far the foot of a stack is below the middle of its square."""

SMALLER = 0.72
"""The scale of pieces in a line of words."""

BASELINE_OFFSET = 0.36
"""The distance of a baseline below the middle of letters, as a fraction of their size."""

OUTLINES: tuple[tuple[Point, ...], ...] = (
    (),
    ((-0.92, -0.92), (0.92, -0.92), (0.92, 0.92), (-0.92, 0.92)),
    ((0, -1.1), (1.14, 0.9), (-1.14, 0.9)),
    ((0, -1.14), (1.14, 0), (0, 1.14), (-1.14, 0)),
    ((0, 1.1), (-1.14, -0.9), (1.14, -0.9)),
    (
        *((-0.5, -1.1), (0.5, -1.1), (0.5, -0.5), (1.1, -0.5), (1.1, 0.5), (0.5, 0.5)),
        *((0.5, 1.1), (-0.5, 1.1), (-0.5, 0.5), (-1.1, 0.5), (-1.1, -0.5), (-0.5, -0.5)),
    ),
)
"""The corners of the shape of each seat, for a radius of 1. Red is a circle."""

LETTER_OFFSETS = (0, 0, 0.28, 0, -0.28, 0)
"""The offset of the letter in each shape, downwards, as a fraction of the radius."""

CARD_WIDTH = 36.0
CARD_HEIGHT = 30.0

FACE = 14.5
"""The size of the letters on a card."""

DIGIT = 0.57
"""The width of a digit, as a fraction of the size of letters."""

SUIT = 0.36
"""Half the width of a suit, as the same fraction."""

GAP = 0.06
"""The gap between them, as the same fraction."""

SUITS = read_symbols(Path(__file__).with_name("symbols.svg"))
"""Each suit around its middle, 1 high and wide on every side."""


def hue(seat: int) -> Role:
    return svg.hue_role(META.colours[seat].name.lower())


def parts(seats: int) -> Iterator[Element]:
    """Yield the parts that are drawn repeatedly: each seat's sizes, with and without letter."""
    for seat in range(seats):
        for size in components.SIZES:
            bare = _id(seat, size, "")
            yield svg.group(_outline(seat, RADII[size]), id=bare)
            yield svg.group(svg.use(bare, 0, 0), _letter(seat, size), id=_id(seat, size, "-"))


def piece(shown: Piece, middle: Point) -> Element:
    """Return a piece that stands alone."""
    return svg.use(_id(shown.seat, shown.size, "-"), *middle)


def stack(pieces: Stack, middle: Point) -> Iterator[Element]:
    """Yield a stack as seen from above its edge: each piece stands on the rim of the one below it.

    Of a high stack the lowest pieces are left out; the number says how many there are.
    """
    x, y = middle
    shown = pieces[-LAYERS:]
    rim = min(RIM, RIMS / (len(shown) - 1))
    scale = STACKED if len(shown) <= LOW else STACKED_HIGH
    for at, piece_ in enumerate(shown):
        is_top = at == len(shown) - 1
        part = _id(piece_.seat, piece_.size, "-" if is_top else "")
        foot = y + FOOT - rim * at
        reach = _reach_down(piece_) * scale
        yield _placed(part, (x, foot - reach), scale, class_="stacked")
    yield svg.circle(x + 7.9, y - 7.9, 4.1, fill=svg.INK)
    yield svg.text(x + 7.9, y - 5.3, str(len(pieces)), fill=svg.CELL, font_size=7.4)


def _reach_down(shown: Piece) -> float:
    """Return how far a piece reaches down from its middle."""
    return RADII[shown.size] * max((y for _, y in OUTLINES[shown.seat]), default=1)


def small(
    seat: int, size: Size, middle: Point, *, is_bare: bool = False, scale: float = SMALLER
) -> Element:
    """Return a piece as a word among others, with its letter unless it stands for its seat."""
    return _placed(_id(seat, size, "" if is_bare else "-"), middle, scale)


def _placed(part: Id, middle: Point, scale: float, class_: str | None = None) -> Element:
    placed = f"translate({middle[0]:.1f} {middle[1]:.1f}) scale({scale})"
    return svg.use(part, 0, 0, transform=placed, class_=class_)


def _id(seat: int, size: Size, kind: str) -> Id:
    return Id(f"{META.colours[seat].letter}{size}{kind}")


def _outline(seat: int, radius: float) -> Element:
    paint: dict[str, svg.Value] = {
        "fill": hue(seat),
        "stroke": svg.INK,
        "stroke_width": 0.9,
        "stroke_linejoin": "round",
    }
    if not OUTLINES[seat]:
        return svg.circle(0, 0, radius, **paint)
    corners = [(x * radius, y * radius) for x, y in OUTLINES[seat]]
    return svg.polygon(corners, **paint)


def _letter(seat: int, size: Size) -> Element:
    height = LETTERS[size]
    y = LETTER_OFFSETS[seat] * RADII[size] + height * BASELINE_OFFSET
    colour = svg.on_hue_role(META.colours[seat].name.lower())
    return svg.text(0, y, str(size), fill=colour, font_size=height, font_weight="bold")


# --- Cards ------------------------------------------------------------------------------------


def card(shown: Card, corner: Point, count: int = 1) -> Iterator[Element]:
    """Yield a card, face down if it is hidden, its upper left corner given."""
    x, y = corner
    yield svg.rect(x, y, CARD_WIDTH - 3, CARD_HEIGHT, rx=3, stroke=svg.INK_SOFT, stroke_width=0.9)
    if shown == components.HIDDEN_CARD:
        yield from _back(corner)
        return
    colour = svg.INK if shown.is_black else svg.DANGER
    middle = x + (CARD_WIDTH - 3) / 2
    low = y + (20 if count == 1 else 16)
    right = middle + face_width(shown, FACE) / 2
    yield svg.group(*face(shown, (right, low), FACE), fill=colour)
    if count > 1:
        yield svg.text(middle, y + 26.5, f"×{count}", fill=svg.INK, font_size=9)


def face_width(shown: Card, size: float) -> float:
    """Return the width of rank and suit in letters of a size."""
    return (DIGIT * len(shown.written_rank) + 2 * SUIT + GAP) * size


def face(shown: Card, right: Point, size: float) -> Iterator[Element]:
    """Yield rank and suit, right-aligned at a point on the baseline.

    The suit is drawn: the font of pictures has no such letters, and phones show coloured ones.
    """
    x, y = right
    placed = f"translate({x - SUIT * size:.1f} {y - SUIT * size:.1f}) scale({SUIT * size:.2f})"
    end = x - (2 * SUIT + GAP) * size
    yield svg.text(end, y, shown.written_rank, text_anchor="end", font_size=size)
    yield svg.group(*SUITS[shown[1]], transform=placed)


def _back(corner: Point) -> Iterator[Element]:
    x, y = corner
    inner = (x + 3, y + 3, CARD_WIDTH - 9, CARD_HEIGHT - 6)
    yield svg.rect(*inner, rx=2, fill=svg.ACCENT, fill_opacity=0.85)
    lines = "".join(f"M{x + at} {y + 3}v{CARD_HEIGHT - 6}" for at in range(8, 28, 5))
    yield svg.path(lines, stroke=svg.CELL, stroke_width=1, stroke_opacity=0.6)

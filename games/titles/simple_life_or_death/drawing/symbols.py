"""How squares lie, and how pieces and cards look, each around a middle of its own.

Every colour has a shape of its own, so that nobody needs to tell colours apart; the size of a
piece is shown by how large it is drawn and by its letter.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from games.kernel import svg
from games.kernel.svg import Element, Id, Point, Role
from games.kernel.symbols import read_symbols
from games.titles.simple_life_or_death import components
from games.titles.simple_life_or_death.components import Board, Card, Piece, Size, Square
from games.titles.simple_life_or_death.meta import META
from games.titles.simple_life_or_death.state import Stack

CELL = 24
"""The side of a square; all else on the board follows from it."""

MARGIN = 14
"""The frame around the squares, with their coordinates."""


def extent(board: Board) -> tuple[int, int]:
    """Return the width and height of a board with its frame."""
    return board.width * CELL + 2 * MARGIN, board.height * CELL + 2 * MARGIN


def middle(board: Board, square: Square) -> Point:
    """Return the middle of a square."""
    column, row = components.PLACES[square]
    x = MARGIN + column * CELL + CELL / 2
    return (x, MARGIN + (board.height - 1 - row) * CELL + CELL / 2)


# --- Pieces -----------------------------------------------------------------------------------

RADII: Mapping[Size, float] = {Size.SMALL: 7.8, Size.MEDIUM: 9.4, Size.LARGE: 11.2}
"""How far a piece reaches from its middle, before its shape makes up for its corners."""

LETTERS: Mapping[Size, float] = {Size.SMALL: 10.5, Size.MEDIUM: 12, Size.LARGE: 14}
"""The size of the letter on a piece."""

SMALLER = 0.72
"""How much smaller pieces are in a line of words."""

BASELINE_OFFSET = 0.36
"""How far below its middle, in parts of its size, a line of letters stands."""

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
"""The corners of the shape of each seat, for a radius of 1; red is a circle."""

LETTER_OFFSETS = (0, 0, 0.28, 0, -0.28, 0)
"""How far the letter stands below the middle of each shape, in parts of its radius."""

CARD_WIDTH = 36.0
CARD_HEIGHT = 30.0

FACE = 14.5
"""The size of the letters on a card."""

DIGIT = 0.57
"""The width of a digit, in parts of the size of letters."""

SUIT = 0.36
"""Half the width of a suit, in the same parts."""

GAP = 0.06
"""The gap between them, in the same parts."""

SUITS = read_symbols(Path(__file__).with_name("symbols.svg"))
"""Each suit around its middle, 1 high and wide on every side."""


def hue(seat: int) -> Role:
    """Return the colour of a seat's pieces."""
    return svg.hue_role(components.name_of(seat).lower())


def parts(seats: int) -> Iterator[Element]:
    """Yield what is drawn many times: every size of piece of every seat, with letter and bare."""
    for seat in range(seats):
        for size in components.SIZES:
            bare = _id(seat, size, "")
            yield svg.group(_outline(seat, RADII[size]), id=bare)
            yield svg.group(svg.use(bare, 0, 0), _letter(seat, size), id=_id(seat, size, "-"))


def piece(shown: Piece, middle: Point) -> Element:
    """Return a piece that stands alone."""
    return svg.use(_id(shown.seat, shown.size, "-"), *middle)


def stack(pieces: Stack, middle: Point) -> Iterator[Element]:
    """Yield a stack: on the left all of it from the bottom, small; its top; how many they are."""
    x, y = middle
    step = min(5.6, 18 / (len(pieces) - 1))
    for at, shown in enumerate(pieces):
        height = y + step * ((len(pieces) - 1) / 2 - at)
        yield _placed(_id(shown.seat, shown.size, ""), (x - 8.4, height), 0.32)
    yield _placed(_id(pieces[-1].seat, pieces[-1].size, "-"), (x + 2.4, y - 1.2), 0.8)
    yield svg.circle(x + 8, y + 8, 4.4, fill=svg.INK)
    yield svg.text(x + 8, y + 10.6, str(len(pieces)), fill=svg.CELL, font_size=7)


def small(
    seat: int, size: Size, middle: Point, *, is_bare: bool = False, scale: float = SMALLER
) -> Element:
    """Return a piece as a word among others, with its letter unless it stands for its seat."""
    return _placed(_id(seat, size, "" if is_bare else "-"), middle, scale)


def _placed(part: Id, middle: Point, scale: float) -> Element:
    placed = f"translate({middle[0]:.1f} {middle[1]:.1f}) scale({scale})"
    return svg.use(part, 0, 0, transform=placed)


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
    colour = svg.on_hue_role(components.name_of(seat).lower())
    return svg.text(0, y, str(size), fill=colour, font_size=height, font_weight="bold")


# --- Cards ------------------------------------------------------------------------------------


def card(shown: Card, corner: Point, count: int = 1) -> Iterator[Element]:
    """Yield a card, face down where it is hidden, its upper left corner given."""
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
    """Return how wide rank and suit are in letters of a size."""
    return (DIGIT * len(shown.written_rank) + 2 * SUIT + GAP) * size


def face(shown: Card, right: Point, size: float) -> Iterator[Element]:
    """Yield rank and suit, which end at a point on the line of letters of a size.

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

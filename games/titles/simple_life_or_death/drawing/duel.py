"""A fight as pages show it for a moment in the middle of the board: both cards, or both rolls."""

from collections.abc import Iterator, Sequence

from games.kernel import svg
from games.kernel.contract import Event
from games.kernel.svg import Element, Node
from games.titles.simple_life_or_death.components import Board, Card, Piece, name_of
from games.titles.simple_life_or_death.drawing import symbols

WIDTH, HEIGHT = 150, 92
"""Of the picture, in its own units."""

PART = 0.62
"""How much of the shorter side of the board it takes."""

SIDES = (38, 112)
"""Where attack and defence are, from the left."""


def scene(board: Board, fought: Event) -> Element:
    """Return the fight, which is hidden until a page shows it."""
    width, height = symbols.extent(board)
    scale = PART * min(width, height) / WIDTH
    x, y = (width - WIDTH * scale) / 2, (height - HEIGHT * scale) / 2
    placed = f"translate({x:.1f} {y:.1f}) scale({scale:.2f})"
    drawn = svg.group(*_drawn(fought), transform=placed)
    return svg.group(drawn, class_="scene", display="none", pointer_events="none")


def _drawn(fought: Event) -> Iterator[Node]:
    data = fought.data
    yield svg.rect(0, 0, WIDTH, HEIGHT, rx=6, fill=svg.BOARD, stroke=svg.INK, stroke_width=1.2)
    for x, name, value in zip(
        SIDES,
        (data["attacker"], data["target"]),
        (data["attack"], data["defence"]),
        strict=True,
    ):
        piece = Piece.parse(name)
        yield symbols.small(piece.seat, piece.size, (x, 15))
        yield from _cast(value, x)
    yield svg.text(WIDTH / 2, 49, "against", fill=svg.INK_SOFT, font_size=9)
    outcome = "falls" if data["won"] else "holds its ground"
    target = Piece.parse(data["target"])
    words = f"{name_of(target.seat)}’s {target.size.described} piece {outcome}"
    yield svg.text(WIDTH / 2, 84, words, fill=svg.INK, font_size=9.5, font_weight="bold")


def _cast(value: str | Sequence[int] | None, x: float) -> Iterator[Node]:
    """Yield the card or the roll of a side."""
    corner = (x - (symbols.CARD_WIDTH - 3) / 2, 30.0)
    if value is None:
        empty = (*corner, symbols.CARD_WIDTH - 3, symbols.CARD_HEIGHT)
        yield svg.rect(*empty, rx=3, fill="none", stroke=svg.INK_SOFT, stroke_dasharray="3 3")
        yield svg.text(x, 49, "no card", fill=svg.INK_SOFT, font_size=8)
    elif isinstance(value, str):
        yield svg.group(*symbols.card(Card.parse(value), corner), fill=svg.CELL)
    else:
        yield svg.text(x, 54, str(sum(value)), fill=svg.INK, font_size=24, font_weight="bold")
        if len(value) > 1:
            rolls = "+".join(map(str, value))
            yield svg.text(x, 66, rolls, fill=svg.INK_SOFT, font_size=9)

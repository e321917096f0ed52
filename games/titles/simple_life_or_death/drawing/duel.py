"""A fight as pages show it for a moment in the middle of the board: both cards, or both rolls."""

from collections.abc import Iterator, Sequence

from games.kernel import svg
from games.kernel.language import gettext, pgettext
from games.kernel.svg import Element, Node
from games.titles.simple_life_or_death.components import Board, Card, Role, name_of
from games.titles.simple_life_or_death.drawing import symbols
from games.titles.simple_life_or_death.drawing.symbols import CARD_HEIGHT, CARD_WIDTH
from games.titles.simple_life_or_death.events import Fought

WIDTH, HEIGHT = 220, 130
"""In the picture's own units."""

PART = 0.86
"""The size of the picture as a fraction of the board's shorter side."""

SIDES = (50, 170)
"""The positions of attack and defence, from the left."""

ASIDE = 22
"""The distance of a side's piece to the left of it."""

TOP = 31
"""The top of cards and rolls."""

LARGER = 2.2
"""The scale of a card relative to one in a hand."""

CENTRE = TOP + CARD_HEIGHT * LARGER / 2


def scene(board: Board, fought: Fought) -> Element:
    """Return the fight, which is hidden until a page shows it."""
    width, height = symbols.extent(board)
    scale = PART * min(width, height) / WIDTH
    x, y = (width - WIDTH * scale) / 2, (height - HEIGHT * scale) / 2
    placed = f"translate({x:.1f} {y:.1f}) scale({scale:.2f})"
    drawn = svg.group(*_drawn(fought), transform=placed)
    return svg.group(drawn, class_="scene", display="none", pointer_events="none")


def _drawn(fought: Fought) -> Iterator[Node]:
    yield svg.rect(0, 0, WIDTH, HEIGHT, rx=6, fill=svg.BOARD, stroke=svg.INK, stroke_width=1.2)
    attacker = fought.attacker
    target = fought.target
    sides = (
        (attacker, pgettext("piece", "attacks"), fought.attack, fought.won),
        (target, pgettext("piece", "defends"), fought.defence, not fought.won),
    )
    for x, (piece, does, value, is_winner) in zip(SIDES, sides, strict=True):
        yield symbols.small(piece.seat, piece.size, (x - ASIDE, 16), scale=1)
        at = (x - ASIDE + 16, 20)
        yield svg.text(*at, does, text_anchor="start", fill=svg.INK, font_size=11)
        yield from _cast(value, x, is_winner=is_winner)
    yield svg.text(WIDTH / 2, CENTRE + 4, _relation(fought), fill=svg.INK, font_size=11)
    yield svg.text(
        WIDTH / 2, 117, _outcome(fought), fill=svg.INK, font_size=10.5, font_weight="bold"
    )


def _outcome(fought: Fought) -> str:
    target = fought.target
    if not fought.won:
        return gettext("{piece} stays").format(piece=target.owned(None, Role.FIRST))
    message = gettext("{player} captures {piece}")
    captor = name_of(fought.attacker.seat)
    return message.format(player=captor, piece=target.owned(None, Role.OBJECT))


def _relation(fought: Fought) -> str:
    """Return how the attack compares with the defence. The defender wins ties."""
    if fought.won:
        return pgettext("between two cards", "beats")
    if _worth(fought.attack) == _worth(fought.defence):
        return pgettext("between two cards", "only ties")
    return pgettext("between two cards", "loses to")


def _worth(value: str | Sequence[int] | None) -> int:
    return Card.parse(value).rank if isinstance(value, str) else sum(value or ())


def _cast(value: str | Sequence[int] | None, x: float, *, is_winner: bool) -> Iterator[Node]:
    """Yield the card or the roll of a side, framed if it wins."""
    width, height = (CARD_WIDTH - 3) * LARGER, CARD_HEIGHT * LARGER
    left = x - width / 2
    if value is None:
        yield svg.rect(
            left,
            TOP,
            width,
            height,
            rx=6,
            fill="none",
            stroke=svg.INK_SOFT,
            stroke_dasharray="4 4",
        )
        yield svg.text(x, CENTRE + 4, gettext("no red card"), fill=svg.INK_SOFT, font_size=11)
        return
    if isinstance(value, str):
        card = symbols.card(Card.parse(value), (0, 0))
        yield svg.group(
            *card, fill=svg.CELL, transform=f"translate({left:.1f} {TOP}) scale({LARGER})"
        )
    else:
        yield svg.text(
            x, CENTRE + 10, str(sum(value)), fill=svg.INK, font_size=32, font_weight="bold"
        )
        if len(value) > 1:
            rolls = " + ".join(map(str, value))
            yield svg.text(x, CENTRE + 27, rolls, fill=svg.INK_SOFT, font_size=12)
    if is_winner:
        yield svg.rect(
            left, TOP, width, height, rx=6, fill="none", stroke=svg.ACCENT, stroke_width=3
        )

"""The panel beside the board: each seat with its stock, the piles, the round, open hands."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from games.kernel import svg
from games.kernel.contract import Seat
from games.kernel.formatting import counted
from games.kernel.svg import Drawing, Element, Mark, Node, Point
from games.titles.simple_life_or_death.components import (
    HIDDEN_CARD,
    SIZES,
    Card,
    Size,
    name_of,
    stock_mark,
)
from games.titles.simple_life_or_death.drawing import symbols
from games.titles.simple_life_or_death.state import SeatView, Stock

ROW = 26
"""How high a line of words is."""

WIDE, TALL = 38, 36
"""The width and height of each size of a stock. They are the same at every turn, so nothing moves.

On a phone one row holds the stocks of two players, the piles and the card of an attack.
"""

HELD = 28
"""How wide the number of cards in a hand is."""

PILE = 36
"""How wide a pile is."""

CARD = 34
"""How wide a card of one's own hand is."""

HIGH = 31
"""How high a card is."""

COUNT = 23
"""Where the number of cards in a pile begins, from above: below the face of the top card."""

LINE = 148
"""How wide the line with the round is."""

LETTERS = 13
"""The size of its letters."""

HAND_ROW = 4
"""How many cards of an open hand stand side by side."""

BY_COLOUR = "CDSH"
"""The suits as hands show them: black and red in turn."""


def pictures(view: SeatView) -> Iterator[Drawing]:
    """Yield what stands beside the board, one's own seat first."""
    hands = [
        seat for seat in view.seats if view.hands[seat] and HIDDEN_CARD not in view.hands[seat]
    ]
    own = view.mover if len(hands) > 1 else next(iter(hands), None)
    first = hands[0] if len(hands) == 1 else 0
    for seat in (*view.seats[first:], *view.seats[:first]):
        yield _seat(view, seat)
    if view.has_cards:
        yield _piles(view)
    if view.attack and view.attack.card:
        yield _card(view.attack.card, "The card of the attack", svg.DANGER)
    for seat in hands:
        if seat == own and view.ranks is None:
            if len(hands) > 1:
                yield _sign(seat)
            yield from _own_hand(view.hands[seat])
        else:
            yield _open_hand(view, seat)
    if view.rounds:
        yield _round(view)


def _text(at: Point, text: str, size: float = 12) -> Element:
    return svg.text(*at, text, text_anchor="start", fill=svg.INK, font_size=size)


# --- Seats ------------------------------------------------------------------------------------


def _seat(view: SeatView, seat: Seat) -> Drawing:
    """Return what a seat has: pieces in stock, and how many cards nobody else sees."""
    is_mover = view.ranks is None and seat == view.turn
    end = WIDE * len(SIZES)
    middle = TALL / 2
    drawn: list[Node] = []
    if view.seats_in[seat]:
        drawn += _stocks(seat, view.stock[seat])
    else:
        drawn += [
            symbols.small(seat, SIZES[1], (13, middle), is_bare=True),
            _text((26, middle + 4.5), "left" if seat in view.dropped else "out"),
        ]
    if HIDDEN_CARD in view.hands[seat]:
        drawn += [
            svg.rect(end + 2, middle - 5.5, 8, 11, rx=1.5, fill=svg.ACCENT),
            _text((end + 12, middle + 4.5), str(len(view.hands[seat]))),
        ]
        end += HELD
    ground = svg.CELL if is_mover else svg.BOARD
    return Drawing(end, TALL, (svg.group(*drawn, fill=ground),), name_of(seat))


def _stocks(seat: Seat, stock: Stock) -> Iterator[Mark]:
    """Yield a mark for what is left of each size."""
    for at, (size, left) in enumerate(zip(SIZES, stock, strict=True)):
        yield _stocked(seat, size, left, WIDE * at)


@lru_cache(svg.CACHE_SIZE)
def _stocked(seat: Seat, size: Size, left: int, x: float) -> Mark:
    drawn = (
        svg.rect(x, 0.5, WIDE - 2, TALL - 1, rx=3),
        symbols.small(seat, size, (x + 13.5, TALL / 2), scale=1),
        _text((x + 26, TALL / 2 + 6), str(left), 14),
    )
    label = f"{name_of(seat)}’s stock: {counted(left, f'{size.described} piece')}"
    at = (x + WIDE - 7.5, 6.5)
    return svg.mark(stock_mark(seat, size), label, *drawn, at=at, is_movable=True)


# --- Piles ------------------------------------------------------------------------------------


def _piles(view: SeatView) -> Drawing:
    """Return what is left to draw and what was used, each with how many cards it has."""
    top = HIDDEN_CARD if view.draw else None
    used = next(reversed(view.discard), None)
    drawn = (
        *_pile(1, top, len(view.draw)),
        *_pile(1 + PILE, used, len(view.discard)),
    )
    label = f"{len(view.draw)} cards to draw, {len(view.discard)} used"
    return Drawing(2 * PILE, TALL, (svg.group(*drawn, class_="cards piles"),), label)


def _pile(x: float, top: Card | None, count: int) -> Iterator[Node]:
    """Yield the card on top of a pile, with how many there are in its corner."""
    if top:
        yield svg.group(*symbols.card(top, (x, 0)), fill=svg.CELL)
    else:
        empty = (x, 0, symbols.CARD_WIDTH - 3, symbols.CARD_HEIGHT)
        yield svg.rect(*empty, rx=3, fill="none", stroke=svg.INK_SOFT, stroke_dasharray="3 3")
    yield svg.rect(x + 11, COUNT, 22, 13, rx=3, fill=svg.INK)
    yield svg.text(x + 22, COUNT + 10.5, str(count), fill=svg.CELL, font_size=11)


def _card(shown: Card, label: str, frame: svg.Role) -> Drawing:
    drawn = svg.group(*symbols.card(shown, (1, 0)), class_="cards", fill=svg.CELL)
    around = (1, 0.8, symbols.CARD_WIDTH - 3, symbols.CARD_HEIGHT - 1)
    edge = svg.rect(*around, rx=3, fill="none", stroke=frame, stroke_width=2)
    face = "face down" if shown == HIDDEN_CARD else shown.sign
    return Drawing(CARD, HIGH, (drawn, edge), f"{label}: {face}")


def _round(view: SeatView) -> Drawing:
    text = f"round {view.round} of {view.rounds}"
    drawn = svg.text(LINE / 2, 17.0, text, fill=svg.INK, font_size=LETTERS)
    return Drawing(LINE, ROW, (drawn,), "Round")


# --- Hands ------------------------------------------------------------------------------------


def _sorted(cards: Iterable[Card]) -> Mapping[Card, int]:
    """Return how many there are of each card, in the order in which hands show them."""
    return Counter(sorted(cards, key=lambda card: (BY_COLOUR.index(card[1]), card.rank)))


def _own_hand(hand: Iterable[Card]) -> Iterator[Drawing]:
    """Yield the cards of one's own hand, which can be chosen, equal ones as one."""
    for card, count in _sorted(hand).items():
        yield _own(card, count)


def _sign(seat: Seat) -> Drawing:
    """Return whose hand follows, where all hands are open."""
    sign = symbols.small(seat, SIZES[1], (14, symbols.CARD_HEIGHT / 2), is_bare=True)
    return Drawing(CARD, HIGH, (sign,), f"{name_of(seat)}’s hand")


def _open_hand(view: SeatView, seat: Seat) -> Drawing:
    """Return a hand that all see, in rows."""
    drawn: list[Node] = []
    cards = _sorted(view.hands[seat])
    for at, (card, count) in enumerate(cards.items(), 1):
        corner = (0.5 + at % HAND_ROW * CARD, at // HAND_ROW * (HIGH + 1.0))
        drawn += symbols.card(card, corner, count)
    sign = symbols.small(seat, SIZES[1], (14, symbols.CARD_HEIGHT / 2), is_bare=True)
    rows = len(cards) // HAND_ROW + 1
    label = f"{name_of(seat)}’s hand: {', '.join(card.sign for card in cards)}"
    return Drawing(
        HAND_ROW * CARD, rows * (HIGH + 1), (sign, svg.group(*drawn, fill=svg.CELL)), label
    )


@lru_cache(svg.CACHE_SIZE)
def _own(card: Card, count: int) -> Drawing:
    """Return a card of one's own hand, or several that are equal."""
    label = f"{card.sign}{f', {count} of them' if count > 1 else ''}, {card.described}"
    at = ((CARD - 1) / 2, symbols.CARD_HEIGHT - 1)
    drawn = symbols.card(card, (1, 0), count)
    mark = svg.mark(str(card), label, *drawn, at=at, is_movable=True)
    return Drawing(CARD, HIGH, (svg.group(mark, class_="cards", fill=svg.CELL),), label)

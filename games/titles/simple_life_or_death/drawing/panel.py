"""The panel below the board: seats with stock and trophies, piles, and the open hand."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from games.kernel import svg
from games.kernel.contract import Event, Seat
from games.kernel.formatting import counted
from games.kernel.svg import Element, Mark, Node, Point
from games.titles.simple_life_or_death.components import (
    HIDDEN_CARD,
    SIZES,
    Board,
    Card,
    Size,
    name_of,
    stock_mark,
)
from games.titles.simple_life_or_death.drawing import symbols
from games.titles.simple_life_or_death.drawing.symbols import NATURAL
from games.titles.simple_life_or_death.state import SeatView, Stock
from games.titles.simple_life_or_death.transition import FOUGHT, ROLLED

LEFT = 12
ROW, PILES, HAND = 22, 40, 40
"""How high the parts are: two seats, piles, a hand."""

HALF = NATURAL / 2
SIGN, STOCK, TROPHIES, CARDS_AT = 13, 24, 131, 174
"""Where the parts of a seat begin, in its half of the width."""

NEWS, WORDS = 12, 0.46
"""The size of the letters of the latest news, and the width of one in parts of it."""

EACH_SIZE = 34
PILE = 86.0
BY_COLOUR = "CDSH"
"""The suits as hands show them: black and red in turn."""


def below(view: SeatView, recent: Sequence[Event]) -> tuple[list[Node], float]:
    """Return what stands below the board, and how high it is, on the smallest board."""
    drawn: list[Node] = []
    for seat in view.seats:
        drawn += _seat(view, seat, (seat % 2 * HALF, seat // 2 * ROW))
    y = math.ceil(len(view.seats) / 2) * ROW
    drawn += _piles(view, recent, y + 4)
    y += PILES if view.has_cards else ROW
    hands = [
        seat for seat in view.seats if view.hands[seat] and HIDDEN_CARD not in view.hands[seat]
    ]
    for seat in hands:
        drawn += _hand(view, seat, y + 4, is_own=len(hands) == 1 and view.ranks is None)
        y += HAND
    background = svg.rect(0, -1, NATURAL, y + 1, fill=svg.BOARD)
    return [background, *drawn], y


def _text(at: Point, text: str, size: float = 12) -> Element:
    return svg.text(*at, text, text_anchor="start", fill=svg.INK, font_size=size)


# --- Seats ------------------------------------------------------------------------------------


def _seat(view: SeatView, seat: Seat, corner: Point) -> Iterator[Node]:
    """Yield what a seat has: pieces in stock, trophies and cards."""
    x, y = corner
    middle, base = y + ROW / 2, y + ROW / 2 + 4.5
    is_actor = view.ranks is None and seat == view.mover
    if is_actor:
        yield svg.rect(x + 3, y + 1, HALF - 6, ROW - 2, rx=3, fill=svg.CELL)
    yield symbols.small(seat, SIZES[1], (x + SIGN, middle), is_bare=True)
    if view.seats_in[seat]:
        stocks = _stocks(view.board, seat, view.stock[seat], corner)
        yield svg.group(*stocks, fill=svg.CELL if is_actor else svg.BOARD)
    else:
        yield _text((x + STOCK, base), "left" if seat in view.dropped else "out")
    yield _text((x + TROPHIES, base), f"{len(view.trophies[seat])} won")
    if view.has_cards:
        yield svg.rect(x + CARDS_AT, middle - 5.5, 8, 11, rx=1.5, fill=svg.ACCENT)
        yield _text((x + CARDS_AT + 12, base), str(len(view.hands[seat])))


def _stocks(board: Board, seat: Seat, stock: Stock, corner: Point) -> Iterator[Mark]:
    """Yield a mark for what is left of each size."""
    y = corner[1] + ROW / 2
    for at, (size, left) in enumerate(zip(SIZES, stock, strict=True)):
        yield _stocked(board, seat, size, left, (corner[0] + STOCK + at * EACH_SIZE, y))


@lru_cache(svg.KEPT)
def _stocked(board: Board, seat: Seat, size: Size, left: int, at: Point) -> Mark:
    x, y = at
    label = f"{name_of(seat)}’s stock: {counted(left, f'{size.described} piece')}"
    drawn = (
        svg.rect(x, y + 1 - ROW / 2, EACH_SIZE - 1, ROW - 2, rx=3),
        symbols.small(seat, size, (x + 10, y)),
        _text((x + 21, y + 4.5), str(left)),
    )
    edge = symbols.below(board, x + 31, y)
    return svg.mark(stock_mark(seat, size), label, *drawn, at=edge, is_movable=True)


# --- Piles ------------------------------------------------------------------------------------


def _piles(view: SeatView, recent: Sequence[Event], y: float) -> Iterator[Node]:
    if view.has_cards:
        top, used = HIDDEN_CARD if view.draw else None, next(reversed(view.discard), None)
        piles = [(top, f"draw {len(view.draw)}"), (used, f"used {len(view.discard)}")]
        piles += [(view.attack.card, "attack")] if view.attack else []
        for at, (card, label) in enumerate(piles):
            yield from _pile(LEFT + at * PILE, y, card, label)
    of = f" of {view.rounds}" if view.rounds else ""
    right = (NATURAL - LEFT, y + 12)
    if fought := next(filter(_is_of_cards, recent), None):
        yield svg.group(*_cards(fought, right), fill=svg.INK)
    else:
        news = next(filter(None, map(_rolled, recent)), f"round {view.round}{of}")
        yield svg.text(*right, news, text_anchor="end", fill=svg.INK, font_size=NEWS)


def _pile(x: float, y: float, top: Card | None, label: str) -> Iterator[Node]:
    if top:
        yield svg.group(*symbols.card(top, (x, y)), fill=svg.CELL)
    else:
        empty = (x, y, symbols.CARD_WIDTH - 3, symbols.CARD_HEIGHT)
        yield svg.rect(*empty, rx=3, fill="none", stroke=svg.INK_SOFT, stroke_dasharray="3 3")
    yield _text((x + 36, y + 19), label, 11)


def _rolled(event: Event) -> str:
    """Return the outcome of a roll or fight in figures; empty for other events."""
    if event.type == ROLLED:
        return f"rolled {_sum(event.data['rolls'])}"
    if event.type != FOUGHT:
        return ""
    return f"{_sum(event.data['attack'])} against {_sum(event.data['defence'])}"


def _is_of_cards(event: Event) -> bool:
    return event.type == FOUGHT and isinstance(event.data["attack"], str)


def _cards(event: Event, right: Point) -> Iterator[Element]:
    """Yield the cards of a fight in words, which end at a point."""
    x, y = right
    if event.data["defence"]:
        answer = Card.parse(event.data["defence"])
        yield from symbols.face(answer, right, NEWS)
        words, x = "against", x - symbols.face_width(answer, NEWS) - 4
    else:
        words = "against nothing"
    yield svg.text(x, y, words, text_anchor="end", font_size=NEWS)
    attack = (x - len(words) * WORDS * NEWS - 4, y)
    yield from symbols.face(Card.parse(event.data["attack"]), attack, NEWS)


def _sum(rolls: Sequence[int]) -> str:
    return "+".join(map(str, rolls)) + (f" = {sum(rolls)}" if len(rolls) > 1 else "")


# --- Hands ------------------------------------------------------------------------------------


def _hand(view: SeatView, seat: Seat, y: float, *, is_own: bool) -> Iterator[Node]:
    """Yield the cards of a hand, equal ones as one; one's own can be chosen."""
    drawn: list[Node] = []
    x = LEFT + 18.0 + 4
    cards = sorted(view.hands[seat], key=lambda card: (BY_COLOUR.index(card[1]), card.rank))
    for card, count in Counter(cards).items():
        at = (x, y)
        drawn += [_own(view.board, card, at, count)] if is_own else symbols.card(card, at, count)
        x += symbols.CARD_WIDTH + 1
    yield symbols.small(seat, SIZES[1], (LEFT + 7, y + symbols.CARD_HEIGHT / 2), is_bare=True)
    yield svg.group(*drawn, fill=svg.CELL)


@lru_cache(svg.KEPT)
def _own(board: Board, card: Card, corner: Point, count: int) -> Mark:
    """Return a card of one's own hand, or several that are equal."""
    x, y = corner
    label = f"{card.sign}{f', {count} of them' if count > 1 else ''}"
    middle = x + (symbols.CARD_WIDTH - 3) / 2
    edge = symbols.below(board, middle, y + symbols.CARD_HEIGHT)
    return svg.mark(str(card), label, *symbols.card(card, corner, count), at=edge, is_movable=True)

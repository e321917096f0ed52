"""The panel beside the board: each seat with its stock, the piles, the latest news, open hands."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from games.kernel import svg
from games.kernel.contract import Event, Seat
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
from games.titles.simple_life_or_death.transition import FOUGHT, ROLLED

SEAT, ROW, EACH_SIZE, SIGN, STOCK = 148, 26, 30, 13, 24
"""How wide and high what a seat has is, how wide each size of its stock, where the parts begin."""

PILE, CARD, HIGH = 36, 34, 31
"""How wide a pile is and a card of one's own hand, how high both are."""

LINE, NEWS, WORDS = 148, 13, 0.46
"""How wide the line of the latest news is, the size of its letters, and the width of one in parts
of it."""

HAND_ROW = 4
"""How many cards of an open hand stand side by side."""

BY_COLOUR = "CDSH"
"""The suits as hands show them: black and red in turn."""


def pictures(view: SeatView, recent: Sequence[Event]) -> Iterator[Drawing]:
    """Yield what stands beside the board."""
    for seat in view.seats:
        yield Drawing(SEAT, ROW, tuple(_seat(view, seat)), name_of(seat))
    if view.has_cards:
        yield _piles(view)
    if view.attack and view.attack.card:
        yield _card(view.attack.card, "The card of the attack", svg.DANGER)
    hands = [
        seat for seat in view.seats if view.hands[seat] and HIDDEN_CARD not in view.hands[seat]
    ]
    if len(hands) == 1 and view.ranks is None:
        yield from _own_hand(view.hands[hands[0]])
    else:
        yield from (_open_hand(view, seat) for seat in hands)
    yield Drawing(LINE, ROW, tuple(_news(view, recent)), "Latest")


def _text(at: Point, text: str, size: float = 12) -> Element:
    return svg.text(*at, text, text_anchor="start", fill=svg.INK, font_size=size)


# --- Seats ------------------------------------------------------------------------------------


def _seat(view: SeatView, seat: Seat) -> Iterator[Node]:
    """Yield what a seat has: pieces in stock and cards."""
    middle, base = ROW / 2, ROW / 2 + 4.5
    is_actor = view.ranks is None and seat == view.mover
    yield svg.rect(0, 0, SEAT, ROW, rx=3, fill=svg.CELL if is_actor else svg.BOARD)
    yield symbols.small(seat, SIZES[1], (SIGN, middle), is_bare=True)
    if view.seats_in[seat]:
        stocks = _stocks(seat, view.stock[seat])
        yield svg.group(*stocks, fill=svg.CELL if is_actor else svg.BOARD)
    else:
        yield _text((STOCK, base), "left" if seat in view.dropped else "out")
    if view.has_cards:
        x = STOCK + EACH_SIZE * len(SIZES) + 3
        yield svg.rect(x, middle - 5.5, 8, 11, rx=1.5, fill=svg.ACCENT)
        yield _text((x + 11, base), str(len(view.hands[seat])))


def _stocks(seat: Seat, stock: Stock) -> Iterator[Mark]:
    """Yield a mark for what is left of each size."""
    for at, (size, left) in enumerate(zip(SIZES, stock, strict=True)):
        yield _stocked(seat, size, left, STOCK + at * EACH_SIZE)


@lru_cache(svg.CACHE_SIZE)
def _stocked(seat: Seat, size: Size, left: int, x: float) -> Mark:
    label = f"{name_of(seat)}’s stock: {counted(left, f'{size.described} piece')}"
    drawn = (
        svg.rect(x, 1, EACH_SIZE - 1, ROW - 2, rx=3),
        symbols.small(seat, size, (x + 10, ROW / 2)),
        _text((x + 19, ROW / 2 + 4.5), str(left)),
    )
    return svg.mark(stock_mark(seat, size), label, *drawn, at=(x + 25, 5), is_movable=True)


# --- Piles ------------------------------------------------------------------------------------


def _piles(view: SeatView) -> Drawing:
    """Return what is left to draw and what was used, each with how many cards it has."""
    top, used = HIDDEN_CARD if view.draw else None, next(reversed(view.discard), None)
    drawn = (
        *_pile(1, top, len(view.draw)),
        *_pile(1 + PILE, used, len(view.discard)),
    )
    label = f"{len(view.draw)} cards to draw, {len(view.discard)} used"
    return Drawing(2 * PILE, HIGH, drawn, label)


def _pile(x: float, top: Card | None, count: int) -> Iterator[Node]:
    """Yield the card on top of a pile, with how many there are in its corner."""
    if top:
        yield svg.group(*symbols.card(top, (x, 0)), fill=svg.CELL)
    else:
        empty = (x, 0, symbols.CARD_WIDTH - 3, symbols.CARD_HEIGHT)
        yield svg.rect(*empty, rx=3, fill="none", stroke=svg.INK_SOFT, stroke_dasharray="3 3")
    yield svg.rect(x + 15, 17, 18, 13, rx=3, fill=svg.INK)
    yield svg.text(x + 24, 27.5, str(count), fill=svg.CELL, font_size=11)


def _card(shown: Card, label: str, frame: svg.Role) -> Drawing:
    drawn = svg.group(*symbols.card(shown, (1, 0)), fill=svg.CELL)
    around = (1, 0.8, symbols.CARD_WIDTH - 3, symbols.CARD_HEIGHT - 1)
    edge = svg.rect(*around, rx=3, fill="none", stroke=frame, stroke_width=2)
    face = "face down" if shown == HIDDEN_CARD else shown.sign
    return Drawing(CARD, HIGH, (drawn, edge), f"{label}: {face}")


def _news(view: SeatView, recent: Sequence[Event]) -> Iterator[Node]:
    """Yield the outcome of the last roll or fight, else the round."""
    of = f" of {view.rounds}" if view.rounds else ""
    right = (LINE - 2.0, 17.0)
    if fought := next(filter(_is_of_cards, recent), None):
        yield svg.group(*_cards(fought, right), fill=svg.INK)
    else:
        news = next(filter(None, map(_rolled, recent)), f"round {view.round}{of}")
        yield svg.text(LINE / 2, right[1], news, fill=svg.INK, font_size=NEWS)


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


def _sorted(cards: Iterable[Card]) -> Mapping[Card, int]:
    """Return how many there are of each card, in the order in which hands show them."""
    return Counter(sorted(cards, key=lambda card: (BY_COLOUR.index(card[1]), card.rank)))


def _own_hand(hand: Iterable[Card]) -> Iterator[Drawing]:
    """Yield the cards of one's own hand, which can be chosen, equal ones as one."""
    for card, count in _sorted(hand).items():
        yield _own(card, count)


def _open_hand(view: SeatView, seat: Seat) -> Drawing:
    """Return a hand that all see, in rows."""
    drawn: list[Node] = []
    cards = _sorted(view.hands[seat])
    for at, (card, count) in enumerate(cards.items(), 1):
        corner = (1 + at % HAND_ROW * CARD, at // HAND_ROW * (HIGH + 1.0))
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
    label = f"{card.sign}{f', {count} of them' if count > 1 else ''}"
    at = ((CARD - 1) / 2, symbols.CARD_HEIGHT - 1)
    drawn = symbols.card(card, (1, 0), count)
    shown = svg.mark(str(card), label, *drawn, at=at, is_movable=True)
    return Drawing(CARD, HIGH, (svg.group(shown, fill=svg.CELL),), label)

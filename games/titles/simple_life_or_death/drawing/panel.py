"""The panel beside the board: each seat with its stock, the piles, the round, open hands."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from games.kernel import svg
from games.kernel.contract import Seat
from games.kernel.language import cached, gettext, ngettext, pgettext
from games.kernel.svg import Drawing, Element, Mark, Node, Point
from games.titles.simple_life_or_death.components import (
    HAND,
    HIDDEN_CARD,
    SIZES,
    Card,
    Size,
    hand_of,
    name_of,
    stock_mark,
)
from games.titles.simple_life_or_death.drawing import symbols
from games.titles.simple_life_or_death.state import SeatView, Stock

ROW = 26
"""The height of a line of words."""

WIDE, TALL = 38, 36
"""The width and height of each size in a stock. They are constant, so that nothing moves.

On a phone one row holds the stocks of two players, the piles and the card of an attack.
"""

HELD = 28
"""The width of the number of cards in a hand."""

PILE = 36
"""The width of a pile."""

CARD = 34
"""The width of a card of the viewer's hand."""

HIGH = 31
"""The height of a card."""

COUNT = 23
"""The top of the number of cards in a pile: below the face of the top card."""

PLAYED = 0.72
"""The scale of an attack's card: it ends above the numbers of the piles."""

LINE = 148
"""The width of the line with the round."""

LETTERS = 13
"""The size of its letters."""

HAND_ROW = 5
"""The number of cards of an open hand in a row."""

SIGN = 19
"""How wide the sign of its player is. On a phone two such hands lie side by side."""

SMALL_CARD = (24.6, 16)
"""How wide and high each of its cards is, with the gap to the next."""

SMALL_LETTERS = 11.5
"""The size of the letters on it."""

BY_COLOUR = "CDSH"
"""The suits in the order of hands: black and red in turn."""


def pictures(view: SeatView) -> Iterator[Drawing]:
    """Yield the drawings beside the board, the viewer's seat first."""
    hands = [
        seat for seat in view.seats if view.hands[seat] and HIDDEN_CARD not in view.hands[seat]
    ]
    own = view.mover if len(hands) > 1 else next(iter(hands), None)
    first = hands[0] if len(hands) == 1 else 0
    for seat in (*view.seats[first:], *view.seats[:first]):
        yield _seat(view, seat)
    if view.has_cards:
        yield _piles(view)
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
    """Return a seat's stock, and the number of cards that nobody else sees."""
    is_mover = view.ranks is None and seat == view.turn
    end = WIDE * len(SIZES)
    middle = TALL / 2
    drawn: list[Node] = []
    if view.seats_in[seat]:
        drawn += _stocks(seat, view.stock[seat])
    else:
        drawn += [
            symbols.small(seat, SIZES[1], (13, middle), is_bare=True),
            _text((26, middle + 4.5), _gone(view, seat)),
        ]
    if HIDDEN_CARD in view.hands[seat]:
        drawn += [
            svg.rect(end + 2, middle - 5.5, 8, 11, rx=1.5, fill=svg.ACCENT),
            _text((end + 12, middle + 4.5), str(len(view.hands[seat]))),
        ]
        end += HELD
    ground = svg.CELL if is_mover else svg.BOARD
    return Drawing(end, TALL, (svg.group(*drawn, fill=ground),), name_of(seat))


def _gone(view: SeatView, seat: Seat) -> str:
    if seat in view.dropped:
        return pgettext("player who left the match", "left")
    return pgettext("player without a piece", "out")


def _stocks(seat: Seat, stock: Stock) -> Iterator[Mark]:
    """Yield a mark for the stock of each size."""
    for at, (size, left) in enumerate(zip(SIZES, stock, strict=True)):
        yield _stocked(seat, size, left, WIDE * at)


@cached(svg.CACHE_SIZE)
def _stocked(seat: Seat, size: Size, left: int, x: float) -> Mark:
    drawn = (
        svg.rect(x, 0.5, WIDE - 2, TALL - 1, rx=3),
        symbols.small(seat, size, (x + 13.5, TALL / 2), scale=1),
        _text((x + 26, TALL / 2 + 6), str(left), 14),
    )
    label = _stock_message(size, left).format(player=name_of(seat), count=left)
    at = (x + WIDE - 7.5, 6.5)
    return svg.mark(stock_mark(seat, size), label, *drawn, at=at, is_movable=True)


def _stock_message(size: Size, left: int) -> str:
    if size is Size.SMALL:
        return ngettext(
            "{player}’s stock: {count} small piece", "{player}’s stock: {count} small pieces", left
        )
    if size is Size.MEDIUM:
        return ngettext(
            "{player}’s stock: {count} medium piece",
            "{player}’s stock: {count} medium pieces",
            left,
        )
    return ngettext(
        "{player}’s stock: {count} large piece", "{player}’s stock: {count} large pieces", left
    )


# --- Piles ------------------------------------------------------------------------------------


def _piles(view: SeatView) -> Drawing:
    """Return the draw pile and the discard pile, each with its number of cards."""
    top = HIDDEN_CARD if view.draw else None
    used = next(reversed(view.discard), None)
    drawn = [
        *_pile(1, top, len(view.draw)),
        *_pile(1 + PILE, used, len(view.discard)),
    ]
    card = view.attack.card if view.attack else None
    if card:
        drawn.append(_played(card))
    label = _piles_label(len(view.draw), len(view.discard), card)
    return Drawing(2 * PILE, TALL, (svg.group(*drawn, class_="cards piles"),), label)


def _piles_label(draw: int, used: int, attack: Card | None) -> str:
    sign = ""
    if not attack:
        message = gettext("{draw} cards to draw, {used} used")
    elif attack == HIDDEN_CARD:
        message = gettext("{draw} cards to draw, {used} used, the card of the attack: face down")
    else:
        message = gettext("{draw} cards to draw, {used} used, the card of the attack: {card}")
        sign = attack.sign
    return message.format(draw=draw, used=used, card=sign)


def _pile(x: float, top: Card | None, count: int) -> Iterator[Node]:
    """Yield the top card of a pile, with the number of cards in its corner."""
    if top:
        yield svg.group(*symbols.card(top, (x, 0)), fill=svg.CELL)
    else:
        empty = (x, 0, symbols.CARD_WIDTH - 3, symbols.CARD_HEIGHT)
        yield svg.rect(*empty, rx=3, fill="none", stroke=svg.INK_SOFT, stroke_dasharray="3 3")
    yield svg.rect(x + 11, COUNT, 22, 13, rx=3, fill=svg.INK)
    yield svg.text(x + 22, COUNT + 10.5, str(count), fill=svg.CELL, font_size=11)


def _played(card: Card) -> Element:
    """Return the card of an attack, over the piles, so that no other card moves."""
    width, height = symbols.CARD_WIDTH - 3, symbols.CARD_HEIGHT - 1
    edge = svg.rect(0, 0.8, width, height, rx=3, fill="none", stroke=svg.DANGER, stroke_width=3)
    drawn = svg.group(*symbols.card(card, (0, 0)), fill=svg.CELL)
    left = PILE - PLAYED * width / 2
    return svg.group(drawn, edge, transform=f"translate({left:g} 0.5) scale({PLAYED:g})")


def _round(view: SeatView) -> Drawing:
    message = gettext("round {round} of {rounds}")
    text = message.format(round=view.round, rounds=view.rounds)
    drawn = svg.text(LINE / 2, 17.0, text, fill=svg.INK, font_size=LETTERS)
    return Drawing(LINE, ROW, (drawn,), gettext("Round"))


# --- Hands ------------------------------------------------------------------------------------


def _place_in_hand(card: Card) -> tuple[int, int]:
    """Return the key by which hands show their cards in order."""
    return BY_COLOUR.index(card[1]), card.rank


def _sorted(cards: Iterable[Card]) -> Mapping[Card, int]:
    """Count the cards of each kind, in the order in which hands show them."""
    return Counter(sorted(cards, key=_place_in_hand))


def _own_hand(hand: Iterable[Card]) -> Iterator[Drawing]:
    """Yield the cards of the viewer's hand, which can be chosen, equal ones as one."""
    for card, count in _sorted(hand).items():
        yield _own(card, count)


def _sign(seat: Seat) -> Drawing:
    """Return whose hand follows, if all hands are open."""
    sign = symbols.small(seat, SIZES[1], (14, symbols.CARD_HEIGHT / 2), is_bare=True)
    return Drawing(CARD, HIGH, (sign,), hand_of(seat))


def _open_hand(view: SeatView, seat: Seat) -> Drawing:
    """Return a hand that all see, in two rows."""
    cards = sorted(view.hands[seat], key=_place_in_hand)
    width, height = SMALL_CARD
    drawn: list[Node] = []
    for at, card in enumerate(cards):
        drawn += _small_card(card, (SIGN + at % HAND_ROW * width, at // HAND_ROW * height))
    sign = symbols.small(seat, SIZES[1], (SIGN / 2, height), is_bare=True)
    message = gettext("{player}’s hand: {cards}")
    label = message.format(player=name_of(seat), cards=", ".join(card.sign for card in cards))
    size = (SIGN + HAND_ROW * width, HAND // HAND_ROW * height)
    return Drawing(*size, (sign, svg.group(*drawn, fill=svg.CELL)), label)


def _small_card(card: Card, corner: Point) -> Iterator[Element]:
    x, y = corner
    width, height = SMALL_CARD
    edge: dict[str, svg.Value] = {"stroke": svg.INK_SOFT, "stroke_width": 0.8}
    yield svg.rect(x + 0.5, y + 0.5, width - 1.2, height - 1, rx=2, **edge)
    right = x + (width + symbols.face_width(card, SMALL_LETTERS)) / 2
    colour = svg.INK if card.is_black else svg.DANGER
    yield svg.group(*symbols.face(card, (right, y + 12), SMALL_LETTERS), fill=colour)


@cached(svg.CACHE_SIZE)
def _own(card: Card, count: int) -> Drawing:
    """Return a card of the viewer's hand, or several equal ones."""
    # Translators: a card in a hand, as in "K♠, king of spades".
    message = gettext("{card}, {described}")
    if count > 1:
        message = gettext("{card}, {count} of them, {described}")
    label = message.format(card=card.sign, count=count, described=card.described)
    at = ((CARD - 1) / 2, symbols.CARD_HEIGHT - 1)
    drawn = symbols.card(card, (1, 0), count)
    mark = svg.mark(str(card), label, *drawn, at=at, is_movable=True)
    return Drawing(CARD, HIGH, (svg.group(mark, class_="cards", fill=svg.CELL),), label)

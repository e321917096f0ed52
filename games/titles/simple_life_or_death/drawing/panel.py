"""The panel below the board: seats with stock and trophies, piles, dice, and the open hand."""

from collections import Counter
from collections.abc import Iterator, Sequence

from games.kernel import svg
from games.kernel.contract import Event, Seat
from games.kernel.formatting import counted
from games.kernel.svg import Element, Node, Point, Role
from games.titles.simple_life_or_death.components import (
    HIDDEN_CARD,
    SIZES,
    Card,
    die_mark,
    name_of,
    stock_mark,
)
from games.titles.simple_life_or_death.drawing import symbols
from games.titles.simple_life_or_death.drawing.symbols import NATURAL
from games.titles.simple_life_or_death.meta import POLYHEDRAL
from games.titles.simple_life_or_death.position import SeatView
from games.titles.simple_life_or_death.transition import FOUGHT, ROLLED

LEFT = 12
HEAD, ROW, PILES, HAND = 22, 22, 44, 40
"""How high the parts are: headings, a seat, piles and dice, a hand."""

SIGN, NAME, STOCK, TROPHIES, CARDS_AT, STATUS = 26, 42, 118, 252, 312, 356
"""Where the columns begin."""

EACH_SIZE = 42
PILE = 92.0
DICE = (4, 6, 8, 10, 12, 20)
DIE_WIDTH, DIE_HEIGHT = 24.5, 32.0
"""How much room a die takes, with the dot below it that says that it can be chosen."""

ORDINALS = ("", "1st", "2nd", "3rd", "4th", "5th", "6th")


def below(view: SeatView, recent: Sequence[Event]) -> tuple[list[Node], float]:
    """Return what stands below the board, and how high it is, on the smallest board."""
    drawn: list[Node] = [*_headings(view)]
    y = HEAD
    for seat in view.seats:
        drawn += _seat(view, seat, y)
        y += ROW
    drawn += _piles(view, recent, y + 6)
    y += PILES
    hands = [
        seat for seat in view.seats if view.hands[seat] and HIDDEN_CARD not in view.hands[seat]
    ]
    for seat in hands:
        drawn += _hand(view, seat, y + 4, is_own=len(hands) == 1 and view.result is None)
        y += HAND
    background = svg.rect(0, -1, NATURAL, y + 1, fill=svg.BOARD)
    return [background, *drawn], y


def _text(
    at: Point, text: str, size: float, fill: Role = svg.INK, weight: str | None = None
) -> Element:
    return svg.text(*at, text, text_anchor="start", fill=fill, font_size=size, font_weight=weight)


def _headings(view: SeatView) -> Iterator[Element]:
    of = f" of {view.rounds}" if view.rounds else ""
    yield _text((LEFT, 15), f"Round {view.round}{of}", 12)
    columns = [(STOCK, "in stock"), (TROPHIES, "trophies"), (CARDS_AT, "cards")]
    for x, name in columns if view.has_cards else columns[:-1]:
        yield _text((x, 15), name, 10.5, svg.INK_SOFT)


# --- Seats ------------------------------------------------------------------------------------


def _seat(view: SeatView, seat: Seat, y: float) -> Iterator[Node]:
    middle, base = y + ROW / 2, y + ROW / 2 + 4.5
    is_actor = _is_actor(view, seat)
    if is_actor:
        tip = f"M{LEFT - 8} {middle - 5}l7 5l-7 5z"
        yield svg.rect(4, y + 1, NATURAL - 8, ROW - 2, rx=3, fill=svg.CELL)
        yield svg.path(tip, fill=svg.INK)
    yield symbols.small(seat, SIZES[1], (SIGN, middle), is_bare=True)
    colour = svg.INK if view.seats_in[seat] else svg.INK_SOFT
    yield _text((NAME, base), name_of(seat), 13, colour, "bold" if is_actor else None)
    if view.seats_in[seat]:
        yield from _stock(view, seat, y)
    yield _text((TROPHIES, base), str(len(view.trophies[seat])), 13, colour)
    if view.has_cards:
        yield _text((CARDS_AT, base), str(len(view.hands[seat])), 13, colour)
    if status := _status(view, seat):
        yield _text((STATUS, base), status, 11.5, colour)


def _is_actor(view: SeatView, seat: Seat) -> bool:
    return view.result is None and seat == view.actor


def _status(view: SeatView, seat: Seat) -> str:
    if view.result:
        return ORDINALS[view.result[seat]]
    if seat in view.dropped:
        return "left"
    if not view.seats_in[seat]:
        return "out"
    asked = "to answer" if view.attack else "to move"
    return asked if _is_actor(view, seat) else ""


def _stock(view: SeatView, seat: Seat, y: float) -> Iterator[Node]:
    """Yield a mark for what is left of each size."""
    stocks = []
    for at, (size, left) in enumerate(zip(SIZES, view.stock[seat], strict=True)):
        x = STOCK + at * EACH_SIZE
        label = f"{name_of(seat)}’s stock: {counted(left, f'{size.described} piece')}"
        drawn = (
            svg.rect(x - 3, y + 1, EACH_SIZE - 2, ROW - 2, rx=3),
            symbols.small(seat, size, (x + 8, y + ROW / 2)),
            _text((x + 22, y + ROW / 2 + 4.5), str(left), 13),
        )
        edge = symbols.below(view.board, x + 35, y + ROW / 2)
        stocks.append(svg.mark(stock_mark(seat, size), label, *drawn, at=edge))
    yield svg.group(*stocks, fill=svg.CELL if _is_actor(view, seat) else svg.BOARD)


# --- Piles and dice ---------------------------------------------------------------------------


def _piles(view: SeatView, recent: Sequence[Event], y: float) -> Iterator[Node]:
    if view.has_cards:
        top, used = HIDDEN_CARD if view.draw else None, next(reversed(view.discard), None)
        piles = [(top, f"draw {len(view.draw)}"), (used, f"used {len(view.discard)}")]
        piles += [(view.attack.card, "attack")] if view.attack else []
        for at, (card, label) in enumerate(piles):
            yield from _pile(LEFT + at * PILE, y, card, label)
    if view.movement == POLYHEDRAL:
        yield svg.group(*_dice(view, y), fill=svg.CELL)
    if news := next(filter(None, map(_rolled, recent)), ""):
        yield svg.text(NATURAL - LEFT, y + 34, news, text_anchor="end", fill=svg.INK, font_size=12)


def _pile(x: float, y: float, top: Card | None, label: str) -> Iterator[Node]:
    if top:
        yield svg.group(*symbols.card(top, (x, y)), fill=svg.CELL)
    else:
        empty = (x, y, symbols.CARD_WIDTH - 3, symbols.CARD_HEIGHT)
        yield svg.rect(*empty, rx=3, fill="none", stroke=svg.INK_SOFT, stroke_dasharray="3 3")
    yield _text((x + 36, y + 19), label, 11)


def _dice(view: SeatView, y: float) -> Iterator[Node]:
    for at, sides in enumerate(DICE):
        middle = (NATURAL - LEFT - 8 - (len(DICE) - 1 - at) * DIE_WIDTH, y + 9)
        corner = middle[0] - DIE_WIDTH / 2, middle[1] - DIE_WIDTH / 2
        around = svg.rect(*corner, DIE_WIDTH, DIE_HEIGHT, rx=3, stroke="none", fill_opacity=0)
        edge = symbols.below(view.board, middle[0], middle[1] + 15)
        drawn = symbols.die(sides, middle)
        yield svg.mark(die_mark(sides), f"d{sides}", around, *drawn, at=edge)


def _rolled(event: Event) -> str:
    """Return the outcome of a roll or fight in figures; empty for other events."""
    if event.type == ROLLED:
        return f"rolled {_sum(event.data['rolls'])}"
    if event.type != FOUGHT:
        return ""
    attack, defence = event.data["attack"], event.data["defence"]
    if isinstance(attack, str):
        answer = Card.parse(defence).sign if defence else "nothing"
        return f"{Card.parse(attack).sign} against {answer}"
    return f"{_sum(attack)} against {_sum(defence)}"


def _sum(rolls: Sequence[int]) -> str:
    return "+".join(map(str, rolls)) + (f" = {sum(rolls)}" if len(rolls) > 1 else "")


# --- Hands ------------------------------------------------------------------------------------


def _hand(view: SeatView, seat: Seat, y: float, *, is_own: bool) -> Iterator[Node]:
    """Yield the cards of a hand, equal ones as one; one's own can be chosen."""
    drawn: list[Node] = []
    x = LEFT + 18.0 + 4
    for card, count in Counter(view.hands[seat]).items():
        shown: tuple[Node, ...] = tuple(symbols.card(card, (x, y), count))
        if is_own:
            label = f"{card.sign}{f', {count} of them' if count > 1 else ''}"
            middle = x + (symbols.CARD_WIDTH - 3) / 2
            edge = symbols.below(view.board, middle, y + symbols.CARD_HEIGHT)
            shown = (svg.mark(str(card), label, *shown, at=edge),)
        drawn += shown
        x += symbols.CARD_WIDTH + 1
    yield symbols.small(seat, SIZES[1], (LEFT + 7, y + symbols.CARD_HEIGHT / 2), is_bare=True)
    yield svg.group(*drawn, fill=svg.CELL)

"""The upcoming events: the next steps with whose they are, ageing among them."""

from collections.abc import Iterator
from itertools import chain, count, islice
from typing import NamedTuple

from games.kernel import svg
from games.kernel.contract import Seat
from games.kernel.svg import Element
from games.titles.grim_reaper.meta import name_of
from games.titles.grim_reaper.state import FIRST_BIRTHS, LAST_STEP, seat_at

AHEAD = 5
"""How many upcoming events are shown."""

AGEING = LAST_STEP + 1
"""The number of the ageing that follows the last step of a turn."""

GAP, BAND, HEIGHT = 5, 19, 54
"""Between two cards, of the coloured band of a card, of a card, in SVG units."""


class Upcoming(NamedTuple):
    """A step of a turn, or the ageing after the last one."""

    turn: int
    step: int

    @property
    def seat(self) -> Seat | None:
        """Whose step it is; ``None`` for ageing."""
        return None if self.step == AGEING else seat_at(self.turn, self.step)

    @property
    def who(self) -> str:
        """Whose step it is, in a word."""
        return "All" if self.seat is None else name_of(self.seat)

    @property
    def what(self) -> tuple[str, ...]:
        """What is done, in short lines."""
        if self.step == AGEING:
            return ("age",)
        return ("births",) if self.step >= FIRST_BIRTHS else ("place", "or move")

    def __str__(self) -> str:
        what = " ".join(self.what)
        return "all age" if self.seat is None else f"{self.who}: {what}"


def upcoming(turn: int, step: int) -> list[Upcoming]:
    """Return the next events from a step on, that step first."""
    turns = (Upcoming(later, k) for later in count(turn + 1) for k in range(AGEING + 1))
    rest = (Upcoming(turn, k) for k in range(step, AGEING + 1))
    return list(islice(chain(rest, turns), AHEAD))


def cards(items: list[Upcoming], x: float, y: float, width: float) -> Iterator[Element]:
    """Yield upcoming events as cards in a row, the first one framed."""
    card = (width - GAP * (AHEAD - 1)) / AHEAD
    for number, item in enumerate(items):
        yield svg.group(*_card(item, card, is_now=not number), transform=_at(x, y))
        x += card + GAP


def _at(x: float, y: float) -> str:
    return f"translate({x:.2f} {y:.2f})"


def _card(item: Upcoming, width: float, *, is_now: bool) -> Iterator[Element]:
    seat, middle = item.seat, width / 2
    band = svg.INK_SOFT if seat is None else svg.seat_role(seat)
    letters = svg.CELL if seat is None else svg.on_seat_role(seat)
    yield svg.rect(0, 0, width, HEIGHT, rx=5, fill=svg.CELL)
    yield svg.path(f"M0 {BAND}V5q0 -5 5 -5H{width - 5:.2f}q5 0 5 5V{BAND}Z", fill=band)
    yield svg.text(middle, 14, item.who, fill=letters, font_size=12.5, font_weight="bold")
    for number, line in enumerate(item.what):
        y = (33 if len(item.what) > 1 else 40) + 14 * number
        yield svg.text(middle, y, line, fill=svg.INK, font_size=12.5)
    if is_now:
        yield svg.rect(
            *(-2, -2, width + 4, HEIGHT + 4), rx=7, fill="none", stroke=svg.LAST, stroke_width=2
        )

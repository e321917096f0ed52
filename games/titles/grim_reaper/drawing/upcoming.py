"""The upcoming events: the next steps with their sides, and ageing."""

from collections.abc import Iterable, Iterator
from itertools import chain, count, islice
from typing import NamedTuple

from games.kernel import svg
from games.kernel.contract import Seat
from games.kernel.language import cached, gettext, pgettext
from games.kernel.svg import Drawing, Element
from games.titles.grim_reaper.meta import name_of
from games.titles.grim_reaper.state import FIRST_BIRTHS, LAST_STEP, seat_at

AHEAD = 5
"""Number of upcoming events shown."""

AGEING = LAST_STEP + 1
"""The number of the ageing that follows the last step of a turn."""

WIDTH = 60
"""The width of a card with its frame, in pixels."""

HEIGHT = 58
"""The height of a card with its frame, in pixels."""

BAND = 19
"""The height of its coloured band."""

EDGE = 2
"""The thickness of its frame."""


class Upcoming(NamedTuple):
    """A step of a turn, or the ageing after the last one."""

    turn: int
    step: int

    @property
    def seat(self) -> Seat | None:
        """The seat that takes the step. ``None`` for ageing."""
        return None if self.step == AGEING else seat_at(self.turn, self.step)

    @property
    def who(self) -> str:
        """The side that takes the step, in a word."""
        # Translators: above "age" on a small card: at the end of a turn all pieces age.
        return pgettext("card", "All") if self.seat is None else name_of(self.seat)

    @property
    def what(self) -> str:
        """The action, in a word."""
        if self.step == AGEING:
            return pgettext("card", "age")
        # Translators: below the name of a player on a small card, about eight letters wide.
        births, plays = pgettext("card", "births"), pgettext("card", "plays")
        return births if self.step >= FIRST_BIRTHS else plays

    def __str__(self) -> str:
        return self._worded(
            gettext("all age"), gettext("{player}: births"), gettext("{player}: place or move")
        )

    def label(self, *, is_now: bool) -> str:
        """Return the card in words."""
        if is_now:
            return self._worded(
                gettext("Now all age"),
                gettext("Now {player}: births"),
                gettext("Now {player}: place or move"),
            )
        return self._worded(
            gettext("Then all age"),
            gettext("Then {player}: births"),
            gettext("Then {player}: place or move"),
        )

    def _worded(self, ageing: str, births: str, act: str) -> str:
        if self.step == AGEING:
            return ageing
        return (births if self.step >= FIRST_BIRTHS else act).format(player=self.who)


def upcoming(turn: int, step: int) -> list[Upcoming]:
    """Return the next events, beginning with a step."""
    turns = (Upcoming(later, k) for later in count(turn + 1) for k in range(AGEING + 1))
    rest = (Upcoming(turn, k) for k in range(step, AGEING + 1))
    return list(islice(chain(rest, turns), AHEAD))


@cached(None)
def panel(turn: int, step: int) -> tuple[Drawing, ...]:
    """Return the turn and the next events as cards, the first event framed."""
    words = gettext("Turn {number}").format(number=turn)
    first = _picture(_card(gettext("Turn"), str(turn), svg.CELL_ALT, svg.INK), words)
    return (first, *(_event(item, is_now=not at) for at, item in enumerate(upcoming(turn, step))))


def _event(item: Upcoming, *, is_now: bool) -> Drawing:
    seat = item.seat
    band = svg.INK_SOFT if seat is None else svg.seat_role(seat)
    letters = svg.CELL if seat is None else svg.on_seat_role(seat)
    drawn = [*_card(item.who, item.what, band, letters)]
    if is_now:
        frame = (EDGE / 2, EDGE / 2, WIDTH - EDGE, HEIGHT - EDGE)
        drawn.append(svg.rect(*frame, rx=6, fill="none", stroke=svg.LAST, stroke_width=EDGE))
    return _picture(drawn, item.label(is_now=is_now))


def _picture(drawn: Iterable[Element], label: str) -> Drawing:
    return Drawing(WIDTH, HEIGHT, tuple(drawn), label)


def _card(who: str, what: str, band: svg.Role, letters: svg.Role) -> Iterator[Element]:
    middle = WIDTH / 2
    right = WIDTH - 2 * EDGE
    low = HEIGHT - 2 * EDGE
    yield svg.rect(EDGE, EDGE, right, low, rx=5, fill=svg.CELL)
    yield svg.path(
        f"M{EDGE} {EDGE + BAND}v{5 - BAND}q0 -5 5 -5h{right - 10}q5 0 5 5v{BAND - 5}Z", fill=band
    )
    yield svg.text(middle, 16, who, fill=letters, font_size=12.5, font_weight="bold")
    # Long words are smaller, so that they stay on the card in every font.
    yield svg.text(middle, 42, what, fill=svg.INK, font_size=min(12.5, round(92 / len(what), 1)))

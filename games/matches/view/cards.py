"""Landscape pictures for links that are shared: a board, and beside it what is played."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap

from games.kernel import svg
from games.kernel.contract import Colour
from games.matches.view import pictures
from games.matches.view.match_view import MatchView

WIDTH, HEIGHT = 1200, 630
"""The size that sites and messengers ask for."""

MARGIN = 45
BOARD_WIDTH = 700
"""The most that a board takes of the width."""

LETTER = 0.58
"""Width of an average letter, by the size of the font."""

HEADING, LINE, SMALL = 64, 44, 34
"""Sizes of the font. A long line is smaller, a long heading is broken."""

HEIGHTS = {HEADING: 74, LINE: 70, SMALL: 64}
"""From one line to the next, by the size of the font."""

CLIP = svg.Id("card-board")
"""Cuts off what a drawing holds beyond its edges, as a page does."""


@dataclass(frozen=True)
class Card:
    """A board, a heading, a line for each player with their colour, and a last line."""

    drawing: svg.Drawing
    heading: str
    players: Sequence[tuple[Colour, str]] = ()
    last: str = ""

    def png(self) -> bytes:
        """Return the picture, 1200 × 630 pixels."""
        return pictures.png(self._drawn(), "light", width=WIDTH)

    def _drawn(self) -> svg.Drawing:
        room = HEIGHT - 2 * MARGIN
        shown = svg.whole(self.drawing)
        scale = min(BOARD_WIDTH / shown.width, room / shown.height)
        wide, high = scale * shown.width, scale * shown.height
        frame = svg.rect(0, 0, shown.width, shown.height)
        clip = svg.group(*shown.children, clip_path=CLIP)
        shift = f"translate({MARGIN:.1f} {(HEIGHT - high) / 2:.1f}) scale({scale:.4f})"
        return svg.Drawing(
            WIDTH,
            HEIGHT,
            (
                svg.rect(0, 0, WIDTH, HEIGHT, fill=svg.CELL),
                svg.group(svg.element("clipPath", frame, id=CLIP), clip, transform=shift),
                *self._words(MARGIN + wide + MARGIN),
            ),
            self.heading,
        )

    def _words(self, left: float) -> Iterator[svg.Element]:
        heading = wrap(self.heading, int((WIDTH - MARGIN - left) / LETTER / HEADING))
        lines = [(words, HEADING) for words in heading]
        lines += [(name, LINE) for _, name in self.players]
        lines += [(self.last, SMALL)] * bool(self.last)
        room = HEIGHT - 2 * MARGIN - 2 * SMALL
        needed = sum(HEIGHTS[size] for _, size in lines)
        fit = min(room / needed, 1)
        y = MARGIN + (room - fit * needed) / 2
        dots = dict(enumerate((colour for colour, _ in self.players), len(heading)))
        for number, (words, size) in enumerate(lines):
            y += fit * HEIGHTS[size]
            indent = 0.0
            if number in dots:
                role = svg.hue_role(dots[number].name.lower())
                yield svg.circle(left + fit * LINE / 2, y - fit * LINE / 3, fit * 17, fill=role)
                indent = fit * LINE * 1.4
            fill = svg.INK_SOFT if size == SMALL else svg.INK
            yield _line(left + indent, y, words, fit * size, fill=fill)
        yield _line(left, HEIGHT - MARGIN, "Turnstone", SMALL, fill=svg.ACCENT)


def _line(x: float, y: float, words: str, size: float, *, fill: svg.Role) -> svg.Element:
    """Return a line of words, smaller where it would be too long."""
    size = min(size, (WIDTH - MARGIN - x) / LETTER / max(len(words), 1))
    return svg.text(x, y, words, text_anchor="start", font_size=round(size, 1), fill=fill)


def of_match(shown: MatchView, drawing: svg.Drawing, last: str) -> Card:
    """Return the card of a position of a match."""
    players = [(shown.colour_of(player), player.user.shown_name) for player in shown.players]
    return Card(drawing, shown.meta.name, players, last)

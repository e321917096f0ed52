"""Landscape pictures for shared links: a board, and words beside it."""

import hashlib
from base64 import b64decode, b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap

from django.core.cache import cache

from games.kernel import language, svg
from games.kernel.contract import Colour
from games.matches.view import pictures, thumbnails
from games.matches.view.match_view import MatchView

WIDTH, HEIGHT = 1200, 630
"""The size that sites and messengers expect."""

MARGIN = 45
BOARD_WIDTH = 700
"""Maximum width of the board."""

LETTER = 0.58
"""Width of an average letter, as a fraction of the font size."""

HEADING, LINE, SMALL = 64, 44, 34
"""Font sizes. A long line is smaller, a long heading is broken."""

HEIGHTS = {HEADING: 74, LINE: 70, SMALL: 64}
"""Line heights by font size."""

CACHE_SECONDS = 3600
"""Seconds for which a picture is cached."""

SLOTS = 32
"""Maximum number of cached pictures: each has 200 kB, and anybody can ask for another position."""

CLIP = svg.Id("card-board")
"""Cuts off the parts of a drawing beyond its edges, as a page does."""


@dataclass(frozen=True)
class Card:
    """A board, a heading, lines with the colour of a player each or none, and a last line.

    ``name`` identifies the drawing of the board in the cache.
    """

    name: str
    drawing: svg.Drawing
    heading: str
    lines: Sequence[tuple[Colour | None, str]] = ()
    last: str = ""

    def stored(self) -> bytes | None:
        """Return the cached picture. ``None`` without one."""
        digest, drawn = cache.get(self._slot) or ("", "")
        return b64decode(drawn) if digest == self._digest else None

    def png(self) -> bytes:
        """Draw and cache the picture, 1200 × 630 pixels."""
        drawn = pictures.png(self._drawn(), "light", width=WIDTH)
        # The cache holds JSON.
        cache.set(self._slot, [self._digest, b64encode(drawn).decode()], CACHE_SECONDS)
        return drawn

    @property
    def _digest(self) -> str:
        words = (self.heading, *(line for _, line in self.lines), self.last)
        return hashlib.sha256(repr((self.name, language.code(), words)).encode()).hexdigest()

    @property
    def _slot(self) -> str:
        """The cache key, which several pictures share. It holds the last one."""
        return f"card:{int(self._digest, 16) % SLOTS}"

    def _drawn(self) -> svg.Drawing:
        room = HEIGHT - 2 * MARGIN
        board = svg.whole(self.drawing)
        scale = min(BOARD_WIDTH / board.width, room / board.height)
        wide, high = scale * board.width, scale * board.height
        frame = svg.rect(0, 0, board.width, board.height)
        clip = svg.group(*board.children, clip_path=CLIP)
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
        lines += [(words, LINE) for _, words in self.lines]
        lines += [(self.last, SMALL)] * bool(self.last)
        room = HEIGHT - 2 * MARGIN - 2 * SMALL
        needed = sum(HEIGHTS[size] for _, size in lines)
        fit = min(room / needed, 1)
        y = MARGIN + (room - fit * needed) / 2
        dots = dict(enumerate((colour for colour, _ in self.lines), len(heading)))
        for number, (words, size) in enumerate(lines):
            y += fit * HEIGHTS[size]
            indent = 0.0
            if colour := dots.get(number):
                role = svg.hue_role(colour.name.lower())
                yield svg.circle(left + fit * LINE / 2, y - fit * LINE / 3, fit * 17, fill=role)
                indent = fit * LINE * 1.4
            fill = svg.INK_SOFT if size == SMALL else svg.INK
            yield _line(left + indent, y, words, fit * size, fill=fill)
        yield _line(left, HEIGHT - MARGIN, "Turnstone", SMALL, fill=svg.ACCENT)


def _line(x: float, y: float, words: str, size: float, *, fill: svg.Role) -> svg.Element:
    """Return a line of words, smaller if it would be too long."""
    size = min(size, (WIDTH - MARGIN - x) / LETTER / max(len(words), 1))
    return svg.text(x, y, words, text_anchor="start", font_size=round(size, 1), fill=fill)


def of_match(shown: MatchView, number: int, last: str) -> Card:
    """Return the card of a match after entry ``number``, as the viewer may see it.

    Only spectators share pictures, so the viewer has to be one.
    """
    if shown.viewer is not None:
        raise ValueError("A card shows what spectators see.")
    match = shown.match
    lines = [(shown.colour_of(player), player.user.shown_name) for player in shown.players]
    name = f"match:{match.pk}:{number}:{match.version}:{thumbnails.look_of(match)}"
    return Card(name, shown.drawing, shown.meta.name, lines, last)

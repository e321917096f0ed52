"""The drawing of DIE.

Cells are hexagons standing on a corner. Red stones carry a ring, Blue's a lozenge. The last move is
highlighted: its cell, and the cells that stones left. At the end these are the winner's last group.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from games.kernel import svg
from games.kernel.contract import Event, Ranks, Seat
from games.kernel.grids import LETTERS, HexGrid, corners
from games.kernel.language import cached, gettext, ngettext
from games.kernel.svg import Drawing, Element, Id, Mark, Point
from games.titles.die.events import Placed, Removed
from games.titles.die.meta import META
from games.titles.die.state import RED, Position

WIDTH = 36
"""Width of a cell. All other sizes follow from it."""

STONE = WIDTH * 0.4
GROUND = WIDTH * 2.35
MARGIN = WIDTH * 1.25

PARTS = {".": Id("e"), "r": Id("r"), "b": Id("b")}


def draw(view: Position, recent: Sequence[Event]) -> Drawing:
    """Draw the board as seen, with the events of the last move highlighted."""
    grid = _grid(view.size)
    stones = "".join(view.rows)
    last = {event.cell for event in recent if isinstance(event, Placed)}
    removed = [event for event in recent if isinstance(event, Removed)]
    gone = {cell: event.owner for event in removed for cell in event.cells}
    news = dict.fromkeys(last, gettext("{cell}, just placed"))
    red_gone = gettext("{cell}, a red stone was just removed")
    blue_gone = gettext("{cell}, a blue stone was just removed")
    for name, owner in gone.items():
        news[name] = red_gone if owner == RED else blue_gone
    places = zip(grid.places.items(), stones, strict=True)
    marks = [_mark(name, at, stone, news.get(name, "{cell}")) for (name, at), stone in places]
    children = (
        *_frame(grid),
        svg.group(*marks, fill=svg.CELL, stroke_width=1.5),
        svg.group(
            *_highlights(grid, last, gone, view.result),
            pointer_events="none",
            class_=svg.LAST_MOVE,
        ),
        *(_passing(name, grid.places[name], gone[name]) for name in last & gone.keys()),
    )
    return Drawing(grid.width, grid.height, children, _label(view, stones))


@cache
def _grid(size: int) -> HexGrid:
    return HexGrid(size, WIDTH, MARGIN)


@cache
def _frame(grid: HexGrid) -> tuple[Element, ...]:
    """Return what is the same on every board of a size: parts, ground, letters and numbers."""
    labels = svg.group(*_letters(grid), *_numbers(grid), fill=svg.INK_SOFT, font_size=14)
    return (svg.element("defs", *_parts(grid)), *_ground(grid), labels)


@cached(svg.CACHE_SIZE)
def _mark(name: str, at: Point, stone: str, news: str) -> Mark:
    contents = {
        "r": gettext("{cell}, red stone"),
        "b": gettext("{cell}, blue stone"),
        ".": gettext("{cell}, empty"),
    }
    label = news.format(cell=contents[stone].format(cell=name))
    return svg.mark(name, label, svg.use(PARTS[stone], *at), at=at)


def _parts(grid: HexGrid) -> Iterator[Element]:
    """Yield the parts that are drawn repeatedly: an empty cell, and one with each colour's stone.

    The cell itself takes the fill of its mark, so that a page can tint it. Pages move only the
    piece.
    """
    cell = svg.polygon(corners((0, 0), grid.radius), stroke=svg.CELL_EDGE)
    yield svg.group(cell, id=PARTS["."])
    for seat, colour in enumerate(META.colours):
        piece = svg.group(*_stone(Seat(seat)), class_="piece")
        yield svg.group(cell, piece, id=PARTS[colour.letter])


def _stone(seat: Seat) -> Iterator[Element]:
    """Yield a stone around the origin: its shadow, its disc and its sign."""
    ring = svg.circle(0, 0, STONE * 0.52, fill="none", stroke=svg.on_seat_role(0), stroke_width=2.4)
    lozenge = svg.polygon(corners((0, 0), STONE * 0.5, 4), fill=svg.on_seat_role(1))
    yield svg.circle(1, 2, STONE, fill=svg.SHADOW, fill_opacity=0.22)
    yield svg.circle(0, 0, STONE, fill=svg.seat_role(seat))
    yield (ring, lozenge)[seat]


def _passing(name: str, at: Point, owner: Seat) -> Element:
    """Return a stone that one move placed and removed. Step animations show it in between."""
    x, y = at
    hidden = {"class_": "piece", "display": "none", "data_passing": name}
    return svg.group(*_stone(owner), transform=f"translate({x:g} {y:g})", **hidden)


def _ground(grid: HexGrid) -> Iterator[Element]:
    """Yield the board below the cells, its edge first."""
    size = grid.size
    middle, top = size - 1, 2 * size - 2
    outer = ((0, 1), (0, size), (middle, top + 1), (top, size), (top, 1), (middle, 1))
    shape = [grid.middle(row, number) for row, number in outer]
    for colour, width in ((svg.BOARD_EDGE, GROUND + 3), (svg.BOARD, GROUND)):
        yield svg.polygon(
            shape, fill=colour, stroke=colour, stroke_width=width, stroke_linejoin="round"
        )


def _letters(grid: HexGrid) -> Iterator[Element]:
    """Yield the letter of each row, left of it."""
    for row in range(2 * grid.size - 1):
        x, y = grid.middle(row, 0.05)
        yield svg.text(x, y + 4.5, LETTERS[row])


def _numbers(grid: HexGrid) -> Iterator[Element]:
    """Yield the number of each slanted line of cells, at both its ends."""
    top = 2 * grid.size - 2
    for number in range(1, top + 2):
        beyond = max(0, number - grid.size)
        for row, step in ((beyond, 1), (top - beyond, -1)):
            x, y = grid.middle(row, number)
            yield svg.text(x + WIDTH * 0.5, round(y + step * grid.rise, 2) + 4.5, str(number))


def _highlights(
    grid: HexGrid, last: set[str], gone: Mapping[str, Seat], ranks: Ranks | None
) -> Iterator[Element]:
    """Yield the highlights of the last move, above all cells."""
    for name, owner in gone.items():
        won = ranks is not None and ranks[owner] == 1
        yield _ghost(grid.places[name], owner, has_won=won)
    for name in last:
        outline = corners(grid.places[name], grid.radius - 1)
        yield svg.polygon(outline, fill="none", stroke=svg.LAST, stroke_width=3.5)


def _ghost(at: Point, owner: Seat, *, has_won: bool) -> Element:
    """Return a dashed ring in its owner's colour for a removed stone. Thick if that won."""
    colour = svg.seat_role(owner)
    return svg.circle(
        *at,
        STONE - 1,
        fill=colour,
        fill_opacity=0.15,
        stroke=colour,
        stroke_width=4 if has_won else 2.5,
        stroke_dasharray="4 3.5",
    )


def _label(view: Position, stones: str) -> str:
    reds, blues = (stones.count(colour.letter) for colour in META.colours)
    words = gettext("Board of size {size}: {red}, {blue}.").format(
        size=view.size,
        red=ngettext("{count} red stone", "{count} red stones", reds).format(count=reds),
        blue=ngettext("{count} blue stone", "{count} blue stones", blues).format(count=blues),
    )
    ranks = view.result
    if ranks is None:
        mover = META.colours[view.mover].shown_name
        last = gettext("{player} to move.").format(player=mover)
    elif ranks[0] == ranks[1]:
        last = gettext("Drawn.")
    else:
        winner = META.colours[ranks.index(1)].shown_name
        last = gettext("{player} has won.").format(player=winner)
    return f"{words} {last}"

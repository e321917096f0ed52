"""The drawing: squares and stacks, highlights, and the panel beside the board.

Empty squares have no element of their own, except those to which a move may lead, since a board has
up to 2,304 of them.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from games.kernel import svg
from games.kernel.contract import Event
from games.kernel.formatting import listed
from games.kernel.language import cached, gettext, ngettext
from games.kernel.svg import Drawing, Element, Id, Mark, Node, Point
from games.titles.simple_life_or_death import components
from games.titles.simple_life_or_death.components import Board, Die, Direction, Piece, Role, Square
from games.titles.simple_life_or_death.drawing import duel, panel, symbols
from games.titles.simple_life_or_death.drawing.symbols import CELL, MARGIN, middle
from games.titles.simple_life_or_death.entry import EntryView, Selection, arrow_distances
from games.titles.simple_life_or_death.events import Attacked, Fought, Landed, Placed, Rolled
from games.titles.simple_life_or_death.state import SeatView, Stack

BLOCK = 8
"""After this many squares a line is stronger, as if chessboards were side by side."""

CORNER = 9.5
"""How far from the middle of a square a dot hides no piece, to the left and up."""

SQUARE = Id("spot")

CLEAR = 11
"""The distance of a line from the middle of a square."""

CLOSER = 0.48
"""How many squares closer an arrow is drawn if it would hide a piece."""

SMALLER = 0.68
"""The scale of such an arrow."""

IN_FRAME = 9.5
"""The distance of an arrow off the board from the edge of the picture."""

STRIKE: Mapping[str, svg.Value] = {
    "stroke": svg.DANGER,
    "stroke_width": 2.4,
    "stroke_linecap": "round",
}
"""The style of attacks."""

BRACKETS = ((-11, -11), (11, -11), (11, 11), (-11, 11))
"""The corners around a possible target, from the middle of its square."""

LEVEL = 28
"""The height of each piece of an opened stack."""

LEVEL_WIDTH = 90
"""Its width."""


def draw(view: SeatView, recent: Sequence[Event]) -> Drawing:
    """Draw the board as seen, with the events of the last move highlighted."""
    width, height = symbols.extent(view.board)
    children: tuple[Node, ...] = (
        _parts(len(view.stock)),
        *_ground(view.board),
        svg.group(*_beneath(view, recent)),
        svg.group(*_marks(view), fill=svg.CELL),
        svg.group(*_above(view, recent), fill="none", pointer_events="none"),
        svg.group(*_arrows(view), fill=svg.CELL, fill_opacity=0.85),
        svg.group(*_results(view), pointer_events="none"),
        svg.group(*_levels(view), fill=svg.CELL),
        svg.moves(_moved(recent), (e.square for e in recent if isinstance(e, Placed))),
        *(duel.scene(view.board, event) for event in recent if isinstance(event, Fought)),
    )
    return Drawing(width, height, children, _label(view), tuple(panel.pictures(view)))


@cache
def _parts(seats: int) -> Element:
    square = svg.rect(0.6 - CELL / 2, 0.6 - CELL / 2, CELL - 1.2, CELL - 1.2, id=SQUARE)
    return svg.element("defs", square, *symbols.parts(seats))


@cached(None)
def _ground(board: Board) -> tuple[Node, ...]:
    """Return the frame, which stands for leaving the board, the ground, lines and coordinates."""
    right, bottom = symbols.extent(board)
    width, height = board.width * CELL, board.height * CELL
    frame = f"M0 0h{right}v{bottom}h{-right}zM{MARGIN} {MARGIN}v{height}h{width}v{-height}z"
    edge = svg.mark(components.OFF, gettext("the frame: off the board"), svg.path(frame))
    thin, thick = _lines(board)
    return (
        svg.group(edge, fill=svg.BOARD),
        svg.rect(MARGIN, MARGIN, width, height, fill=svg.CELL),
        svg.path(thin, stroke=svg.CELL_EDGE, stroke_width=0.6),
        svg.path(thick, stroke=svg.CELL_EDGE, stroke_width=1.6, stroke_linecap="square"),
        *_coordinates(board),
    )


def _lines(board: Board) -> tuple[str, str]:
    """Return the lines between squares, thin ones and strong ones, as two paths."""
    down, along = f"v{board.height * CELL}", f"h{board.width * CELL}"
    drawn = {False: "", True: ""}
    for at in range(board.width + 1):
        drawn[at % BLOCK == 0] += f"M{MARGIN + at * CELL} {MARGIN}{down}"
    for at in range(board.height + 1):
        up = MARGIN + (board.height - at) * CELL
        drawn[at % BLOCK == 0] += f"M{MARGIN} {up}{along}"
    return drawn[False], drawn[True]


def _coordinates(board: Board) -> Iterator[Element]:
    """Yield the names of columns and rows, each along its edge."""
    grid = symbols.grid(board)
    columns, rows = grid.letters(grid.height - 4), grid.numbers(MARGIN / 2, 3.5)
    for edge, names in (("bottom", columns), ("left", rows)):
        yield svg.group(*names, fill=svg.INK_SOFT, font_size=10, data_edge=edge)


# --- Squares ----------------------------------------------------------------------------------


def _marks(view: SeatView) -> Iterator[Mark]:
    """Yield a mark for every square, by row from the top, each from the left."""
    for square, mark in _empty(view.board).items():
        stack = view.stacks.get(square)
        yield _stack(view.board, square, stack) if stack else mark


@cached(None)
def _empty(board: Board) -> Mapping[Square, Mark]:
    """Return the marks of a board without pieces, in reading order."""
    marks = {}
    empty = gettext("{square}, empty")
    for name, at in symbols.grid(board).places.items():
        square = Square(name)
        drawn = svg.use(SQUARE, *at)
        label = empty.format(square=square)
        marks[square] = svg.mark(square, label, drawn, at=at, is_hidden=True)
    return marks


@cached(svg.CACHE_SIZE)
def _stack(board: Board, square: Square, stack: Stack) -> Mark:
    at = middle(board, square)
    drawn = symbols.stack(stack, at) if len(stack) > 1 else [symbols.piece(stack[0], at)]
    if len(stack) > 1:
        message = gettext("{square}: stack of {count}, from the top: {pieces}")
    else:
        message = gettext("{square}: {pieces}")
    pieces = listed([piece.described for piece in reversed(stack)])
    label = message.format(square=square, count=len(stack), pieces=pieces)
    corner = (at[0] - CORNER, at[1] - CORNER)
    return svg.mark(square, label, svg.use(SQUARE, *at), *drawn, at=corner, is_movable=True)


def _levels(view: SeatView) -> Iterator[Node]:
    """Yield the pieces of every stack one above the other, visible while it is open."""
    for square, stack in view.stacks.items():
        if len(stack) > 1:
            yield from _open_stack(view.board, square, stack)


@svg.kept
def _open_stack(board: Board, square: Square, stack: Stack) -> Iterator[Node]:
    x, y = middle(board, square)
    width, bottom = symbols.extent(board)
    left = x + CELL if x + CELL + LEVEL_WIDTH < width else x - CELL - LEVEL_WIDTH
    top = min(max(y - LEVEL * len(stack) / 2, 0), bottom - LEVEL * len(stack))
    for height, piece in enumerate(stack):
        drawn = _level(piece, left, top + LEVEL * (len(stack) - 1 - height))
        carried = stack[height + 1 :]
        message = gettext("{piece}, on top")
        if carried:
            message = ngettext(
                "{piece}, with {count} piece on it",
                "{piece}, with {count} pieces on it",
                len(carried),
            )
        label = message.format(piece=piece.described, count=len(carried))
        yield svg.mark(str(piece), label, *drawn, is_hidden=True, layer=square, is_movable=True)


def _level(piece: Piece, x: float, y: float) -> Iterator[Element]:
    yield svg.rect(x, y, LEVEL_WIDTH, LEVEL, stroke=svg.INK, stroke_width=1)
    yield symbols.piece(piece, (x + 17, y + LEVEL / 2))
    at = (x + 34, y + LEVEL / 2 + 4.5)
    letters = svg.text(
        *at, piece.size.described, text_anchor="start", font_size=13, font_weight="bold"
    )
    yield svg.group(letters, fill=svg.INK)


# --- Highlights -------------------------------------------------------------------------------


def _beneath(view: SeatView, recent: Sequence[Event]) -> Iterator[Element]:
    """Yield the paths of pieces that moved, below all pieces."""
    for event in recent:
        if isinstance(event, Landed):
            path = _path(view, event.start, event.to, event.direction)
            yield svg.group(path, class_=svg.LAST_MOVE)
        elif isinstance(event, Rolled) and view.pending:
            yield _path(view, event.at, event.ends[-1], event.direction)


def _above(view: SeatView, recent: Sequence[Event]) -> Iterator[Element]:
    """Yield frames, arrows and crosses, above all pieces."""
    for event in recent:
        if isinstance(event, Placed):
            yield _last_frame(view, event.square)
        elif isinstance(event, Landed):
            if event.to != components.OFF:
                yield _last_frame(view, event.to)
        elif isinstance(event, Attacked | Fought):
            yield from _attack(view, event)
    for end in view.landing.ends if view.landing else ():
        if end != components.OFF:
            yield _frame(view, end, svg.TARGET)
    if view.attack:
        yield _frame(view, view.squares[view.attack.target], svg.DANGER)
    yield from _last_pieces(view)
    if isinstance(view, EntryView):
        yield from _aim(view, view.selection)


def _last_pieces(view: SeatView) -> Iterator[Element]:
    """Yield the halo around the pieces of the winner."""
    left = [seat for seat in view.seats if view.seats_in[seat]]
    if view.ranks is not None and len(left) == 1:
        for square in dict.fromkeys(view.squares[piece] for piece in view.pieces_of(left[0])):
            x, y = middle(view.board, square)
            side = CELL + 2
            place = (x - side / 2, y - side / 2, side, side)
            yield svg.rect(*place, rx=4, stroke=svg.ACCENT, stroke_width=4, class_="winner")


def _moved(recent: Sequence[Event]) -> Iterator[tuple[Square, Square]]:
    """Yield the starts and ends of moves on the board."""
    for event in recent:
        if isinstance(event, Landed) and event.to != components.OFF:
            yield event.start, event.to


def _path(view: SeatView, start: Square, end: Square, direction: str) -> Element:
    """Return a dashed line from a piece's former square to its actual or possible end."""
    points = middle(view.board, start), _end_point(view, start, end, direction)
    drawn = [svg.circle(*points[0], CLEAR - 2)]
    if line := _between(*points, CLEAR):
        drawn.append(svg.line(*line))
    return svg.group(*drawn, stroke=svg.LAST, stroke_width=1.6, stroke_dasharray="4 3", fill="none")


def _end_point(view: SeatView, start: Square, end: Square, direction: str) -> Point:
    """Return the end of a path. One that leads off the board ends in the frame."""
    if end != components.OFF:
        return middle(view.board, end)
    course = Direction[direction.upper()]
    x, y = middle(view.board, [start, *view.board.line(start, course)][-1])
    return (x + course.value[0] * CELL, y - course.value[1] * CELL)


def _attack(view: SeatView, event: Attacked | Fought) -> Iterator[Element]:
    """Yield an arrow from the attacker to its target, and a cross if the target fell."""
    yield _strike(view, event.start, event.at)
    if isinstance(event, Fought) and event.won:
        yield _fallen(view, event.at)
    else:
        yield _frame(view, event.at, svg.DANGER)


def _fallen(view: SeatView, square: Square) -> Element:
    """Return a cross for a fallen piece: small and in the corner if others are on the square."""
    x, y = middle(view.board, square)
    if square not in view.stacks:
        return svg.path(f"M{x - 8} {y - 8}l16 16m-16 0l16-16", **STRIKE)
    x, y = x + CELL / 2 - 3, y + CELL / 2 - 3
    ground = svg.circle(x, y, 6, fill=svg.CELL, stroke=svg.DANGER, stroke_width=1.2)
    cross = svg.path(f"M{x - 2.5:g} {y - 2.5:g}l5 5m-5 0l5-5", **{**STRIKE, "stroke_width": 2})
    return svg.group(ground, cross)


def _aim(view: SeatView, selection: Selection) -> Iterator[Element]:
    """Yield brackets around the selected piece's targets, and an arrow to the chosen one."""
    for square in {view.squares[target]: None for target in selection.targets}:
        x, y = middle(view.board, square)
        corners = (f"M{x + right} {y + up / 2}v{up / 2}h{-right / 2}" for right, up in BRACKETS)
        yield svg.path("".join(corners), **STRIKE)
    if selection.target:
        at = view.squares[selection.target]
        yield _strike(view, selection.at, at)
        yield _frame(view, at, svg.DANGER)


def _strike(view: SeatView, start: Square, end: Square) -> Element:
    drawn = []
    if line := _between(middle(view.board, start), middle(view.board, end), CELL / 3):
        drawn += [svg.line(*line), svg.circle(*line[1], 3, fill=svg.DANGER, stroke="none")]
    return svg.group(*drawn, **STRIKE)


def _between(start: Point, end: Point, clear: float) -> tuple[Point, Point] | None:
    """Return the line between two points that stays clear of both. ``None`` if they are close."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = math.hypot(dx, dy)
    if length <= 2 * clear:
        return None
    part = clear / length
    return (start[0] + part * dx, start[1] + part * dy), (end[0] - part * dx, end[1] - part * dy)


def _last_frame(view: SeatView, square: Square) -> Element:
    return svg.group(_frame(view, square, svg.LAST), class_=svg.LAST_MOVE)


def _frame(view: SeatView, square: Square, colour: svg.Role) -> Element:
    x, y = middle(view.board, square)
    side = CELL - 2
    return svg.rect(x - side / 2, y - side / 2, side, side, rx=2, stroke=colour, stroke_width=2.2)


# --- The entry overlay ------------------------------------------------------------------------


def _arrows(view: SeatView) -> Iterator[Mark]:
    """Yield an arrow for each direction around a selected piece, visible if it can be chosen."""
    if not isinstance(view, EntryView):
        return
    start = view.selection.at
    dice = view.dice_of(view.selection.piece)
    for turn, direction in enumerate(Direction):
        line = view.board.line(start, direction)
        drawn = dice[: len(line) + 1]
        for die, (distance, scale) in zip(drawn, _places(view, line, len(drawn)), strict=True):
            x, y = middle(view.board, start)
            right, up = direction.value
            x, y = x + right * distance * CELL, y - up * distance * CELL
            if distance > len(line):
                (x, y) = _within(view.board, (x, y), IN_FRAME)
            placed = f"translate({x:g} {y:g}) scale({scale})"
            yield _arrow(direction, die, placed, f"rotate({45 * turn})")


def _places(view: SeatView, line: Sequence[Square], count: int) -> Iterator[tuple[float, float]]:
    """Yield the distance of each arrow of a direction in squares, and its scale.

    An arrow that has no square without a piece is drawn between a piece and the square before it.
    """
    for at in arrow_distances(line, view.stacks, count):
        if at > len(line):
            yield at, SMALLER
        elif line[at - 1] in view.stacks:
            yield at - CLOSER, SMALLER
        else:
            yield at, 1


def _arrow(direction: Direction, die: Die | None, placed: str, turned: str) -> Mark:
    """Return an arrow with the name of its die, if there is a choice."""
    ground = svg.circle(0, 0, 9.5, stroke=svg.INK_SOFT, stroke_width=0.8)
    shape = "M0-13.5l4.5 5.5h-9z" if die else "M0-7l6 9h-4v5h-4v-5h-4z"
    drawn = [ground, svg.path(shape, transform=turned, fill=svg.TARGET)]
    if die:
        drawn.append(svg.text(0, 3, str(die), fill=svg.INK, font_size=8.5, font_weight="bold"))
    message = gettext("to the {direction}")
    if die:
        message = gettext("to the {direction} with a {die}: 1–{sides} squares")
    label = message.format(direction=direction.described, die=die, sides=int(die or 0))
    arrow = svg.group(*drawn, transform=placed)
    return svg.mark(components.arrow_mark(direction, die), label, arrow, is_hidden=True)


def _results(view: SeatView) -> Iterator[Element]:
    """Yield the results of the dice on the squares where they end."""
    if isinstance(view, EntryView):
        for end, totals in view.selection.ends:
            yield from _result(view, view.selection, end, totals)


def _result(view: SeatView, selection: Selection, end: Square, totals: str) -> Iterator[Element]:
    x, y = _end_point(view, selection.at, end, selection.direction)
    y -= CELL / 2 if end in view.stacks else 0
    width = 5.2 * len(totals) + 7
    x, y = _within(view.board, (x, y), width / 2 + 1, 7.5)
    colour = svg.DANGER if end == components.OFF else svg.INK
    yield svg.rect(x - width / 2, y - 6.5, width, 13, rx=6.5, fill=colour)
    yield svg.text(x, y + 3.2, totals, fill=svg.CELL, font_size=9, font_weight="bold")


def _within(board: Board, at: Point, aside: float, above: float | None = None) -> Point:
    """Return a point, or the nearest one with a minimum distance from the edges of the picture."""
    clear = (aside, aside if above is None else above)
    far = symbols.extent(board)
    x, y = (min(max(a, c), end - c) for a, c, end in zip(at, clear, far, strict=True))
    return x, y


# --- The board in words -----------------------------------------------------------------------


def _label(view: SeatView) -> str:
    """Return in words what is on the board, and what it waits for."""
    board = gettext("Board of {width} by {height} squares.")
    counts = ", ".join(
        # Translators: a player and a number of pieces, one of a list after a colon.
        gettext("{player} {count}").format(
            player=components.name_of(seat), count=len(view.pieces_of(seat))
        )
        for seat in view.seats
    )
    pieces = gettext("Pieces on it: {counts}.").format(counts=counts)
    return f"{board.format(width=view.width, height=view.height)} {pieces} {_next(view)}"


def _next(view: SeatView) -> str:
    name = components.name_of(view.turn)
    if view.ranks is not None:
        winners = [components.name_of(seat) for seat, rank in enumerate(view.ranks) if rank == 1]
        message = gettext("{player} has won.")
        if len(winners) > 1:
            message = gettext("{players} have won.")
        return message.format(player=winners[0], players=listed(winners))
    if view.landing:
        return gettext("{player} chooses where a piece stops.").format(player=name)
    if view.attack:
        attack = view.attack
        return gettext("{attacker} attacks {target}.").format(
            attacker=attack.attacker.owned(None, Role.FIRST),
            target=attack.target.owned(None, Role.OBJECT),
        )
    return gettext("{player} to move.").format(player=name)

"""The towers, drawn from the side to one scale, and before each what its builder needs to know.

No line is drawn along the axis of a tower: to see where it is, is the game.
"""

from collections.abc import Iterator, Sequence

from games.kernel import svg
from games.kernel.contract import Event
from games.kernel.svg import Drawing, Element, Id, Mark, Node, Point
from games.kernel.views import View
from games.titles.precary_ice import shapes, sheet, words
from games.titles.precary_ice.pieces import NAMES
from games.titles.precary_ice.scene import COLUMN, RULER, TABLE, Scene, Shown

REACH = 30
"""How far to either side of its axis a ruler goes, in millimetres."""

CENTIMETRE = 10

EDGES = Id("edges")
"""What rolls beyond the edges of the drawing is not seen."""


def draw(view: View, recent: Sequence[Event]) -> Drawing:
    """Return all towers as seen, the piece that was placed last outlined."""
    scene = Scene(view, recent)
    height = round(scene.below + sheet.height(scene))
    standing = [tower for tower in scene.towers if tower.stands]
    fallen = [tower for tower in scene.towers if not tower.stands]
    children: tuple[Node, ...] = (
        svg.element("defs", *shapes.parts(), _edges(scene)),
        svg.rect(0, 0, scene.width, height, fill=svg.BOARD),
        svg.rect(0, 0, scene.width, scene.table, fill=svg.CELL),
        svg.group(*(_column(scene, tower) for tower in scene.towers), fill=svg.CELL),
        *_height_ruler(scene),
        svg.rect(0, scene.table, scene.width, TABLE, fill=svg.CELL_ALT),
        svg.group(*(_tower(scene, tower) for tower in fallen), opacity=0.75, clip_path=EDGES),
        *(_tower(scene, tower) for tower in standing),
        svg.line(
            (0, scene.table), (scene.width, scene.table), stroke=svg.INK_SOFT, stroke_width=0.8
        ),
        *(_before(scene, tower) for tower in scene.towers),
    )
    return Drawing(scene.width, height, children, _label(scene))


def _edges(scene: Scene) -> Element:
    return svg.element("clipPath", svg.rect(0, 0, scene.width, scene.below), id=EDGES)


def _column(scene: Scene, tower: Shown) -> Mark:
    """Return the room of a tower, which can be pointed at; the tower itself is drawn over it."""
    x = scene.axis(tower.seat) - COLUMN / 2
    room = svg.rect(x, 0, COLUMN, scene.table)
    return svg.mark(f"tower-{tower.seat}", _described(tower), room)


def _described(tower: Shown) -> str:
    name = words.name_of(tower.seat)
    if not tower.pieces:
        return f"{name} has no tower"
    pieces = ", ".join(NAMES[piece.letter] for piece in tower.pieces)
    if tower.data["fallen"]:
        return f"{name}’s tower has fallen: {words.counted(len(tower.pieces), 'piece')}"
    x, y = tower.tip
    return (
        f"{name}’s tower: from the bottom {pieces}; its point is {y:.1f} mm above the table,"
        f" {words.off(x)}"
    )


def _tower(scene: Scene, tower: Shown) -> Element:
    """Return the pieces of a tower, in millimetres from its axis and above the table."""
    pieces = (
        shapes.placed(piece, is_pale=tower.is_pale(at)) for at, piece in enumerate(tower.pieces)
    )
    lit = (shapes.outline(tower.pieces[-1]),) if scene.is_lit(tower) else ()
    return svg.group(
        svg.group(*pieces, class_="pieces"),
        svg.group(*lit, class_="lit", fill="none", stroke=svg.LAST, stroke_width=1.1),
        svg.group(*_balance(tower), class_="balance"),
        *_held(scene, tower),
        class_="tower",
        data_seat=tower.seat,
        data_next=shapes.part(tower.data["next"], is_pale=tower.is_next_pale).name
        if tower.data["next"]
        else None,
        data_placed="" if tower.seat == scene.placed else None,
        transform=f"translate({scene.axis(tower.seat):.1f} {scene.table}) scale(1 -1)",
        fill=shapes.hue(tower.seat),
        pointer_events="none",
    )


def _balance(tower: Shown) -> Iterator[Element]:
    if tower.stands:
        yield from shapes.balance(*tower.balance)


def _held(scene: Scene, tower: Shown) -> Iterator[Element]:
    if tower.seat == scene.holder and scene.held:
        held = shapes.placed(scene.held, is_pale=tower.is_next_pale)
        yield svg.group(held, class_="held", opacity=0.85)


# --- Rulers -----------------------------------------------------------------------------------


def _height_ruler(scene: Scene) -> Iterator[Element]:
    """Yield the ruler on the left: a tick a millimetre, a longer one a centimetre."""
    top = 4
    for at, length, apart in ((RULER - 1, 2, 1), (RULER - 2, 4, CENTIMETRE)):
        yield _ticks((at, scene.table), (at, top), length, apart)
    numbers = (
        svg.text(RULER - 4.5, scene.table - mm + 2, str(mm), text_anchor="end")
        for mm in range(2 * CENTIMETRE, scene.table - top, 2 * CENTIMETRE)
    )
    yield svg.group(*numbers, fill=svg.INK_SOFT, font_size=5.5)


def _foot_ruler(y: float) -> Iterator[Element]:
    """Yield the ruler on the table below a tower; x from its axis."""
    for at, length, apart in ((y + 1, 2, 1), (y + 2, 4, CENTIMETRE)):
        yield _ticks((-REACH, at), (REACH, at), length, apart)
    numbers = (
        svg.text(mm, y + 10, str(mm).replace("-", "−"))
        for mm in range(-2 * CENTIMETRE, 3 * CENTIMETRE, 2 * CENTIMETRE)
    )
    yield svg.group(*numbers, fill=svg.INK_SOFT, font_size=6)


def _ticks(start: Point, end: Point, length: float, apart: int) -> Element:
    """Return a line that is a row of ticks, so many millimetres apart."""
    wide = 0.22
    return svg.line(
        start,
        end,
        stroke=svg.INK_SOFT,
        stroke_width=length,
        stroke_dasharray=f"{wide} {apart - wide}",
        stroke_dashoffset=wide / 2,
    )


# --- Below the table --------------------------------------------------------------------------


def _before(scene: Scene, tower: Shown) -> Element:
    """Return what lies before a tower, from the edge of the table on."""
    axis = f"translate({scene.axis(tower.seat):.1f} {scene.below})"
    shown = (*_foot_ruler(-TABLE), *_height(scene, tower), *sheet.below(scene, tower))
    return svg.group(*shown, transform=axis, fill=svg.CELL)


def _height(scene: Scene, tower: Shown) -> Iterator[Element]:
    """Yield how high a tower is, above its point."""
    if tower.stands and tower.seat != scene.holder:
        x, y = tower.tip[0], -TABLE - tower.height - 3.5
        told = f"{tower.height:.0f} mm"
        yield svg.text(x, y, told, font_size=6, fill=svg.INK_SOFT, class_="height")


def _label(scene: Scene) -> str:
    """Return in words what is on the table, and what it waits for."""
    totals = ", ".join(f"{words.name_of(t.seat)} {t.total}" for t in scene.towers)
    table = f"Towers side by side in round {scene.view['round']}"
    return f"{table}. On the sheets: {totals}. {_next(scene)}"


def _next(scene: Scene) -> str:
    result = scene.view["result"]
    if result is not None:
        winners = [words.name_of(seat) for seat, rank in enumerate(result) if rank == 1]
        return f"{words.listed(winners)} {'has' if len(winners) == 1 else 'have'} won."
    if scene.view["turn"] is None:
        return "All build at their own speed."
    return f"{words.name_of(scene.view['turn'])} to build."

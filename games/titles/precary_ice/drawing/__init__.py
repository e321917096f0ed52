"""The towers, drawn from the side to one scale, and beside them what their builders need to know.

No line is drawn along the axis of a tower, since the game is to see where it is.
"""

from collections.abc import Iterator, Sequence
from math import ceil

from games.kernel import svg
from games.kernel.contract import Event
from games.kernel.formatting import listed
from games.kernel.language import decimal, gettext, ngettext
from games.kernel.svg import Drawing, Element, Id, Mark, Node, Point
from games.titles.precary_ice.drawing.geometry import RULER, TABLE, Geometry
from games.titles.precary_ice.drawing.sheet import desk
from games.titles.precary_ice.drawing.symbols import (
    draw_centre_of_mass,
    draw_outline,
    draw_piece,
    part_id,
    piece_parts,
    seat_colour,
)
from games.titles.precary_ice.meta import name_of
from games.titles.precary_ice.moves import distance_text
from games.titles.precary_ice.pieces import shown_name
from games.titles.precary_ice.state import State
from games.titles.precary_ice.tower import Tower

REACH = 30
"""The length of a ruler to either side of its axis, in millimetres."""

CENTIMETRE = 10

SKY = 120
"""The length of the ruler above the drawing, in mm, for pages that show a piece held there."""

ASIDE = 600
"""The length of the table to either side, in mm, for pages that show a single tower."""


def draw(view: State, recent: Sequence[Event]) -> Drawing:
    """Draw all towers as seen, the last placed piece outlined."""
    geometry = Geometry(view, recent)
    height = geometry.below
    dimmed = [seat for seat in view.seats if geometry.is_dimmed(seat)]
    plain = [seat for seat in view.seats if not geometry.is_dimmed(seat)]
    children: tuple[Node, ...] = (
        svg.element("defs", *piece_parts(), *(_room(geometry, seat) for seat in view.seats)),
        svg.rect(-ASIDE, 0, geometry.width + 2 * ASIDE, height, fill=svg.BOARD),
        svg.rect(-ASIDE, -SKY, geometry.width + 2 * ASIDE, geometry.table + SKY, fill=svg.CELL),
        svg.group(*(_column(geometry, seat) for seat in view.seats), fill=svg.CELL),
        _height_ruler(geometry),
        svg.rect(-ASIDE, geometry.table, geometry.width + 2 * ASIDE, TABLE, fill=svg.CELL_ALT),
        svg.group(*(_tower(geometry, seat) for seat in dimmed), opacity=0.7),
        *(_tower(geometry, seat) for seat in plain),
        _table_edge(geometry),
        *(_before(geometry, seat) for seat in view.seats),
    )
    panel = tuple(picture for seat in view.seats for picture in desk(geometry, seat))
    return Drawing(geometry.width, height, children, _label(view), panel)


def _room(geometry: Geometry, seat: int) -> Element:
    """Return the room of a tower, in millimetres from its axis and above the table.

    Parts that lean or roll out of it are invisible, and a sign at the edge indicates them.
    """
    left, right = geometry.rooms[seat]
    room = svg.rect(-left, -TABLE, left + right, geometry.below + SKY)
    return svg.element("clipPath", room, id=_room_id(seat))


def _room_id(seat: int) -> Id:
    return Id(f"room-{seat}")


def _table_edge(geometry: Geometry) -> Element:
    left, right = -ASIDE, geometry.width + ASIDE
    y = geometry.table
    return svg.line((left, y), (right, y), stroke=svg.INK_SOFT, stroke_width=0.8)


def _column(geometry: Geometry, seat: int) -> Mark:
    """Return the clickable room of a tower. The tower itself is drawn over it."""
    left, right = geometry.rooms[seat]
    room = svg.rect(geometry.axis(seat) - left, 0, left + right, geometry.table)
    return svg.mark(f"tower-{seat}", _describe(seat, geometry.towers[seat]), room)


def _describe(seat: int, tower: Tower) -> str:
    name = name_of(seat)
    if not tower.pieces:
        return gettext("{player} has no tower").format(player=name)
    if tower.fallen:
        count = len(tower.pieces)
        message = ngettext(
            "{player}’s tower has fallen: {count} piece",
            "{player}’s tower has fallen: {count} pieces",
            count,
        )
        return message.format(player=name, count=count)
    x, y = tower.tip
    # Translators: {place} is as in "2.1 mm right of the axis", {pieces} a list.
    message = gettext(
        "{player}’s tower, {height} mm high, its point {place}; from the bottom {pieces}"
    )
    pieces = ", ".join(shown_name(piece.letter) for piece in tower.pieces)
    return message.format(player=name, height=decimal(y), place=distance_text(x), pieces=pieces)


def _tower(geometry: Geometry, seat: int) -> Element:
    """Return the pieces of a tower, in millimetres from its axis and above the table."""
    tower = geometry.towers[seat]
    letters = tower.letters
    pieces = (draw_piece(piece, letters[:at]) for at, piece in enumerate(tower.pieces))
    last = (draw_outline(tower.pieces[-1]),) if geometry.is_highlighted(seat) else ()
    return svg.group(
        *_halo(geometry, seat),
        svg.group(*pieces, class_="pieces", clip_path=_room_id(seat)),
        svg.group(*last, class_="lit", fill="none", stroke=svg.LAST, stroke_width=1.1),
        svg.group(*_balance(tower), class_="balance"),
        *_held(geometry, seat),
        class_="tower",
        data_seat=seat,
        data_next_piece=part_id(tower.next, letters).name if tower.next else None,
        data_building="" if geometry.is_building(seat) else None,
        data_placed="" if seat == geometry.placed else None,
        data_fall=geometry.fall if seat == geometry.placed else None,
        transform=f"translate({geometry.axis(seat):.1f} {geometry.table}) scale(1 -1)",
        fill=seat_colour(seat),
        pointer_events="none",
    )


def _halo(geometry: Geometry, seat: int) -> Iterator[Element]:
    """Yield the halo around the pieces of a winner."""
    if geometry.is_winner(seat):
        edges = map(draw_outline, geometry.towers[seat].pieces)
        yield svg.group(
            *edges,
            class_="halo",
            clip_path=_room_id(seat),
            stroke=svg.ACCENT,
            stroke_width=4.5,
            stroke_linejoin="round",
        )


def _balance(tower: Tower) -> Iterator[Element]:
    if tower.stands:
        yield from draw_centre_of_mass(*tower.centre_of_mass)


def _held(geometry: Geometry, seat: int) -> Iterator[Element]:
    piece = geometry.piece_held
    if piece and seat == geometry.holder:
        drawn = draw_piece(piece, geometry.towers[seat].letters)
        yield svg.group(drawn, class_="held", opacity=0.85)


# --- Rulers -----------------------------------------------------------------------------------


def _height_ruler(geometry: Geometry) -> Element:
    """Return the ruler on the left: a tick a millimetre, a longer one a centimetre."""
    top = 4 - SKY
    lines = ((RULER - 1, 2, 1), (RULER - 2, 4, CENTIMETRE))
    ticks = (_ticks((at, geometry.table), (at, top), length, apart) for at, length, apart in lines)
    numbers = (
        svg.text(RULER - 4.5, geometry.table - mm + 2, str(mm), text_anchor="end")
        for mm in range(2 * CENTIMETRE, geometry.table - top, 2 * CENTIMETRE)
    )
    named = svg.group(*numbers, fill=svg.INK_SOFT, font_size=5.5)
    highest = ceil(max(geometry.heights))
    return svg.group(*ticks, named, class_="ruler", data_highest=highest)


def _foot_ruler(y: float) -> Iterator[Element]:
    """Yield the ruler on the table below a tower. x is from its axis."""
    for at, length, apart in ((y + 1, 2, 1), (y + 2, 4, CENTIMETRE)):
        yield _ticks((-REACH, at), (REACH, at), length, apart)
    numbers = (
        svg.text(mm, y + 10, str(mm).replace("-", "−"))
        for mm in range(-2 * CENTIMETRE, 3 * CENTIMETRE, 2 * CENTIMETRE)
    )
    yield svg.group(*numbers, fill=svg.INK_SOFT, font_size=6)


def _ticks(start: Point, end: Point, length: float, apart: int) -> Element:
    """Return a line of ticks, ``apart`` millimetres from each other."""
    wide = 0.22
    return svg.line(
        start,
        end,
        stroke=svg.INK_SOFT,
        stroke_width=length,
        stroke_dasharray=f"{wide} {apart - wide}",
        stroke_dashoffset=wide / 2,
    )


# --- Before the towers ------------------------------------------------------------------------


def _before(geometry: Geometry, seat: int) -> Element:
    """Return what is in front of a tower: its ruler, its height, and signs of invisible parts."""
    axis = f"translate({geometry.axis(seat):.1f} {geometry.below})"
    signs = (*_foot_ruler(-TABLE), *_height(geometry, seat), *_cut_signs(geometry, seat))
    return svg.group(*signs, class_="before", data_seat=seat, transform=axis, fill=svg.CELL)


def _cut_signs(geometry: Geometry, seat: int) -> Iterator[Element]:
    """Yield a sign on either side where pieces extend beyond the column of their tower."""
    for side in (-1, 1):
        if beyond := geometry.beyond(seat, side):
            x, y = side * (geometry.rooms[seat][side > 0] - 7), -TABLE - 10
            box = svg.rect(x - 6, y, 12, 8, rx=2, stroke=svg.INK_SOFT, stroke_width=0.5)
            sign = f"‹{beyond}" if side < 0 else f"{beyond}›"
            text = svg.text(x, y + 6, sign, font_size=6, font_weight="bold", fill=svg.INK)
            yield svg.group(box, text, class_="cut")


def _height(geometry: Geometry, seat: int) -> Iterator[Element]:
    """Yield the height of a tower, above its point."""
    tower = geometry.towers[seat]
    if tower.stands and seat != geometry.holder:
        height = geometry.heights[seat]
        x, y = tower.tip[0], -TABLE - height - 3.5
        text = gettext("{height} mm").format(height=f"{height:.0f}")
        yield svg.text(x, y, text, font_size=6, fill=svg.INK_SOFT, class_="height")


def _label(view: State) -> str:
    """Return in words what is on the table, and whose move it waits for."""
    totals = ", ".join(f"{name_of(seat)} {view.towers[seat].total}" for seat in view.seats)
    table = gettext("Towers side by side in round {round}. On the sheets: {totals}.")
    return f"{table.format(round=view.round, totals=totals)} {_next(view)}"


def _next(view: State) -> str:
    if view.ranks is not None:
        winners = [name_of(seat) for seat, rank in enumerate(view.ranks) if rank == 1]
        message = ngettext("{players} has won.", "{players} have won.", len(winners))
        return message.format(players=listed(winners))
    if view.turn is None:
        return gettext("All build at their own speed.")
    return gettext("{player} to build.").format(player=name_of(view.turn))

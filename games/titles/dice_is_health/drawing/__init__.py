"""The drawing: two rings and the fan between them, and beside it what each player has.

The fan and the pieces are moving parts, so that pages can animate their ways.
"""

import math
import textwrap
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from games.kernel import svg
from games.kernel.contract import Event
from games.kernel.language import gettext, ngettext
from games.kernel.svg import Drawing, Element, Id, Mark, Node, Point, Stop
from games.titles.dice_is_health import events
from games.titles.dice_is_health.board import (
    INNER,
    OUTER,
    RING,
    SECTOR,
    WALL_SPACES,
    Space,
    spoken,
    unwound,
)
from games.titles.dice_is_health.drawing import symbols
from games.titles.dice_is_health.drawing.scene import FAN, Fight, Scene
from games.titles.dice_is_health.drawing.symbols import (
    CENTRE,
    DEGREES,
    INNER_BAND,
    MIDDLE,
    NUMBERS,
    OUTER_BAND,
    RIM,
    WALL,
    WIDTH,
    Placement,
    absolute,
    band,
    corner,
    middle,
    on_space,
    point,
)
from games.titles.dice_is_health.events import (
    FAN_ALL_DOWN,
    FAN_ALL_UP,
    FAN_DOWN,
    FAN_UP,
    monster_mark,
    player_mark,
)
from games.titles.dice_is_health.state import PhaseName, State

AFTER = "after-fights"
"""The class of elements that pages show only after they have animated the fights of a move."""

AT_LAST = f"{AFTER} {svg.LAST_MOVE}"
"""The classes of elements that pages show only once all pieces are in their places."""

BESIDE_DICE = 7.5
"""The distance between the dice of a piece."""

BESIDE_TRINKETS = 12.0
"""The distance between the trinkets of a piece."""


Figure = Iterator[Element]
"""A drawn piece at the origin."""


def draw(view: State, recent: Sequence[Event]) -> Drawing:
    """Draw the board as seen, with the events of the last move highlighted."""
    scene = Scene(view, recent)
    at = (8, WIDTH - 14)
    children = (
        symbols.all_parts(len(view.players)),
        svg.rect(0, 0, WIDTH, WIDTH, rx=8, fill=svg.BOARD),
        symbols.text_at(at, scene.round, 13, text_anchor="start", fill=svg.INK_SOFT),
        svg.group(*_board(scene), transform=f"translate({MIDDLE:g} {MIDDLE:g})"),
    )
    return Drawing(WIDTH, WIDTH, children, scene.label)


def _board(scene: Scene) -> Iterator[Node]:
    yield from _ground()
    for spaces, fill in ((OUTER, svg.CELL), (INNER, svg.CELL_ALT)):
        marks = (_space(scene, space) for space in spaces)
        yield svg.group(*marks, fill=fill, stroke=svg.BOARD, stroke_width=2)
    yield from _fan(scene)
    yield from _centre(scene)
    quiet: dict[str, svg.Value] = {"fill": "none", "pointer_events": "none"}
    yield svg.group(*_paths(scene), **quiet, stroke_linecap="round", class_=AFTER)
    yield svg.group(*_highlights(scene), **quiet, class_=AT_LAST)
    yield svg.group(*_dice(scene), pointer_events="none")
    yield svg.group(*_pieces(scene), fill="none", class_="standing")


@svg.kept
def _ground() -> Iterator[Node]:
    """Yield the rim with the numbers of the sectors, the area between the rings, and the centre."""
    yield svg.circle(0, 0, RIM, fill=svg.BOARD_EDGE)
    yield svg.circle(0, 0, OUTER_BAND.inside, fill=svg.CELL)
    yield svg.circle(0, 0, OUTER_BAND.inside, fill=svg.hue_role("blue"), fill_opacity=0.34)
    yield svg.group(*_ripples(), fill="none", stroke=svg.CELL, stroke_opacity=0.75)
    yield svg.circle(0, 0, CENTRE, fill=svg.BOARD)
    numbers = (symbols.text_at(point(NUMBERS, at), str(at), 12) for at in range(RING))
    yield svg.group(*numbers, fill=svg.INK)


def _ripples() -> Iterator[Element]:
    for radius, lengths in ((129, "16 29.02"), (134, "24 33.04 9 27.5"), (139.5, "14 34.7")):
        yield svg.circle(0, 0, radius, stroke_dasharray=lengths, stroke_linecap="round")


# --- Spaces -----------------------------------------------------------------------------------


def _space(scene: Scene, space: Space) -> Mark:
    host = scene.homes.get(space)
    owner = scene.view.walls.get(space)
    at = corner(space) if scene.tokens.get(space) else middle(space)
    return _tile(space, scene.label_of(space), host, owner, absolute(at))


@lru_cache(svg.CACHE_SIZE)
def _tile(space: Space, label: str, host: int | None, owner: int | None, at: Point) -> Mark:
    """Return a space that is the home of a player or has a player's wall."""
    tile = on_space(symbols.TILES, space)
    built = tuple(_built(space, host, owner))
    drawn = (tile, svg.group(*built, stroke="none")) if built else (tile,)
    return svg.mark(space, label, *drawn, at=at)


def _built(space: Space, host: int | None, owner: int | None) -> Iterator[Element]:
    """Yield the fixed parts of a space: a home, the mark for a wall, a wall."""
    seat = owner if host is None else host
    if seat is not None:
        yield on_space(symbols.TILES, space, fill=symbols.hue(seat), fill_opacity=0.2)
    if host is not None:
        at = point(INNER_BAND.inside + 8, SECTOR[space])
        yield symbols.placed(symbols.HOUSE, at, 0.95, fill=symbols.hue(host))
    elif owner is not None:
        yield on_space(symbols.WALLS, space, fill=symbols.hue(owner))
        badge = point(band(space).outside - WALL / 2, SECTOR[space])
        yield symbols.placed(symbols.piece_id(owner), badge, 0.66)
    elif space in WALL_SPACES:
        yield on_space(symbols.SITES, space)


# --- The fan ----------------------------------------------------------------------------------


def _fan(scene: Scene) -> Iterator[Node]:
    """Yield the fan, blades in the centre and bridges between rings, and its former position."""
    places = [int(at) for at in scene.paths.get(FAN, [str(scene.view.fan)])]
    turns = [turn * DEGREES for turn in unwound(places)]
    if turns[0] != turns[-1]:
        rotation = f"rotate({turns[0]:g})"
        yield svg.group(svg.use(symbols.BRIDGES, 0, 0), opacity=0.28, transform=rotation)
    path: list[Stop] = [(str(at), turn) for at, turn in zip(places, turns, strict=True)]
    paint: dict[str, svg.Value] = {"fill": svg.CELL_EDGE, "fill_opacity": 0.4}
    blades = symbols.placed(symbols.BLADES, (0, 0), CENTRE / 16, **paint)
    yield svg.moving(FAN, path, blades, svg.use(symbols.BRIDGES, 0, 0), pointer_events="none")


# --- Dice and pieces --------------------------------------------------------------------------


def _dice(scene: Scene) -> Iterator[Element]:
    spawned = {event.at for event in scene.recent if isinstance(event, events.Spawned)}
    for space, place in zip(scene.view.pickups, scene.dice, strict=True):
        die = symbols.placed(symbols.DIE, place.at, place.scale)
        yield svg.group(die, class_=AFTER) if space in spawned else die


def _pieces(scene: Scene) -> Iterator[Mark]:
    for number in range(1, len(scene.view.monsters) + 1):
        name = monster_mark(number)
        space = spoken(scene.standing[name][0])
        label = gettext("monster {number} on {space}").format(number=number, space=space)
        yield _piece(scene, name, label, symbols.monster, number)
    for seat in scene.view.still_in:
        player = scene.view.players[seat]
        has = seat, player.dice, player.trinkets
        yield _piece(scene, player_mark(seat), scene.player_label(seat), _armed, *has)


class PlacedPiece(NamedTuple):
    """A piece at its place on its space, and the spaces on its way there."""

    name: str
    label: str
    space: Space
    place: Placement
    before: tuple[str, ...]

    @property
    def path(self) -> list[Stop]:
        """The stops of its way, the last one at its place."""
        passed = map(Space, self.before)
        return [*((space, middle(space)) for space in passed), (self.space, self.place.at)]


def _piece(scene: Scene, name: str, label: str, draw: Callable[..., Figure], *of: int) -> Mark:
    """Return a piece at its place. ``draw`` draws it, by what it is and has."""
    before = tuple(scene.paths.get(name, ())[:-1])
    return _standing(PlacedPiece(name, label, *scene.standing[name], before), draw, of)


@lru_cache(svg.CACHE_SIZE)
def _standing(shown: PlacedPiece, draw: Callable[..., Figure], of: tuple[int, ...]) -> Mark:
    ground = svg.circle(0, 0, 14, fill=svg.CELL, fill_opacity=0)
    halo = svg.circle(0, 0, 14)
    scale = shown.place.scale
    scaled = svg.group(
        ground, halo, *draw(*of), transform=f"scale({scale:.2f})" if scale < 1 else None
    )
    x, y = absolute(shown.place.at)
    at = (x + 9 * scale, y - 9 * scale)
    moving = svg.moving(shown.name, shown.path, scaled)
    return svg.mark(shown.name, shown.label, moving, at=at, on=shown.space, is_movable=True)


def _armed(seat: int, dice: int, trinkets: int) -> Figure:
    """Yield a player's piece with its dice below and its trinkets above."""
    yield svg.use(symbols.piece_id(seat), 0, 0)
    for x in _in_row(dice, BESIDE_DICE):
        yield svg.rect(x - 3.1, 8.6, 6.2, 6.2, rx=1.4, fill=svg.SHINE, stroke=svg.SHADOW)
    for x in _in_row(trinkets, BESIDE_TRINKETS):
        yield symbols.placed(symbols.TRINKET, (x, -11), 0.72)


def _in_row(count: int, beside: float) -> Iterator[float]:
    """Yield the offset from the middle of each of ``count`` things in a row."""
    for at in range(count):
        yield (at - (count - 1) / 2) * beside


# --- Highlights ---------------------------------------------------------------------------------

ASIDE = 7
"""The distance of a monster's path from the path of a player."""


def _paths(scene: Scene) -> Iterator[Element]:
    """Yield the paths of pieces that moved, below all pieces."""
    for part, places in scene.paths.items():
        if part != FAN and len(set(places)) > 1:
            yield from _path(places, is_player=part.startswith("player"))


def _path(places: Sequence[str], *, is_player: bool) -> Iterator[Element]:
    aside = 0 if is_player else ASIDE
    points = [_beside(Space(space), aside) for space in places]
    yield svg.group(
        svg.polyline(points, stroke_dasharray="2 4.5"),
        svg.circle(*points[0], 5, stroke_dasharray="2 3.2"),
        stroke=svg.LAST if is_player else svg.INK_SOFT,
        stroke_width=2.4 if is_player else 1.8,
    )


def _beside(space: Space, aside: float) -> Point:
    x, y = middle(space)
    part = 1 + aside / math.hypot(x, y)
    return x * part, y * part


def _highlights(scene: Scene) -> Iterator[Element]:
    """Yield frames around new things, and signs of fights, above all pieces."""
    for event in scene.last_events:
        if isinstance(event, events.PickedUp | events.Spawned | events.Summoned):
            yield _frame(event.at)
        elif isinstance(event, events.SteppedAway | events.WentHome):
            yield _frame(event.to)
        elif isinstance(event, events.Built | events.Stripped):
            yield from map(_frame, event.spaces)
        elif isinstance(event, events.Fought | events.Duelled):
            yield _clash(event.at, event.start)


def _frame(space: Space) -> Element:
    return on_space(symbols.TILES, space, stroke=svg.LAST, stroke_width=2.6)


def _clash(here: Space, there: Space) -> Element:
    """Return the sign of a fight: a burst between two spaces, or in a corner of a shared one."""
    if here == there:
        x, y = corner(here)
    else:
        x0, y0 = middle(here)
        x1, y1 = middle(there)
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
    tips = [(8.5 if at % 2 else 3.6, at * math.pi / 8) for at in range(16)]
    corners = [(x + far * math.sin(angle), y + far * math.cos(angle)) for far, angle in tips]
    return svg.polygon(corners, fill=svg.DANGER, stroke=svg.CELL, stroke_width=1)


# --- The centre ---------------------------------------------------------------------------------

COLUMNS = (-38, 0, 38)
"""The columns of the dice of the monsters, the fan and the player."""

ARROWS = {
    FAN_ALL_DOWN: (-47, 35),
    FAN_DOWN: (-17, 49),
    FAN_UP: (17, 49),
    FAN_ALL_UP: (47, 35),
}
"""The places of the buttons that turn the fan, by their marks."""

BELOW_COUNT = 10.5
"""The distance from the middle of such a button to the dot that marks it as usable."""

LINE = 17
"""Maximum number of letters in a line."""


def _centre(scene: Scene) -> Iterator[Node]:
    """Yield the content of the centre: the rest of each die, the last fight, or the question."""
    if scene.view.phase == PhaseName.MOVE and scene.left:
        dice = svg.group(*_dice_left(scene))
        arrows = svg.group(*(_arrow(scene, name) for name in ARROWS), fill=svg.CELL)
        yield svg.group(dice, arrows, class_=AT_LAST)
        yield from _fights(scene.fights, are_over=True)
    elif scene.fights:
        yield from _fights(scene.fights)
    else:
        yield svg.group(*_centred(scene.next), class_=AT_LAST)


def _dice_left(scene: Scene) -> Iterator[Node]:
    signs = (symbols.MONSTER, symbols.BLADES, symbols.piece_id(scene.view.turn))
    dice = zip(COLUMNS, signs, scene.view.roll or (), scene.left, strict=True)
    for x, sign, rolled, left in dice:
        yield _sign(sign, (x, -38))
        yield symbols.rolled(left, (x, -9), opacity=None if left else 0.35)
        if left != rolled:
            # Translators: below the rest of a die, as in "2 of 5".
            words = gettext("of {rolled}").format(rolled=rolled)
            yield symbols.text_at((x, 13), words, 11, fill=svg.INK)


def _sign(sign: Id, at: Point) -> Element:
    if sign == symbols.BLADES:
        return symbols.placed(sign, at, 0.75, fill=svg.INK)
    return symbols.placed(sign, at, 0.8)


def _arrow(scene: Scene, name: str) -> Node:
    """Return the button that turns the fan one way: an arrow around the number of sectors."""
    x, y = ARROWS[name]
    is_up = name in (FAN_UP, FAN_ALL_UP)
    is_all = name in (FAN_ALL_UP, FAN_ALL_DOWN)
    sectors = scene.left[1] if is_all else 1
    label = _arrow_message(sectors, is_up=is_up, is_all=is_all).format(count=sectors)
    turned = svg.group(*symbols.ART["turn"], transform=None if is_up else "scale(-1 1)")
    button = svg.circle(0, 0, 14.5, stroke=svg.CELL_EDGE, stroke_width=1.2)
    area = svg.path(symbols.touch_area(x, is_outer=is_all), fill_opacity=0)
    count = symbols.text_at((0, 0), str(sectors), 10, fill=svg.INK)
    can_turn = scene.can_turn(1 if is_up else -1) and sectors > is_all
    opacity = None if can_turn else 0.35
    drawn = svg.group(button, turned, count, transform=f"translate({x} {y})", opacity=opacity)
    return svg.mark(name, label, area, drawn, at=absolute((x, y + BELOW_COUNT)))


def _arrow_message(sectors: int, *, is_up: bool, is_all: bool) -> str:
    if is_all and is_up:
        return ngettext(
            "turn the fan {count} sector (all that are left) clockwise",
            "turn the fan {count} sectors (all that are left) clockwise",
            sectors,
        )
    if is_all:
        return ngettext(
            "turn the fan {count} sector (all that are left) anticlockwise",
            "turn the fan {count} sectors (all that are left) anticlockwise",
            sectors,
        )
    if is_up:
        return ngettext(
            "turn the fan {count} sector clockwise",
            "turn the fan {count} sectors clockwise",
            sectors,
        )
    return ngettext(
        "turn the fan {count} sector anticlockwise",
        "turn the fan {count} sectors anticlockwise",
        sectors,
    )


def _fights(fights: Sequence[Fight], *, are_over: bool = False) -> Iterator[Node]:
    """Yield the throws of all fights, which pages animate in order.

    The last one is visible at first. None is if they ``are_over``, to leave room for the next dice.
    """
    throws = [(fight, thrown) for fight in fights for thrown in fight.throws]
    for number, (fight, thrown) in enumerate(throws, 1):
        display = None if number == len(throws) and not are_over else "none"
        drawn = _throw(fight, thrown)
        yield svg.group(*drawn, class_="throw", display=display, data_after=fight.steps_after)


def _throw(fight: Fight, thrown: tuple[Sequence[int], Sequence[int]]) -> Iterator[Node]:
    """Yield both sides' dice of a throw, their sums, and the outcome."""
    sums = list(map(sum, thrown))
    for side, dice, y in zip(fight.sides, thrown, (-25, 6), strict=True):
        if side.seat is None:
            face = symbols.monster(side.number)
            yield svg.group(*face, transform=f"translate(-52 {y}) scale(0.8)")
        else:
            yield _sign(symbols.piece_id(side.seat), (-52, y))
        row = _row_of_dice(dice, y, side.seat, is_best=sum(dice) == max(sums))
        yield svg.group(*row, class_="dice-row")
    if sums[0] == sums[1]:
        verdict, outcome = gettext("A tie: again"), ""
    else:
        verdict, outcome = fight.sides[sums[1] > sums[0]].verdict, fight.outcome
    yield symbols.text_at((0, 33), verdict, 13, fill=svg.INK, font_weight="bold")
    yield symbols.text_at((0, 49), outcome, 11, fill=svg.INK)


def _row_of_dice(
    dice: Sequence[int], y: float, seat: int | None, *, is_best: bool
) -> Iterator[Node]:
    for at, pips in enumerate(dice):
        yield symbols.rolled(pips, (-28 + 24 * at, y), 21, seat)
    weight = "bold" if is_best else None
    yield symbols.text_at((53, y), str(sum(dice)), 18, fill=svg.INK, font_weight=weight)


def _centred(text: str) -> Iterator[Node]:
    first, _, rest = text.partition(" ")
    lines = textwrap.wrap(rest, LINE)
    top = -9 * len(lines)
    yield symbols.text_at((0, top), first, 17, fill=svg.INK, font_weight="bold")
    for at, line in enumerate(lines, 1):
        yield symbols.text_at((0, top + 18 * at), line, 14, fill=svg.INK)

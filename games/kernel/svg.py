"""Drawings: SVG as plain values, coloured by role.

A title's ``draw`` builds a :class:`Drawing`. Colours are *roles* (``"seat-0"``, ``"cell"``). On a
page each becomes a CSS variable ``--c-<role>``, so that themes and colour-blind palettes need no
new drawing. In mails and exports each becomes the literal colour of a palette. Whatever a player
can point at is a :class:`Mark`: a group with a name, which move entry uses, and a label for people
who don't see the picture. Marks are drawn in reading order.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache, wraps
from typing import ParamSpec, TypeAlias

from games.kernel.language import cached
from games.kernel.svg_text import KNOWN, number, pairs


@dataclass(frozen=True, slots=True)
class Role:
    """A colour by its meaning."""

    name: str


@dataclass(frozen=True, slots=True)
class Id:
    """The name of a part that is drawn more than once, unique within its drawing.

    As the value of ``id`` it names the part, of ``href`` it refers to it, and of ``fill``,
    ``clip-path`` and the like it becomes ``url(#…)``.
    """

    name: str


Params = ParamSpec("Params")
Palette: TypeAlias = Mapping[Role, str]
Point: TypeAlias = tuple[float, float]
Value: TypeAlias = str | float | Role | Id
Node: TypeAlias = "Element | Mark | str"
Stop: TypeAlias = tuple[str, float | Point]
"""Where a moving part can be: the name of the place, and its turn in degrees or its point."""

HUES = ("red", "blue", "green", "yellow", "orange", "purple")
"""Colours by name. The seats have them in this order unless a title names its own."""


def seat_role(seat: int) -> Role:
    """Return the colour of a seat's own pieces."""
    return Role(f"seat-{seat}")


def on_seat_role(seat: int) -> Role:
    """Return the colour that is legible on a seat's pieces."""
    return Role(f"on-seat-{seat}")


def hue_role(hue: str) -> Role:
    """Return a colour by one of the names in ``HUES``."""
    return Role(hue)


def on_hue_role(hue: str) -> Role:
    """Return the colour that is legible on one of ``HUES``."""
    return Role(f"on-{hue}")


BOARD = Role("board")
BOARD_EDGE = Role("board-edge")
CELL = Role("cell")
CELL_ALT = Role("cell-alt")
CELL_EDGE = Role("cell-edge")
INK = Role("ink")
INK_SOFT = Role("ink-soft")
ACCENT = Role("accent")
LAST = Role("last")
TARGET = Role("target")
DANGER = Role("danger")
SHADOW = Role("shadow")
SHINE = Role("shine")

CACHE_SIZE = 4096
"""Size of the cache of marks and other parts of a title. Most occur in the drawing before."""

FONTS = "Hanken Grotesk, DejaVu Sans, Verdana, sans-serif"
"""Fonts of standalone drawings. On a page they take the page's."""

SHAPES = ("circle", "ellipse", "line", "path", "polygon", "polyline", "rect", "text", "tspan")
FRAMES = ("clipPath", "defs", "g", "linearGradient", "mask", "radialGradient", "stop", "symbol")
TAGS = frozenset((*SHAPES, *FRAMES, "title", "use"))
SAFE_ATTRIBUTES = frozenset(
    ("x", "y", "cx", "cy", "r", "width", "height", "d", "fill", "transform")
)
"""Frequent attributes whose values needn't be checked."""


@dataclass(frozen=True)
class Element:
    """An SVG element. Its text on a page is cached with it (:mod:`games.kernel.svg_writer`).

    :raises ValueError: the tag isn't in ``TAGS``, or an attribute is one that the site's content
        policy forbids (``style``, handlers, links that leave the drawing).
    """

    tag: str
    attrs: tuple[tuple[str, Value], ...] = ()
    children: tuple[Node, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what must not be in a page."""
        if self.tag not in TAGS:
            raise ValueError(f"<{self.tag}> has no place in a drawing.")
        for name, value in self.attrs:
            if name not in SAFE_ATTRIBUTES and _is_refused(name, value):
                raise ValueError(f"{name}={value!r} has no place in a drawing.")


@dataclass(frozen=True)
class Mark:
    """A part of the drawing that a player can point at; ``at`` is its middle.

    One that ``is_hidden`` is written only while it links somewhere: thousands of empty squares of
    a large board would outweigh all pieces on it. One on the ``layer`` of another mark is written
    only while that one is open, whether it links or not. One that stands ``on`` another doesn't
    lead back while the other leads on. One that ``is_movable`` is a piece or a card: dragging it to
    another mark chooses it, then that mark.
    """

    name: str
    label: str
    children: tuple[Node, ...] = ()
    at: Point | None = None
    is_hidden: bool = False
    layer: str = ""
    on: str = ""
    is_movable: bool = False


@dataclass(frozen=True)
class Drawing:
    """A picture ``width`` by ``height`` units; ``label`` describes it in words.

    ``panel`` stands beside or below the board: a hand, dice, a sheet, each a picture of its own,
    in pixels. It may use the parts that the board defines.
    """

    width: float
    height: float
    children: tuple[Node, ...]
    label: str
    panel: "tuple[Drawing, ...]" = ()

    @cached_property
    def marks(self) -> Sequence[Mark]:
        """Every mark in reading order, those of the panel last."""
        marks: list[Mark] = []
        _find_marks(self.children, marks)
        for picture in self.panel:
            marks += picture.marks
        return marks

    @property
    def board(self) -> "Drawing":
        """The board without its panel."""
        return replace(self, panel=()) if self.panel else self


def _is_refused(name: str, value: Value) -> bool:
    is_outward = name.endswith("href") and not isinstance(value, Id)
    return is_outward or name == "style" or name.startswith("on")


def kept(draw: Callable[Params, Iterator[Node]]) -> Callable[Params, tuple[Node, ...]]:
    """Cache a generator's nodes by its arguments and the reader's language.

    A drawing mostly repeats the one before, and the text of a cached node is cached, too.
    """

    @cached(CACHE_SIZE)
    @wraps(draw)
    def called(*args: Params.args, **kwargs: Params.kwargs) -> tuple[Node, ...]:
        return tuple(draw(*args, **kwargs))

    return called


def element(tag: str, *children: Node, **attrs: Value | None) -> Element:
    """Return an element. ``stroke_width`` is ``stroke-width``, ``class_`` is ``class``."""
    named = [(_written(name), value) for name, value in attrs.items() if value is not None]
    return Element(tag, tuple(named), children)


@cache
def _written(name: str) -> str:
    """Return the name of an attribute as SVG writes it."""
    return name.rstrip("_").replace("_", "-")


def mark(
    name: str,
    label: str,
    *children: Node,
    at: Point | None = None,
    is_hidden: bool = False,
    layer: str = "",
    on: str = "",
    is_movable: bool = False,
) -> Mark:
    """Return a group that a player can point at."""
    return Mark(name, label, children, at, is_hidden, layer, on, is_movable)


def group(*children: Node, **attrs: Value | None) -> Element:
    """Return a group, whose attributes its children inherit."""
    return element("g", *children, **attrs)


def circle(cx: float, cy: float, r: float, **attrs: Value | None) -> Element:
    return element("circle", cx=cx, cy=cy, r=r, **attrs)


def rect(x: float, y: float, width: float, height: float, **attrs: Value | None) -> Element:
    """``rx`` rounds the corners."""
    return element("rect", x=x, y=y, width=width, height=height, **attrs)


def line(start: Point, end: Point, **attrs: Value | None) -> Element:
    return element("line", x1=start[0], y1=start[1], x2=end[0], y2=end[1], **attrs)


def polygon(points: Iterable[Point], **attrs: Value | None) -> Element:
    return element("polygon", points=pairs(points), **attrs)


def polyline(points: Iterable[Point], **attrs: Value | None) -> Element:
    return element("polyline", points=pairs(points), **attrs)


def path(d: str, **attrs: Value | None) -> Element:
    return element("path", d=d, **attrs)


def text(x: float, y: float, words: str, **attrs: Value | None) -> Element:
    """Return a line of letters, centred at ``x`` by default."""
    anchor = attrs.pop("text_anchor", "middle")
    return element("text", words, x=x, y=y, text_anchor=anchor, **attrs)


def use(name: Id, x: float, y: float, **attrs: Value | None) -> Element:
    """Draw the part called ``name`` once more."""
    return element("use", href=name, x=x, y=y, **attrs)


def moving(name: str, way: Sequence[Stop], *children: Node, **attrs: Value | None) -> Element:
    """Return a part that stands at the last stop of its way.

    Pages that have shown it at another stop move it from there along the way, stop by stop. Parts
    that move in turns have ways of one length, in which the others wait.
    """
    where = way[-1][1]
    attrs |= {"data_piece": name, "data_way": ";".join(f"{at} {_numbers(to)}" for at, to in way)}
    kind = "translate" if isinstance(where, tuple) else "rotate"
    return group(*children, **attrs, transform=f"{kind}({_numbers(where)})")


LAST_MOVE = "last-move"
"""The class of what shows the last move; pages show it once the pieces are in their places."""


def moves(motions: Iterable[tuple[str, ...]], placed: Iterable[str] = ()) -> Element:
    """Tell pages which pieces moved: the marks of each way, from start to end.

    A page shows the pieces that are new on the last mark come that way. Where pieces stand on each
    other, name also the marks onto which one was placed: its stack may look as before.
    """
    ways = " ".join(map(">".join, motions))
    return group(data_moves=ways or None, data_placed=" ".join(placed) or None)


def _numbers(where: float | Point) -> str:
    return " ".join(map(number, where if isinstance(where, tuple) else (where,)))


def with_targets(drawing: Drawing, signs: Mapping[str, str], *, size: float = 4) -> Drawing:
    """Draw a dot in the middle of each named mark.

    :param signs: what the dot on each mark shows, by the name of the mark; "" for a plain dot.
    :param size: the radius of a plain dot.
    :raises ValueError: a name isn't that of a mark with a middle.
    """
    middles = middles_of(drawing)
    if missing := [name for name in signs if name not in middles]:
        raise ValueError(f"The drawing has no place for a target at {', '.join(missing)}.")
    return _dotted(drawing, signs, size)


def _dotted(drawing: Drawing, signs: Mapping[str, str], size: float) -> Drawing:
    panel = tuple(_dotted(picture, signs, size) for picture in drawing.panel)
    here = middles_of(drawing.board)
    dots = [_dot(at, size, signs[name]) for name, at in here.items() if name in signs]
    if not dots and panel == drawing.panel:
        return drawing
    paint: dict[str, Value] = {"fill": TARGET, "pointer_events": "none", "class_": "targets"}
    targets = (group(*dots, **paint),) if dots else ()
    dotted = replace(drawing, children=(*drawing.children, *targets), panel=panel)
    dotted.__dict__["marks"] = drawing.marks  # a dot isn't a mark
    return dotted


ROW = 380
"""Minimum width, in pixels, at which a panel's pictures stand side by side below a board."""

BETWEEN = 6
"""The gap between them."""


def whole(drawing: Drawing) -> Drawing:
    """Return board and panel in one picture, the panel below, for use outside of pages."""
    if not drawing.panel:
        return drawing
    width = max(ROW, *(picture.width + 2 * BETWEEN for picture in drawing.panel))
    scale = drawing.width / width
    placed = []
    x = float(BETWEEN)
    y = float(BETWEEN)
    deep = 0.0
    for picture in drawing.panel:
        if x > BETWEEN and x + picture.width + BETWEEN > width:
            x = BETWEEN
            y = y + deep + BETWEEN
            deep = 0.0
        at = f"translate({number(x)} {number(y)})"
        placed.append(group(*picture.children, transform=at))
        x = x + picture.width + BETWEEN
        deep = max(deep, picture.height)
    height = drawing.height + (y + deep + BETWEEN) * scale
    below = f"translate(0 {number(drawing.height)}) scale({number(scale)})"
    ground = rect(0, drawing.height, drawing.width, height - drawing.height, fill=BOARD)
    children = (ground, *drawing.children, group(*placed, transform=below))
    return Drawing(drawing.width, round(height), children, drawing.label)


SIGNED_DOT = 9
"""The radius of a dot with a sign."""


@lru_cache(KNOWN)
def _dot(at: Point, size: float, sign: str) -> Element:
    if not sign:
        return circle(*at, size)
    x, y = at
    letters = text(x, y + SIGNED_DOT / 2, sign, fill=CELL, font_size=12, font_weight="bold")
    return group(circle(x, y, SIGNED_DOT), letters)


def middles_of(drawing: Drawing) -> dict[str, Point]:
    """Return the middle of every mark that has one, by name."""
    return {mark.name: mark.at for mark in drawing.marks if mark.at}


def marks_of(drawing: Drawing, *, hidden: bool = True) -> list[tuple[str, str]]:
    """Return name and label of every mark, in reading order, with or without hidden ones."""
    return [(mark.name, mark.label) for mark in drawing.marks if hidden or not mark.is_hidden]


def opened_by(drawing: Drawing, name: str) -> set[str]:
    """Return the marks that are open once ``name`` is chosen: itself and its layer's."""
    layers = {mark.layer for mark in drawing.marks if mark.name == name}
    return {name, *layers} - {""}


def _find_marks(nodes: Iterable[Node], marks: list[Mark]) -> None:
    for node in nodes:
        if isinstance(node, Mark):
            marks.append(node)
        if not isinstance(node, str) and holds_marks(node):
            _find_marks(node.children, marks)


def holds_marks(node: Element | Mark) -> bool:
    """Whether a node contains a mark. Cached with the node."""
    known: bool | None = node.__dict__.get("_holds_marks")
    if known is None:
        within = (child for child in node.children if not isinstance(child, str))
        known = any(isinstance(child, Mark) or holds_marks(child) for child in within)
        node.__dict__["_holds_marks"] = known
    return known

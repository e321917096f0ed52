"""Drawings as text: for pages, with colours as variables, or with the colours of a palette.

Titles reuse the same values on board after board (the ground, an empty cell). So the text of an
element or a mark on a page is cached with it, and written once.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import TypeAlias, TypeVar

from games.kernel.language import gettext
from games.kernel.svg import (
    FONTS,
    Drawing,
    Element,
    Id,
    Mark,
    Node,
    Palette,
    Role,
    Value,
    holds_marks,
    whole,
)
from games.kernel.svg_text import KNOWN, number, quoted

NO_LINKS: Mapping[str, str] = MappingProxyType({})
NOTHING = (None, "")

Shape = TypeVar("Shape", Element, Mark)
Place: TypeAlias = Callable[[str, str], str]
"""Takes the name and the text of a part of a drawing, and returns the text to write for it."""


def render(
    drawing: Drawing,
    palette: Palette | None = None,
    *,
    ids: str = "",
    marks: bool = True,
    links: Mapping[str, str] = NO_LINKS,
    alternatives: Collection[str] = (),
    chosen: Collection[str] = (),
    opened: Collection[str] = (),
    anchors: bool = True,
    place: Place | None = None,
    panel: int | None = None,
) -> str:
    """Return the drawing as SVG text, its panel below the board.

    Without a palette colours are CSS variables, for a page. With one the text stands alone.
    ``ids`` goes before every id, so that several drawings fit on one page. ``marks=False`` leaves
    out what makes marks clickable and readable one by one. ``links`` makes each mark that it names
    a link to an address, hidden ones too. ``chosen`` names marks that are already chosen,
    ``alternatives`` marks that undo an earlier choice, and ``opened`` those whose layers are shown.
    With ``anchors=False`` a script makes the links. ``place`` is called for each mark that is
    clickable and readable (``mark c4``), and for each child of the drawing in order (``layer 0``).
    ``panel`` is the number of this picture in a panel. The picture then states its size in pixels,
    as with a palette, and its children are ``panel 0 0`` and so on.
    """
    style = MarkStyle(links, alternatives, chosen, opened, anchors=anchors)
    writer = _Writer(palette, ids=ids, marks=marks, style=style, place=place, panel=panel)
    return writer.document(whole(drawing))


@dataclass(frozen=True, slots=True)
class MarkStyle:
    """How a page shows marks: links, undoing ones, chosen and open ones."""

    links: Mapping[str, str]
    alternatives: Collection[str]
    chosen: Collection[str]
    opened: Collection[str]
    anchors: bool = True

    def shows(self, mark: Mark) -> bool:
        """Whether a mark is written where marks are interactive."""
        if mark.layer:
            return mark.layer in self.opened
        return not mark.is_hidden or mark.name in self.links

    def is_drawn(self, mark: Mark) -> bool:
        """Whether a mark's content is written where marks aren't interactive."""
        return mark.layer in self.opened if mark.layer else not mark.is_hidden

    def is_plain(self, mark: Mark) -> bool:
        """Whether a mark is neither linked nor chosen, and so looks the same on any page."""
        is_linked = self.anchors and mark.name in self.links
        is_said = mark.name in self.alternatives or mark.name in self.chosen
        return not is_linked and not is_said

    def start(self, mark: Mark) -> tuple[str, str]:
        """Return the tag of a mark, and the tag with its attributes as text."""
        link = self.link(mark)
        if link is not None and self.anchors:
            tag = "a"
            where = f' href="{quoted(link)}"'
        else:
            tag = "g"
            where = ' role="img"'
        spoken = self._said(mark, is_aside=link is not None and mark.name in self.alternatives)
        return tag, f"{tag}{spoken}{where}{_kinds(mark)}"

    def _said(self, mark: Mark, *, is_aside: bool) -> str:
        """Return class, name and label, with the effect of a click that undoes a choice."""
        is_chosen = mark.name in self.chosen
        current = ' aria-current="true"' if is_chosen else ""
        if not is_aside:
            return _named(mark) + current
        if is_chosen:
            label = gettext("{mark}, chosen: click to undo")
        else:
            label = gettext("{mark}: choose this instead")
        return _names("mark mark-aside", mark.name, label.format(mark=mark.label)) + current

    def link(self, mark: Mark) -> str | None:
        """Return the target of a click on a mark. ``None`` without one."""
        leads_on_below = mark.on in self.links and mark.on not in self.alternatives
        gives_way = leads_on_below and mark.name in self.alternatives
        return None if gives_way else self.links.get(mark.name)


def _names(kind: str, name: str, label: str) -> str:
    return f' class="{kind}" data-mark="{quoted(name)}" aria-label="{quoted(label)}"'


def _named(mark: Mark) -> str:
    """Return class, name and label of a mark as attributes. Cached with it."""
    kept: str | None = mark.__dict__.get("_named")
    if kept is None:
        kept = mark.__dict__["_named"] = _names("mark", mark.name, mark.label)
    return kept


def _kinds(mark: Mark) -> str:
    hidden = ' data-hidden=""' if mark.is_hidden else ""
    layer = f' data-layer="{quoted(mark.layer)}"' if mark.layer else ""
    movable = ' data-movable=""' if mark.is_movable else ""
    return hidden + layer + movable


class _Writer:
    """Turns nodes into text for one palette, prefix and use of marks."""

    def __init__(
        self,
        palette: Palette | None,
        *,
        ids: str,
        marks: bool,
        style: MarkStyle,
        place: Place | None = None,
        panel: int | None = None,
    ) -> None:
        self._palette = palette
        self._ids = ids
        self._shows_marks = marks
        self._style = style
        self._place = place
        self._panel = panel

    def document(self, drawing: Drawing) -> str:
        width = number(drawing.width)
        height = number(drawing.height)
        attrs: dict[str, Value] = {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {width} {height}",
            "role": "group" if self._shows_marks else "img",
            "aria-label": drawing.label,
        }
        if self._palette is not None or self._panel is not None:
            attrs |= {"width": width, "height": height}
        if self._palette is not None:
            attrs["font-family"] = FONTS
        return self._tag("svg", attrs.items(), drawing.children, self._layers)

    def _layers(self, nodes: Iterable[Node]) -> str:
        texts = map(self._node, nodes)
        if self._place is None:
            return "".join(texts)
        name = "layer" if self._panel is None else f"panel {self._panel}"
        return "".join([self._place(f"{name} {at}", text) for at, text in enumerate(texts)])

    def _nodes(self, nodes: Iterable[Node]) -> str:
        return "".join(map(self._node, nodes))

    def _node(self, node: Node) -> str:
        if isinstance(node, str):
            return quoted(node)
        if isinstance(node, Mark):
            return self._mark(node)
        return self._kept(node, self._element)

    def _mark(self, mark: Mark) -> str:
        if not self._shows_marks:
            return self._kept(mark, self._inner) if self._style.is_drawn(mark) else ""
        if not self._style.shows(mark):
            return ""
        is_plain = self._style.is_plain(mark)
        text = self._kept(mark, self._marked) if is_plain else self._marked(mark)
        return self._place(f"mark {mark.name}", text) if self._place else text

    def _marked(self, mark: Mark) -> str:
        tag, start = self._style.start(mark)
        inner = self._kept(mark, self._inner)
        return f"<{start}>{inner}</{tag}>" if inner else f"<{start}/>"

    def _kept(self, node: Shape, write: Callable[[Shape], str]) -> str:
        """Return the text of a node. On a page, a node without marks is written only once."""
        if self._palette is not None:
            return write(node)
        name = write.__name__
        ids, text = node.__dict__.get(name, NOTHING)
        if ids != self._ids:
            text = write(node)
            if not holds_marks(node):
                node.__dict__[name] = (self._ids, text)
        return str(text)

    def _element(self, node: Element) -> str:
        if self._palette is None and {str}.issuperset(map(type, node.children)):
            return _leaf(node, self._ids)
        return self._tag(node.tag, node.attrs, node.children)

    def _inner(self, mark: Mark) -> str:
        return self._nodes(mark.children)

    def _tag(
        self,
        tag: str,
        attrs: Iterable[tuple[str, Value]],
        nodes: Iterable[Node],
        write: Callable[[Iterable[Node]], str] | None = None,
    ) -> str:
        start = tag + "".join([f' {name}="{self._value(name, value)}"' for name, value in attrs])
        inner = (write or self._nodes)(nodes)
        return f"<{start}>{inner}</{tag}>" if inner else f"<{start}/>"

    def _value(self, name: str, value: Value) -> str:
        if isinstance(value, Role) and self._palette is not None:
            return self._palette[value]
        return _value(name, value, self._ids)


@lru_cache(KNOWN)
def _leaf(node: Element, ids: str) -> str:
    """Return an element that contains only words, for a page. Most occur on the next board, too."""
    written = "".join([f' {name}="{_value(name, value, ids)}"' for name, value in node.attrs])
    words = "".join([quoted(str(child)) for child in node.children])
    return f"<{node.tag}{written}>{words}</{node.tag}>" if words else f"<{node.tag}{written}/>"


def _value(name: str, value: Value, ids: str) -> str:
    """Return the value of an attribute. A colour is a variable of the page."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, Role):
        return f"var(--c-{value.name})"
    if isinstance(value, Id):
        target = ids + value.name
        return quoted({"id": target, "href": f"#{target}"}.get(name, f"url(#{target})"))
    return number(value)

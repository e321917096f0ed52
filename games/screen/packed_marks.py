"""Packs long runs of linked marks into one element.

On a large board where a piece may be placed on any square, an anchor for each empty one would weigh
ten times as much as the whole board. So a run of them is written once, with the names and places of
all, and a script makes the anchors (``static/js/board/marks.js``). Without scripts the same words
are chosen from the list or typed.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import TypeAlias, cast

from games.kernel import svg
from games.kernel.svg import Drawing, Element, Mark, Node

MAX_DOTTED_LINKS = 500
"""From this many links on, marks are packed. A dot on each would mean nothing, too."""

NAME = "{}"
"""Replaces the name of a mark in the common pattern of a run's labels and links."""

Pattern: TypeAlias = tuple[str, str]
Links: TypeAlias = Mapping[str, str]


def pack(drawing: Drawing, links: Links) -> Drawing:
    """Pack the hidden marks of a drawing with many links into runs, one element each.

    A run contains its first mark as it is drawn, and for each mark its name and its offset from the
    first to the right and down.
    """
    if len(links) <= MAX_DOTTED_LINKS:
        return drawing
    return replace(drawing, children=tuple(_packed(drawing.children, links)))


def _packed(nodes: Iterable[Node], links: Links) -> Iterator[Node]:
    for pattern, run in groupby(nodes, partial(_pattern, links)):
        if pattern is None:
            yield from (_within(node, links) for node in run)
        else:
            yield _run(pattern, cast("list[Mark]", list(run)))


def _within(node: Node, links: Links) -> Node:
    if not isinstance(node, Element) or not node.children:
        return node
    return replace(node, children=tuple(_packed(node.children, links)))


def _pattern(links: Links, node: Node) -> Pattern | None:
    """Return label and link of a hidden mark without its name. ``None`` for everything else."""
    if not isinstance(node, Mark) or node.layer or not node.is_hidden or node.name not in links:
        return None
    before, name, after = links[node.name].rpartition(node.name)
    return node.label.replace(node.name, NAME, 1), before + NAME + after if name else after


def _run(pattern: Pattern, marks: Sequence[Mark]) -> Element:
    label, link = pattern
    x, y = marks[0].at or (0, 0)
    middles = ((mark.name, mark.at or (0, 0)) for mark in marks)
    places = " ".join(f"{name},{at[0] - x:g},{at[1] - y:g}" for name, at in middles)
    packed: dict[str, str] = {"data_label": label, "data_link": link, "data_places": places}
    return svg.element("defs", *marks[0].children, class_="marks", **packed)

"""Crowds: marks that link somewhere by the thousand, written in little.

Where a piece may be placed on any square of a large board, an anchor for each empty one would
weigh ten times what the whole board does. So a run of them is written once, with the names and
places of all; a script makes the anchors (``static/js/board/marks.js``). Without script the
same words are chosen from the list or typed.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import TypeAlias, cast

from games.kernel import svg
from games.kernel.svg import Drawing, Element, Mark, Node

MAX_DOTTED_LINKS = 500
"""More links than this are a crowd: a dot on each, too, would tell nothing."""

NAME = "{}"
"""What stands for the name of a mark in what the labels and links of a run have in common."""

Pattern: TypeAlias = tuple[str, str]
Links: TypeAlias = Mapping[str, str]


def pack(drawing: Drawing, links: Links) -> Drawing:
    """Return the drawing with the hidden marks of a crowd in runs, each one element.

    A run shows its first mark as it is drawn; of each it has the name, and by how much it lies
    to the right of the first and below.
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
    """Return label and link of a hidden mark without its name; none for all else."""
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

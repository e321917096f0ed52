"""Art as files: the symbols of an SVG file beside a game's drawing.

A file holds ``<symbol id="…">`` elements around the origin, with colours as on pages:
``fill="var(--c-ink)"``.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from xml.etree import ElementTree

from games.kernel.svg import Element, Node, Role, Value

_ROLE = re.compile(r"var\(--c-([a-z0-9-]+)\)")

Symbol = tuple[Element, ...]


def read_symbols(file: Path) -> Mapping[str, Symbol]:
    """Return the elements of each symbol in a file, by its id.

    :raises ValueError: an element or attribute isn't allowed in a drawing.
    """
    root = ElementTree.parse(file).getroot()  # noqa: S314 - a file of the game itself
    return {
        symbol.attrib["id"]: tuple(map(_element, symbol))
        for symbol in root
        if _name(symbol) == "symbol"
    }


def _element(node: ElementTree.Element) -> Element:
    attrs = tuple((name, _value(text)) for name, text in node.attrib.items())
    return Element(_name(node), attrs, tuple(_children(node)))


def _children(node: ElementTree.Element) -> Iterator[Node]:
    if node.text and node.text.strip():
        yield node.text
    yield from map(_element, node)


def _name(node: ElementTree.Element) -> str:
    return node.tag.rpartition("}")[2]


def _value(text: str) -> Value:
    role = _ROLE.fullmatch(text)
    return Role(role[1]) if role else text

"""The crosstable of a tournament as an SVG picture: attributes alone, as the CSP refuses styles."""

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from games.web.events.page import Row

NAME, CELL, ROW, HEAD = 190, 34, 30, 34
INK, PAPER, LINE, SELF = "#1b1a18", "#fafbf9", "#cfd3cb", "#777c73"


def svg(name: str, rows: Sequence[Row]) -> str:
    """Return the picture. Columns have the numbers of the lines, in their order."""
    width = NAME + CELL * (len(rows) + 2)
    height = HEAD + ROW * len(rows) + 8
    picture = ET.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {width} {height}",
            "font-family": "sans-serif",
            "font-size": "15",
            "fill": INK,
            "role": "img",
        },
    )
    ET.SubElement(picture, "title").text = f"{name}: crosstable"
    _rectangle(picture, 0, 0, (width, height), PAPER)
    points = _centre(len(rows)) + CELL / 2
    for at in range(len(rows)):
        _text(picture, _centre(at), 22, str(at + 1))
    _text(picture, points, 22, "Points")
    for at, row in enumerate(rows):
        top = HEAD + ROW * at
        _rectangle(picture, 0, top, (width, 1), LINE)
        _text(picture, 8, top + 20, f"{at + 1}  {row.entry.user.shown_name}", anchor="start")
        _rectangle(picture, _centre(at) - CELL / 2, top, (CELL, ROW), SELF)
        for column, cell in enumerate(row.cells):
            if cell is not None:
                _text(picture, _centre(column), top + 20, cell.text)
        _text(picture, points, top + 20, row.points)
    return ET.tostring(picture, encoding="unicode")


def _centre(column: int) -> float:
    return NAME + CELL * (column + 0.5)


def _rectangle(
    picture: ET.Element, x: float, y: float, size: tuple[float, float], fill: str
) -> None:
    where = {"x": f"{x}", "y": f"{y}", "width": f"{size[0]}", "height": f"{size[1]}"}
    ET.SubElement(picture, "rect", {**where, "fill": fill})


def _text(picture: ET.Element, x: float, y: float, text: str, *, anchor: str = "middle") -> None:
    where = {"x": f"{x}", "y": f"{y}", "text-anchor": anchor}
    ET.SubElement(picture, "text", where).text = text

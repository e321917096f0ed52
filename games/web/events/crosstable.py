"""The crosstable of a tournament as an SVG picture."""

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from django.utils.translation import gettext as _

from games.web.events.page import StandingsRow
from games.web.events.picture import LINE, STRONG, picture, rectangle, text

NAME = 190
CELL = 34
ROW = 30
HEAD = 34


def svg(name: str, rows: Sequence[StandingsRow]) -> str:
    """Return the picture. Columns have the numbers of the lines, in their order."""
    width = NAME + CELL * (len(rows) + 2)
    made = picture(width, HEAD + ROW * len(rows) + 8)
    made.set("role", "img")
    title = ET.Element("title")
    title.text = _("{tournament}: crosstable").format(tournament=name)
    made.insert(0, title)
    points = _centre(len(rows)) + CELL / 2
    for at in range(len(rows)):
        text(made, _centre(at), 22, str(at + 1))
    text(made, points, 22, _("Points"))
    for at, row in enumerate(rows):
        top = HEAD + ROW * at
        rectangle(made, 0, top, (width, 1), LINE)
        text(made, 8, top + 20, f"{at + 1}  {row.entry.user.shown_name}", anchor="start")
        rectangle(made, _centre(at) - CELL / 2, top, (CELL, ROW), STRONG)
        for column, cell in enumerate(row.cells):
            if cell is not None:
                text(made, _centre(column), top + 20, cell.text)
        text(made, points, top + 20, row.points)
    return ET.tostring(made, encoding="unicode")


def _centre(column: int) -> float:
    return NAME + CELL * (column + 0.5)

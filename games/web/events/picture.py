"""Elements of SVG pictures: only attributes, since the CSP forbids styles.

Style sheets of a page may override the colours by the classes.
"""

from xml.etree import ElementTree as ET

INK, SOFT, PAPER, LINE, STRONG = "#1b1a18", "#545650", "#fafbf9", "#cfd3cb", "#777c73"


def picture(width: float, height: float) -> ET.Element:
    """Return an empty picture on paper."""
    made = ET.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {width:g} {height:g}",
            "font-family": "sans-serif",
            "font-size": "15",
            "fill": INK,
        },
    )
    rectangle(made, 0, 0, (width, height), PAPER, kind="paper")
    return made


def rectangle(
    parent: ET.Element, x: float, y: float, size: tuple[float, float], fill: str, *, kind: str = ""
) -> None:
    where = {"x": f"{x:g}", "y": f"{y:g}", "width": f"{size[0]:g}", "height": f"{size[1]:g}"}
    ET.SubElement(parent, "rect", {**where, "fill": fill, **classed(kind)})


def text(
    parent: ET.Element,
    x: float,
    y: float,
    words: str,
    *,
    anchor: str = "middle",
    fill: str = INK,
    kind: str = "",
    weight: str = "normal",
) -> None:
    """Add a line of text on the baseline ``y``."""
    where = {"x": f"{x:g}", "y": f"{y:g}", "text-anchor": anchor}
    look = {"fill": fill, "font-weight": weight, **classed(kind)}
    ET.SubElement(parent, "text", {**where, **look}).text = words


def classed(kind: str) -> dict[str, str]:
    """Return the attribute for a class. Empty for an empty name."""
    return {"class": f"drawn-{kind}"} if kind else {}

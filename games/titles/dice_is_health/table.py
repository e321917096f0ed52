"""The table below the board: what each player has, and who is asked."""

from collections.abc import Iterator

from games.kernel import svg
from games.kernel.svg import Element, Node
from games.titles.dice_is_health import phrases, shapes
from games.titles.dice_is_health.events import name_of
from games.titles.dice_is_health.layout import WIDTH
from games.titles.dice_is_health.position import MOST_DICE, MOST_TRINKETS
from games.titles.dice_is_health.scene import Scene

HEAD, ROW, FOOT = 46, 29, 6
"""How high the headings are, a row, and the margin below them all."""

SIGN, NAME, DICE, TRINKETS, WALLS, HOME, STATUS = 26, 42, 112, 190, 258, 314, WIDTH - 12
"""Where the columns begin; the last one ends there."""

SLOT = 21
ORDINALS = ("", "1st", "2nd", "3rd", "4th")

HEART = "M0 4.6C-6.5 -0.4 -5 -5 -2.4 -5C-1 -5 0 -3.8 0 -2.8C0 -3.8 1 -5 2.4 -5C5 -5 6.5 -0.4 0 4.6Z"
SWORD = "M-4.8 4.8L-2 2M-4.4 0.4L-0.4 4.4M-2.2 1.2L4.8 -5.4"


def height(scene: Scene) -> int:
    """Return how high the table is."""
    return HEAD + ROW * len(scene.players) + FOOT


def table(scene: Scene) -> Iterator[Node]:
    """Yield the table, its upper left corner at the origin."""
    yield _words(14, 13, phrases.round_of(scene.view), 14)
    yield _words(STATUS, 13, scene.next, 14, text_anchor="end", font_weight="bold")
    yield from _headings()
    for seat in range(len(scene.players)):
        yield svg.group(*_row(scene, seat), transform=f"translate(0 {HEAD + ROW * seat})")


def _words(x: float, y: float, said: str, size: float, **attrs: svg.Value | None) -> Element:
    attrs = {"text_anchor": "start", "fill": svg.INK, **attrs}
    return shapes.words((x, y), said, size, **attrs)


def _headings() -> Iterator[Node]:
    for x, name in ((DICE, "dice"), (TRINKETS, "trinkets"), (WALLS, "walls"), (HOME, "home")):
        yield _words(x, 35, name, 12.5, fill=svg.INK_SOFT)
    meaning = svg.element("title", "A die is health, strength, and money.")
    yield svg.group(meaning, *_meanings(), transform=f"translate({DICE + 36} 35)")


def _meanings() -> Iterator[Element]:
    """Yield what dice are: a heart, a sword and a coin."""
    yield svg.path(HEART, fill=svg.DANGER)
    line: dict[str, svg.Value] = {
        "stroke": svg.INK_SOFT,
        "stroke_width": 1.6,
        "stroke_linecap": "round",
    }
    yield svg.path(SWORD, transform="translate(14 0)", **line)
    yield svg.circle(28, 0, 4.6, fill=svg.hue_role("yellow"), stroke=svg.INK_SOFT)


def _row(scene: Scene, seat: int) -> Iterator[Node]:
    player, y = scene.players[seat], ROW / 2
    is_actor = seat == scene.actor
    if is_actor:
        yield svg.rect(4, 1, WIDTH - 8, ROW - 2, rx=3, fill=svg.CELL)
        yield svg.path(f"M7 {y - 5}l7 5l-7 5z", fill=svg.INK)
    yield shapes.placed(shapes.piece_id(seat), (SIGN, y), 0.9)
    colour = svg.INK if player["in"] else svg.INK_SOFT
    weight = "bold" if is_actor else None
    yield _words(NAME, y, name_of(seat), 15, fill=colour, font_weight=weight)
    if player["in"]:
        yield from _goods(scene, seat, y)
    if status := _status(scene, seat):
        yield _words(STATUS, y, status, 13, fill=colour, text_anchor="end")


def _goods(scene: Scene, seat: int, y: float) -> Iterator[Node]:
    """Yield what a player has: dice, trinkets, walls, and a home."""
    player = scene.players[seat]
    for at in range(MOST_DICE):
        part = shapes.DIE if at < player["dice"] else shapes.SLOT
        yield shapes.placed(part, (DICE + 9 + SLOT * at, y), 0.9)
    for at in range(MOST_TRINKETS):
        part = shapes.TRINKET if at < player["trinkets"] else shapes.NO_TRINKET
        yield shapes.placed(part, (TRINKETS + 9 + SLOT * at, y))
    walls = scene.walls_of(seat)
    yield shapes.placed(shapes.BRICKS, (WALLS + 8, y), fill=shapes.hue(seat))
    yield _words(WALLS + 20, y, f"{len(walls)}", 14)
    yield shapes.placed(shapes.HOUSE, (HOME + 7, y), 0.95, fill=shapes.hue(seat))
    yield _words(HOME + 19, y, player["home"], 14)


def _status(scene: Scene, seat: int) -> str:
    if scene.is_over:
        return ORDINALS[scene.view["result"][seat]]
    if not scene.players[seat]["in"]:
        return "left"
    if seat != scene.actor:
        return ""
    return "to move" if seat == scene.view["turn"] else "to answer"

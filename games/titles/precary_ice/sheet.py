"""What lies on the table before each tower: its next piece, what is left, the score sheet.

The score sheet is a sheet of paper: totals are written one after the other, and all but the last
are crossed off, legible still, for the tower is rebuilt from them.
"""

from collections.abc import Iterator

from games.kernel import svg
from games.kernel.svg import Element, Node
from games.titles.precary_ice import shapes, words
from games.titles.precary_ice.pieces import LETTERS, NAMES
from games.titles.precary_ice.scene import COLUMN, Scene, Shown

LEFT = 5 - COLUMN / 2
"""Where what is said of a tower begins, from its axis."""

WIDTH = COLUMN - 10
PLATE, NEXT, STOCK, PAPER = 8.5, 14, 39, 45
"""Where the name, the next piece, the stock and the sheet of paper stand, below the table."""

ROW, FIRST = 9.5, 10
"""How far rows of totals are apart, and the room for the rounds before above them."""

SKEW = (-0.8, 0.6, -0.5, 0.9, -0.7, 0.5)
"""By how many degrees each sheet lies askew."""

NUMBER = 7


def height(scene: Scene) -> float:
    """Return the room that all of it takes below the table."""
    return PAPER + FIRST + ROW * scene.rows + 6


def below(scene: Scene, tower: Shown) -> Iterator[Node]:
    """Yield what lies before a tower: x from its axis, y from the table's lower edge."""
    yield from _plate(scene, tower)
    yield from _next(tower)
    yield from _stock(tower)
    turn = f"translate({LEFT} {PAPER}) rotate({SKEW[tower.seat]})"
    yield svg.mark(
        f"sheet-{tower.seat}", label(scene, tower), svg.group(*_paper(scene, tower), transform=turn)
    )


def _plate(scene: Scene, tower: Shown) -> Iterator[Element]:
    name = words.name_of(tower.seat)
    yield svg.group(
        svg.text(LEFT, PLATE, name, font_size=8, font_weight="bold", text_anchor="start"),
        fill=svg.INK if scene.view["in"][tower.seat] else svg.INK_SOFT,
    )
    if tower.total == scene.best_now:
        yield from shapes.pennant(-LEFT - 27, PLATE)
        yield _note("highest", -LEFT, PLATE)
    elif tower.data["fallen"]:
        yield _note("fallen", -LEFT, PLATE)


def _note(said: str, x: float, y: float, anchor: str = "end") -> Element:
    return svg.text(x, y, said, font_size=6, fill=svg.INK_SOFT, text_anchor=anchor)


def _next(tower: Shown) -> Iterator[Element]:
    """Yield the die and the piece that it gives."""
    letter, face = tower.data["next"], tower.data["die"]
    if letter is None:
        return
    if face is not None:
        yield from shapes.die(face, LEFT, NEXT)
    yield svg.group(shapes.small(letter, LEFT + 19, NEXT + 11), fill=shapes.hue(tower.seat))
    yield svg.text(
        LEFT + 26,
        NEXT + 8.5,
        f"{NAMES[letter]} next",
        font_size=7,
        fill=svg.INK,
        text_anchor="start",
    )


def _stock(tower: Shown) -> Iterator[Element]:
    """Yield how many pieces of each size are left."""
    step = WIDTH / len(LETTERS)
    for at, (letter, count) in enumerate(zip(LETTERS, tower.data["left"], strict=True)):
        x = LEFT + 4 + at * step
        yield svg.group(
            shapes.small(letter, x, STOCK),
            fill=shapes.hue(tower.seat),
            opacity=None if count else 0.35,
        )
        yield _note(f"×{count}", x + 5, STOCK - 0.5, "start")


# --- The sheet of paper -----------------------------------------------------------------------


def _paper(scene: Scene, tower: Shown) -> Iterator[Element]:
    deep = FIRST + ROW * scene.rows + 2
    yield svg.rect(0.8, 1, WIDTH, deep, fill=svg.SHADOW, fill_opacity=0.14)
    yield svg.rect(0, 0, WIDTH, deep, stroke=svg.CELL_EDGE, stroke_width=0.4)
    lines = "".join(f"M2 {FIRST + ROW * row:.1f}h{WIDTH - 4}" for row in range(scene.rows + 1))
    yield svg.path(lines, stroke=svg.CELL_EDGE, stroke_width=0.3)
    yield from _rounds_before(scene, tower)
    numbers = [_total(scene, at, total) for at, total in enumerate(tower.sheet)]
    yield svg.group(*numbers[:-1], fill=svg.INK_SOFT, font_size=NUMBER)
    yield svg.group(*numbers[-1:], fill=svg.INK, font_size=NUMBER + 1, font_weight="bold")
    crossed = "".join(_stroke(scene, at) for at in range(len(tower.sheet) - 1))
    yield svg.path(crossed, fill="none", stroke=svg.INK, stroke_width=0.6, stroke_linecap="round")


def _rounds_before(scene: Scene, tower: Shown) -> Iterator[Element]:
    """Yield the scores of the rounds before, the highest of the match with a star."""
    yield _note(f"Round {scene.view['round']}", 2, 7, "start")
    scores = scene.view["scores"][tower.seat]
    apart = min(10.0, 38 / max(1, len(scores)))
    for at, score in enumerate(reversed(scores)):
        x = WIDTH - 6 - apart * at
        yield _note(str(score), x, 7, "middle")
        if score == scene.best_ever:
            yield shapes.star(x, 0)


def _spot(scene: Scene, at: int) -> tuple[float, float]:
    row, column = divmod(at, scene.in_a_row)
    return 2 + (column + 0.5) * (WIDTH - 4) / scene.in_a_row, FIRST + ROW * (row + 1) - 2


def _total(scene: Scene, at: int, total: int) -> Element:
    x, y = _spot(scene, at)
    return svg.text(x, y, str(total))


def _stroke(scene: Scene, at: int) -> str:
    x, y = _spot(scene, at)
    return f"M{x - 4:.1f} {y - 0.8:.1f}l8 {-3.2 if at % 2 else -4:.1f}"


def label(scene: Scene, tower: Shown) -> str:
    """Return in words what a sheet says."""
    name = words.name_of(tower.seat)
    crossed = ", ".join(map(str, tower.sheet[:-1]))
    told = f"{name}’s sheet: {tower.total} points"
    if crossed:
        told += f"; crossed off {crossed}"
    if before := scene.view["scores"][tower.seat]:
        told += f"; rounds before {', '.join(map(str, before))}"
    return told

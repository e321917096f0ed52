"""The table below the board: seats with stock and trophies, piles, dice, and the open hand."""

from collections import Counter
from collections.abc import Iterator, Sequence

from games.kernel import svg
from games.kernel.contract import Event
from games.kernel.svg import Element, Node
from games.titles.simple_life_or_death import shapes, words
from games.titles.simple_life_or_death.meta import CARDS, META, POLYHEDRAL
from games.titles.simple_life_or_death.pieces import SIZES, Piece
from games.titles.simple_life_or_death.position import DEFEND, HIDDEN
from games.titles.simple_life_or_death.scene import NATURAL, Scene
from games.titles.simple_life_or_death.transition import FOUGHT, ROLLED

LEFT = 12
HEAD, ROW, PILES, HAND = 22, 22, 44, 40
"""How high the parts are: headings, a seat, piles and dice, a hand."""

SIGN, NAME, STOCK, TROPHIES, CARDS_AT, STATUS = 26, 42, 118, 252, 312, 356
"""Where the columns begin."""

EACH_SIZE = 42
PILE = 92
DICE = (4, 6, 8, 10, 12, 20)
ORDINALS = ("", "1st", "2nd", "3rd", "4th", "5th", "6th")


def below(scene: Scene) -> tuple[list[Node], float]:
    """Return what stands below the board, and how high it is, on the smallest board."""
    drawn: list[Node] = [*_headings(scene)]
    y = HEAD
    for seat in range(scene.seats):
        drawn += _seat(scene, seat, y)
        y += ROW
    drawn += _piles(scene, y + 6)
    y += PILES
    hands = _open_hands(scene)
    for seat in hands:
        drawn += _hand(scene, seat, y + 4, is_own=len(hands) == 1 and not scene.is_over)
        y += HAND
    background = svg.rect(0, -1, NATURAL, y + 1, fill=svg.BOARD)
    return [background, *drawn], y


def _words(x: float, y: float, words_: str, **attrs: svg.Value | None) -> Element:
    return svg.text(x, y, words_, text_anchor="start", **attrs)


def _headings(scene: Scene) -> Iterator[Element]:
    view = scene.view
    of = f" of {view['rounds']}" if view["rounds"] else ""
    yield _words(LEFT, 15, f"Round {view['round']}{of}", fill=svg.INK, font_size=12)
    columns = [(STOCK, "in stock"), (TROPHIES, "trophies")]
    if view["combat"] == CARDS:
        columns.append((CARDS_AT, "cards"))
    for x, name in columns:
        yield _words(x, 15, name, fill=svg.INK_SOFT, font_size=10.5)


# --- Seats ------------------------------------------------------------------------------------


def _seat(scene: Scene, seat: int, y: float) -> Iterator[Node]:
    view = scene.view
    middle, base = y + ROW / 2, y + ROW / 2 + 4.5
    is_actor = seat == _actor(scene)
    if is_actor:
        tip = f"M{LEFT - 8} {middle - 5}l7 5l-7 5z"
        yield svg.rect(4, y + 1, NATURAL - 8, ROW - 2, rx=3, fill=svg.CELL)
        yield svg.path(tip, fill=svg.INK)
    yield shapes.small(seat, SIZES[1], (SIGN, middle), is_bare=True)
    weight = "bold" if is_actor else None
    colour = svg.INK if view["in"][seat] else svg.INK_SOFT
    yield _words(NAME, base, words.name_of(seat), fill=colour, font_size=13, font_weight=weight)
    if view["in"][seat]:
        yield from _stock(scene, seat, y)
    taken = view["trophies"][seat]
    yield _words(TROPHIES, base, str(len(taken)), fill=colour, font_size=13)
    if view["combat"] == CARDS:
        count = str(len(view["hands"][seat]))
        yield _words(CARDS_AT, base, count, fill=colour, font_size=13)
    if status := _status(scene, seat):
        yield _words(STATUS, base, status, fill=colour, font_size=11.5)


def _actor(scene: Scene) -> int | None:
    """Return the seat to move; none after the end."""
    if scene.is_over:
        return None
    pending = scene.view["pending"]
    if pending and pending["kind"] == DEFEND:
        return Piece.read(pending["target"]).seat
    return int(scene.view["turn"])


def _status(scene: Scene, seat: int) -> str:
    view = scene.view
    if scene.is_over:
        return ORDINALS[view["result"][seat]]
    if seat in view["dropped"]:
        return "left"
    if not view["in"][seat]:
        return "out"
    if seat == _actor(scene):
        return "to answer" if view["phase"] == DEFEND else "to move"
    return ""


def _stock(scene: Scene, seat: int, y: float) -> Iterator[Node]:
    """Yield a mark for what is left of each size."""
    name, letter = words.name_of(seat), META.colours[seat].letter
    stocks = []
    for at, (size, left) in enumerate(zip(SIZES, scene.view["stock"][seat], strict=True)):
        x = STOCK + at * EACH_SIZE
        stocks.append(
            svg.mark(
                f"stock-{letter}{size}",
                f"{name}’s stock: {words.counted(left, f'{size.word} piece')}",
                svg.rect(x - 3, y + 1, EACH_SIZE - 2, ROW - 2, rx=3),
                shapes.small(seat, size, (x + 8, y + ROW / 2)),
                _words(x + 22, y + ROW / 2 + 4.5, str(left), fill=svg.INK, font_size=13),
                at=scene.below(x + 35, y + ROW / 2),
            )
        )
    yield svg.group(*stocks, fill=svg.CELL if seat == _actor(scene) else svg.BOARD)


# --- Piles and dice ---------------------------------------------------------------------------


def _piles(scene: Scene, y: float) -> Iterator[Node]:
    view = scene.view
    x = float(LEFT)
    if view["combat"] == CARDS:
        discard = view["discard"]
        yield from _pile(x, y, HIDDEN if view["draw"] else "", f"draw {len(view['draw'])}")
        x += PILE
        yield from _pile(x, y, discard[-1] if discard else "", f"used {len(discard)}")
        x += PILE
        pending = view["pending"]
        if pending and pending["kind"] == DEFEND:
            yield from _pile(x, y, pending["card"], "attack")
    if view["movement"] == POLYHEDRAL:
        yield svg.group(*_dice(scene, y), fill=svg.CELL)
    if news := _rolled(scene.recent):
        yield svg.text(NATURAL - LEFT, y + 34, news, text_anchor="end", fill=svg.INK, font_size=12)


def _pile(x: float, y: float, top: str, words_: str) -> Iterator[Node]:
    if top:
        yield svg.group(*shapes.card(top, (x, y)), fill=svg.CELL)
    else:
        empty = (x, y, shapes.CARD_WIDTH - 3, shapes.CARD_HEIGHT)
        yield svg.rect(*empty, rx=3, fill="none", stroke=svg.INK_SOFT, stroke_dasharray="3 3")
    yield _words(x + 36, y + 19, words_, fill=svg.INK, font_size=11)


def _dice(scene: Scene, y: float) -> Iterator[Node]:
    for at, sides in enumerate(DICE):
        middle = (NATURAL - LEFT - 8 - (len(DICE) - 1 - at) * 24.5, y + 9)
        around = svg.circle(*middle, 12.5, stroke="none", fill_opacity=0)
        yield svg.mark(
            f"die-{sides}",
            f"d{sides}",
            around,
            *shapes.die(sides, middle),
            at=scene.below(middle[0], middle[1] + 15),
        )


def _rolled(recent: Sequence[Event]) -> str:
    """Return what chance or cards just said, in figures."""
    for event in recent:
        if event.type == ROLLED:
            return f"rolled {_sum(event.data['rolls'])}"
        if event.type == FOUGHT:
            return _fought(event)
    return ""


def _fought(event: Event) -> str:
    attack, defence = event.data["attack"], event.data["defence"]
    if isinstance(attack, str):
        answer = words.sign(defence) if defence else "nothing"
        return f"{words.sign(attack)} against {answer}"
    return f"{_sum(attack)} against {_sum(defence)}"


def _sum(rolls: Sequence[int]) -> str:
    return "+".join(map(str, rolls)) + (f" = {sum(rolls)}" if len(rolls) > 1 else "")


# --- Hands ------------------------------------------------------------------------------------


def _open_hands(scene: Scene) -> list[int]:
    """Return the seats whose cards the viewer sees."""
    hands = scene.view["hands"]
    return [seat for seat, hand in enumerate(hands) if hand and HIDDEN not in hand]


def _hand(scene: Scene, seat: int, y: float, *, is_own: bool) -> Iterator[Node]:
    """Yield the cards of a hand, equal ones as one; one's own can be chosen."""
    counts = Counter(scene.view["hands"][seat])
    drawn: list[Node] = []
    x = LEFT + 18.0 + 4
    for name, count in counts.items():
        card = tuple(shapes.card(name, (x, y), count))
        if not is_own:
            drawn += card
        else:
            spoken = f"{words.sign(name)}{f', {count} of them' if count > 1 else ''}"
            edge = scene.below(x + (shapes.CARD_WIDTH - 3) / 2, y + shapes.CARD_HEIGHT)
            drawn.append(svg.mark(name, spoken, *card, at=edge))
        x += shapes.CARD_WIDTH + 1
    yield shapes.small(seat, SIZES[1], (LEFT + 7, y + shapes.CARD_HEIGHT / 2), is_bare=True)
    yield svg.group(*drawn, fill=svg.CELL)

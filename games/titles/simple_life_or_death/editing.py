"""What can be changed in a position of Simple Life or Death: pieces, stocks, hands, the turn."""

from collections import Counter
from itertools import chain

from games.kernel.contract import Position
from games.kernel.editing import (
    Choice,
    Editor,
    Field,
    Number,
    Spaces,
    TrayPiece,
    Words,
    seat_choices,
    yes_or_no,
)
from games.kernel.language import gettext, gettext_noop
from games.kernel.many_players import dropped_field
from games.titles.simple_life_or_death import components
from games.titles.simple_life_or_death.components import (
    PIECES_PER_SIZE,
    SIZES,
    Board,
    Size,
    name_of,
)
from games.titles.simple_life_or_death.meta import CARDS, META
from games.titles.simple_life_or_death.state import ACT, DEFEND, FREE, LAND, MAX_ROUND, PLACE

PHASES = [
    (PLACE, gettext_noop("First duty open")),
    (ACT, gettext_noop("Second duty open")),
    (FREE, gettext_noop("Both duties done")),
    (LAND, gettext_noop("A landing to choose")),
    (DEFEND, gettext_noop("An attack to answer")),
]

LETTERS = [colour.letter for colour in META.colours]
STOCKS = {
    Size.SMALL: gettext_noop("{player}’s small stock"),
    Size.MEDIUM: gettext_noop("{player}’s medium stock"),
    Size.LARGE: gettext_noop("{player}’s large stock"),
}
PIECES = {
    # Translators: pieces in a tray, as in "Red small".
    Size.SMALL: gettext_noop("{player} small"),
    Size.MEDIUM: gettext_noop("{player} medium"),
    Size.LARGE: gettext_noop("{player} large"),
}


def editor(position: Position) -> Editor:
    """Return what can be changed in a position."""
    seats = range(len(position["stock"]))
    names = [name_of(seat) for seat in seats]
    board = Board(position["width"], position["height"])
    stacks = position["board"]
    tray = [
        TrayPiece(
            f"{LETTERS[seat]}{size}",
            gettext(PIECES[size]).format(player=names[seat]),
            (1, PIECES_PER_SIZE),
        )
        for seat in seats
        for size in SIZES
    ]
    spaces = {str(square): " ".join(stacks.get(str(square), ())) for square in board.squares}
    return Editor(_fields(position, names), tray, spaces, stacks=True)


def _fields(position: Position, names: list[str]) -> list[Field]:
    phases = [(phase, gettext(name)) for phase, name in PHASES]
    fields: list[Field] = [
        Choice(("turn",), gettext("Whose turn"), seat_choices(names)),
        Choice(("phase",), gettext("Phase"), phases),
        Number(("round",), gettext("Round"), 1, MAX_ROUND),
        Choice(("first",), gettext("Who began"), seat_choices(names)),
    ]
    has_cards = position["combat"] == CARDS
    for seat, name in enumerate(names):
        if has_cards:
            hand = gettext("{player}’s hand, as in AS TD")
            fields.append(Words(("hands", seat), hand.format(player=name)))
        trophies = gettext("{player}’s trophies")
        fields.append(Words(("trophies", seat), trophies.format(player=name)))
        fields.append(yes_or_no(("in", seat), gettext("{player} is in").format(player=name)))
        fields += [
            Number(
                ("stock", seat, at),
                gettext(STOCKS[size]).format(player=name),
                0,
                PIECES_PER_SIZE,
            )
            for at, size in enumerate(SIZES)
        ]
    if has_cards:
        fields.append(Words(("discard",), gettext("Discard pile")))
    return [
        *fields,
        *dropped_field("".join(LETTERS[: len(names)])),
        Field(("attacked",), gettext("Attacks of this turn")),
        Field(("pending",), gettext("Pending decision")),
    ]


def with_spaces(position: Position, spaces: Spaces) -> Position:
    """Return a position with these stacks.

    Pieces that were placed have left the stock. The draw pile holds the cards that are nowhere
    else.
    """
    board = {name: text.split() for name, text in spaces.items() if text}
    gone = set(chain(*board.values(), *position["trophies"]))
    stock = [
        [
            min(left, PIECES_PER_SIZE - _highest(gone, f"{LETTERS[seat]}{size.value}"))
            for left, size in zip(lefts, SIZES, strict=True)
        ]
        for seat, lefts in enumerate(position["stock"])
    ]
    changed = {**position, "stock": stock, "board": board, "result": None}
    if position["combat"] == CARDS:
        pending = position["pending"]
        face_down = str(pending.get("card")) if isinstance(pending, dict) else ""
        out = Counter([*chain(*position["hands"]), *position["discard"], face_down])
        draw = []
        for card in map(str, components.packs(len(position["stock"]))):
            if out[card]:
                out[card] -= 1
            else:
                draw.append(card)
        changed["draw"] = draw
    return changed


def _highest(gone: set[str], kind: str) -> int:
    """Return the highest number of the pieces of a kind that have left the stock."""
    return max((n for n in range(1, PIECES_PER_SIZE + 1) if f"{kind}{n}" in gone), default=0)

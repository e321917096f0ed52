"""What can be changed in a position of DIE: the stones, whose turn it is, and the moves so far."""

from games.kernel.contract import Position
from games.kernel.editing import Choice, Editor, Number, Spaces, TrayPiece, seat_choices
from games.kernel.errors import BrokenPosition
from games.kernel.formatting import listed
from games.kernel.hexgrid import hex_board
from games.kernel.language import gettext
from games.titles.die.meta import META
from games.titles.die.state import BLUE, LETTERS, MAX_PLY, RED, winner

EMPTY = "."


def editor(position: Position) -> Editor:
    """Return what can be changed in a position."""
    stones = zip(_cells(position), "".join(position["rows"]), strict=True)
    names = [colour.shown_name for colour in META.colours]
    labels = (gettext("Red stone"), gettext("Blue stone"))
    tray = [TrayPiece(letter, label) for letter, label in zip(LETTERS, labels, strict=True)]
    fields = [
        Choice(("mover",), gettext("To move"), seat_choices(names)),
        Number(("ply",), gettext("Moves so far, at least"), 0, MAX_PLY),
    ]
    return Editor(fields, tray, {name: "" if one == EMPTY else one for name, one in stones})


def with_spaces(position: Position, spaces: Spaces) -> Position:
    """Return a position with these stones, after as many moves as they need.

    :raises BrokenPosition: there is no such stone.
    """
    if unknown := [one for one in spaces.values() if one and one not in LETTERS]:
        message = gettext("{text} is no stone: {letters} are.")
        raise BrokenPosition(message.format(text=unknown[0], letters=listed(list(LETTERS))))
    stones = [spaces.get(name) or EMPTY for name in _cells(position)]
    placed = [stones.count(letter) for letter in LETTERS]
    ply = max(position["ply"], 2 * placed[RED] - 1, 2 * placed[BLUE])
    ply += (ply - position["mover"]) % len(LETTERS)
    left = iter(stones)
    rows = ["".join(next(left) for _ in row) for row in position["rows"]]
    return {
        **position,
        "rows": rows,
        "ply": ply,
        "result": winner((placed[RED], placed[BLUE]), ply),
    }


def _cells(position: Position) -> list[str]:
    """Return the names of the cells in the order of the rows."""
    cells = sorted(hex_board(position["size"]).cells, key=lambda one: (-one.row, one.number))
    return list(map(str, cells))

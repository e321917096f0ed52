"""Moves of DIE: the cell on which a stone is placed."""

from typing import TypeAlias

from games.kernel.completion import folded
from games.kernel.errors import MalformedMove, quoted
from games.kernel.hexgrid import Cell, hex_board
from games.kernel.language import gettext
from games.titles.die.meta import MAX_SIZE

Move: TypeAlias = Cell


def parse(text: str) -> Move:
    """Parse a move such as ``c4``. ``str(move)`` is the inverse.

    :raises MalformedMove: no board has such a cell.
    """
    cell = Cell.read(folded(text))
    if cell is None or cell not in hex_board(MAX_SIZE):
        message = gettext("{text} is no cell: a letter and a number name one, as in c4.")
        raise MalformedMove(message.format(text=quoted(text.strip())))
    return cell

"""Text to move; ``str(move)`` is the way back.

Beside the canonical texts there is one spelling more, a placement that begins with its square,
as a click on the board does: ``a1:M10`` for ``M10a1``.
"""

import re

from games.kernel.completion import folded
from games.kernel.errors import MalformedMove
from games.titles.grim_reaper.moves import Births, Child, Move, Pass, Placement, Walk
from games.titles.grim_reaper.population import Sex
from games.titles.grim_reaper.squares import PATTERN, square

LIFE = "[1-9][0-9]?"
_PLACEMENT = re.compile(f"(?P<sex>[mf])(?P<life>{LIFE})(?P<square>{PATTERN})")
_SQUARE_FIRST = re.compile(f"(?P<square>{PATTERN}):(?P<sex>[mf])(?P<life>{LIFE})")
_WALK = re.compile(f"({PATTERN})-({PATTERN})")
_BIRTHS = re.compile(rf"\+[mf]{PATTERN}(,[mf]{PATTERN})*")


def parse(text: str) -> Move:
    """Return the move that a text stands for; blanks and case do not matter.

    :raises MalformedMove: it is no move of this game.
    """
    words = folded(text)
    if words == str(Pass()):
        return Pass()
    if found := _PLACEMENT.fullmatch(words) or _SQUARE_FIRST.fullmatch(words):
        return Placement(_sex(found["sex"]), int(found["life"]), square(found["square"]))
    if found := _WALK.fullmatch(words):
        return Walk(square(found[1]), square(found[2]))
    if _BIRTHS.fullmatch(words):
        return Births(tuple(sorted(map(read_child, words[1:].split(",")))))
    raise MalformedMove(
        f"{text.strip()!r} is no move. M10a1 places a male, b4-a4 moves a piece, +Ma2,Fc4 gives"
        " birth; pass does nothing."
    )


def read_child(text: str) -> Child:
    """Return the birth that a text such as ``fc4`` stands for."""
    return Child(square(text[1:]), _sex(text[0]))


def _sex(letter: str) -> Sex:
    return Sex(letter.upper())

"""Text to move; ``str(move)`` is the way back. Blanks and case do not matter."""

import re

from games.kernel.move_patterns import MovePatterns, parse_move
from games.kernel.views import View
from games.titles.simple_life_or_death import deck, pieces, squares
from games.titles.simple_life_or_death.deck import Card
from games.titles.simple_life_or_death.moves import (
    OFF,
    Attack,
    Defend,
    End,
    Go,
    Land,
    Move,
    Place,
)
from games.titles.simple_life_or_death.pieces import Piece, Size
from games.titles.simple_life_or_death.position import DEFEND, HIDDEN
from games.titles.simple_life_or_death.squares import Direction, Square

_DIRECTION = "|".join(map(str, Direction))
_DIE = "4|6|8|10|12|20"


def _place(found: re.Match[str]) -> Move:
    return Place(Size(found[1].upper()), Square.read(found[2]))


def _go(found: re.Match[str]) -> Move:
    die = int(found[3]) if found[3] else None
    return Go(Piece.read(found[1]), Direction[found[2].upper()], die)


def _land(found: re.Match[str]) -> Move:
    return Land(None if found[1] == OFF else Square.read(found[1]))


def _attack(found: re.Match[str]) -> Move:
    card = Card.read(found[3]) if found[3] else None
    return Attack(Piece.read(found[1]), Piece.read(found[2]), card)


def _defend(found: re.Match[str]) -> Move:
    return Defend(Card.read(found[1]))


_FORMS: MovePatterns[Move] = {
    re.compile(f"place([sml])({squares.PATTERN})"): _place,
    re.compile(f"move({pieces.PATTERN})({_DIRECTION})(?:d({_DIE}))?"): _go,
    re.compile(f"land({OFF}|{squares.PATTERN})"): _land,
    re.compile(f"attack({pieces.PATTERN})({pieces.PATTERN})({deck.PATTERN})?"): _attack,
    re.compile(f"defend({deck.PATTERN})"): _defend,
    re.compile("end"): lambda _: End(),
}

_HINT = (
    "place S c7 puts a small piece on the board, move rM2 ne d10 sets one moving, land f10 stops"
    " it, attack rS1 bM2 KS attacks, defend 7H answers, and end ends the turn."
)


def parse(text: str) -> Move:
    """Return the move that a text stands for.

    :raises MalformedMove: it is no move of this game.
    """
    return parse_move(text, _FORMS, _HINT)


def redact(text: str, view: View) -> str:
    """Return a move's text as it may be read beside a view of the position after it.

    An attack that waits for its answer names its card only to the attacker.
    """
    pending = view["pending"]
    if pending is None or pending["kind"] != DEFEND or pending["card"] != HIDDEN:
        return text
    known = f"attack {pending['attacker']} {pending['target']} "
    return known + HIDDEN if text.startswith(known) else text

"""The six kinds of move. ``str(move)`` is the canonical text, :func:`parse` the inverse."""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, TypeAlias

from games.kernel.language import gettext, gettext_noop
from games.kernel.move_patterns import MovePatterns, parse_move
from games.titles.simple_life_or_death.components import (
    OFF,
    Card,
    Die,
    Direction,
    Piece,
    Size,
    Square,
    parse_square,
)


class _Verb:
    """The base of moves. Their text is a verb, and the fields that aren't ``None``."""

    verb: ClassVar[str]
    __match_args__: ClassVar[tuple[str, ...]]

    @cached_property
    def _text(self) -> str:
        fields = (getattr(self, name) for name in self.__match_args__)
        return " ".join([self.verb, *(str(field) for field in fields if field is not None)])

    def __str__(self) -> str:
        return self._text


@dataclass(frozen=True)
class Place(_Verb):
    """Place a piece from the stock. Its text is ``place S c7``."""

    verb = "place"
    size: Size
    square: Square


@dataclass(frozen=True)
class Go(_Verb):
    """Move a piece. Its text is ``move rM2 ne d10``, without a die (``None``) if it is fixed."""

    verb = "move"
    piece: Piece
    direction: Direction
    die: Die | None = None


@dataclass(frozen=True)
class Land(_Verb):
    """Stop a moving piece on a square, or ``OFF`` the board. Its text is ``land f10``."""

    verb = "land"
    end: Square


@dataclass(frozen=True)
class Attack(_Verb):
    """Attack a piece. Its text is ``attack rS1 bM2 KS``, without a card if dice decide."""

    verb = "attack"
    attacker: Piece
    target: Piece
    card: Card | None = None


@dataclass(frozen=True)
class Defend(_Verb):
    """Answer an attack with a red card. Its text is ``defend 7H``."""

    verb = "defend"
    card: Card


@dataclass(frozen=True)
class End(_Verb):
    """End the turn."""

    verb = "end"


Move: TypeAlias = Place | Go | Land | Attack | Defend | End

_DIRECTION = "|".join(map(str, Direction))
_SQUARE = "a?[a-z][1-9][0-9]?"
_PIECE = "[roygbp][sml][1-5]"
_CARD = "[2-9tjqka][cdhs]"

_PATTERNS: MovePatterns[Move] = {
    re.compile(f"place([sml])({_SQUARE})"): lambda match: Place(
        Size(match[1].upper()), parse_square(match[2])
    ),
    re.compile(f"(?:move)?({_PIECE})({_DIRECTION})(?:d(4|6|8|10|12|20))?"): lambda match: Go(
        _piece(match[1]), Direction[match[2].upper()], Die(match[3]) if match[3] else None
    ),
    re.compile(f"land({OFF}|{_SQUARE})"): lambda match: Land(
        OFF if match[1] == OFF else parse_square(match[1])
    ),
    re.compile(f"(?:attack)?({_PIECE})({_PIECE})(?: ?({_CARD}))?"): lambda match: Attack(
        _piece(match[1]), _piece(match[2]), _card(match[3]) if match[3] else None
    ),
    re.compile(f"defend({_CARD})"): lambda match: Defend(_card(match[1])),
    re.compile("end"): lambda _: End(),
}

_HINT = gettext_noop(
    "place S c7 puts a small piece on the board, move rM2 ne d10 sets one moving, land f10 stops"
    " it, attack rS1 bM2 KS attacks, defend 7H answers, and end ends the turn."
)


def parse(text: str) -> Move:
    """Parse a move, ignoring blanks and case. ``move`` and ``attack`` may be omitted.

    :raises MalformedMove: it isn't a move of this game.
    """
    return parse_move(text, _PATTERNS, gettext(_HINT))


def outcome_hidden(move: Move) -> bool:
    """Whether a hidden card decides a move's effects, or is revealed by it.

    A landing off the board may remove a player's last piece, which reveals a hand.
    """
    return not isinstance(move, Place | End | Land) or (isinstance(move, Land) and move.end == OFF)


def _piece(folded: str) -> Piece:
    return Piece.parse(folded[0] + folded[1:].upper())


def _card(folded: str) -> Card:
    return Card.parse(folded.upper())

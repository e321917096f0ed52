"""Text to move; ``str(move)`` is the way back. Blanks and case do not matter."""

import re
from functools import cache

from games.kernel.move_patterns import MovePatterns, parse_move
from games.titles.dice_is_health.meta import META
from games.titles.dice_is_health.moves import (
    Attack,
    Challenge,
    Done,
    Fight,
    Go,
    Move,
    Movement,
    Step,
    Strip,
    Summon,
    Turn,
    Walk,
    Wall,
    Walls,
)
from games.titles.dice_is_health.spaces import Space

MOST_STEPS = 18
"""Three sixes: no movement has more steps."""

_SPACE = "[oi](?:0|1[0-7]?|[2-9])"
_STEP = f"p>{_SPACE}|m[1-8]>{_SPACE}|f[+-]"
_SEATS = {colour.name.lower(): seat for seat, colour in enumerate(META.colours)}
_COLOUR = "|".join(_SEATS)


@cache
def _step(text: str) -> Step:
    if text[0] == "f":
        return Turn(1 if text[1] == "+" else -1)
    piece, space = text.split(">")
    return Walk(int(piece[1:] or 0), Space.read(space))


def _movement(found: re.Match[str]) -> Move:
    return Movement(tuple(map(_step, re.findall(_STEP, found[0]))))


def _spaces(found: re.Match[str]) -> tuple[Space, ...]:
    """Return the spaces that a text names, in their order.

    :raises ValueError: one is named twice.
    """
    spaces = sorted(map(Space.read, re.findall(_SPACE, found[1])))
    if len(set(spaces)) < len(spaces):
        raise ValueError("one space is named twice.")
    return tuple(spaces)


_FORMS: MovePatterns[Move] = {
    re.compile(f"(?:{_STEP}){{1,{MOST_STEPS}}}"): _movement,
    re.compile("wall"): lambda _: Wall(),
    re.compile(f"walls((?:{_SPACE})*)"): lambda found: Walls(_spaces(found)),
    re.compile(f"summon({_SPACE})"): lambda found: Summon(Space.read(found[1])),
    re.compile("fightm([1-8])"): lambda found: Fight(int(found[1])),
    re.compile(f"fight({_COLOUR})"): lambda found: Challenge(_SEATS[found[1]]),
    re.compile(f"attack({_COLOUR})"): lambda found: Attack(_SEATS[found[1]]),
    re.compile(f"go({_SPACE})"): lambda found: Go(Space.read(found[1])),
    re.compile(f"strip((?:{_SPACE})+)"): lambda found: Strip(_spaces(found)),
    re.compile("done"): lambda _: Done(),
}

_HINT = (
    "P>o1 F+ M1>o7 moves your piece, the fan and a monster; wall, walls o1 i2 and summon o5 spend"
    " dice; fight M2, fight blue and attack blue fight; go o5 steps away, strip o1 o4 takes walls,"
    " and done wants no more."
)


def parse(text: str) -> Move:
    """Return the move that a text stands for.

    :raises MalformedMove: it is no move of this game.
    """
    return parse_move(text, _FORMS, _HINT)

"""What can happen: the types of events and the fields of each; names and words for all to use.

Spaces are names, ``o7`` or ``i0``; seats and monsters are numbers; ``by`` says why a fight takes
place: ``space`` (they share one), ``choice`` (the mover's), or ``rampage``. Every event has a
``seat``, whose deed or whose fate it is.

`roll`      ``dice`` ``[low, median, high]``: the seat's turn begins; they are the monsters',
            the fan's and the player's
`move`      ``steps`` (texts); ``path``, the spaces of the player's piece, the start first;
            ``monsters``, by number (a string) the path of each that moved; ``fan``, the places
            that it had, the first first, so that two neighbours are one sector apart (mod 6)
`pick-up`   ``at``, ``dice``: took the die there and has so many now
`pay`       ``what`` (``wall`` or ``summon``), ``dice``: gave one and has so many left
`spawn`     ``at``: the die that the seat paid or lost lies there now, to be picked up
`build`     ``roll``: may put up so many walls
`walls`     ``spaces``; ``taken``, by space the seat that owned the wall there before
`summon`    ``monster``, ``at``
`fight`     seat against a monster: ``monster``, ``at`` (the player's space), ``from`` (the
            monster's), ``by``, ``rounds``, ``won``. A round is ``{"player": [dice], "monster":
            [dice]}``; those before the last were ties; none where the player has no dice
`duel`      seat (the mover) against another player: ``other``, ``at`` (the mover's space),
            ``from`` (the other's), ``by``, ``rounds``, ``winner`` (seat, or null: neither has
            dice). A round is ``{"mover": [dice], "other": [dice]}``
`lose-die`  ``dice``: lost one and has so many left
`home`      ``from``, ``to``: had no die to lose and goes home
`trinket`   ``trinkets``: gained one and has so many now; ``of``, the seat that lost it, or null
`no-trinket` won, but two trinkets circulate already
`lose-trinket` ``trinkets``: lost one to a monster and has so many left
`strip-roll` ``roll``, ``loser``: may take away so many of the loser's walls
`strip`     ``loser``, ``spaces``: took them away
`go`        ``from``, ``to``, ``chooser``: stepped away after a fight, where ``chooser`` wanted
`stay`      ``at``: had nowhere to step away to
`done`      ``phase`` (``spend``, ``fight``, ``rampage``, ``challenge``): wants no more of it
`attack`    ``monster``, ``target``: the mover sends a monster on at player ``target``
`leave`     ``at``, ``dice``, ``trinkets``, ``walls`` (spaces): dropped out with all that

The common ``turn`` and ``end`` (``ending``, ``ranks``) come on top.

Marks: spaces by their names; ``player-0`` … ``player-3``; ``monster-1`` … ``monster-8``; ``fan+``
and ``fan-`` turn the fan by one sector, ``fan++`` and ``fan--`` by all that are left. Marks of an
opponent in a fight are those of its piece.
"""

from games.kernel.formatting import counted

ROLLED = "roll"
MOVED = "move"
PICKED_UP = "pick-up"
PAID = "pay"
SPAWNED = "spawn"
MAY_BUILD = "build"
BUILT = "walls"
SUMMONED = "summon"
FOUGHT = "fight"
DUELLED = "duel"
LOST_DIE = "lose-die"
WENT_HOME = "home"
GAINED = "trinket"
NO_TRINKET = "no-trinket"
LOST_TRINKET = "lose-trinket"
MAY_STRIP = "strip-roll"
STRIPPED = "strip"
STEPPED = "go"
STAYED = "stay"
DONE = "done"
SENT = "attack"
LEFT = "leave"
"""Types of the events that are this game's own."""

WALL = "wall"
SUMMON = "summon"
"""What a die is paid for."""

BY_SPACE = "space"
BY_CHOICE = "choice"
BY_RAMPAGE = "rampage"
"""Why a fight takes place."""

FAN_UP = "fan+"
FAN_DOWN = "fan-"
FAN_ALL_UP = "fan++"
FAN_ALL_DOWN = "fan--"
"""Marks that turn the fan by one sector, or by all that are left."""


def player_mark(seat: int) -> str:
    """Return the name of the part of the drawing that shows a player's piece."""
    return f"player-{seat}"


def monster_mark(number: int | str) -> str:
    """Return the name of the part of the drawing that shows a monster, counted from 1."""
    return f"monster-{number}"


def dice(count: int) -> str:
    """Return a number of dice, as in ``no dice`` or ``1 die``."""
    return f"{count or 'no'} {'die' if count == 1 else 'dice'}"


def trinkets(count: int) -> str:
    """Return a number of trinkets, as in ``no trinket`` or ``2 trinkets``."""
    return counted(count, "trinket") if count else "no trinket"

"""What can happen: the events of the game; names and words for all to use.

Spaces are names, ``o7`` or ``i0``; seats and monsters are numbers. Every event has a ``seat``,
whose deed or whose fate it is.

Marks: spaces by their names; ``player-0`` … ``player-3``; ``monster-1`` … ``monster-8``; ``fan+``
and ``fan-`` turn the fan by one sector, ``fan++`` and ``fan--`` by all that are left. Marks of an
opponent in a fight are those of its piece.
"""

from typing import TypeAlias

from msgspec import Struct, field

from games.kernel.contract import Seat, SeatEvent
from games.kernel.language import gettext, ngettext
from games.titles.dice_is_health.board import Space

Faces: TypeAlias = tuple[int, ...]
"""The faces of one side's dice."""

Spaces: TypeAlias = tuple[Space, ...]


class MonsterRound(Struct, frozen=True):
    """A round of a fight with a monster."""

    monster: Faces
    player: Faces


class DuelRound(Struct, frozen=True):
    """A round of a fight between players."""

    mover: Faces
    other: Faces


class Rolled(SeatEvent, frozen=True, tag="roll"):
    """The seat's turn begins: steps of the monsters, the fan and the player."""

    dice: tuple[int, int, int]


class Moved(SeatEvent, frozen=True, tag="move"):
    """The whole movement.

    ``path`` is the player's, ``monsters`` has by number those of the monsters that moved, ``fan``
    its places, each with the first one first.
    """

    steps: tuple[str, ...]
    path: Spaces
    monsters: dict[str, Spaces]
    fan: tuple[int, ...]


class PickedUp(SeatEvent, frozen=True, tag="pick-up"):
    """The seat took a die, and now has ``dice``."""

    at: Space
    dice: int


class Paid(SeatEvent, frozen=True, tag="pay"):
    """The seat paid a die for ``wall`` or ``summon``, and has ``dice`` left."""

    what: str
    dice: int


class Spawned(SeatEvent, frozen=True, tag="spawn"):
    """The die that the seat paid or lost is there now."""

    at: Space


class MayBuild(SeatEvent, frozen=True, tag="build"):
    """The seat may build ``roll`` walls."""

    roll: int


class Built(SeatEvent, frozen=True, tag="walls"):
    """The seat built walls. ``taken`` has former owners of walls by space."""

    spaces: Spaces
    taken: dict[Space, Seat]


class Summoned(SeatEvent, frozen=True, tag="summon"):
    """The seat placed a new monster."""

    monster: int
    at: Space


class Fought(SeatEvent, frozen=True, tag="fight"):
    """The seat fought a monster.

    A round is ``{"monster": […], "player": […]}``, all but the last were ties; none where the
    player has no dice.
    """

    monster: int
    at: Space
    start: Space = field(name="from")
    by: str
    rounds: tuple[MonsterRound, ...]
    won: bool


class Duelled(SeatEvent, frozen=True, tag="duel"):
    """The mover fought another player.

    A round is ``{"mover": […], "other": […]}``; ``winner`` is ``None`` where neither has dice.
    """

    other: Seat
    at: Space
    start: Space = field(name="from")
    by: str
    rounds: tuple[DuelRound, ...]
    winner: Seat | None


class LostDie(SeatEvent, frozen=True, tag="lose-die"):
    """The seat lost a die, and has ``dice`` left."""

    dice: int


class WentHome(SeatEvent, frozen=True, tag="home"):
    """The seat had no die to lose and went home."""

    start: Space = field(name="from")
    to: Space


class GainedTrinket(SeatEvent, frozen=True, tag="trinket"):
    """The seat gained a trinket, and now has ``trinkets``.

    ``of`` is the seat that lost it, or ``None``.
    """

    trinkets: int
    of: Seat | None


class NoTrinket(SeatEvent, frozen=True, tag="no-trinket"):
    """The seat won, but two trinkets circulate already."""


class LostTrinket(SeatEvent, frozen=True, tag="lose-trinket"):
    """The seat lost a trinket to a monster, and has ``trinkets`` left."""

    trinkets: int


class MayStrip(SeatEvent, frozen=True, tag="strip-roll"):
    """The seat may remove ``roll`` of the loser's walls."""

    roll: int
    loser: Seat


class Stripped(SeatEvent, frozen=True, tag="strip"):
    """The seat removed the loser's walls."""

    loser: Seat
    spaces: Spaces


class SteppedAway(SeatEvent, frozen=True, tag="go"):
    """The seat stepped away after a fight, where seat ``chooser`` wanted."""

    start: Space = field(name="from")
    to: Space
    chooser: Seat


class Stayed(SeatEvent, frozen=True, tag="stay"):
    """The seat had nowhere to step away to."""

    at: Space


class Declined(SeatEvent, frozen=True, tag="done"):
    """The seat wants nothing more of what it was offered."""

    phase: str


class Sent(SeatEvent, frozen=True, tag="attack"):
    """The seat sent a monster to attack seat ``target``."""

    monster: int
    target: Seat


class Left(SeatEvent, frozen=True, tag="leave"):
    """The seat dropped out: where its piece stood, and what it had."""

    at: Space | None
    dice: int
    trinkets: int
    walls: Spaces


EVENTS = (
    Rolled,
    Moved,
    PickedUp,
    Paid,
    Spawned,
    MayBuild,
    Built,
    Summoned,
    Fought,
    Duelled,
    LostDie,
    WentHome,
    GainedTrinket,
    NoTrinket,
    LostTrinket,
    MayStrip,
    Stripped,
    SteppedAway,
    Stayed,
    Declined,
    Sent,
    Left,
)

WALL = "wall"
SUMMON = "summon"
"""What a die was paid for."""

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
    """Return the name of the mark of a player's piece."""
    return f"player-{seat}"


def monster_mark(number: int | str) -> str:
    """Return the name of the mark of a monster, counted from 1."""
    return f"monster-{number}"


def dice(count: int) -> str:
    """``no dice``, ``1 die`` or ``2 dice``."""
    if not count:
        return gettext("no dice")
    return ngettext("{count} die", "{count} dice", count).format(count=count)


def trinkets(count: int) -> str:
    """``no trinket``, ``1 trinket`` or ``2 trinkets``."""
    if not count:
        return gettext("no trinket")
    return ngettext("{count} trinket", "{count} trinkets", count).format(count=count)


def monster_of(number: int | str) -> str:
    """``monster 2``, in lists and after a comma."""
    return gettext("monster {number}").format(number=number)


def wall_of(player: str) -> str:
    """``Red’s wall``, in lists and after a comma."""
    return gettext("{player}’s wall").format(player=player)


def home_of(player: str) -> str:
    """``Red’s home``, in lists and after a comma."""
    return gettext("{player}’s home").format(player=player)

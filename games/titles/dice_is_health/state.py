"""The state of a match: pieces and dice on the board, and the progress of the turn.

Nothing is hidden: the state is also its JSON form and everybody's view.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from enum import StrEnum
from types import NoneType
from typing import Annotated, Any, TypeAlias, cast

import msgspec
from msgspec import Meta, Struct

from games.kernel.contract import Image, Params, Ranks, Seat
from games.kernel.decoding import check_params, decode
from games.kernel.errors import BrokenPosition
from games.kernel.language import gettext
from games.kernel.ranking import rank
from games.kernel.views import Json, View
from games.titles.dice_is_health.board import (
    INNER,
    NEIGHBOURS,
    SECTORS,
    SPACE_PATTERN,
    WALL_SPACES,
    Space,
)
from games.titles.dice_is_health.events import Moved
from games.titles.dice_is_health.meta import MAX_ROUNDS, META


class PhaseName(StrEnum):
    """The current question."""

    MOVE = "move"
    SPEND = "spend"
    WALLS = "walls"
    FIGHT = "fight"
    GO = "go"
    RAMPAGE = "rampage"
    CHALLENGE = "challenge"
    STRIP = "strip"
    OVER = "over"


class FightPart(StrEnum):
    """The two parts of a turn in which fights take place."""

    MONSTERS = "monsters"
    PLAYERS = "players"


MAX_DICE = 3
MAX_TRINKETS = 2
MAX_MONSTERS = 8
"""Maximum dice of a player, and of trinkets and monsters in total."""

MONSTER_DICE = 3
"""Dice that a monster rolls in a fight."""

DIE = 6
DUEL = 2
SEATS = tuple(map(Seat, range(META.seats[1])))

AnySpace: TypeAlias = Annotated[Space, Meta(pattern=f"^{SPACE_PATTERN}\\Z")]
AnySeat: TypeAlias = Annotated[Seat, Meta(ge=0, le=3)]
AnyMonster: TypeAlias = Annotated[int, Meta(ge=1, le=MAX_MONSTERS)]
Pips: TypeAlias = Annotated[int, Meta(ge=1, le=DIE)]
Rank: TypeAlias = Annotated[int, Meta(ge=1, le=4)]

Roll: TypeAlias = tuple[int, int, int]
"""Steps of the monsters, the fan and the player: the low, the median and the high die."""


class Player(Struct, frozen=True):
    """A player's piece and possessions. ``at`` is ``None`` once the seat has dropped out."""

    at: AnySpace | None
    home: AnySpace
    dice: Annotated[int, Meta(ge=0, le=MAX_DICE)]
    trinkets: Annotated[int, Meta(ge=0, le=MAX_TRINKETS)]
    is_in: bool = msgspec.field(name="in", default=True)


class Building(Struct, frozen=True):
    """Walls still to be built: at most ``count``."""

    count: Pips


class Parting(Struct, frozen=True):
    """A piece that must step away after a fight. ``monster`` may attack afterwards."""

    chooser: AnySeat
    piece: AnySeat
    part: FightPart
    monster: AnyMonster | None = None


class Rampage(Struct, frozen=True):
    """A monster that has won and may attack again."""

    monster: AnyMonster


class Stripping(Struct, frozen=True):
    """The walls that the winner of a fight removes: ``count`` of the loser's."""

    winner: AnySeat
    loser: AnySeat
    count: Pips


PENDING: Mapping[str, type[Struct]] = {
    PhaseName.WALLS: Building,
    PhaseName.GO: Parting,
    PhaseName.RAMPAGE: Rampage,
    PhaseName.STRIP: Stripping,
}
"""The type of the pending decision, by phase. ``None`` in all other phases."""


class State(View, frozen=True, kw_only=True):
    """A position.

    ``monsters`` are in the order of their numbers, which count from 1. ``pickups`` are in the order
    of spaces. ``walls`` has the owner of each. ``roll`` is ``None`` outside of the movement.
    ``pending`` has the type in ``PENDING`` (msgspec could only distinguish these types by an extra
    key). ``fought`` are the pairs that needn't fight again, sorted: a seat and the number of a
    monster, or the mover and another seat. ``ranks`` has a rank for each seat.
    """

    rounds: Annotated[int, Meta(ge=0, le=MAX_ROUNDS)]
    round: Annotated[int, Meta(ge=1, le=10**9)]
    fan: Annotated[int, Meta(ge=0, lt=SECTORS)]
    players: tuple[Player, ...]
    dropped: tuple[AnySeat, ...]
    monsters: tuple[AnySpace, ...]
    pickups: tuple[AnySpace, ...]
    walls: dict[AnySpace, AnySeat]
    turn: AnySeat
    phase: PhaseName
    roll: tuple[Pips, Pips, Pips] | None = None
    pending: Any = None
    fought: tuple[tuple[int, int], ...]
    ranks: tuple[Rank, ...] | None = msgspec.field(name="result", default=None)

    def __post_init__(self) -> None:
        """Decode the pending decision."""
        if type(self.pending) is dict and self.phase in PENDING:
            pending = msgspec.convert(self.pending, PENDING[self.phase])
            msgspec.structs.force_setattr(self, "pending", pending)

    @property
    def seats(self) -> tuple[Seat, ...]:
        return SEATS[: len(self.players)]

    @property
    def still_in(self) -> tuple[Seat, ...]:
        """The seats that haven't dropped out, in order."""
        if not self.dropped:
            return self.seats
        return tuple(seat for seat in self.seats if seat not in self.dropped)

    @property
    def in_turn(self) -> tuple[Seat, ...]:
        """The remaining seats, the mover first."""
        return tuple(sorted(self.still_in, key=lambda seat: (seat < self.turn, seat)))

    @property
    def mover(self) -> Seat:
        """The seat that must decide."""
        if self.phase == PhaseName.GO:
            return Seat(self.pending.chooser)
        return Seat(self.pending.winner) if self.phase == PhaseName.STRIP else self.turn

    @property
    def player(self) -> Player:
        """The player whose turn it is."""
        return self.players[self.turn]

    @property
    def winner(self) -> Seat | None:
        """The seat in the centre with a trinket and three dice, if any."""
        for seat, player in enumerate(self.players):
            if player.dice == MAX_DICE and player.trinkets and player.at in INNER:
                return Seat(seat)
        return None

    def at(self, seat: int) -> Space:
        """Return the space of a remaining seat's piece."""
        return cast(Space, self.players[seat].at)

    def near(self, space: Space) -> tuple[Space, ...]:
        """Return the spaces adjacent to one with the current fan, ignoring walls."""
        return NEIGHBOURS[self.fan][space]

    def walls_of(self, seat: int) -> tuple[Space, ...]:
        """Return the spaces of a seat's walls, in order."""
        return tuple(space for space in WALL_SPACES if self.walls.get(space) == seat)

    def walls_with(self, spaces: Iterable[Space], owner: Seat | None) -> dict[Space, Seat]:
        """Return the walls with some given to another owner, or removed (``None``)."""
        changed = {**self.walls, **dict.fromkeys(spaces, owner)}
        return {s: seat for s in WALL_SPACES if (seat := changed.get(s)) is not None}

    def ranking(self, best: Collection[Seat]) -> Ranks:
        """Return a result: some seats first, then all others still in, then the dropped-out ones.

        The later a seat dropped out, the better.
        """
        return rank([0] * len(self.players), best, self.dropped)


class MovementView(State, frozen=True, kw_only=True):
    """A position with an unfinished movement.

    ``left`` has the remaining steps of the dice of the monsters, the fan and the player. ``move``
    is the movement's event so far.
    """

    left: Roll
    move: Moved


def images(view: State) -> Iterator[Image]:
    """Yield a position without the number of its round."""
    position = view.dump()
    del position["round"]
    yield Image(position)


def load(data: Json, seats: int, params: Params) -> State:
    """Load a position from JSON.

    :raises BrokenPosition: it isn't a valid position for these seats and parameters.
    """
    state = decode(State, data)
    check_params(("rounds",), state, params)
    if len(state.players) != seats:
        message = gettext("This match has {wanted} players, not {count}.")
        raise BrokenPosition(message.format(wanted=seats, count=len(state.players)))
    if type(state.pending) is not PENDING.get(state.phase, NoneType):
        message = gettext("This cannot be pending in the phase {phase}.")
        raise BrokenPosition(message.format(phase=state.phase))
    return state

"""Positions: two rings of spaces, what stands and lies on them, and how far the turn has come.

A position in play is the position as it is written and as everybody sees it: one struct.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache
from itertools import pairwise
from types import NoneType
from typing import Annotated, Any, NewType, TypeAlias, cast

import msgspec
from msgspec import Meta, Struct

from games.kernel.contract import Params, Ranks, Seat
from games.kernel.decoding import check_params, decode
from games.kernel.errors import BrokenPosition
from games.kernel.ranking import WON_BY, rank
from games.kernel.views import Json, View
from games.titles.dice_is_health.meta import META, MOST_ROUNDS, name_of

# --- Spaces -------------------------------------------------------------------------------------

Space = NewType("Space", str)
"""A space by its name: ``o0`` to ``o17`` on the outer ring, ``i0`` to ``i17`` on the inner one."""

RING = 18
"""Spaces of a ring."""

SECTORS = 6
"""The fan's places: its three bridges stand so many sectors apart."""

OUTER = tuple(Space(f"o{number}") for number in range(RING))
INNER = tuple(Space(f"i{number}") for number in range(RING))
SPACES = OUTER + INNER
SPACE_PATTERN = "[oi](?:0|1[0-7]?|[2-9])"

ORDER: Mapping[str, int] = {space: number for number, space in enumerate(SPACES)}
"""The place of each space in the order of spaces."""

SECTOR: Mapping[str, int] = {space: number % RING for number, space in enumerate(SPACES)}
"""The number of each space on its ring."""

WALL_SPACES = OUTER[1::3] + INNER[2::SECTORS]
"""The marked spaces, on which walls may stand, in order."""

DIE_SPACES = tuple(space for space in OUTER if space not in WALL_SPACES)
"""Where dice lie at the start, and where they appear again, in order."""


def opposite(space: Space) -> Space:
    """Return the space of the other ring in the same sector."""
    return SPACES[(ORDER[space] + RING) % len(SPACES)]


def _neighbours(fan: int, space: Space) -> tuple[Space, ...]:
    ring = OUTER if space in OUTER else INNER
    sector = SECTOR[space]
    near = (ring[(sector + 1) % RING], ring[sector - 1])
    return (*near, opposite(space)) if sector % SECTORS == fan else near


NEIGHBOURS: tuple[Mapping[str, tuple[Space, ...]], ...] = tuple(
    {space: _neighbours(fan, space) for space in SPACES} for fan in range(SECTORS)
)
"""By the fan's place and by space, the spaces adjacent to it, those on its ring first."""


@cache
def distances(start: Space, fan: int) -> Mapping[Space, int]:
    """Return how many steps away every space is, walls ignored."""
    found = {start: 0}
    edge = [start]
    while edge:
        edge = [near for space in edge for near in NEIGHBOURS[fan][space] if near not in found]
        found |= dict.fromkeys(edge, max(found.values()) + 1)
    return found


@cache
def farthest_first(start: Space, fan: int) -> tuple[Space, ...]:
    """Return the die spaces, those farthest away first, of equals the first going up."""
    far = distances(start, fan)
    number = SECTOR[start]
    going_up = sorted(DIE_SPACES, key=lambda space: (SECTOR[space] - number) % RING)
    return tuple(sorted(going_up, key=lambda space: -far[space]))


def unwound(fan: Sequence[int]) -> list[int]:
    """Return places of the fan in a row, counted on beyond the last sector and below the first."""
    found = list(fan[:1])
    for here, there in pairwise(fan):
        by = (there - here) % SECTORS
        found.append(found[-1] + (by - SECTORS if by > SECTORS // 2 else by))
    return found


def home(seat: int, seats: int) -> Space:
    """Return where a seat starts."""
    return INNER[RING * seat // seats]


# --- Positions ----------------------------------------------------------------------------------


class PhaseName(StrEnum):
    """What is asked now."""

    MOVE = "move"
    SPEND = "spend"
    WALLS = "walls"
    FIGHT = "fight"
    GO = "go"
    RAMPAGE = "rampage"
    CHALLENGE = "challenge"
    STRIP = "strip"
    OVER = "over"


class Part(StrEnum):
    """The two parts of a turn in which fights take place."""

    MONSTERS = "monsters"
    PLAYERS = "players"


MOST_DICE = 3
MOST_TRINKETS = 2
MOST_MONSTERS = 8
"""Dice of a player; trinkets, and monsters, of all together."""

MONSTER_DICE = 3
"""Dice that a monster rolls in a fight."""

DIE = 6
TWO = 2
SEATS = tuple(map(Seat, range(META.seats[1])))

AnySpace: TypeAlias = Annotated[Space, Meta(pattern=f"^{SPACE_PATTERN}\\Z")]
AnySeat: TypeAlias = Annotated[Seat, Meta(ge=0, le=3)]
AnyMonster: TypeAlias = Annotated[int, Meta(ge=1, le=MOST_MONSTERS)]
Pips: TypeAlias = Annotated[int, Meta(ge=1, le=DIE)]
Rank: TypeAlias = Annotated[int, Meta(ge=1, le=4)]

Roll: TypeAlias = tuple[int, int, int]
"""Steps of the monsters, the fan and the player: the low, the median and the high die."""


class Player(Struct, frozen=True):
    """A player's piece and what it has; ``at`` is ``None`` once the seat has dropped out."""

    at: AnySpace | None
    home: AnySpace
    dice: Annotated[int, Meta(ge=0, le=MOST_DICE)]
    trinkets: Annotated[int, Meta(ge=0, le=MOST_TRINKETS)]
    is_in: bool = msgspec.field(name="in", default=True)


class Building(Struct, frozen=True):
    """Walls to be put up: at most ``count``."""

    count: Pips


class Parting(Struct, frozen=True):
    """A piece that is to step away after a fight; ``monster`` may attack on afterwards."""

    chooser: AnySeat
    piece: AnySeat
    part: Part
    monster: AnyMonster | None = None


class Rampage(Struct, frozen=True):
    """A monster that has won and may attack on."""

    monster: AnyMonster


class Stripping(Struct, frozen=True):
    """Walls that the winner of a fight takes from the loser: ``count`` of them."""

    winner: AnySeat
    loser: AnySeat
    count: Pips


PENDING: Mapping[str, type[Struct]] = {
    PhaseName.WALLS: Building,
    PhaseName.GO: Parting,
    PhaseName.RAMPAGE: Rampage,
    PhaseName.STRIP: Stripping,
}
"""The type of what is pending, by phase; ``None`` in all other phases."""


class State(View, frozen=True, kw_only=True):
    """A position.

    ``monsters`` stand in the order of their numbers, which count from 1; ``pickups`` are in the
    order of spaces; ``walls`` has the owner of each. ``roll`` is ``None`` outside of the movement.
    ``pending`` has the type that ``PENDING`` says (msgspec could tell these types apart only by a
    key of their own). ``fought`` are the pairs that need not fight again, sorted: a seat and the
    number of a monster, or the mover and another seat. ``ranks`` has a rank for each seat.
    """

    rounds: Annotated[int, Meta(ge=0, le=MOST_ROUNDS)]
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
        """Decode what is pending."""
        if type(self.pending) is dict and self.phase in PENDING:
            pending = msgspec.convert(self.pending, PENDING[self.phase])
            msgspec.structs.force_setattr(self, "pending", pending)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats."""
        return SEATS[: len(self.players)]

    @property
    def still_in(self) -> tuple[Seat, ...]:
        """The seats that have not dropped out, in order."""
        if not self.dropped:
            return self.seats
        return tuple(seat for seat in self.seats if seat not in self.dropped)

    @property
    def in_turn(self) -> tuple[Seat, ...]:
        """The seats that are in, the mover first."""
        return tuple(sorted(self.still_in, key=lambda seat: (seat < self.turn, seat)))

    @property
    def mover(self) -> Seat:
        """The seat that is asked."""
        if self.phase == PhaseName.GO:
            return Seat(self.pending.chooser)
        return Seat(self.pending.winner) if self.phase == PhaseName.STRIP else self.turn

    @property
    def player(self) -> Player:
        """The player whose turn it is."""
        return self.players[self.turn]

    @property
    def winner(self) -> Seat | None:
        """The seat that is in the middle with a trinket and three dice, if any."""
        for seat, player in enumerate(self.players):
            if player.dice == MOST_DICE and player.trinkets and player.at in INNER:
                return Seat(seat)
        return None

    def at(self, seat: int) -> Space:
        """Return where the piece of a seat that is in stands."""
        return cast(Space, self.players[seat].at)

    def near(self, space: Space) -> tuple[Space, ...]:
        """Return the spaces adjacent to one as the fan stands; walls do not matter."""
        return NEIGHBOURS[self.fan][space]

    def walls_of(self, seat: int) -> tuple[Space, ...]:
        """Return the spaces on which a seat has walls, in order."""
        return tuple(space for space in WALL_SPACES if self.walls.get(space) == seat)

    def walls_with(self, spaces: Iterable[Space], owner: Seat | None) -> dict[Space, Seat]:
        """Return the walls with some of another owner, or taken away (``None``)."""
        changed = {**self.walls, **dict.fromkeys(spaces, owner)}
        return {s: seat for s in WALL_SPACES if (seat := changed.get(s)) is not None}

    def ranking(self, best: Collection[Seat]) -> Ranks:
        """Return a result: some seats first, then all others still in, then who dropped out.

        The later a seat dropped out, the better.
        """
        return rank([0] * len(self.players), best, self.dropped)


class MovementView(State, frozen=True, kw_only=True):
    """A position while a movement is entered.

    ``left`` is what is left of the dice of the monsters, the fan and the player; ``move`` the data
    of the movement's event so far.
    """

    left: Roll
    move: dict[str, Json]


def load(data: Json, seats: int, params: Params) -> State:
    """Return the position that JSON describes.

    :raises BrokenPosition: it has not the shape of a position of these seats and parameters.
    """
    state = decode(State, data)
    check_params(("rounds",), state, params)
    if len(state.players) != seats:
        raise BrokenPosition(f"This match has {seats} players, not {len(state.players)}.")
    if type(state.pending) is not PENDING.get(state.phase, NoneType):
        raise BrokenPosition(f"This cannot be pending in the phase {state.phase}.")
    return state


def faults(state: State) -> Iterator[str]:
    """Yield what no match can have come to, apart from what single phases demand.

    Later checks rely on earlier ones: nothing is to be asked for behind the first fault.
    """
    yield from _seat_faults(state)
    yield from _wall_faults(state)
    yield from _dice_faults(state)
    if not 1 <= len(state.monsters) <= MOST_MONSTERS:
        yield f"There are 1 to {MOST_MONSTERS} monsters."
    if 0 < state.rounds < state.round:
        yield f"Round {state.round} of {state.rounds} is never played."
    if (state.phase == PhaseName.OVER) != (state.ranks is not None):
        yield "A match has a result when it is over, and only then."
    if (state.phase == PhaseName.MOVE) != (state.roll is not None):
        yield "There is a roll before the movement, and only then."
    if state.fought != tuple(sorted(set(state.fought))):
        yield "fought is sorted, each pair once."
    yield from _running_faults(state) if state.ranks is None else _end_faults(state)


def _seat_faults(state: State) -> Iterator[str]:
    out = [seat for seat, player in enumerate(state.players) if player.at is None]
    if max((state.turn, *state.dropped, *state.walls.values())) >= len(state.players):
        yield f"The seats are 0 to {len(state.players) - 1}."
    if any(player.is_in != (player.at is not None) for player in state.players):
        yield "A player is in and somewhere, or neither."
    if sorted(state.dropped) != out or (out and len(state.players) == TWO):
        yield "dropped are the seats that are not in, each once."
    if not state.still_in:
        yield "The last seat that is in never drops out."
    for seat, player in enumerate(state.players):
        if player.home != home(seat, len(state.players)):
            yield f"{player.home} is not the home of {name_of(seat)}."
        if player.at is None and (player.dice or player.trinkets):
            yield f"{name_of(seat)} has dropped out and has nothing left."


def _wall_faults(state: State) -> Iterator[str]:
    for space, owner in state.walls.items():
        if space not in WALL_SPACES:
            yield f"{space} is not marked for walls."
        if owner in state.dropped:
            yield f"{name_of(owner)} has dropped out, and its walls are gone."
        if space in state.monsters:
            yield f"No monster stands on a wall, as on {space}."
    for seat in state.still_in:
        if state.walls.get(state.at(seat), seat) != seat:
            yield f"{name_of(seat)} stands on somebody else's wall."


def _dice_faults(state: State) -> Iterator[str]:
    if state.roll and sorted(state.roll) != list(state.roll):
        yield "roll is sorted."
    if state.pickups != tuple(sorted(set(state.pickups), key=ORDER.__getitem__)):
        yield "pickups are spaces in order, each once."
    if not set(state.pickups) <= set(DIE_SPACES):
        yield "Dice lie on outer spaces that are not marked for walls."
    most = len(DIE_SPACES)
    count = len(state.pickups) + sum(p.dice for p in state.players)
    if not most - MOST_DICE * len(state.dropped) <= count <= most:
        yield f"There are {count} dice; {most} are held or lie on the board."
    if sum(player.trinkets for player in state.players) > MOST_TRINKETS:
        yield f"At most {MOST_TRINKETS} trinkets circulate."


def _running_faults(state: State) -> Iterator[str]:
    if len(state.still_in) < TWO:
        yield "A match runs as long as two seats are in, and no longer."
    if state.turn in state.dropped:
        yield f"It cannot be the turn of {name_of(state.turn)}, who is out."
    if state.winner is not None:
        yield "Somebody has won already."


def _end_faults(state: State) -> Iterator[str]:
    best = state.still_in if state.winner is None else (state.winner,)
    possible = [state.ranking(best)]
    if state.winner is None and len(state.players) == TWO:
        possible += WON_BY
    if state.fought or state.ranks not in possible:
        yield f"The match cannot have ended with {state.ranks} here."

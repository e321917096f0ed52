"""Positions: the board as it stands, and as JSON."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias, cast

from games.kernel.contract import Position, Ranks, Seat
from games.kernel.views import Json
from games.titles.dice_is_health.spaces import NEIGHBOURS, Space

MOVE, SPEND, WALLS, FIGHT, GO = "move", "spend", "walls", "fight", "go"
RAMPAGE, CHALLENGE, STRIP, OVER = "rampage", "challenge", "strip", "over"
"""The phases: what is asked now."""

MONSTERS, PLAYERS = "monsters", "players"
"""The two parts of a turn in which fights take place."""

MOST_DICE, MOST_TRINKETS, MOST_MONSTERS = 3, 2, 8
"""Dice of a player; trinkets, and monsters, of all together."""

Roll: TypeAlias = tuple[int, int, int]
"""Steps of the monsters, the fan and the player: the low, the median and the high die."""


@dataclass(frozen=True, slots=True)
class Player:
    """A player's piece and what it has; it is nowhere once the seat has dropped out."""

    at: Space | None
    home: Space
    dice: int = 0
    trinkets: int = 0

    @property
    def has_all(self) -> bool:
        """Whether the player has what it takes to win in the middle."""
        return self.dice == MOST_DICE and self.trinkets > 0


@dataclass(frozen=True, slots=True)
class Building:
    """Walls to be put up: at most ``count``."""

    count: int


@dataclass(frozen=True, slots=True)
class Parting:
    """A piece that is to step away after a fight; ``monster`` may attack on afterwards."""

    chooser: Seat
    piece: Seat
    part: str
    monster: int | None = None


@dataclass(frozen=True, slots=True)
class Rampage:
    """A monster that has won and may attack on."""

    monster: int


@dataclass(frozen=True, slots=True)
class Stripping:
    """Walls that the winner of a fight takes from the loser: ``count`` of them."""

    winner: Seat
    loser: Seat
    count: int


Pending: TypeAlias = Building | Parting | Rampage | Stripping | None


@dataclass(frozen=True, slots=True)
class State:
    """A position.

    ``monsters`` stand in the order of their numbers; ``walls`` has the owner of each;
    ``fought`` are the pairs that need not fight again: a seat and the number of a monster, or the
    mover and another seat.
    """

    rounds: int
    round: int
    fan: int
    players: tuple[Player, ...]
    dropped: tuple[Seat, ...]
    monsters: tuple[Space, ...]
    pickups: frozenset[Space]
    walls: Mapping[Space, Seat]
    turn: Seat
    phase: str
    roll: Roll | None = None
    pending: Pending = None
    fought: frozenset[tuple[int, int]] = frozenset()
    ranks: Ranks | None = None

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats."""
        return tuple(map(Seat, range(len(self.players))))

    @property
    def still_in(self) -> tuple[Seat, ...]:
        """The seats that have not dropped out, in order."""
        return tuple(seat for seat in self.seats if self.players[seat].at is not None)

    @property
    def in_turn(self) -> tuple[Seat, ...]:
        """The seats that are in, the mover first."""
        seats = self.seats[self.turn :] + self.seats[: self.turn]
        return tuple(seat for seat in seats if self.players[seat].at is not None)

    @property
    def actor(self) -> Seat:
        """The seat that is asked."""
        if isinstance(self.pending, Parting):
            return self.pending.chooser
        return self.pending.winner if isinstance(self.pending, Stripping) else self.turn

    @property
    def mover(self) -> Player:
        """The player whose turn it is."""
        return self.players[self.turn]

    def at(self, seat: int) -> Space:
        """Return where the piece of a seat that is in stands."""
        return cast(Space, self.players[seat].at)

    def monster_at(self, number: int) -> Space:
        """Return where a monster stands, counted from 1."""
        return self.monsters[number - 1]

    def is_beside(self, one: Space, other: Space) -> bool:
        """Whether two spaces are adjacent, as the fan stands; walls do not matter."""
        return other in NEIGHBOURS[self.fan][one]

    def walls_of(self, seat: int) -> tuple[Space, ...]:
        """Return the spaces on which a seat has walls, in order."""
        return tuple(sorted(space for space, owner in self.walls.items() if owner == seat))

    def is_closed(self, space: Space, seat: int) -> bool:
        """Whether a wall keeps a player's piece out of a space."""
        return self.walls.get(space, seat) != seat


def dump(state: State) -> Position:
    """Return a position as JSON."""
    return {
        "rounds": state.rounds,
        "round": state.round,
        "fan": state.fan,
        "players": list(map(_dump_player, state.players)),
        "dropped": list(state.dropped),
        "monsters": list(map(str, state.monsters)),
        "pickups": list(map(str, sorted(state.pickups))),
        "walls": {str(space): state.walls[space] for space in sorted(state.walls)},
        "turn": state.turn,
        "phase": state.phase,
        "roll": list(state.roll) if state.roll else None,
        "pending": _dump_pending(state.pending),
        "fought": sorted(map(list, state.fought)),
        "result": list(state.ranks) if state.ranks else None,
    }


def _dump_player(player: Player) -> Json:
    return {
        "at": None if player.at is None else str(player.at),
        "home": str(player.home),
        "dice": player.dice,
        "trinkets": player.trinkets,
        "in": player.at is not None,
    }


def _dump_pending(pending: Pending) -> Json:
    if isinstance(pending, Building):
        return {"count": pending.count}
    if isinstance(pending, Rampage):
        return {"monster": pending.monster}
    if isinstance(pending, Stripping):
        return {"winner": pending.winner, "loser": pending.loser, "count": pending.count}
    if isinstance(pending, Parting):
        return {
            "chooser": pending.chooser,
            "piece": pending.piece,
            "part": pending.part,
            "monster": pending.monster,
        }
    return None

"""Who can be met, and where one can go: what the board offers in a position."""

from collections.abc import Iterator

from games.kernel.contract import Seat
from games.titles.dice_is_health.position import MOST_MONSTERS, State
from games.titles.dice_is_health.spaces import (
    DIE_SPACES,
    NEIGHBOURS,
    RING,
    SPACES,
    WALL_SPACES,
    Space,
    distances,
)


def player_spaces(state: State) -> set[Space]:
    """Return the spaces on which players stand."""
    return {state.at(seat) for seat in state.still_in}


def sites(state: State) -> tuple[Space, ...]:
    """Return where the mover may put up a wall, or take one over."""
    others = {state.at(seat) for seat in state.still_in if seat != state.turn}
    taken = others.union(state.monsters, state.walls_of(state.turn))
    return tuple(space for space in WALL_SPACES if space not in taken)


def dens(state: State) -> tuple[Space, ...]:
    """Return where a monster may be summoned; nowhere once there are enough."""
    if len(state.monsters) == MOST_MONSTERS:
        return ()
    taken = player_spaces(state).union(state.walls)
    return tuple(space for space in SPACES if space not in taken)


def farthest(state: State, seat: Seat) -> Space:
    """Return where the die that a player gives up comes to lie.

    That is the space farthest away; of several the first one going up from the player's sector.
    """
    start = state.at(seat)
    far = distances(start, state.fan)
    free = [space for space in DIE_SPACES if space not in state.pickups]
    return min(free, key=lambda space: (-far[space], (space - start.sector) % RING))


def exits(state: State, seat: Seat) -> tuple[Space, ...]:
    """Return where a piece may step away to after a fight."""
    taken = player_spaces(state).union(state.monsters)
    near = sorted(NEIGHBOURS[state.fan][state.at(seat)])
    return tuple(s for s in near if s not in taken and not state.is_closed(s, seat))


def forced_fight(state: State) -> tuple[Seat, int] | None:
    """Return the player and the monster who must fight next, if any must."""
    for seat in state.in_turn:
        for number, space in enumerate(state.monsters, 1):
            if space == state.at(seat) and (seat, number) not in state.fought:
                return seat, number
    return None


def monsters_beside(state: State) -> tuple[int, ...]:
    """Return the monsters that the mover may choose to fight."""
    here = state.at(state.turn)
    return tuple(
        number
        for number, space in enumerate(state.monsters, 1)
        if state.is_beside(here, space) and (state.turn, number) not in state.fought
    )


def prey(state: State, monster: int) -> tuple[Seat, ...]:
    """Return the players whom a monster may attack on its rampage, the mover first."""
    den = state.monster_at(monster)
    near = {den, *NEIGHBOURS[state.fan][den]}
    return tuple(
        seat
        for seat in state.in_turn
        if state.at(seat) in near and (seat, monster) not in state.fought
    )


def forced_duel(state: State) -> Seat | None:
    """Return the player whom the mover must fight next, if any."""
    here = state.at(state.turn)
    return next((seat for seat in _unmet(state) if state.at(seat) == here), None)


def rivals_beside(state: State) -> tuple[Seat, ...]:
    """Return the players whom the mover may challenge."""
    here = state.at(state.turn)
    return tuple(seat for seat in _unmet(state) if state.is_beside(here, state.at(seat)))


def crowds_a_rival(state: State) -> bool:
    """Whether the mover still shares a space with a player fought this turn."""
    here, others = state.at(state.turn), state.in_turn[1:]
    return any(state.at(seat) == here and (state.turn, seat) in state.fought for seat in others)


def _unmet(state: State) -> Iterator[Seat]:
    """Yield the players whom the mover has not fought this turn."""
    return (seat for seat in state.in_turn[1:] if (state.turn, seat) not in state.fought)

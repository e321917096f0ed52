"""What a seat may do: as a list, and as the reason why something is forbidden."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, combinations
from typing import Any, cast

from games.titles.dice_is_health import movement, reach
from games.titles.dice_is_health.moves import (
    Attack,
    Challenge,
    Done,
    Fight,
    Go,
    Move,
    Movement,
    Strip,
    Summon,
    Wall,
    Walls,
)
from games.titles.dice_is_health.position import (
    CHALLENGE,
    FIGHT,
    GO,
    MOST_MONSTERS,
    MOVE,
    RAMPAGE,
    SPEND,
    STRIP,
    WALLS,
    Building,
    Parting,
    Rampage,
    State,
    Stripping,
)
from games.titles.dice_is_health.spaces import WALL_SPACES, Space


def moves(state: State) -> Iterable[Move]:
    """Return every move of the seat that is asked, each once, in the order of their texts."""
    if state.phase == MOVE:
        return movement.movements(state)
    return sorted(_ANSWERS[state.phase](state), key=str)


def why_not(state: State, move: Move) -> str:
    """Return why a move of the seat that is asked is forbidden; nothing when it is allowed."""
    if not isinstance(move, _KINDS[state.phase]):
        return _ASKED[state.phase]
    if isinstance(move, Movement):
        return movement.why_not(state, move)
    return _WHY_NOT[type(move)](state, move)


# --- Lists --------------------------------------------------------------------------------------


def _spendings(state: State) -> Iterator[Move]:
    yield Wall()
    yield from map(Summon, reach.dens(state))
    yield Done()


def _buildings(state: State) -> Iterator[Move]:
    sites = reach.sites(state)
    most = cast(Building, state.pending).count
    return map(Walls, chain.from_iterable(combinations(sites, n) for n in range(most + 1)))


def _fights(state: State) -> Iterator[Move]:
    yield from map(Fight, reach.monsters_beside(state))
    yield Done()


def _steps_away(state: State) -> Iterator[Move]:
    return map(Go, reach.exits(state, cast(Parting, state.pending).piece))


def _attacks(state: State) -> Iterator[Move]:
    yield from map(Attack, reach.prey(state, cast(Rampage, state.pending).monster))
    yield Done()


def _challenges(state: State) -> Iterator[Move]:
    yield from map(Challenge, reach.rivals_beside(state))
    yield Done()


def _strippings(state: State) -> Iterator[Move]:
    stripping = cast(Stripping, state.pending)
    return map(Strip, combinations(state.walls_of(stripping.loser), stripping.count))


_ANSWERS: Mapping[str, Callable[[State], Iterator[Move]]] = {
    SPEND: _spendings,
    WALLS: _buildings,
    FIGHT: _fights,
    GO: _steps_away,
    RAMPAGE: _attacks,
    CHALLENGE: _challenges,
    STRIP: _strippings,
}

# --- Reasons ------------------------------------------------------------------------------------

_KINDS: Mapping[str, tuple[type, ...]] = {
    MOVE: (Movement,),
    SPEND: (Wall, Summon, Done),
    WALLS: (Walls,),
    FIGHT: (Fight, Done),
    GO: (Go,),
    RAMPAGE: (Attack, Done),
    CHALLENGE: (Challenge, Done),
    STRIP: (Strip,),
}

_ASKED: Mapping[str, str] = {
    MOVE: "a turn begins with the movement of your piece, the monsters and the fan.",
    SPEND: "now dice may be spent on walls or a monster, or it is done.",
    WALLS: "first say where the walls go that you have rolled for.",
    FIGHT: "now you may fight an adjacent monster, or it is done.",
    GO: "first a piece steps away from its fight.",
    RAMPAGE: "now the monster that has won may attack on, or it is done.",
    CHALLENGE: "now you may fight an adjacent player, or it is done.",
    STRIP: "first say which walls the loser of the fight loses.",
}


def _why_no_summons(state: State, move: Summon) -> str:
    if len(state.monsters) == MOST_MONSTERS:
        return f"there are {MOST_MONSTERS} monsters already, and never more."
    if move.space in state.walls:
        return f"there is a wall on {move.space}."
    return "" if move.space in reach.dens(state) else f"a player stands on {move.space}."


def _why_no_walls(state: State, move: Walls) -> str:
    count = cast(Building, state.pending).count
    if len(move.spaces) > count:
        return f"you have rolled {count}: no more walls than that."
    sites = reach.sites(state)
    return next((_why_no_site(state, s) for s in move.spaces if s not in sites), "")


def _why_no_site(state: State, space: Space) -> str:
    if space not in WALL_SPACES:
        return f"{space} is not marked for walls."
    if state.walls.get(space) == state.turn:
        return f"the wall on {space} is yours already."
    return f"somebody else stands on {space}."


def _why_no_fight(state: State, move: Fight) -> str:
    if move.monster > len(state.monsters):
        return f"there is no monster {move.monster}."
    if (state.turn, move.monster) in state.fought:
        return "the two of you have fought this turn already."
    return _unless(move.monster in reach.monsters_beside(state), "it is not next to you.")


def _why_no_challenge(state: State, move: Challenge) -> str:
    if (state.turn, move.seat) in state.fought:
        return "the two of you have fought this turn already."
    return _unless(move.seat in reach.rivals_beside(state), "no such player is next to you.")


def _why_no_attack(state: State, move: Attack) -> str:
    monster = cast(Rampage, state.pending).monster
    if (move.seat, monster) in state.fought:
        return "the two have fought this turn already."
    return _unless(move.seat in reach.prey(state, monster), "no such player is near enough.")


def _why_no_step_away(state: State, move: Go) -> str:
    exits = reach.exits(state, cast(Parting, state.pending).piece)
    names = " or ".join(map(str, exits))
    return _unless(move.space in exits, f"free spaces next to the piece are {names}.")


def _why_no_strip(state: State, move: Strip) -> str:
    stripping = cast(Stripping, state.pending)
    if not set(move.spaces) <= set(state.walls_of(stripping.loser)):
        return "only walls of the loser are taken away."
    count = stripping.count
    return _unless(len(move.spaces) == count, f"the roll was {count}: take away just so many.")


def _unless(is_allowed: bool, reason: str) -> str:  # noqa: FBT001
    return "" if is_allowed else reason


def _allowed(_state: State, _move: Move) -> str:
    return ""


_WHY_NOT: Mapping[type, Callable[[State, Any], str]] = {
    Wall: _allowed,
    Summon: _why_no_summons,
    Walls: _why_no_walls,
    Fight: _why_no_fight,
    Challenge: _why_no_challenge,
    Attack: _why_no_attack,
    Go: _why_no_step_away,
    Strip: _why_no_strip,
    Done: _allowed,
}

"""What each move does, and what becomes of a seat that drops out."""

from collections.abc import Callable, Mapping
from typing import Any, cast

from games.kernel.contract import Seat
from games.kernel.views import Json
from games.titles.dice_is_health import fights, movement, ranking, turns
from games.titles.dice_is_health.events import (
    BUILT,
    BY_CHOICE,
    BY_RAMPAGE,
    DONE,
    LEFT,
    MAY_BUILD,
    MOVED,
    PAID,
    SENT,
    SUMMONED,
)
from games.titles.dice_is_health.movement import Stage
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
    SPEND,
    WALLS,
    Building,
    Parting,
    Rampage,
    Stripping,
)
from games.titles.dice_is_health.transition import Transition

WALL, SUMMON = "wall", "summon"
"""What a die is spent on."""


def carry_out(transition: Transition, move: Move) -> None:
    """Do what a legal move says, without what follows by itself."""
    _DEEDS[type(move)](transition, move)


def _move(transition: Transition, move: Movement) -> None:
    """Move, take the die that lies at the end of the way, and see whether that wins."""
    state = transition.state
    found = movement.stages(state, move.steps)
    transition.emit(MOVED, state.turn, steps=list(map(str, move.steps)), **paths(found))
    transition.ask(SPEND)
    player, *monsters = found[-1].pieces
    transition.change(fan=found[-1].fan, monsters=tuple(one.at for one in monsters), roll=None)
    transition.put(state.turn, player.at)
    transition.pick_up(state.turn)
    transition.check_win()


def paths(found: tuple[Stage, ...]) -> Mapping[str, Json]:
    """Return where the player's piece, the monsters and the fan were during a movement."""
    ways = [list(map(str, movement.path(found, n))) for n in range(len(found[0].pieces))]
    moved = {str(number): way for number, way in enumerate(ways) if number and len(way) > 1}
    return {"path": ways[0], "monsters": moved, "fan": movement.fan_places(found)}


def _pay_for_walls(transition: Transition, _move: Wall) -> None:
    seat = transition.state.turn
    transition.give_up_die(seat, PAID, what=WALL)
    count = transition.roll()[0]
    transition.emit(MAY_BUILD, seat, roll=count)
    transition.ask(WALLS, Building(count))


def _build(transition: Transition, move: Walls) -> None:
    walls, seat = transition.state.walls, transition.state.turn
    taken = {str(space): walls[space] for space in move.spaces if space in walls}
    transition.change(walls={**walls, **dict.fromkeys(move.spaces, seat)})
    transition.emit(BUILT, seat, spaces=list(map(str, move.spaces)), taken=taken)
    transition.ask(SPEND)


def _summon(transition: Transition, move: Summon) -> None:
    seat, monsters = transition.state.turn, transition.state.monsters
    transition.give_up_die(seat, PAID, what=SUMMON)
    transition.change(monsters=(*monsters, move.space))
    transition.emit(SUMMONED, seat, monster=len(monsters) + 1, at=str(move.space))


def _fight(transition: Transition, move: Fight) -> None:
    fights.meet_monster(transition, transition.state.turn, move.monster, BY_CHOICE)


def _challenge(transition: Transition, move: Challenge) -> None:
    fights.meet_player(transition, Seat(move.seat), BY_CHOICE)


def _attack(transition: Transition, move: Attack) -> None:
    monster = cast(Rampage, transition.state.pending).monster
    transition.emit(SENT, transition.state.turn, monster=monster, target=move.seat)
    fights.meet_monster(transition, Seat(move.seat), monster, BY_RAMPAGE)


def _go(transition: Transition, move: Go) -> None:
    fights.step_away(transition, cast(Parting, transition.state.pending), move.space)


def _strip(transition: Transition, move: Strip) -> None:
    fights.strip(transition, cast(Stripping, transition.state.pending), move.spaces)


def _be_done(transition: Transition, _move: Done) -> None:
    state = transition.state
    transition.emit(DONE, state.turn, phase=state.phase)
    if state.phase == FIGHT:
        turns.meet_players(transition)
    elif state.phase == CHALLENGE:
        turns.end_turn(transition)
    else:
        transition.ask(FIGHT)


_DEEDS: Mapping[type, Callable[[Transition, Any], None]] = {
    Movement: _move,
    Wall: _pay_for_walls,
    Walls: _build,
    Summon: _summon,
    Fight: _fight,
    Challenge: _challenge,
    Attack: _attack,
    Go: _go,
    Strip: _strip,
    Done: _be_done,
}


def drop_out(transition: Transition, seat: Seat) -> None:
    """Take a seat off the board with all that it has, void its decision, and go on behind it."""
    _leave(transition, seat)
    still_in = transition.state.still_in
    if len(still_in) == 1:
        transition.end("dropped", ranking.ranks(transition.state, still_in))
    elif seat == transition.state.turn:
        turns.end_turn(transition)
    else:
        _void(transition, seat)
        turns.settle(transition)


def _leave(transition: Transition, seat: Seat) -> None:
    state, player = transition.state, transition.state.players[seat]
    told = {"at": str(player.at), "dice": player.dice, "trinkets": player.trinkets}
    transition.emit(LEFT, seat, **told, walls=list(map(str, state.walls_of(seat))))
    transition.change_player(seat, at=None, dice=0, trinkets=0)
    walls = {space: owner for space, owner in state.walls.items() if owner != seat}
    transition.change(walls=walls, dropped=(*state.dropped, seat))


def _void(transition: Transition, seat: Seat) -> None:
    """Void what waited for a seat other than the mover, or was about its walls."""
    pending = transition.state.pending
    if isinstance(pending, Parting) and pending.chooser == seat:
        fights.after_parting(transition, pending)
    elif isinstance(pending, Stripping) and seat in (pending.winner, pending.loser):
        transition.ask(CHALLENGE)

"""What each move does, and what becomes of a seat that drops out."""

from collections.abc import Callable, Mapping
from typing import Any, cast

from games.kernel.contract import Json, Seat
from games.titles.dice_is_health import fights, movement, ranking, turns
from games.titles.dice_is_health.course import Course
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

WALL, SUMMON = "wall", "summon"
"""What a die is spent on."""


def carry_out(course: Course, move: Move) -> None:
    """Do what a legal move says, without what follows by itself."""
    _DEEDS[type(move)](course, move)


def _move(course: Course, move: Movement) -> None:
    """Move, take the die that lies at the end of the way, and see whether that wins."""
    state = course.state
    found = movement.stages(state, move.steps)
    course.tell(MOVED, state.turn, steps=list(map(str, move.steps)), **paths(found))
    course.ask(SPEND)
    player, *monsters = found[-1].pieces
    course.change(fan=found[-1].fan, monsters=tuple(one.at for one in monsters), roll=None)
    course.put(state.turn, player.at)
    course.pick_up(state.turn)
    course.check_win()


def paths(found: tuple[Stage, ...]) -> Mapping[str, Json]:
    """Return where the player's piece, the monsters and the fan were during a movement."""
    ways = [list(map(str, movement.path(found, n))) for n in range(len(found[0].pieces))]
    moved = {str(number): way for number, way in enumerate(ways) if number and len(way) > 1}
    return {"path": ways[0], "monsters": moved, "fan": movement.fan_places(found)}


def _pay_for_walls(course: Course, _move: Wall) -> None:
    seat = course.state.turn
    course.give_up_die(seat, PAID, what=WALL)
    count = course.roll()[0]
    course.tell(MAY_BUILD, seat, roll=count)
    course.ask(WALLS, Building(count))


def _build(course: Course, move: Walls) -> None:
    walls, seat = course.state.walls, course.state.turn
    taken = {str(space): walls[space] for space in move.spaces if space in walls}
    course.change(walls={**walls, **dict.fromkeys(move.spaces, seat)})
    course.tell(BUILT, seat, spaces=list(map(str, move.spaces)), taken=taken)
    course.ask(SPEND)


def _summon(course: Course, move: Summon) -> None:
    seat, monsters = course.state.turn, course.state.monsters
    course.give_up_die(seat, PAID, what=SUMMON)
    course.change(monsters=(*monsters, move.space))
    course.tell(SUMMONED, seat, monster=len(monsters) + 1, at=str(move.space))


def _fight(course: Course, move: Fight) -> None:
    fights.meet_monster(course, course.state.turn, move.monster, BY_CHOICE)


def _challenge(course: Course, move: Challenge) -> None:
    fights.meet_player(course, Seat(move.seat), BY_CHOICE)


def _attack(course: Course, move: Attack) -> None:
    monster = cast(Rampage, course.state.pending).monster
    course.tell(SENT, course.state.turn, monster=monster, target=move.seat)
    fights.meet_monster(course, Seat(move.seat), monster, BY_RAMPAGE)


def _go(course: Course, move: Go) -> None:
    fights.step_away(course, cast(Parting, course.state.pending), move.space)


def _strip(course: Course, move: Strip) -> None:
    fights.strip(course, cast(Stripping, course.state.pending), move.spaces)


def _be_done(course: Course, _move: Done) -> None:
    state = course.state
    course.tell(DONE, state.turn, phase=state.phase)
    if state.phase == FIGHT:
        turns.meet_players(course)
    elif state.phase == CHALLENGE:
        turns.end_turn(course)
    else:
        course.ask(FIGHT)


_DEEDS: Mapping[type, Callable[[Course, Any], None]] = {
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


def drop_out(course: Course, seat: Seat) -> None:
    """Take a seat off the board with all that it has, void its decision, and go on behind it."""
    _leave(course, seat)
    still_in = course.state.still_in
    if len(still_in) == 1:
        course.end("dropped", ranking.ranks(course.state, still_in))
    elif seat == course.state.turn:
        turns.end_turn(course)
    else:
        _void(course, seat)
        turns.settle(course)


def _leave(course: Course, seat: Seat) -> None:
    state, player = course.state, course.state.players[seat]
    told = {"at": str(player.at), "dice": player.dice, "trinkets": player.trinkets}
    course.tell(LEFT, seat, **told, walls=list(map(str, state.walls_of(seat))))
    course.change_player(seat, at=None, dice=0, trinkets=0)
    walls = {space: owner for space, owner in state.walls.items() if owner != seat}
    course.change(walls=walls, dropped=(*state.dropped, seat))


def _void(course: Course, seat: Seat) -> None:
    """Void what waited for a seat other than the mover, or was about its walls."""
    pending = course.state.pending
    if isinstance(pending, Parting) and pending.chooser == seat:
        fights.after_parting(course, pending)
    elif isinstance(pending, Stripping) and seat in (pending.winner, pending.loser):
        course.ask(CHALLENGE)

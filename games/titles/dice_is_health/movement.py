"""The movement of a turn: steps of the player's piece, the monsters and the fan, in any order.

However one begins, a movement can be finished: whatever walls stand, every piece has a space
to step to.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple, TypeAlias, TypeVar

from games.titles.dice_is_health.moves import Movement, Step, Turn, Walk
from games.titles.dice_is_health.position import Roll, State
from games.titles.dice_is_health.spaces import NEIGHBOURS, SECTORS, Space

T = TypeVar("T")

REMEMBERED = 20_000
"""So many places on the way are remembered with their next steps."""


class Piece(NamedTuple):
    """A piece on its way: where it is, and the space it came from this turn, if it moved."""

    at: Space
    origin: Space | None = None


class Ground(NamedTuple):
    """What stays as it is during a movement: the spaces that are closed by walls."""

    to_player: frozenset[Space]
    to_monsters: frozenset[Space]

    @classmethod
    def of(cls, state: State) -> "Ground":
        """Return the ground on which the turn's seat moves."""
        closed = (space for space in state.walls if state.is_closed(space, state.turn))
        return cls(frozenset(closed), frozenset(state.walls))


class Stage(NamedTuple):
    """A movement on its way; the player is the first of ``pieces``, then come the monsters.

    ``left`` is what is left of the dice of the monsters, the fan and the player; ``way`` how the
    fan has turned, 0 before it did.
    """

    fan: int
    pieces: tuple[Piece, ...]
    left: Roll
    way: int = 0

    @classmethod
    def of(cls, state: State) -> "Stage":
        """Return the stage on which a movement begins."""
        spaces = (state.at(state.turn), *state.monsters)
        return cls(state.fan, tuple(map(Piece, spaces)), state.roll or (0, 0, 0))

    @property
    def is_whole(self) -> bool:
        """Whether all steps are used."""
        return not any(self.left)


Next: TypeAlias = tuple[tuple[Step, Stage], ...]


@lru_cache(maxsize=REMEMBERED)
def following(ground: Ground, stage: Stage) -> Next:
    """Return the steps that are possible now, in the order of their texts, and where they lead."""
    monsters, fan, player = stage.left
    found: list[tuple[Step, Stage]] = []
    if fan:
        found += (_turn(stage, way) for way in (1, -1) if way * stage.way >= 0)
    for number in range(len(stage.pieces)):
        if monsters if number else player:
            found += (_walk(stage, number, space) for space in _open(ground, stage, number))
    return tuple(sorted(found, key=lambda one: str(one[0])))


def _open(ground: Ground, stage: Stage, number: int) -> Sequence[Space]:
    """Return where a piece may step: not straight back, unless nothing else is open."""
    at, origin = stage.pieces[number]
    closed = ground.to_monsters if number else ground.to_player
    near = [space for space in NEIGHBOURS[stage.fan][at] if space not in closed]
    return [space for space in near if space != origin] or near


def _turn(stage: Stage, way: int) -> tuple[Step, Stage]:
    monsters, fan, player = stage.left
    place = (stage.fan + way) % SECTORS
    return Turn(way), stage._replace(fan=place, left=(monsters, fan - 1, player), way=way)


def _walk(stage: Stage, number: int, space: Space) -> tuple[Step, Stage]:
    monsters, fan, player = stage.left
    left = (monsters - 1, fan, player) if number else (monsters, fan, player - 1)
    pieces = list(stage.pieces)
    pieces[number] = Piece(space, stage.pieces[number].at)
    return Walk(number, space), stage._replace(pieces=tuple(pieces), left=left)


def stages(state: State, steps: Sequence[Step]) -> tuple[Stage, ...]:
    """Return the stages of a movement from the first on, as far as its steps are possible."""
    ground, stage = Ground.of(state), Stage.of(state)
    found = [stage]
    for step in steps:
        after = dict(following(ground, stage)).get(step)
        if after is None:
            break
        found.append(stage := after)
    return tuple(found)


def path(found: Sequence[Stage], number: int) -> list[Space]:
    """Return the spaces on which a piece was; 0 is the player's, monsters count from 1."""
    return _changes([stage.pieces[number].at for stage in found])


def fan_places(found: Sequence[Stage]) -> list[int]:
    """Return the places that the fan had."""
    return _changes([stage.fan for stage in found])


def _changes(values: Sequence[T]) -> list[T]:
    return [values[0], *(after for before, after in pairwise(values) if after != before)]


def movements(state: State) -> Iterator[Movement]:
    """Yield every movement, in the order of their texts; there can be billions."""
    ground = Ground.of(state)
    steps: list[Step] = []
    open_ends = [iter(following(ground, Stage.of(state)))]
    while open_ends:
        for step, stage in open_ends[-1]:
            if stage.is_whole:
                yield Movement((*steps, step))
            else:
                steps.append(step)
                open_ends.append(iter(following(ground, stage)))
                break
        else:
            open_ends.pop()
            del steps[-1:]


def why_not(state: State, movement: Movement) -> str:
    """Return why a movement is forbidden; nothing when it is allowed."""
    found = stages(state, movement.steps)
    if len(found) <= len(movement.steps):
        step = movement.steps[len(found) - 1]
        return f"{step} is not possible: {_why_no_step(Ground.of(state), found[-1], step)}"
    if not found[-1].is_whole:
        return "all steps must be used."
    return ""


def _why_no_step(ground: Ground, stage: Stage, step: Step) -> str:
    monsters, fan, player = stage.left
    if isinstance(step, Turn):
        return "the fan turns in one direction." if fan else "the fan has no turn left."
    if step.monster >= len(stage.pieces):
        return f"there is no monster {step.monster}."
    if not (monsters if step.monster else player):
        return "no step is left for it."
    at = stage.pieces[step.monster].at
    if step.to not in NEIGHBOURS[stage.fan][at]:
        return f"{step.to} is not next to {at}."
    if step.to in (ground.to_monsters if step.monster else ground.to_player):
        return f"a wall on {step.to} keeps it out."
    return "it has just come from there, and does not step straight back."

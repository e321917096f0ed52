"""The movement of a turn: possible steps, and all movements."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

from msgspec import Struct

from games.kernel.language import gettext
from games.titles.dice_is_health.board import (
    NEIGHBOURS,
    SECTORS,
    Space,
    spoken,
)
from games.titles.dice_is_health.moves import DOWN, UP, Movement, Step, Turn, Walk
from games.titles.dice_is_health.state import Roll, State

Place: TypeAlias = tuple[Space, Space | None]
"""The space of a piece, and the space it came from this turn, if it moved."""

Closed: TypeAlias = frozenset[Space]
"""The spaces that a piece may not enter because of walls."""

TURNS = {0: (UP, DOWN), 1: (UP,), -1: (DOWN,)}
"""The possible turns of the fan, by the direction of earlier ones."""

CACHED = 4_096
"""Cache size per function."""

MAX_OUTCOMES = 10_000
"""Maximum number of outcomes of a movement that are enumerated."""


@lru_cache(CACHED)
def next_spaces(fan: int, place: Place, closed: Closed) -> tuple[Space, ...]:
    """Return the spaces to which a piece may step, in the order of names.

    Not straight back, unless nothing else is open.
    """
    at, origin = place
    near = sorted(space for space in NEIGHBOURS[fan][at] if space not in closed)
    return tuple(space for space in near if space != origin) or tuple(near)


@lru_cache(CACHED)
def steps_of(piece: int, fan: int, place: Place, closed: Closed) -> tuple[Walk, ...]:
    """Return the steps of a piece, in the order of their texts."""
    return tuple(Walk(piece, to) for to in next_spaces(fan, place, closed))


class Paths(Struct, frozen=True):
    """All paths of a piece with a number of steps, in the order of their texts.

    ``branches`` are the first steps, each with the paths that follow it. ``texts`` are the whole
    paths.
    """

    branches: tuple[tuple[str, "Paths"], ...]
    texts: tuple[str, ...]


@lru_cache(CACHED)
def paths(piece: int, count: int, fan: int, place: Place, closed: Closed) -> Paths:
    """Return the paths of a piece while nothing else moves."""
    if not count:
        return Paths((), ("",))
    branches = tuple(
        (str(Walk(piece, to)), paths(piece, count - 1, fan, (to, place[0]), closed))
        for to in next_spaces(fan, place, closed)
    )
    return Paths(
        branches, tuple(f"{step} {text}" for step, rest in branches for text in rest.texts)
    )


class Stage(Struct, frozen=True, gc=False):
    """An unfinished movement.

    ``left`` has the remaining steps of the dice of the monsters, the fan and the player.
    ``direction`` is that in which the fan has turned, 0 before it did. ``closed`` are the spaces
    closed to the player and those closed to monsters.
    """

    fan: int
    pieces: tuple[Place, ...]
    left: Roll
    direction: int
    closed: tuple[Closed, Closed]

    @classmethod
    def of(cls, state: State) -> "Stage":
        """Return the first stage of a movement."""
        walls = state.walls
        foreign = frozenset(space for space, owner in walls.items() if owner != state.turn)
        pieces = tuple((at, None) for at in (state.at(state.turn), *state.monsters))
        return cls(state.fan, pieces, state.roll or (0, 0, 0), 0, (foreign, frozenset(walls)))

    @property
    def is_whole(self) -> bool:
        return self.left == (0, 0, 0)

    @property
    def turns_left(self) -> int:
        """The number of sectors that the fan still has to turn."""
        return self.left[1]

    def steps_left(self, piece: int) -> int:
        """Return the remaining steps of a piece, 0 for the player's."""
        monsters, _, player = self.left
        return monsters if piece else player

    @property
    def movable(self) -> tuple[int, ...]:
        """The pieces with steps left, in the order of their texts: monsters first."""
        monsters, _, player = self.left
        moving = tuple(range(1, len(self.pieces))) if monsters else ()
        return (*moving, 0) if player else moving

    @property
    def steps(self) -> Iterator[Step]:
        """The possible steps, in the order of their texts."""
        if self.turns_left:
            yield from TURNS[self.direction]
        for piece in self.movable:
            yield from steps_of(piece, self.fan, self.pieces[piece], self.closed[piece > 0])

    def next_spaces(self, piece: int) -> tuple[Space, ...]:
        """Return the spaces to which a piece may step."""
        return next_spaces(self.fan, self.pieces[piece], self.closed[piece > 0])

    @property
    def paths(self) -> Iterator[Paths]:
        """The paths of each piece as far as its die allows, the player's first."""
        for piece, place in enumerate(self.pieces):
            count = self.steps_left(piece)
            yield paths(piece, count, self.fan, place, self.closed[piece > 0])

    def after(self, step: Step) -> "Stage":
        monsters, turns, player = self.left
        if isinstance(step, Turn):
            fan = (self.fan + step.by) % SECTORS
            left = (monsters, turns - 1, player)
            return Stage(fan, self.pieces, left, step.by, self.closed)
        n = step.monster
        pieces = self.pieces
        left = (monsters - 1, turns, player) if n else (monsters, turns, player - 1)
        moved = (*pieces[:n], (step.to, pieces[n][0]), *pieces[n + 1 :])
        return Stage(self.fan, moved, left, self.direction, self.closed)

    def refusal(self, step: Step) -> str:
        """Return why a step isn't possible now. Empty if it is."""
        if isinstance(step, Turn):
            if not self.turns_left:
                return gettext("the fan has turned enough.")
            if step in TURNS[self.direction]:
                return ""
            return gettext("the fan turns in one direction only.")
        if step.monster >= len(self.pieces):
            return gettext("there is no monster {number}.").format(number=step.monster)
        if step.monster not in self.movable:
            return gettext("it has no steps left.")
        return "" if step.to in self.next_spaces(step.monster) else self._why_closed(step)

    def _why_closed(self, step: Walk) -> str:
        at, _ = self.pieces[step.monster]
        if step.to not in NEIGHBOURS[self.fan][at]:
            message = gettext("{space} is not next to {other}.")
            return message.format(space=spoken(step.to), other=spoken(at))
        if step.to in self.closed[step.monster > 0]:
            return gettext("a wall on {space} keeps it out.").format(space=spoken(step.to))
        return gettext("it has just come from there and can’t step straight back.")


def movements(start: Stage) -> Iterator[Movement]:
    """Yield every movement, in the order of their texts. There can be billions.

    Once the fan has turned, pieces don't block each other: their paths only have to be interleaved.
    """
    for text, stage in _turned("", start):
        own, *others = stage.paths
        yield from _shuffled(text, own, tuple(others), stage.left[0])


def _turned(text: str, stage: Stage) -> Iterator[tuple[str, Stage]]:
    """Yield the stages right after the last turn of the fan, each with its text."""
    if not stage.turns_left:
        yield text, stage
        return
    for step in stage.steps:
        yield from _turned(f"{text}{step} ", stage.after(step))


def _shuffled(
    text: str, own: Paths, others: tuple[Paths, ...], monsters: int
) -> Iterator[Movement]:
    """Yield all mixtures of a player's path and paths of monsters with a total number of steps."""
    if not monsters:
        yield from (Movement((text + path).rstrip()) for path in own.texts)
        return
    for n, other in enumerate(others):
        for step, rest in other.branches:
            changed = (*others[:n], rest, *others[n + 1 :])
            yield from _shuffled(f"{text}{step} ", own, changed, monsters - 1)
    for step, rest in own.branches:
        yield from _shuffled(f"{text}{step} ", rest, others, monsters)


Way: TypeAlias = tuple[tuple[int, Walk], ...]
"""Steps of a piece, each with the number of turns that the fan makes before it."""


def outcomes(start: Stage) -> Mapping[Stage, Movement] | None:
    """Return a movement for each combination of final spaces and fan.

    The pieces don't block each other, so the ways of each are found apart. The stages don't say
    where the pieces came from, or how the fan turned.

    :return: ``None`` if there are more than ``MAX_OUTCOMES``.
    """
    monsters, turns, player = start.left
    found: dict[Stage, Movement] = {}
    for turn in TURNS[start.direction]:
        fans = [(start.fan + turn.by * number) % SECTORS for number in range(turns + 1)]
        own, *others = (
            _ways(piece, monsters if piece else player, fans, place, start.closed[piece > 0])
            for piece, place in enumerate(start.pieces)
        )
        shared: dict[tuple[int, tuple[Space, ...]], Way] = {(0, ()): ()}
        for other in others:
            shared = {
                (made + count, (*spaces, at)): (*way, *more)
                for (made, spaces), way in shared.items()
                for (count, at), more in other.items()
                if made + count <= monsters
            }
            if len(shared) > MAX_OUTCOMES:
                return None
        for (made, spaces), way in shared.items():
            for (count, at), more in own.items():
                if (made, count) == (monsters, player):
                    pieces = tuple((space, None) for space in (at, *spaces))
                    stage = Stage(fans[-1], pieces, (0, 0, 0), 0, start.closed)
                    if stage not in found:
                        found[stage] = _interleaved(turn, turns, (*way, *more))
            if len(found) > MAX_OUTCOMES:
                return None
    return found


def _ways(
    piece: int, most: int, fans: Sequence[int], place: Place, closed: Closed
) -> Mapping[tuple[int, Space], Way]:
    """Return a way of a piece to each space with each number of steps, while the fan turns."""
    found: dict[tuple[int, Place], Way] = {(0, place): ()}
    for number, fan in enumerate(fans):
        edge = list(found)
        while edge:
            following: list[tuple[int, Place]] = []
            for count, there in edge:
                for to in next_spaces(fan, there, closed) if count < most else ():
                    after = (count + 1, (to, there[0]))
                    if after not in found:
                        found[after] = (*found[count, there], (number, Walk(piece, to)))
                        following.append(after)
            edge = following
    # Of several ways to a space the first.
    return {(count, at): way for (count, (at, _)), way in reversed(found.items())}


def _interleaved(turn: Turn, turns: int, steps: Way) -> Movement:
    """Return the movement of some steps and all turns of the fan."""
    words: list[str] = []
    for number in range(turns + 1):
        words += [str(step) for after, step in steps if after == number]
        words += [str(turn)] * (number < turns)
    return Movement(" ".join(words))


def shortest_paths(stage: Stage, piece: int) -> Mapping[Space, tuple[Space, ...]]:
    """Return a piece's shortest path to each space, with everything else at rest.

    Meetings and pickups depend on a piece's final space, not on its way.
    """
    paths_to: dict[Place, tuple[Space, ...]] = {stage.pieces[piece]: ()}
    best: dict[Space, tuple[Space, ...]] = {}
    for _ in range(stage.steps_left(piece)):
        paths_to = {
            (to, place[0]): (*path, to)
            for place, path in paths_to.items()
            for to in next_spaces(stage.fan, place, stage.closed[piece > 0])
        }
        for (to, _), path in paths_to.items():
            best.setdefault(to, path)
    return best

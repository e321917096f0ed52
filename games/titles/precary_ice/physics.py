"""The behaviour of a tower when a piece is released over it: rigid bodies in a vertical plane.

Units are millimetres, grams, seconds and radians. A tower is always rebuilt from the stored
numbers. The same numbers give the same outcome on one machine, but not on every machine, so the
outcome is recorded (:meth:`games.kernel.dice.Dice.observe`) and never computed again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import pi, radians

import pymunk

from games.kernel.trace import Frame
from games.titles.precary_ice.pieces import FARTHEST, PIECES, Placed, Point

STEP = 1 / 4000
ITERATIONS = 22
GRAVITY = 9810.0
FRICTION = 0.4
SLOP = 0.02
BIAS = (1 - 0.1) ** 60
DAMPING = 0.5
RADIUS = 0.15
"""The radius by which corners are rounded, in mm."""

STEPS_A_FRAME = 89
"""Steps between two frames. At thirty frames a second, motion is one and a half times slower."""

WARM_UP = 60
"""Steps during which the tower is held, while the contact impulses build up."""

NEVER = 1e9
"""Seconds of rest after which a piece falls asleep by itself. The code puts pieces to sleep."""

ABOVE = 2.0
"""How far above the first contact a piece is released, in mm."""

LOWERING = 0.5
LEANING = radians(50)

REST = 14
"""In this many frames, a bit more than 0.3 s, a tower at rest moves and turns less than this."""

MOVED = 0.12
TURNED = 0.006
"""In mm, and in radians."""

MAX_MILLISECONDS = 3_000
"""Milliseconds after which a simulation ends. A tower that hasn't fallen stands."""

AFTERMATH = 1_300
"""Milliseconds for which a fall is simulated after the first contact with the table."""

LOWEST = 0
PIECE = 1
TABLE = 2
"""Types of collision: the lowest piece may touch the table."""

REACH = 45.0
"""No point of a piece is farther than this from its centre of mass, in mm."""

WIDTH = 2 * FARTHEST


@dataclass(frozen=True)
class Settled:
    """The outcome of a placement: the final places of all pieces, the new one last.

    ``ms`` is the number of milliseconds until the tower fell: the first contact with the table, or
    the rest of a tower that leans too far. ``None`` if it stands. ``frames`` are the places of the
    pieces from the release to the end.
    """

    pieces: tuple[Placed, ...]
    ms: int | None
    frames: tuple[Frame, ...]


class Scene:
    """A tower on the table, rebuilt from numbers, and a piece that is released over it."""

    def __init__(self, tower: Sequence[Placed]) -> None:
        self._space = _space()
        self._bodies = [_body(self._space, piece) for piece in tower]
        for shape in self._bodies[0].shapes:
            shape.collision_type = LOWEST
        self._steps = 0
        self._hold(tower)
        self._put_to_sleep()
        self.touched: int | None = None
        """Milliseconds until a piece other than the lowest touched the table. ``None`` before."""
        self._space.on_collision(PIECE, TABLE, begin=self._touch)

    def _touch(self, _arbiter: pymunk.Arbiter, _space: pymunk.Space, _data: object) -> None:
        if self.touched is None:
            self.touched = self.clock

    @property
    def clock(self) -> int:
        """Milliseconds since the scene began."""
        return round(self._steps * STEP * 1000)

    @property
    def frame(self) -> Frame:
        """The places of all pieces."""
        return [(*body.position, body.angle) for body in self._bodies]

    def advance(self) -> Frame:
        """Advance by one frame, and return it."""
        for _ in range(STEPS_A_FRAME):
            self._space.step(STEP)
            self._steps += 1
        return self.frame

    def _hold(self, tower: Sequence[Placed]) -> None:
        """Keep every piece in its place while the impulses between them build up."""
        for _ in range(WARM_UP):
            self._space.step(STEP)
            for body, piece in zip(self._bodies, tower, strict=True):
                body.position = (piece.x, piece.y)
                body.angle = piece.angle
                body.velocity = (0.0, 0.0)
                body.angular_velocity = 0.0

    def _put_to_sleep(self) -> None:
        """Let the tower rest as it was stored, until something touches it and wakes all of it.

        A tall tower that is rebuilt sways a little, and would fall from being rebuilt often.
        """
        lowest, *others = self._bodies
        lowest.sleep()
        for body in others:
            body.sleep_with_group(lowest)

    def add(self, letter: str, x: float, angle: float) -> None:
        """Lower a piece until it touches something, and raise it a little again."""
        y = max(y for _, y, _ in self.frame) + 2 * REACH
        body = _body(self._space, Placed(letter, x, y, angle))
        while not self._touches(body):
            y -= LOWERING
            _put(self._space, body, y)
        high = y + LOWERING
        low = y
        while high - low > SLOP:
            _put(self._space, body, (high + low) / 2)
            if self._touches(body):
                low = (high + low) / 2
            else:
                high = (high + low) / 2
        _put(self._space, body, high + ABOVE)
        self._bodies.append(body)

    def _touches(self, body: pymunk.Body) -> bool:
        return any(
            hit.shape is not None and hit.shape.body is not body
            for shape in body.shapes
            for hit in self._space.shape_query(shape)
        )


@lru_cache(maxsize=4)
def let_go(tower: tuple[Placed, ...], letter: str, x: float, angle: float) -> Settled:
    """Simulate the release of a piece over a tower.

    Its centre of mass is ``x`` mm from the axis. ``angle`` is in radians, counter-clockwise. The
    last outcomes are cached: a change that lost its swap may ask for the same again.
    """
    scene = Scene(tower)
    scene.add(letter, x, angle)
    frames = [scene.frame]
    while not _is_over(scene, frames):
        frames.append(scene.advance())
    letters = [*(piece.letter for piece in tower), letter]
    pieces = tuple(Placed(size, *at) for size, at in zip(letters, frames[-1], strict=True))
    rest = scene.clock if _leans(frames[-1]) else None
    return Settled(pieces, rest if scene.touched is None else scene.touched, tuple(frames))


def stands(tower: Sequence[Placed], letter: str, x: float, angle: float) -> bool:
    """Whether a tower stands after a release, as :func:`let_go` finds.

    A fall isn't simulated any further than its first contact with the table.
    """
    scene = Scene(tower)
    scene.add(letter, x, angle)
    frames = [scene.frame]
    while scene.touched is None and not _is_over(scene, frames):
        frames.append(scene.advance())
    return scene.touched is None and not _leans(frames[-1])


def _is_over(scene: Scene, frames: Sequence[Frame]) -> bool:
    """Whether all pieces are at rest, or the simulation has reached its time limit."""
    if scene.touched is not None and scene.clock > scene.touched + AFTERMATH:
        return True
    return scene.clock > MAX_MILLISECONDS or (
        len(frames) > REST and _rests(frames[-REST], frames[-1])
    )


def _rests(before: Frame, now: Frame) -> bool:
    """Whether no piece has moved or turned noticeably between two frames."""
    return all(
        abs(x - was_x) < MOVED and abs(y - was_y) < MOVED and abs(angle - was) < TURNED
        for (was_x, was_y, was), (x, y, angle) in zip(before, now, strict=True)
    )


def _leans(frame: Frame) -> bool:
    """Whether a piece leans too far for a tower that stands."""
    return any(abs(_turned(angle)) > LEANING for _, _, angle in frame)


def _turned(angle: float) -> float:
    """Normalise an angle to -π…π."""
    return (angle + pi) % (2 * pi) - pi


def _space() -> pymunk.Space:
    space = pymunk.Space()
    space.gravity = (0.0, -GRAVITY)
    space.iterations = ITERATIONS
    space.damping = DAMPING
    space.collision_slop = SLOP
    space.collision_bias = BIAS
    space.sleep_time_threshold = NEVER
    table = pymunk.Segment(space.static_body, (-WIDTH, -WIDTH), (WIDTH, -WIDTH), WIDTH)
    table.friction = FRICTION
    table.collision_type = TABLE
    space.add(table)
    return space


def _body(space: pymunk.Space, placed: Placed) -> pymunk.Body:
    piece = PIECES[placed.letter]
    body = pymunk.Body(piece.mass, piece.inertia)
    body.position = (placed.x, placed.y)
    body.angle = placed.angle
    space.add(body)
    for solid in piece.solids:
        shape = pymunk.Poly(body, _shrunk(solid, RADIUS), radius=RADIUS)
        shape.friction = FRICTION
        shape.collision_type = PIECE
        space.add(shape)
    return body


def _put(space: pymunk.Space, body: pymunk.Body, y: float) -> None:
    body.position = (body.position.x, y)
    space.reindex_shapes_for_body(body)


def _shrunk(corners: Sequence[Point], by: float) -> list[Point]:
    """Return a convex polygon, counter-clockwise, with every side moved inwards."""
    around = [*corners[-1:], *corners, *corners[:1]]
    return [
        _inset(before, corner, after, by)
        for before, corner, after in zip(around, corners, around[2:], strict=False)
    ]


def _inset(before: Point, corner: Point, after: Point, by: float) -> Point:
    """Return the corner where both its sides, moved inwards, meet."""
    one = _unit(before, corner)
    two = _unit(corner, after)
    cross = one[0] * two[1] - one[1] * two[0]
    return (
        corner[0] + by * (two[0] - one[0]) / cross,
        corner[1] + by * (two[1] - one[1]) / cross,
    )


def _unit(start: Point, end: Point) -> Point:
    dx = end[0] - start[0]
    dy = end[1] - start[1]
    length = (dx**2 + dy**2) ** 0.5
    return dx / length, dy / length

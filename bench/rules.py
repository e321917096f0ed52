"""The speed of rules: random matches, boards, replays, positions from storage."""

import json
import random
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

from bench import plies
from bench.rows import Row, per_second
from games.kernel import registry, svg, svg_writer
from games.kernel.contract import AnyGame, Seat
from games.kernel.dice import CommittedDice, no_dice
from games.kernel.params import complete
from games.kernel.replay import Moment, PlainEntry, replay
from games.screen import packed_marks
from games.titles.die.tests.reference import Reference

SIZES = (3, 5, 7, 9, 12)
GOAL_SIZE, GOAL = 7, 20_000
LONGEST_DRAWING = 60.0
STACKS = 70

SECTION = "The rules"


def rows() -> Iterator[Row]:
    """Measure the rules of all games, those of DIE by size, drawings, and the largest board."""
    yield from plies.rows()
    title = registry.get("die")
    for size in SIZES:
        yield playouts(title, size)
    yield drawing(title, 12)
    yield loading(title, 12)
    yield entering(title, 12)
    yield replaying(title, 12)
    yield drawing_much()


def playouts(title: AnyGame, size: int) -> Row:
    """Random matches to the end: moves listed, one chosen, one played."""
    plies = per_second(playout(title, size))
    slow = per_second(slow_playout(size))
    goal, reached = "", None
    if size == GOAL_SIZE:
        goal, reached = f"≥ {GOAL:,} plies/s", plies >= GOAL
    floor_is = "second implementation"
    return Row(f"random match, size {size}", plies, "plies/s", slow, floor_is, goal, reached)


def playout(title: AnyGame, size: int) -> Callable[[], int]:
    """Return a function that plays one random match, and returns its number of plies."""
    rng = random.Random(1)

    def play() -> int:
        state, plies = title.setup(2, {"size": size}, no_dice()), 0
        while actors := title.actors(state):
            move = rng.choice(list(title.moves(state, actors[0])))
            state, _ = title.play(state, actors[0], move, no_dice())
            plies += 1
        return plies

    return play


def slow_playout(size: int) -> Callable[[], int]:
    """Return a function that plays part of a random match by the second implementation."""
    rng = random.Random(1)
    match = Reference(2, {"size": size}, ())

    def play() -> int:
        nonlocal match
        if not match.actors():
            match = Reference(2, {"size": size}, ())
        (seat,) = match.actors()
        match.play(seat, rng.choice(match.moves(seat)), ())
        return 1

    return play


def drawing(title: AnyGame, size: int) -> Row:
    """Boards drawn and written as SVG, beside the same positions written as JSON."""
    moment = middle(title, size)

    def draw() -> int:
        view = title.view(moment.state, None)
        svg_writer.render(title.draw(view, moment.events))
        return 1

    def write() -> int:
        json.dumps(title.view(moment.state, None).dump())
        return 1

    return Row(f"board, size {size}", per_second(draw), "/s", per_second(write), "views as JSON")


def crowded(title: AnyGame, seats: int = 6, side: int = 48) -> Any:
    """Return the largest board of Simple Life or Death with all pieces on it, some in stacks."""
    rng, params = random.Random(8), complete(title.meta, {"width": side, "height": side})
    first = title.setup(seats, params, CommittedDice(b"c" * 32))
    (seat,) = title.actors(first)
    squares = {str(move).split()[-1] for move in title.moves(first, seat)}
    chosen = rng.sample(sorted(squares), STACKS)
    stacks: dict[str, list[str]] = {}
    for number, parts in enumerate(product("roygbp", "SML", "12345")):
        stacks.setdefault(chosen[number % STACKS], []).append("".join(parts))
    fields = {"board": stacks, "stock": [[0, 0, 0]] * seats, "round": 2, "phase": "act"}
    return title.read_position(title.dump(first) | fields, seats, params)


def drawing_much() -> Row:
    """The largest board, 48 by 48 with 90 pieces, while each square is a link."""
    title = registry.get("simple-life-or-death")
    state = crowded(title)
    view = title.view(state, Seat(0))
    links = {name: f"?word={name}" for name, _ in svg.marks_of(title.draw(view, ()))}

    def draw() -> int:
        svg_writer.render(packed_marks.pack(title.draw(view, ()), links), links=links)
        return 1

    def write() -> int:
        json.dumps(title.view(state, Seat(0)).dump())
        return 1

    taken, floor = (1000 / per_second(work) for work in (draw, write))
    goal, reached = f"≤ {LONGEST_DRAWING:.0f} ms", taken <= LONGEST_DRAWING
    return Row(
        "board of 48 × 48, all linked", taken, "ms", floor, "ms, view as JSON", goal, reached
    )


def loading(title: AnyGame, size: int) -> Row:
    """Positions read and checked from storage, compared with reading their JSON alone."""
    text = json.dumps(title.dump(middle(title, size).state))

    def load() -> int:
        title.load(json.loads(text), 2, {"size": size})
        return 1

    def read() -> int:
        json.loads(text)
        return 1

    return Row(f"position, size {size}", per_second(load), "/s", per_second(read), "json.loads")


def entering(title: AnyGame, size: int) -> Row:
    """Options for an empty text, compared with the list of moves."""
    state = middle(title, size).state
    (seat,) = title.actors(state)

    def offer() -> int:
        title.options(state, seat, "")
        return 1

    def enumerate_moves() -> int:
        list(map(str, title.moves(state, seat)))
        return 1

    floor = per_second(enumerate_moves)
    return Row(f"options, size {size}", per_second(offer), "/s", floor, "lists of moves")


def replaying(title: AnyGame, size: int) -> Row:
    """Whole matches from their records, compared with playing the same moves directly."""
    steps, params = record(title, size), {"size": size}
    moves = [title.parse(step.text) for step in steps]

    def again() -> int:
        return sum(1 for _ in replay(title, 2, params, (), steps))

    def outright() -> int:
        state = title.setup(2, params, no_dice())
        for number, move in enumerate(moves):
            state, _ = title.play(state, Seat(number % 2), move, no_dice())
        return len(moves)

    floor = per_second(outright)
    return Row(f"replay, size {size}", per_second(again), "plies/s", floor, "plies/s, moves known")


def record(title: AnyGame, size: int) -> list[PlainEntry]:
    """Return a random match as steps."""
    rng = random.Random(2)
    state: Any = title.setup(2, {"size": size}, no_dice())
    steps = []
    while actors := title.actors(state):
        move = rng.choice(list(title.moves(state, actors[0])))
        state, _ = title.play(state, actors[0], move, no_dice())
        steps.append(PlainEntry("play", Seat(actors[0]), str(move)))
    return steps


def middle(title: AnyGame, size: int) -> Moment:
    """Return a random match half-way."""
    moments = list(replay(title, 2, {"size": size}, (), record(title, size)))
    return moments[len(moments) // 2]

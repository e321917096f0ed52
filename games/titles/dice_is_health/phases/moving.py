"""The movement of a turn: steps of the player's piece, the monsters and the fan, in any order.

However one begins, a movement can be finished: whatever walls stand, every piece has a space
to step to.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import accumulate, pairwise
from typing import TypeAlias, TypeVar

from msgspec import Struct, structs

from games.kernel.completion import folded
from games.kernel.dice import no_dice
from games.kernel.formatting import counted, listed
from games.kernel.options import Choice, Options
from games.kernel.views import Json
from games.titles.dice_is_health import events
from games.titles.dice_is_health.entry import choose, describe_space
from games.titles.dice_is_health.events import FAN_DOWN, FAN_UP
from games.titles.dice_is_health.meta import name_of
from games.titles.dice_is_health.moves import Movement, Step, Turn, Walk
from games.titles.dice_is_health.phases import Transition, TurnPhase
from games.titles.dice_is_health.position import (
    INNER,
    MOST_DICE,
    MOST_MONSTERS,
    NEIGHBOURS,
    SECTORS,
    MovementView,
    PhaseName,
    Roll,
    Space,
    State,
)

T = TypeVar("T")

# --- Steps --------------------------------------------------------------------------------------

UP, DOWN = Turn(1), Turn(-1)
TURNS: Mapping[int, tuple[Turn, ...]] = {0: (UP, DOWN), 1: (UP,), -1: (DOWN,)}
"""How the fan may turn, by how it has turned so far."""

WALKS: Sequence[Sequence[Mapping[str, Sequence[Walk]]]] = [
    [{at: [Walk(n, to) for to in sorted(near)] for at, near in fan.items()} for fan in NEIGHBOURS]
    for n in range(MOST_MONSTERS + 1)
]
"""By piece, the fan's place and the piece's space, the steps in the order of their texts."""


Piece: TypeAlias = tuple[Space, Space | None]
"""Where a piece is, and the space it came from this turn, if it moved."""


class Stage(Struct, frozen=True, gc=False):
    """A movement under way; piece 0 is the player's, monsters count from 1.

    ``left`` is what is left of the dice of the monsters, the fan and the player; ``direction`` is
    how the fan has turned, 0 before it did.
    """

    fan: int
    pieces: tuple[Piece, ...]
    left: Roll
    direction: int = 0

    @classmethod
    def of(cls, state: State) -> "Stage":
        """Return the stage on which a movement begins."""
        pieces = tuple((at, None) for at in (state.at(state.turn), *state.monsters))
        return cls(state.fan, pieces, state.roll or (0, 0, 0))

    @property
    def is_whole(self) -> bool:
        """Whether all steps are used."""
        return not any(self.left)

    def after(self, step: Step) -> "Stage":
        """Return the stage that a possible step leads to."""
        monsters, turns, player = self.left
        if isinstance(step, Turn):
            fan = (self.fan + step.by) % SECTORS
            return Stage(fan, self.pieces, (monsters, turns - 1, player), step.by)
        n, pieces = step.monster, self.pieces
        left = (monsters - 1, turns, player) if n else (monsters, turns, player - 1)
        moved = (*pieces[:n], (step.to, pieces[n][0]), *pieces[n + 1 :])
        return Stage(self.fan, moved, left, self.direction)


Next: TypeAlias = Sequence[tuple[Step, Stage]]


class Steps:
    """The steps of which movements from one position consist."""

    def __init__(self, state: State) -> None:
        self.start = Stage.of(state)
        self._walls = state.walls
        self._foreign = [space for space, owner in state.walls.items() if owner != state.turn]
        self._next: dict[Stage, Next] = {}

    def following(self, stage: Stage) -> Next:
        """Return the steps possible now in the order of their texts, and where they lead."""
        found = self._next.get(stage)
        if found is None:
            found = [(step, stage.after(step)) for step in self._possible(stage)]
            self._next[stage] = found
        return found

    def _possible(self, stage: Stage) -> Sequence[Step]:
        monsters, turns, player = stage.left
        found: list[Step] = [*TURNS[stage.direction]] if turns else []
        for piece in range(1, len(stage.pieces) if monsters else 1):
            found += self._walks(stage, piece)
        return [*found, *self._walks(stage, 0)] if player else found

    def _walks(self, stage: Stage, piece: int) -> Sequence[Walk]:
        """Return the steps of a piece: not straight back, unless nothing else is open."""
        at, origin = stage.pieces[piece]
        walks, closed = WALKS[piece][stage.fan][at], self._walls if piece else self._foreign
        if closed:
            walks = [walk for walk in walks if walk.to not in closed]
        return [walk for walk in walks if walk.to != origin] or walks if origin else walks

    def movements(self) -> Iterator[Movement]:
        """Yield every movement, in the order of their texts; there can be billions."""
        todo: list[tuple[tuple[Step, ...], Stage]] = [((), self.start)]
        while todo:
            steps, stage = todo.pop()
            following = self.following(stage)
            if sum(stage.left) == 1:
                for step, _ in following:
                    yield Movement((*steps, step))
            else:
                todo += [((*steps, step), after) for step, after in reversed(following)]

    def why_not(self, steps: Sequence[Step]) -> str:
        """Return why some steps are no movement; empty if they are."""
        stage = self.start
        for step in steps:
            if reason := self._why_not(stage, step):
                return f"{step} is not possible: {reason}"
            stage = stage.after(step)
        return "" if stage.is_whole else "all steps must be used."

    def _why_not(self, stage: Stage, step: Step) -> str:
        monsters, turns, player = stage.left
        if isinstance(step, Turn):
            no_turn = "the fan turns in one direction." if turns else "the fan has no turn left."
            return "" if turns and step in TURNS[stage.direction] else no_turn
        if step.monster >= len(stage.pieces):
            return f"there is no monster {step.monster}."
        if not (monsters if step.monster else player):
            return "no step is left for it."
        return "" if step in self._walks(stage, step.monster) else self._why_closed(stage, step)

    def _why_closed(self, stage: Stage, step: Walk) -> str:
        at, _ = stage.pieces[step.monster]
        if step.to not in NEIGHBOURS[stage.fan][at]:
            return f"{step.to} is not next to {at}."
        if step.to in (self._walls if step.monster else self._foreign):
            return f"a wall on {step.to} keeps it out."
        return "it has just come from there, and does not step straight back."


def movement_data(steps: Sequence[Step], stages: Sequence[Stage]) -> dict[str, Json]:
    """Return the data of the event of a movement, or of what has been entered of one."""
    paths = [
        _changes([stage.pieces[n][0] for stage in stages]) for n in range(len(stages[0].pieces))
    ]
    return {
        "steps": list(map(str, steps)),
        "path": paths[0],
        "monsters": {str(n): path for n, path in enumerate(paths) if n and len(path) > 1},
        "fan": _changes([stage.fan for stage in stages]),
    }


def _changes(values: Sequence[T]) -> list[T]:
    return [values[0], *(after for before, after in pairwise(values) if after != before)]


# --- The phase ----------------------------------------------------------------------------------


class Moving(TurnPhase):
    """The mover moves the piece, the monsters and the fan."""

    name = PhaseName.MOVE
    moves_of = (Movement,)
    asks = "a turn begins with the movement of your piece, the monsters and the fan."

    def moves(self, state: State) -> Iterator[Movement]:
        """Return every movement lazily."""
        return Steps(state).movements()

    def why_not(self, state: State, move: Movement) -> str:
        """Return why a movement is forbidden; empty if it is legal."""
        return Steps(state).why_not(move.steps)

    def play(self, transition: Transition, move: Movement) -> None:
        """Move, take the die that lies at the end of the path, and see whether that wins."""
        state = transition.state
        stages = list(accumulate(move.steps, Stage.after, initial=Stage.of(state)))
        transition.emit(events.MOVED, state.turn, **movement_data(move.steps, stages))
        reached = _reached(state, stages[-1])
        transition.state = structs.replace(reached, phase=PhaseName.SPEND, roll=None)
        transition.pick_up(state.turn)
        transition.check_win()

    def options(self, state: State, typed: str) -> Options:
        """Offer pieces and spaces to step to, or turns of the fan, step by step."""
        entry = MovementEntry(state, typed)
        view, prompt = entry.view if typed.strip() else None, entry.prompt
        if entry.is_whole:
            longer = tuple(entry.longer())
            return Options(complete=not entry.rest, next=longer, prompt=prompt, view=view)
        found = choose(entry.choices(), entry.rest + entry.blank, prompt)
        return replace(found, complete=False, view=view)


def _reached(state: State, stage: Stage) -> State:
    """Return the position with the pieces and the fan where a stage has them."""
    players = list(state.players)
    at, *monsters = (at for at, _ in stage.pieces)
    players[state.turn] = structs.replace(state.mover, at=at)
    return structs.replace(state, fan=stage.fan, players=tuple(players), monsters=tuple(monsters))


# --- Entry --------------------------------------------------------------------------------------


class MovementEntry:
    """What is typed of a movement: whole ``steps``, and the ``rest`` behind them.

    A space whose name could be longer ends with a blank, unless nothing may follow it.
    """

    def __init__(self, state: State, typed: str) -> None:
        self.state = state
        self.rest, self.blank = folded(typed), " " * typed[-1:].isspace()
        self._all = Steps(state)
        self._steps: list[Step] = []
        self._stages = [self._all.start]
        while taken := next(filter(self._is_taken, self._following), None):
            self._steps.append(taken[0])
            self._stages.append(taken[1])
            self.rest = self.rest[len(str(taken[0])) :]

    @property
    def _stage(self) -> Stage:
        return self._stages[-1]

    @property
    def _following(self) -> Next:
        return self._all.following(self._stage)

    @property
    def is_whole(self) -> bool:
        """Whether all steps are used."""
        return self._stage.is_whole

    @cached_property
    def _shown(self) -> State:
        """The position as the steps so far leave it; what is asked stays as it was."""
        if not self.is_whole:
            return _reached(self.state, self._stage)
        transition = Transition(self.state, no_dice())
        Moving().play(transition, Movement(tuple(self._steps)))
        if transition.is_over:
            return transition.state
        return structs.replace(transition.state, phase=PhaseName.MOVE)

    @property
    def view(self) -> MovementView:
        """That position, with the steps so far and what they leave of each die."""
        position = structs.asdict(self._shown) | {"roll": self.state.roll}
        data = movement_data(self._steps, self._stages)
        return MovementView(**position, left=self._stage.left, move=data)

    @property
    def prompt(self) -> str:
        """What is left of the dice or, of a whole movement, what comes of it."""
        if self.is_whole:
            return forecast(self.state, self._shown)
        monsters, turns, player = self._stage.left
        left = [
            f"your piece {counted(player, 'step')}" if player else "",
            f"the monsters {counted(monsters, 'step')}" if monsters else "",
            f"the fan {counted(turns, 'turn')}" if turns else "",
        ]
        mover, arrow, _ = self.rest.partition(">")
        who = f"monster {mover[1:]}" if mover[1:] else "your piece"
        question = f"Where does {who} step? " if arrow else ""
        return f"{question}Still to go, in any order: {listed(list(filter(None, left)))}."

    def choices(self) -> Iterator[Choice]:
        """Yield what may follow the whole steps: pieces and turns, or spaces to step to."""
        steps = [step for step, _ in self._following]
        pieces = {step.monster for step in steps if isinstance(step, Walk)}
        is_alone = len(pieces) == 1 and not any(isinstance(step, Turn) for step in steps)
        if is_alone or ">" in self.rest:
            yield from self._walks()
        else:
            yield from self._turns()
            yield from map(self._piece, sorted(pieces))

    def longer(self) -> Iterator[Choice]:
        """Yield what may follow where the last space may yet become another, as o1 does o17."""
        if not self.rest and not self.blank:
            last = str(self._steps[-1])
            texts = [str(step) for step, _ in self._all.following(self._stages[-2])]
            rest = [text[len(last) :] for text in texts if text.startswith(last)]
            yield from (Choice(more, last + more) for more in rest if more)

    def _is_taken(self, one: tuple[Step, Stage]) -> bool:
        step, after = one
        key = str(step).lower()
        if not self.rest.startswith(key):
            return False
        behind = self.rest[len(key) :]
        if behind or isinstance(step, Turn):
            return isinstance(step, Turn) or not behind[0].isdigit()
        return bool(self.blank) or after.is_whole

    def _turns(self) -> Iterator[Choice]:
        for step, after in self._following:
            if isinstance(step, Turn):
                direction, mark = ("up", FAN_UP) if step == UP else ("down", FAN_DOWN)
                label = f"Turn the fan {direction}, to place {after.fan}"
                yield Choice(_ended(step, after), label, (mark,))

    def _piece(self, number: int) -> Choice:
        at, _ = self._stage.pieces[number]
        if number:
            label = f"Monster {number}, on {at}"
            return Choice(f"M{number}>", label, (events.monster_mark(number),))
        return Choice("P>", f"Your piece, on {at}", (events.player_mark(self.state.turn),))

    def _walks(self) -> Iterator[Choice]:
        reached = _reached(self.state, self._stage)
        for step, after in self._following:
            if isinstance(step, Walk):
                label = describe_space(reached, step.to)
                yield Choice(_ended(step, after), label, (step.to,))


def _ended(step: Step, after: Stage) -> str:
    """Return the text of a step, with a blank behind it where another one follows."""
    return f"{step}" if after.is_whole else f"{step} "


def forecast(before: State, moved: State) -> str:
    """Return in sentences what a whole movement comes to, as far as that is known."""
    if moved.winner is not None:
        return "You are back in the middle with a trinket and three dice: you win."
    return " ".join((_end_of_path(before, moved), *_meetings(moved)))


def _end_of_path(before: State, moved: State) -> str:
    here, player = moved.at(moved.turn), moved.mover
    if player.dice > before.mover.dice:
        return f"You take the die on {here} and have {events.dice(player.dice)}."
    if here in moved.pickups:
        return f"You end on {here}; there is no room for the die that lies there."
    if here not in INNER:
        return f"You end on {here}."
    wanted = [] if player.trinkets else ["a trinket"]
    if player.dice < MOST_DICE:
        wanted.append(events.dice(MOST_DICE - player.dice))
    return f"You end in the middle, on {here}, but to win you need {listed(wanted)} more."


def _meetings(state: State) -> Iterator[str]:
    """Yield who must fight whom, and who may."""
    here, others = state.at(state.turn), state.in_turn[1:]
    for seat in state.in_turn:
        who = "You" if seat == state.turn else name_of(seat)
        if on := [n for n, at in enumerate(state.monsters, 1) if at == state.at(seat)]:
            yield f"{who} must fight {_monsters(on)}."
    if near := [n for n, at in enumerate(state.monsters, 1) if at in state.near(here)]:
        yield f"You may fight {_monsters(near)}."
    if on := [seat for seat in others if state.at(seat) == here]:
        yield f"You must fight {listed([*map(name_of, on)])}."
    if near := [seat for seat in others if state.at(seat) in state.near(here)]:
        yield f"You may challenge {listed([*map(name_of, near)])}."


def _monsters(numbers: Sequence[int]) -> str:
    return listed([f"monster {number}" for number in numbers])

"""A toy game whose moves are entered in steps: where to aim, then a number; two darts a turn.

A throw is ``high 3.5`` or ``low 2.0``; each adds its number. The first with 40 wins. The mark
``board`` stands for both ways to aim.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from games.kernel import svg
from games.kernel.contract import (
    Colour,
    Ended,
    Event,
    Meta,
    OpenGame,
    Params,
    Position,
    Ranks,
    Seat,
    SeatEvent,
    TurnEnded,
)
from games.kernel.dice import Dice
from games.kernel.errors import IllegalMove, MalformedMove, NotYourTurn
from games.kernel.options import Choice, NumberField, Options, Span
from games.kernel.preconditions import check_running
from games.kernel.ranking import DRAWN, WON_BY
from games.kernel.svg import Drawing
from games.kernel.views import Json, View
from tests.example_games.views import DictView

GOAL = 40
THROW = re.compile(r"(high|low) *([0-9]+(?:\.[05])?)")

META = Meta(
    slug="darts",
    name="Darts",
    designer="Nobody",
    year=None,
    summary="A toy.",
    seats=(2, 2),
    colours=(Colour("Red", "r"), Colour("Blue", "b")),
    params={"type": "object", "properties": {}, "additionalProperties": False},
    endings={"goal": "A player has forty points."},
    rules_version=1,
)


@dataclass(frozen=True)
class Throw:
    aim: str
    force: float

    def __str__(self) -> str:
        return f"{self.aim} {self.force:.1f}"


@dataclass(frozen=True)
class State:
    scores: tuple[float, ...] = (0.0, 0.0)
    darts: int = 0
    ranks: Ranks | None = None

    @property
    def mover(self) -> Seat:
        return Seat(self.darts // 2 % 2)


class Thrown(SeatEvent, frozen=True, tag="throw"):
    """The seat threw a dart."""

    aim: str
    force: float


class DartsRules(OpenGame[State, Any, DictView]):
    meta = META
    events = (Thrown,)

    def setup(self, seats: int, params: Params, dice: Dice) -> State:
        return State()

    def moves(self, state: State, seat: Seat) -> Iterable[Throw]:
        if seat in self.actors(state):
            yield from (Throw(aim, n / 2) for aim in ("high", "low") for n in range(21))

    def play(
        self, state: State, seat: Seat, move: Throw, dice: Dice
    ) -> tuple[State, tuple[Event, ...]]:
        check_running(state.ranks)
        if seat != state.mover:
            raise NotYourTurn("It is not your turn.")
        if move.force > 10:
            raise IllegalMove(f"Nobody throws as hard as {move.force}.")
        scores = list(state.scores)
        scores[seat] += move.force
        after = replace(state, scores=tuple(scores), darts=state.darts + 1)
        events: list[Event] = [Thrown(seat, move.aim, move.force)]
        if after.mover != seat:
            events.append(TurnEnded(seat))
        if scores[seat] >= GOAL:
            return self._end(after, seat, events)
        return after, tuple(events)

    def _end(
        self, state: State, winner: Seat, events: list[Event]
    ) -> tuple[State, tuple[Event, ...]]:
        ranks = WON_BY[winner]
        return replace(state, ranks=ranks), (*events, Ended(ending="goal", ranks=ranks))

    def drop(self, state: State, seat: Seat, dice: Dice) -> tuple[State, tuple[Event, ...]]:
        return self._end(state, Seat(1 - seat), [])

    def close(self, state: State) -> tuple[State, tuple[Event, ...]]:
        return replace(state, ranks=DRAWN), (Ended(ending="closed", ranks=DRAWN),)

    def view(self, state: State, viewer: Seat | None) -> DictView:
        return DictView(self.dump(state))

    def dump(self, state: State) -> Position:
        result = list(state.ranks) if state.ranks else None
        return {"scores": list(state.scores), "darts": state.darts, "result": result}

    def validate(self, state: State) -> None:
        pass

    def load(self, data: Json, seats: int, params: Params) -> State:
        result = tuple(data["result"]) if data["result"] else None
        return State(tuple(data["scores"]), data["darts"], result)


def parse(text: str) -> Throw:
    found = THROW.fullmatch(text.strip().lower())
    if found is None:
        raise MalformedMove(f"{text!r} is no throw.")
    return Throw(found[1], float(found[2]))


def options(state: State, seat: Seat, typed: str) -> Options:
    typed = typed.lower()
    if found := THROW.fullmatch(typed):
        return Options(complete=float(found[2]) <= 10, next=())
    if typed in ("high ", "low "):
        force = Span(0, 10, 0.5, "{:.1f}", "How hard?")
        return Options(
            complete=False, next=(force,), prompt="How hard?", forms=((NumberField(force),),)
        )
    aims = [(aim, f"{aim} ") for aim in ("high", "low") if f"{aim} ".startswith(typed)]
    if not aims:
        raise MalformedMove(f"No throw begins with {typed!r}.")
    choices = (Choice(text[len(typed) :], aim, (aim, "board")) for aim, text in aims)
    return Options(complete=False, next=tuple(choices), prompt="Aim where?")


def draw(view: View, recent: Sequence[Event]) -> Drawing:
    marks = [
        svg.mark(name, name, svg.circle(50, y, 10), at=(50, y))
        for name, y in (("high", 20), ("board", 50), ("low", 80))
    ]
    return Drawing(100, 100, tuple(marks), f"Scores {view['scores']}")


def describe(event: Event, viewer: Seat | None) -> str:
    if isinstance(event, Thrown):
        return f"{META.colours[event.seat].name} throws {event.aim}, {event.force}."
    return ""


class Darts(DartsRules):
    def parse(self, text):
        return parse(text)

    def options(self, state, seat, typed):
        return options(state, seat, typed)

    def draw(self, view, recent):
        return draw(view, recent)

    def describe(self, event, viewer):
        return describe(event, viewer)


TITLE = Darts()

"""A toy game for tests of the match: take counters from a heap, by number or by die.

The player who takes the last counter wins. With ``free`` all seats may move at any time, each until
it says ``done``. ``peek`` shows its mover alone a number, as a hidden card would.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from games.kernel.contract import (
    Colour,
    Ended,
    Event,
    Meta,
    Params,
    Position,
    Ranks,
    Seat,
    SeatEvent,
    SecretEvent,
    SecretGame,
    TurnEnded,
)
from games.kernel.dice import Dice
from games.kernel.errors import BrokenPosition, IllegalMove, MalformedMove, NotYourTurn
from games.kernel.options import Choice, Options
from games.kernel.preconditions import check_running
from games.kernel.ranking import rank
from games.kernel.svg import Drawing
from games.kernel.views import Json, View
from tests.example_games.views import DictView

WORDS = ("1", "2", "3", "roll", "peek", "done")

META = Meta(
    slug="heap",
    name="Heap",
    designer="Nobody",
    year=None,
    summary="A toy.",
    seats=(2, 4),
    colours=tuple(Colour(name, name[0]) for name in ("Red", "Blue", "Green", "White")),
    params={
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "heap": {
                "type": "integer",
                "minimum": 1,
                "maximum": 100,
                "default": 10,
                "title": "Heap",
                "description": "Counters at the start.",
            },
            "free": {
                "type": "boolean",
                "default": False,
                "title": "Free",
                "description": "All may move at once.",
            },
        },
    },
    endings={"last": "The last counter was taken."},
    rules_version=1,
    has_chance=True,
    has_secrets=True,
)


class Peeked(SecretEvent, frozen=True, omit_defaults=True, tag="peek"):
    """The seat saw a number; ``None`` for everybody else."""

    secret = {"card": None}

    card: int | None = None


class Taken(SeatEvent, frozen=True, tag="take"):
    """The seat took so many counters."""

    count: int


class Dropped(SeatEvent, frozen=True, tag="drop"):
    """The seat dropped out."""


@dataclass(frozen=True)
class State:
    heap: int
    free: bool
    mover: Seat
    seats: int
    out: tuple[Seat, ...] = ()
    done: tuple[Seat, ...] = ()
    peeked: tuple[int, ...] = ()
    ranks: Ranks | None = None

    def still_in(self) -> tuple[Seat, ...]:
        return tuple(Seat(s) for s in range(self.seats) if s not in self.out)


class HeapRules(SecretGame[State, Any, DictView]):
    meta = META
    events = (Peeked, Taken, Dropped)

    def params_refusal(self, seats: int, params: Params) -> str:
        return "Only two or three can play at any time." if params["free"] and seats > 3 else ""

    def setup(self, seats: int, params: Params, dice: Dice) -> State:
        return State(params["heap"], params["free"], Seat(0), seats, peeked=(0,) * seats)

    def actors(self, state: State) -> tuple[Seat, ...]:
        if state.ranks is not None:
            return ()
        if state.free:
            return tuple(seat for seat in state.still_in() if seat not in state.done)
        return (state.mover,)

    def moves(self, state: State, seat: Seat) -> Iterable[str]:
        if seat in self.actors(state):
            yield from (w for w in WORDS if state.free or w != "done")

    def play(
        self, state: State, seat: Seat, move: str, dice: Dice
    ) -> tuple[State, tuple[Event, ...]]:
        check_running(state.ranks)
        if seat not in self.actors(state):
            raise NotYourTurn(f"Seat {seat} is not to move.")
        if move == "peek":
            card = dice.roll(100)
            peeked = (*state.peeked[:seat], card, *state.peeked[seat + 1 :])
            return replace(state, peeked=peeked), (Peeked(seat, card, owners=(seat,)),)
        if move == "done":
            if not state.free:
                raise IllegalMove("Only a free heap knows 'done'.")
            state = replace(state, done=(*state.done, seat))
            return self._after(state, seat, (TurnEnded(seat),))
        count = dice.roll(6) if move == "roll" else int(move)
        taken = min(count, state.heap)
        state = replace(state, heap=state.heap - taken)
        return self._after(state, seat, (Taken(seat, taken),))

    def _after(
        self, state: State, seat: Seat, events: tuple[Event, ...]
    ) -> tuple[State, tuple[Event, ...]]:
        if state.heap == 0 or (state.free and len(state.done) == len(state.still_in())):
            return self._end(state, seat, "last", events)
        if state.free:
            return state, events
        players = state.still_in()
        turn = players[(players.index(seat) + 1) % len(players)]
        return replace(state, mover=turn), (*events, TurnEnded(seat))

    def _end(
        self, state: State, winner: Seat | None, ending: str, events: tuple[Event, ...]
    ) -> tuple[State, tuple[Event, ...]]:
        best = state.still_in() if winner is None else (winner,)
        ranks = rank([0] * state.seats, best, state.out)
        return replace(state, ranks=ranks), (*events, Ended(ending=ending, ranks=ranks))

    def drop(self, state: State, seat: Seat, dice: Dice) -> tuple[State, tuple[Event, ...]]:
        check_running(state.ranks)
        players = state.still_in()
        after = players[(players.index(seat) + 1) % len(players)]
        state = replace(state, out=(*state.out, seat))
        events = (Dropped(seat),)
        if len(state.still_in()) == 1:
            return self._end(state, state.still_in()[0], "dropped", events)
        return replace(state, mover=after if state.mover == seat else state.mover), events

    def close(self, state: State) -> tuple[State, tuple[Event, ...]]:
        check_running(state.ranks)
        return self._end(state, None, "closed", ())

    def view(self, state: State, viewer: Seat | None) -> DictView:
        whole = self.dump(state)
        cards = [
            card if seat == viewer or not card else "??" for seat, card in enumerate(state.peeked)
        ]
        return DictView({**whole, "peeked": cards})

    def dump(self, state: State) -> Position:
        return {
            "heap": state.heap,
            "free": state.free,
            "turn": state.mover,
            "out": list(state.out),
            "done": list(state.done),
            "peeked": list(state.peeked),
            "result": list(state.ranks) if state.ranks else None,
        }

    def validate(self, state: State) -> None:
        pass

    def load(self, data: Json, seats: int, params: Params) -> State:
        try:
            return State(
                data["heap"],
                data["free"],
                Seat(data["turn"]),
                seats,
                tuple(data["out"]),
                tuple(data["done"]),
                tuple(data["peeked"]),
                tuple(data["result"]) if data["result"] else None,
            )
        except (KeyError, TypeError) as error:
            raise BrokenPosition(f"{data!r} is no heap.") from error


def parse(text: str) -> str:
    word = text.strip().lower()
    if word not in WORDS:
        raise MalformedMove(f"{text!r} is no move of the heap.")
    return word


def options(state: State, seat: Seat, typed: str) -> Options:
    rest = [w for w in TITLE.moves(state, seat) if w.startswith(typed)]
    choices = tuple(Choice(w[len(typed) :], w, (w,)) for w in rest if w != typed)
    return Options(typed in rest, choices, "Take counters.")


def draw(view: View, recent: Sequence[Event]) -> Drawing:
    return Drawing(100, 100, (), f"A heap of {view['heap']}; cards {view['peeked']}")


def describe(event: Event, viewer: Seat | None) -> str:
    if isinstance(event, Taken):
        return f"{META.colours[event.seat].name} takes {event.count}."
    if isinstance(event, Peeked) and event.card is not None:
        return f"You see {event.card}."
    return ""


def redact(text: str, view: View) -> str:
    """A peek is nobody's business while its card is hidden."""
    return "??" if text == "peek" and "??" in view["peeked"] else text


class Heap(HeapRules):
    def parse(self, text):
        return parse(text)

    def options(self, state, seat, typed):
        return options(state, seat, typed)

    def draw(self, view, recent):
        return draw(view, recent)

    def describe(self, event, viewer):
        return describe(event, viewer)

    def open_view(self, state):
        return DictView(self.dump(state))

    def redact(self, text, view):
        return redact(text, view)

    def outcome_hidden(self, move):
        return move == "peek"

    def unseen(self, seen):
        return ()

    def assume(self, seen, assumed):
        return seen

    def determinize(self, seen, chance):
        while True:
            cards = [chance.randint(1, 100) if c == "??" else c for c in seen.view["peeked"]]
            yield self.load({**seen.view, "peeked": cards}, seen.seats, seen.params)


TITLE = Heap()

"""Moves played by hand in the tests of a game. All chance is scripted and must be used up."""

from collections.abc import Iterable, Sequence
from typing import Any

import pytest

from games.kernel.contract import AnyGame, Event, Seat
from games.kernel.dice import RecordedDice
from games.kernel.errors import IllegalMove
from games.kernel.views import Json


class TitleDriver:
    """Plays moves of one game from given positions, with given outcomes of chance."""

    def __init__(self, title: AnyGame) -> None:
        self._title = title

    def start(self, seats: int, params: Json, chance: Sequence[Json]) -> Any:
        """Return a first position. ``params`` are complete."""
        dice = RecordedDice(chance)
        state = self._title.setup(seats, params, dice)
        dice.finish()
        return state

    def play(self, state: Any, *texts: str, chance: Iterable[Json] = ()) -> tuple[Any, list[Event]]:
        """Play moves of the player to move; ``chance`` is that of all of them, in order."""
        dice = RecordedDice(list(chance))
        events: list[Event] = []
        for text in texts:
            actor = self._title.actors(state)[0]
            state, told = self._title.play(state, actor, self._title.parse(text), dice)
            events += told
        dice.finish()
        return state, events

    def drop(self, state: Any, seat: int, chance: Iterable[Json] = ()) -> tuple[Any, list[Event]]:
        """Let a seat drop out."""
        dice = RecordedDice(list(chance))
        state, events = self._title.drop(state, Seat(seat), dice)
        dice.finish()
        return state, list(events)

    def moves(self, state: Any) -> list[str]:
        """Return the moves of the player to move."""
        return list(map(str, self._title.moves(state, self._title.actors(state)[0])))

    def refusal(self, state: Any, text: str) -> str:
        """Return why the rules forbid a move."""
        with pytest.raises(IllegalMove) as refused:
            self.play(state, text)
        return str(refused.value)


def types(events: Iterable[Event]) -> list[str]:
    """Return the types of events."""
    return [event.type for event in events]


def fields(event: Event) -> Json:
    """Return the fields of an event as JSON has them, without its type and its seat."""
    return {name: value for name, value in event.dump().items() if name not in ("type", "seat")}
